// SPDX-License-Identifier: GPL-3.0-or-later
// Group tests, through the interface of an agent and against a noisy model.
#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "app/lab/study/simulated_gpu.h"
#include "tests/core/search/search_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

std::unique_ptr<Searcher> group(const SearchContext& context) {
    auto searcher = required(make_searcher("group", context));
    return std::move(*searcher);
}

struct Ended {
    double truth = 0;  // log speed-up of the run's best by the exact model
    std::uint64_t steps = 0;
    double agent_seconds = 0;  // the model's included
};

Ended run_of(const std::string& agent, SearchContext context, double seconds) {
    SimulatedGpu evaluator(context.kernel, context.seed);
    RunSettings settings;
    settings.agent = agent;
    settings.clock = evaluator.clock();
    settings.budget.time = std::chrono::milliseconds(static_cast<int>(1000 * seconds));
    settings.batch = 32;
    auto searcher = required(make_searcher(agent, context));
    TuneRun run(context, settings, std::move(*searcher), evaluator, nullptr, nullptr);
    const auto began = std::chrono::steady_clock::now();
    const auto summary = required(run.run({}));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    return {evaluator.truth(run.best(), context.start), summary->steps, took.count()};
}

}  // namespace

TEST_CASE("group: a round tests each edit alone, then halves together, then refines the best") {
    SearchContext context = bmm_context();
    context.settings_json = R"({"pool": 12, "subsets": 10})";
    auto searcher = group(context);
    StepId step = 0;
    std::size_t alone = 0, together = 0;
    bool closer = false;
    while (!closer) {
        const std::vector<Proposal> batch = searcher->propose(4);
        REQUIRE_FALSE(batch.empty());
        std::vector<Observation> seen;
        for (const Proposal& proposal : batch) {
            REQUIRE(proposal.request);
            closer = closer || proposal.request->effort == Effort::Refine;
            if (proposal.request->effort == Effort::Screen) ++(step < 12 ? alone : together);
            CHECK(proposal.parent == 0);
            CHECK(context.checker->check(proposal.result).empty());
            // Every edit gains as much as the next.
            const double gain = step < 12 ? 0.0005 : 0.001;
            seen.push_back({++step, figure(Verdict::Unclear, gain, 0.004), false});
        }
        searcher->observe(seen);
    }
    CHECK(alone == 12);
    CHECK(together >= 8);
    CHECK(together <= 10);
}

TEST_CASE("group: what it takes below what a claim needs moves the search, by legal steps that replay") {
    SearchContext context = bmm_context();
    context.settings_json = R"({"pool": 12, "subsets": 20})";
    auto searcher = group(context);
    StepId step = 0;
    std::map<StepId, Schedule> made = {{0, context.start}};
    std::set<StepId> parents, accepted;
    for (int round = 0; round < 40; ++round) {
        std::vector<Observation> seen;
        for (const Proposal& proposal : searcher->propose(8)) {
            parents.insert(proposal.parent);
            const auto replayed = required(proposal.mutation.applied(made.at(proposal.parent)));
            CHECK(*replayed == proposal.result);
            CHECK(context.checker->check(proposal.result).empty());
            // Below what a promotion can confirm.
            const double gain = 0.0001 * static_cast<double>(proposal.mutation.edits.size());
            seen.push_back({++step, figure(Verdict::Unclear, gain, 0.004), false});
            made.emplace(step, proposal.result);
        }
        const ObserveResult told = searcher->observe(seen);
        REQUIRE(told.accepted.size() == seen.size());
        for (std::size_t i = 0; i < seen.size(); ++i)
            if (told.accepted[i]) accepted.insert(seen[i].step);
    }
    CHECK(parents.size() > 1);
    parents.erase(0);
    CHECK(parents.size() <= accepted.size());
    for (const StepId parent : parents)
        CHECK(accepted.contains(parent));
}

TEST_CASE("group: edits that fail alone are in no subset") {
    SearchContext context = bmm_context();
    context.settings_json = R"({"pool": 12, "subsets": 10})";
    auto searcher = group(context);
    std::vector<Mutation> faulty;
    StepId step = 0;
    for (int batch = 0; batch < 5; ++batch) {
        std::vector<Observation> seen;
        for (const Proposal& proposal : searcher->propose(4)) {
            ++step;
            if (step <= 12 && step % 2 == 0) faulty.push_back(proposal.mutation);
            Outcome outcome = figure(Verdict::Unclear, 0.0005, 0.004);
            if (step <= 12 && step % 2 == 0) outcome.kind = OutcomeKind::WrongResult;
            if (step > 12)
                for (const Mutation& wrong : faulty)
                    CHECK(std::search(proposal.mutation.edits.begin(), proposal.mutation.edits.end(),
                                      wrong.edits.begin(),
                                      wrong.edits.end()) == proposal.mutation.edits.end());
            seen.push_back({step, outcome, false});
        }
        searcher->observe(seen);
    }
    CHECK(step > 12);
}

TEST_CASE("group: under a GPU's noise its best is a true gain") {
    const Ended end = run_of("group", bmm_context(5), 4);
    CHECK(end.truth > 0);
}
