// SPDX-License-Identifier: GPL-3.0-or-later
// `ppo` through the Searcher interface, in the loadable module as the program uses it.
#include <set>

#include "core/model/sm_model.h"
#include "tests/core/agent/agent_game.h"

using namespace cubinlab;
using namespace cubinlab::tests;

namespace {

std::unique_ptr<Searcher> make(std::uint64_t seed, const std::string& settings) {
    auto searcher = required(make_searcher("ppo", context_with(seed, settings)));
    return std::move(*searcher);
}

constexpr const char* kQuick = R"({"rollout":16,"minibatch":8,"epochs":1,"walkers":4,"horizon":8})";

Outcome gain_of(double log_speedup) {
    Outcome outcome;
    outcome.kind = OutcomeKind::Ok;
    outcome.speedup = Speedup::exactly(log_speedup);
    return outcome;
}

// Every memory load pays for each place that it stands above where the original has it, other instructions
// pay nothing: what pays can be read off the features.
double loads_up(const Schedule& schedule) {
    double gained = 0;
    for (InstrId id = 0; id < schedule.size(); ++id) {
        const Instruction& instruction = schedule.kernel()->instruction(id);
        if (instruction.memory.reads && instruction.unit == Unit::Mio)
            gained += static_cast<double>(id) - static_cast<double>(schedule.position_of(id));
    }
    return gained * 0.001;
}

struct Played {
    std::vector<Proposal> proposals;  // step i + 1
    ObserveResult all;
    double best = 0;
};

Played play(Searcher& searcher, int steps, std::size_t batch, double (*judge)(const Schedule&) = loads_up) {
    Played played;
    while (static_cast<int>(played.proposals.size()) < steps) {
        auto proposals = searcher.propose(batch);
        REQUIRE_FALSE(proposals.empty());
        std::vector<Observation> seen;
        for (const Proposal& proposal : proposals) {
            const double gain = judge(proposal.result);
            const auto step = static_cast<StepId>(played.proposals.size() + seen.size() + 1);
            seen.push_back({step, gain_of(gain), gain > played.best});
            played.best = std::max(played.best, gain);
        }
        for (Proposal& proposal : proposals)
            played.proposals.push_back(std::move(proposal));
        const ObserveResult result = searcher.observe(seen);
        REQUIRE(result.reward.size() == seen.size());
        played.all.reward.insert(played.all.reward.end(), result.reward.begin(), result.reward.end());
        played.all.accepted.insert(played.all.accepted.end(), result.accepted.begin(), result.accepted.end());
        played.all.metrics.insert(played.all.metrics.end(), result.metrics.begin(), result.metrics.end());
    }
    return played;
}

}  // namespace

TEST_CASE("ppo: every proposal is new, legal and an edit of the schedule that its parent step gave") {
    if (skipped()) return;
    auto searcher = make(3, kQuick);
    const Played played = play(*searcher, 120, 3);
    std::set<std::string> seen;
    std::set<MutationKind> kinds;
    for (const Proposal& p : played.proposals) {
        const Schedule parent = p.parent == 0
                                    ? Schedule(game().kernel)
                                    : played.proposals[static_cast<std::size_t>(p.parent - 1)].result;
        CHECK(p.mutation.applied(parent).value() == p.result);
        CHECK(game().checker->check(p.result).empty());
        CHECK(seen.insert(p.result.hash().hex()).second);
        kinds.insert(p.mutation.kind());
    }
    CHECK(kinds.count(MutationKind::Move) == 1);
    CHECK(kinds.count(MutationKind::Stall) == 1);
    CHECK(kinds.count(MutationKind::Yield) == 1);
    CHECK(kinds.count(MutationKind::MoveAndPay) == 1);
}

TEST_CASE("ppo: as many proposals as were asked for, but one for each walker at most") {
    if (skipped()) return;
    auto searcher = make(1, kQuick);
    CHECK(searcher->propose(2).size() == 2);
    CHECK(searcher->propose(100).size() == 4);
    CHECK(searcher->propose(0).empty());
}

TEST_CASE("ppo: the reward is the percentage gained, nothing inside the noise, and a loss is not taken") {
    if (skipped()) return;
    auto searcher = make(5, R"({"rollout":64,"walkers":1})");
    const auto answer = [&](Outcome outcome) {
        REQUIRE(searcher->propose(1).size() == 1);
        static StepId step = 0;
        return searcher->observe({{++step, outcome, false}});
    };
    ObserveResult result = answer(gain_of(0.01));
    CHECK(result.reward.at(0) == Approx(1.0));
    CHECK(result.accepted.at(0));

    Outcome unclear = gain_of(0.012);  // 0.2 % more than where it stands, known to 0.5 %
    unclear.speedup.low = 0.007;
    unclear.speedup.high = 0.017;
    CHECK(answer(unclear).reward.at(0) == 0);

    // A loss costs what an edit without effect costs, one candidate: if it cost more, what pays best is to do
    // nothing. It is not taken: if it were, what pays best is to go down for free and to come up again.
    result = answer(gain_of(-0.05));
    CHECK(result.reward.at(0) == 0);
    CHECK_FALSE(result.accepted.at(0));

    Outcome fault;
    fault.kind = OutcomeKind::Fault;
    result = answer(fault);
    CHECK(result.reward.at(0) == -1);
    CHECK_FALSE(result.accepted.at(0));
    CHECK(searcher->propose(1).at(0).parent == 2);  // the last one taken
}

TEST_CASE("ppo: a loss is bounded by the setting, and not taken whatever it costs") {
    if (skipped()) return;
    auto searcher = make(5, R"({"walkers":1,"loss_floor":0.1})");
    REQUIRE(searcher->propose(1).size() == 1);
    const ObserveResult result = searcher->observe({{1, gain_of(-0.05), false}});
    CHECK(result.reward.at(0) == Approx(-0.1));
    CHECK_FALSE(result.accepted.at(0));
}

TEST_CASE("ppo: the same seed gives the same edits across updates, another seed others") {
    if (skipped()) return;
    const Played first = play(*make(11, kQuick), 90, 3);
    const Played again = play(*make(11, kQuick), 90, 3);
    const Played other = play(*make(12, kQuick), 90, 3);
    int differing = 0;
    for (std::size_t i = 0; i < 90; ++i) {
        CHECK(first.proposals[i].mutation == again.proposals[i].mutation);
        if (!(first.proposals[i].mutation == other.proposals[i].mutation)) ++differing;
    }
    CHECK(differing > 45);
}

// The defaults learn slowly, because what pays changes with the schedule; in this task it does not.
constexpr const char* kEager =
    R"({"learning_rate":0.003,"epochs":5,"minibatch":32,"entropy":0.02,"gamma":0.5})";

TEST_CASE("ppo: it learns what pays: more reward than its own untrained policy on the same task") {
    if (skipped()) return;
    double trained = 0;
    double untrained = 0;
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        trained += play(*make(seed, kEager), 1024, 8).best;
        untrained += play(*make(seed, R"({"learning_rate":0})"), 1024, 8).best;
    }
    INFO("summed best of three seeds: trained " << trained << ", untrained " << untrained);
    CHECK(trained > 1.5 * untrained);
}

TEST_CASE("ppo: unknown settings and an empty scope are errors") {
    if (skipped()) return;
    auto searcher = make_searcher("ppo", context_with(1, R"({"walker":3})"));
    REQUIRE_FALSE(searcher);
    CHECK_THAT(searcher.error().message(), contains_text("walkers"));
    SearchContext context = context_with(1);
    for (InstrId id = 0; id < game().kernel->size(); ++id)
        context.locked.push_back(id);
    CHECK_FALSE(make_searcher("ppo", context));
}
