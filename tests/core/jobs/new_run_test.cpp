// SPDX-License-Identifier: GPL-3.0-or-later
// What a run leaves in a session besides its steps, by whichever front end it was started.
#include "core/jobs/new_run.h"

#include <fmt/format.h>

#include "core/base/file.h"
#include "core/base/version.h"
#include "core/store/sqlite.h"
#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;

namespace {

struct Learner : Searcher {
    bool learns;
    explicit Learner(bool learns_any) : learns(learns_any) {}
    std::string name() const override { return "learner"; }
    std::vector<Proposal> propose(std::size_t) override { return {}; }
    ObserveResult observe(const std::vector<Observation>&) override { return {}; }
    Result<bool> save(const std::filesystem::path& file) const override {
        if (!learns) return false;
        TRY(write_text(file, "weights"));
        return true;
    }
};

RunSummary after(std::uint64_t steps) {
    RunSummary summary;
    summary.steps = steps;
    return summary;
}

}  // namespace

TEST_CASE("a new run's header says its settings, its start, its locks and this version") {
    const Schedule start(sample_kernel("softmax"));
    RunSettings settings;
    settings.agent = "group";
    settings.agent_settings = R"({"walk":3})";
    settings.seed = 9;
    settings.budget.steps = 40;
    settings.batch = 5;
    EvaluatorInfo evaluator;
    evaluator.device = "a device";
    const RunHeader header = header_of(settings, evaluator, start, {3, 4});
    CHECK(header.agent == "group");
    CHECK(header.agent_settings == R"({"walk":3})");
    CHECK(header.seed == 9);
    CHECK(header.budget == "40steps");
    CHECK(header.evaluator.device == "a device");
    CHECK(header.start_hash == start.hash());
    CHECK(header.batch == 5);
    CHECK(header.locked == std::vector<InstrId>{3, 4});
    CHECK(header.version == version_text());
    CHECK(header.started.size() >= 20);
    CHECK(header.start_run == 0);
}

TEST_CASE("what an agent has learned stands beside the session, which has its hash and the run's last step") {
    const TempFolder folder;
    const KernelPtr kernel = sample_kernel("softmax");
    auto session = open_or_fail(folder / "s.db", kernel);
    RunId run = 0;
    auto sink = session->begin_run(header_for_tests(), Schedule(kernel), &run);
    REQUIRE(sink);
    RunSettings settings;
    settings.first_step = 11;  // ten steps of an earlier part
    REQUIRE(keep_checkpoint(Learner(true), *session, run, settings, after(20)));
    const auto file = folder / fmt::format("s.db.run{}.checkpoint", run);
    CHECK(read_text(file).value() == "weights");
    // An agent that learns nothing, a run that is not in the session and one without steps leave nothing.
    REQUIRE(std::filesystem::remove(file));
    REQUIRE(keep_checkpoint(Learner(false), *session, run, settings, after(20)));
    REQUIRE(keep_checkpoint(Learner(true), *session, 0, settings, after(20)));
    REQUIRE(keep_checkpoint(Learner(true), *session, run, {}, after(0)));
    CHECK_FALSE(std::filesystem::exists(file));
    sink->reset();
    REQUIRE(session->close());
    auto database = sqlite::Database::open(folder / "s.db", sqlite::Mode::ReadOnly);
    REQUIRE(database);
    CHECK(database->text("SELECT group_concat(step || ' ' || hash) FROM checkpoints").value() ==
          "30 " + hash_bytes(std::as_bytes(std::span("weights", 7))).hex());
}
