// SPDX-License-Identifier: GPL-3.0-or-later
// What version 0.1.0 (commit 454d8a0) wrote opens, replays, verifies and goes on: tests/data/released.
#include "core/base/file.h"
#include "core/evidence/evidence_bundle.h"
#include "core/gpu/protocol/frame.h"
#include "core/gpu/protocol/protocol.h"
#include "core/model/sm_model.h"
#include "core/search/engine/tune_run.h"
#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using cubinlab::testing::TempFolder;

namespace {

const std::filesystem::path kReleased = std::filesystem::path(CUBINLAB_TEST_DATA) / "released";

// Sessions are tried on copies: whoever opens one may bring it up to date.
std::filesystem::path copy_of(const char* name, const TempFolder& folder) {
    std::filesystem::copy_file(kReleased / name, folder / name);
    return folder / name;
}

}  // namespace

TEST_CASE("a released session opens and replays, every hash and figure as it was logged") {
    const TempFolder folder;
    auto reader = SessionReader::open(copy_of("bmm_mma-0.1.cubinlab.db", folder));
    if (!reader) FAIL(reader.error().message());
    auto kernel = (*reader)->kernel();
    REQUIRE(kernel);
    auto run = (*reader)->run(0);
    REQUIRE(run);
    CHECK(run->agent == "greedy");
    CHECK(run->seed == 1);
    CHECK(run->budget == "50steps");
    CHECK(run->steps == 50);
    CHECK(run->best_step == 32);
    CHECK((*reader)->verify(*kernel, run->id).value() == 50);
    const StepRecord best = (*reader)->steps(run->id, 31, 1).value().at(0);
    CHECK(best.outcome.verdict == Verdict::Faster);
    CHECK(best.outcome.log_speedup == 0.003489576573805749);
    CHECK(best.outcome.cost == 18928.166666666668);
    CHECK(best.best);
}

TEST_CASE("a released session of a GPU's run has its samples, its error probabilities and the GPU's states") {
    const TempFolder folder;
    auto reader = SessionReader::open(copy_of("bmm_mma-scripted-gpu-0.1.cubinlab.db", folder));
    if (!reader) FAIL(reader.error().message());
    const auto steps = (*reader)->steps(1).value();
    REQUIRE(steps.size() == 24);
    CHECK((*reader)->verify((*reader)->kernel().value(), 1).value() == 24);
    const Outcome& first = steps[0].outcome;
    CHECK(first.ok());
    CHECK(first.verdict == Verdict::Slower);
    CHECK(first.log_speedup == -0.0164);
    CHECK(first.low == -0.017400000000000002);
    CHECK(first.high == -0.0154);
    CHECK(first.cost == 20.330704363627838);
    CHECK(first.pairs == 1);
    CHECK(first.alpha == 0.05);
    CHECK(first.samples == std::vector<float>{-0.0164f});
    CHECK(first.states == std::vector<GpuReading>{{1740.0f, 38.712799072265625f, 552.138427734375f, 0.0f}});
    CHECK(steps[1].outcome.alpha == 0.005);
    CHECK(steps[1].outcome.detail.starts_with("confirmation 1 of this run"));
    CHECK(steps[4].best);
}

TEST_CASE("a released run goes on where its log ends") {
    const TempFolder folder;
    const auto path = copy_of("bmm_mma-0.1.cubinlab.db", folder);
    KernelPtr kernel;
    std::string workload, listing;
    std::vector<StepRecord> logged;
    {
        auto reader = SessionReader::open(path);
        REQUIRE(reader);
        kernel = (*reader)->kernel().value();
        workload = (*reader)->workload_json().value();
        listing = (*reader)->listing_text().value();
        logged = (*reader)->steps(1).value();
    }
    auto writer = SessionWriter::open(path, kernel, workload, listing);
    if (!writer) FAIL(writer.error().message());
    const auto evaluator = make_model_evaluator(kernel, {});
    auto sink = (*writer)->continue_run(1, evaluator->info());
    REQUIRE(sink);
    const SearchContext context = {kernel, *HazardChecker::create(kernel), 1, "{}", {}, {}, Schedule(kernel)};
    RunSettings settings;
    settings.budget.steps = 60;
    TuneRun run(context, settings, std::move(*make_searcher("greedy", context)), *evaluator, sink->get(), nullptr);
    if (auto same = run.resume_from(logged); !same) FAIL(same.error().message());
    const auto summary = run.run({});
    REQUIRE(summary);
    CHECK(summary->steps == 10);
    sink->reset();
    REQUIRE((*writer)->close());
    auto reader = SessionReader::open(path);
    REQUIRE(reader);
    CHECK((*reader)->verify(kernel, 1).value() == 60);
}

TEST_CASE("a released bundle checks, figures and all") {
    auto check = check_bundle(kReleased / "bundle-0.1");
    if (!check) FAIL(check.error().message());
    for (const std::string& problem : check->problems)
        FAIL_CHECK(problem);
    CHECK(check->measured);
    CHECK(check->verdict == "FASTER");
    CHECK(check->log_speedup == 0.019999999552965164);
    CHECK(check->control_changed == 30);
}

TEST_CASE("what a released worker says is understood, and a released workload is read") {
    FrameParser parser(true);
    parser.feed(read_file(kReleased / "worker-0.1.frames").value());
    std::vector<BenchOutcome> outcomes;
    for (auto message = parser.next();; message = parser.next()) {
        if (!message) FAIL(message.error().message());
        if (!*message) break;
        const std::string type = type_of(**message);
        if (type == "prepared") {
            CHECK(facts_from((*message)->at("facts")));
            CHECK(calibration_from((*message)->at("calibration")));
        }
        if (type != "outcome") continue;
        auto outcome = outcome_from(**message);
        if (!outcome) FAIL(outcome.error().message());
        outcomes.push_back(std::move(*outcome));
    }
    REQUIRE(outcomes.size() > 24);  // promotions and confirmations come on top of the steps
    CHECK(outcomes[0].ok());
    CHECK(outcomes[0].log_speedup == -0.0164);
    CHECK(outcomes[0].cost == 20.330704363627838);
    CHECK(outcomes[0].states.at(0).sm_clock_mhz == 1740);
    auto workload = Workload::parse(read_text(kReleased / "workload-0.1.json").value());
    REQUIRE(workload);
    CHECK(workload->kernel == "bmm");
}
