// SPDX-License-Identifier: GPL-3.0-or-later
// The readings that need no whole row.
#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;

namespace {

struct Logged {
    RunId run = 0;
    std::vector<StepRecord> steps;
};

Logged write(const std::filesystem::path& file, int steps) {
    const KernelPtr kernel = sample_kernel();
    LogMaker log(kernel, 3, 4);
    auto session = open_or_fail(file, kernel);
    Logged out;
    RunHeader header = header_for_tests();
    auto sink = required(session->begin_run(header, log.start(), &out.run));
    for (int i = 0; i < steps; ++i) {
        StepRecord record = log.next();
        record.best = i % 50 == 7;
        REQUIRE((*sink)->append(record));
        out.steps.push_back(record);
    }
    REQUIRE((*sink)->flush());
    return out;
}

}  // namespace

TEST_CASE("figures, hashes, best steps and single steps are those of the whole rows") {
    const TempFolder folder;
    const Logged log = write(folder / "s.db", 300);
    auto reader = required(SessionReader::open(folder / "s.db"));
    const auto figures = (*reader)->figures(log.run, 0, 0);
    const auto hashes = (*reader)->hashes(log.run, 10, 290, 1000);
    REQUIRE(figures);
    REQUIRE(hashes);
    REQUIRE(figures->size() == 300);
    REQUIRE(hashes->size() == 280);
    std::size_t same = 0;
    for (std::size_t i = 0; i < 300; ++i) {
        const StepRecord& row = log.steps[i];
        const StepFigure& figure = (*figures)[i];
        same += figure.step == row.step && figure.kind == row.outcome.kind &&
                figure.log_speedup == row.outcome.speedup.log && figure.best == row.best &&
                figure.accepted == row.accepted && figure.time_us == row.time_us;
    }
    CHECK(same == 300);
    for (const auto& [step, hash] : *hashes)
        REQUIRE(hash == log.steps[static_cast<std::size_t>(step - 1)].schedule_hash);
    const auto best = required((*reader)->best_steps(log.run, 8, 3));
    REQUIRE(best->size() == 3);
    CHECK((*best)[0].step == 58);
    CHECK((*best)[2].step == 158);
    const std::vector<StepId> wanted = {299, 5, 4000, 5};
    const auto some = required((*reader)->steps_at(log.run, wanted));
    REQUIRE(some->size() == 3);
    CHECK((*some)[0].mutation == log.steps[298].mutation);
    CHECK((*some)[1].schedule_hash == log.steps[4].schedule_hash);
    CHECK((*some)[2].outcome.samples.empty());
}
