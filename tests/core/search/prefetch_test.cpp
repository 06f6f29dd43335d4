// SPDX-License-Identifier: GPL-3.0-or-later
// prefetch() decides nothing: an agent proposes the same with it, whenever it is called and for however many proposals,
// and without it; and the run calls it while a batch is measured.
#include <condition_variable>
#include <mutex>
#include <thread>

#include "core/search/moves/rng.h"
#include "tests/core/search/search_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

// Figures with noise, some failures, the same for the same words; a claim holds now and then.
Observation observed(StepId step, const Proposal& proposal) {
    const auto dice = proposal.result.hash().lo;
    const double noise = 0.004 * (static_cast<double>(dice % 2001) - 1000) / 1000;
    if (dice % 23 == 0) return {step, failure(OutcomeKind::WrongResult), false};
    const bool claim = proposal.request && proposal.request->effort == Effort::Confirm;
    return {step, figure(claim ? Verdict::Faster : Verdict::Unclear, noise, 0.003), claim && dice % 3 != 0};
}

// Edits and requests of the first `count` proposals. `ahead`: the agent prefetches while a batch is measured.
std::vector<std::string> told(const char* agent, const char* settings, std::size_t count, bool ahead) {
    SearchContext context = bmm_context(3);
    context.settings_json = settings;
    auto searcher = required(make_searcher(agent, context));
    Rng rng(9);
    std::vector<std::string> out;
    StepId step = 1;
    while (out.size() < count) {
        // The last batch of a budget is smaller than the others, so what was worked out for more is of no use.
        const std::size_t n = rng.chance(0.1) ? 3 : 8;
        const std::vector<Proposal> batch = (*searcher)->propose(n);
        if (batch.empty()) break;
        const std::size_t further = rng.chance(0.2) ? 5 : 8;
        const bool twice = rng.chance(0.2), not_now = rng.chance(0.2);
        if (ahead && !not_now) {
            std::jthread([&] { (*searcher)->prefetch(further); }).join();
            if (twice) (*searcher)->prefetch(8);
        }
        std::vector<Observation> seen;
        for (const Proposal& p : batch) {
            out.push_back(p.mutation.encode() + (p.request ? " request" : "") +
                          (p.promote ? " promote" : ""));
            seen.push_back(observed(step++, p));
        }
        (*searcher)->observe(seen);
    }
    return out;
}

// Waits in prefetch() until its evaluator is at work, which waits until it has been asked.
struct Meeting {
    std::mutex mutex;
    std::condition_variable changed;
    bool measuring = false, prefetching = false;
    bool both(bool& mine, const bool& other) {
        std::unique_lock lock(mutex);
        mine = true;
        changed.notify_all();
        return changed.wait_for(lock, std::chrono::seconds(60), [&] { return other; });
    }
};

class Prefetching final : public Searcher {
  public:
    Prefetching(Schedule start, Meeting& meeting) : inner_(std::move(start), {3, 4}), meeting_(meeting) {}
    std::string name() const override { return "prefetching"; }
    std::vector<Proposal> propose(std::size_t n) override { return inner_.propose(n); }
    ObserveResult observe(const std::vector<Observation>& seen) override { return inner_.observe(seen); }
    void prefetch(std::size_t n) override {
        asked = n;
        met = meeting_.both(meeting_.prefetching, meeting_.measuring);
    }
    bool met = false;
    std::size_t asked = 0;

  private:
    ScriptedSearcher inner_;
    Meeting& meeting_;
};

}  // namespace

TEST_CASE("an agent that may prefetch proposes what it proposes without") {
    const std::pair<const char*, const char*> agents[] = {{"greedy", "{}"},
                                                          {"group", "{}"},
                                                          {"group", R"({"pool": 8, "subsets": 8})"},
                                                          {"list", "{}"},
                                                          {"auto", R"({"turn": 32})"}};
    for (const auto& [agent, settings] : agents) {
        INFO(agent << ' ' << settings);
        const std::vector<std::string> without = told(agent, settings, 900, false);
        const std::vector<std::string> with = told(agent, settings, 900, true);
        REQUIRE(without.size() >= 900);
        REQUIRE(with.size() == without.size());
        std::size_t same = 0;
        while (same < with.size() && with[same] == without[same])
            ++same;
        CHECK(same == with.size());
    }
}

TEST_CASE("a run lets its agent prefetch while a batch is measured") {
    const SearchContext context = bmm_context();
    Meeting meeting;
    bool met = false;
    ScriptedEvaluator evaluator(EvaluatorKind::Gpu, [&](const Call&) {
        met = meeting.both(meeting.measuring, meeting.prefetching);
        return figure(Verdict::Slower, -0.01, 0.002);
    });
    RunSettings settings;
    settings.batch = 2;
    settings.budget.steps = 2;
    auto searcher = std::make_unique<Prefetching>(context.start, meeting);
    const Prefetching& watched = *searcher;
    TuneRun run(context, settings, std::move(searcher), evaluator, nullptr, nullptr);
    const auto summary = required(run.run({}));
    CHECK(summary->steps == 2);
    CHECK(met);
    CHECK(watched.met);
    CHECK(watched.asked == 2);
}
