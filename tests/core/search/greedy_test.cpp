// SPDX-License-Identifier: GPL-3.0-or-later
// What greedy makes of a batch, through the interface of an agent.
#include <set>

#include "tests/core/search/search_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

std::unique_ptr<Searcher> greedy(const SearchContext& context) {
    auto searcher = required(make_searcher("greedy", context));
    return std::move(*searcher);
}

constexpr std::size_t kBatch = 16;

// Observations of steps 1, 2, ...: `gains` by index, all others lose; `best` is the index that became best.
std::vector<Observation> outcomes(const std::map<std::size_t, double>& gains, std::size_t best,
                                  double half_width = 0) {
    std::vector<Observation> seen;
    for (std::size_t i = 0; i < kBatch; ++i) {
        const auto gain = gains.find(i);
        const double value = gain == gains.end() ? -0.02 : gain->second;
        seen.push_back({static_cast<StepId>(i + 1),
                        figure(value > 0 ? Verdict::Faster : Verdict::Slower, value, half_width), i == best});
    }
    return seen;
}

// Two proposals that are legal one after the other.
std::pair<std::size_t, std::size_t> independent(const std::vector<Proposal>& batch,
                                                const HazardChecker& checker) {
    for (std::size_t a = 0; a < batch.size(); ++a)
        for (std::size_t b = a + 1; b < batch.size(); ++b)
            if (checker.allows(batch[a].result, batch[b].mutation)) return {a, b};
    FAIL("no two proposals of the batch can be combined");
    return {};
}

}  // namespace

TEST_CASE("greedy: what a batch found beside its best is tried on top of it next") {
    const SearchContext context = bmm_context();
    auto searcher = greedy(context);
    const std::vector<Proposal> batch = searcher->propose(kBatch);
    REQUIRE(batch.size() == kBatch);
    const auto [first, second] = independent(batch, *context.checker);
    SECTION("both gain: together") {
        searcher->observe(outcomes({{first, 0.010}, {second, 0.008}}, first));
        const Proposal next = searcher->propose(1).at(0);
        CHECK(next.parent == static_cast<StepId>(first + 1));
        CHECK(next.result == *batch[second].mutation.applied(batch[first].result));
        CHECK(*next.mutation.applied(batch[first].result) == next.result);
        CHECK(context.checker->check(next.result).empty());
    }
    SECTION("two became best one after the other: the later one is the base, the earlier one is added") {
        auto seen = outcomes({{first, 0.008}, {second, 0.010}}, first);
        seen[second].best = true;
        searcher->observe(seen);
        const Proposal next = searcher->propose(1).at(0);
        CHECK(next.parent == static_cast<StepId>(second + 1));
        CHECK(next.result == *batch[first].mutation.applied(batch[second].result));
    }
    SECTION("the other one lost, or its gain is within its own error: it is left alone") {
        const bool lost = GENERATE(true, false);
        searcher->observe(lost ? outcomes({{first, 0.010}}, first)
                               : outcomes({{first, 0.010}, {second, 0.001}}, first, 0.006));
        const Proposal next = searcher->propose(1).at(0);
        CHECK(next.parent == static_cast<StepId>(first + 1));
        CHECK_FALSE(next.result == *batch[second].mutation.applied(batch[first].result));
    }
}

TEST_CASE("greedy: goes on from an equal schedule where figures are exact, never where they are measured") {
    const SearchContext context = bmm_context();
    auto searcher = greedy(context);
    const std::vector<Proposal> batch = searcher->propose(kBatch);
    REQUIRE(batch.size() == kBatch);
    const bool exact = GENERATE(true, false);
    auto seen = outcomes({}, kBatch);
    seen[4].outcome = figure(Verdict::Same, 0.0, exact ? 0.0 : 0.002);
    seen[4].exact = exact;
    const ObserveResult result = searcher->observe(seen);
    CHECK(result.accepted.at(4) == exact);
    CHECK(searcher->propose(1).at(0).parent == (exact ? 5 : 0));
}

TEST_CASE("greedy: edits of one proposal are at most as many as the setting says") {
    SearchContext context = bmm_context();
    context.settings_json = R"({"edits": 1})";
    auto searcher = greedy(context);
    StepId step = 0;
    for (int round = 0; round < 60; ++round) {
        std::vector<Observation> seen;
        for (const Proposal& proposal : searcher->propose(kBatch)) {
            // A move takes stall counts along, and what holds it goes past the same instruction; moves past two
            // would be two edits.
            std::set<InstrId> passed;
            for (const Edit& edit : proposal.mutation.edits)
                if (edit.kind != EditKind::Control) passed.insert(edit.anchor);
            CHECK(passed.size() <= 1);
            seen.push_back({++step, figure(Verdict::Slower, -0.01), false});
        }
        searcher->observe(seen);
    }
}
