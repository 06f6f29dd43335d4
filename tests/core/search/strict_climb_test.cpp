// SPDX-License-Identifier: GPL-3.0-or-later
// The strict climb: it moves only to what a refinement shows to be clearly better.
#include "core/search/agents/sub_searcher.h"
#include "tests/core/search/search_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

// Its interval is seven standard errors wide, as the climb takes it.
Outcome seen_as(double log_speedup, double error) {
    Outcome out;
    out.kind = OutcomeKind::Ok;
    out.speedup.log = log_speedup;
    out.speedup.low = log_speedup - 3.5 * error;
    out.speedup.high = log_speedup + 3.5 * error;
    out.pairs = 8;
    return out;
}

struct Driven {
    std::unique_ptr<SubSearcher> searcher =
        make_strict_climb(bmm_context(), make_greedy_searcher(bmm_context(), {{"edits", 8}}));
    StepId step = 0;

    std::vector<Proposal> answer(const Outcome& outcome, std::size_t n = 4) {
        std::vector<Proposal> asked = searcher->propose(n);
        std::vector<Observation> seen;
        for (std::size_t i = 0; i < asked.size(); ++i)
            seen.push_back({++step, outcome, false});
        searcher->observe(seen);
        return asked;
    }
    bool closer(const std::vector<Proposal>& asked) const {
        return !asked.empty() && asked.front().request && asked.front().request->sampling.loads > 0;
    }
};

}  // namespace

TEST_CASE("the two best tests of a batch are refined before anything is decided") {
    Driven climb;
    CHECK_FALSE(climb.closer(climb.answer(seen_as(0.02, 0.003))));
    CHECK_FALSE(climb.searcher->at_checkpoint());
    CHECK(climb.searcher->here().step == 0);
    const auto asked = climb.answer(seen_as(0.02, 0.001));
    CHECK(climb.closer(asked));
    CHECK(asked.size() == 2);
    CHECK(climb.searcher->at_checkpoint());
    CHECK(climb.searcher->here().step == 1);
    CHECK(climb.searcher->here().speedup.log == 0.02);
}

TEST_CASE("a gain within two and a half standard errors, or of less than a thousandth, is not taken") {
    for (const auto& [gain, error] : {std::pair(0.0024, 0.001), std::pair(0.0009, 0.0001)}) {
        INFO(gain << " with " << error);
        Driven climb;
        climb.answer(seen_as(0.02, 0.003));
        climb.answer(seen_as(gain, error));
        CHECK(climb.searcher->here().step == 0);
        CHECK(climb.searcher->at_checkpoint());
        climb.answer(seen_as(0.02, 0.003));
        climb.answer(seen_as(0.0026, 0.001));
        CHECK(climb.searcher->here().step == 7);
    }
}

TEST_CASE("equal schedules are never drifted to") {
    Driven climb;
    for (int batch = 0; batch < 30; ++batch)
        climb.answer(seen_as(0, 0.003));
    CHECK(climb.searcher->here().step == 0);
}

TEST_CASE("where it stays for long, what it stands on is measured again and the mean is believed") {
    Driven climb;
    climb.answer(seen_as(0.03, 0.003));
    climb.answer(seen_as(0.03, 0.001));
    const StepId here = climb.searcher->here().step;
    REQUIRE(here != 0);
    int batches = 0;
    std::vector<Proposal> asked;
    do
        asked = climb.answer(seen_as(0.01, 0.003));
    while (!climb.closer(asked) && ++batches < 100);
    CHECK(batches == 24);
    CHECK(asked.size() == 1);
    CHECK(asked.front().result == climb.searcher->here().schedule);
    CHECK(climb.searcher->here().step == here);
    CHECK(climb.searcher->here().speedup.log == 0.02);  // of 0.03 and 0.01
}
