// SPDX-License-Identifier: GPL-3.0-or-later
// Group tests. Most useful edits gain far less than one comparison can show, so a climb that tests each edit for an
// improvement stops early. A round draws a pool of edits of the current schedule, tests each edit once and drops clear
// losses, then tests random halves of the rest together. A linear fit with shrinkage estimates the effect of each edit
// (core/search/agents/group_fit.h), and all edits above one standard error are accepted at once.
//
// Accepting is a decision, not a claim: every test compares with the run's start, the current schedule moves by estimates,
// and each round estimates the current schedule again from all of its tests. Where nothing gains, the search may drift to
// an equal schedule, since the next gain is often not next to the first of them; a schedule that falls clearly behind the
// best is replaced by the best. Claims are chosen separately (core/search/agents/finalists.h).
//
// The number of subsets in a round follows success: half as many again after a round without a move, since the remaining
// gains are below its resolution, fewer after a round with a move.
//
// Groups bring along edits that gain nothing and block others. So every few rounds the pool reverts changes since the
// start, and of equal schedules the one with fewer changes counts as better.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <unordered_set>

#include "core/search/agents/finalists.h"
#include "core/search/agents/group_pool.h"
#include "core/search/agents/group_round.h"
#include "core/search/agents/sub_searcher.h"
#include "core/search/engine/worker_pool.h"
#include "core/search/moves/edit_pool.h"

namespace cubinlab {
namespace {

constexpr int kStaleRounds = 8;
constexpr MeasureRequest kScreenRequest{};
constexpr double kDriftsTo = 0.004;  // log speed-up below the best that drifting may reach
constexpr auto kLongestDraft = std::chrono::milliseconds(50);  // for one pool: the time of the refinements
constexpr auto kDraftingEnds = std::chrono::milliseconds(20);  // no draft starts after this time
constexpr int kRoundsBetween = 12;                             // two that revert
constexpr double kCompact = 0.001;    // log speed-up that reverting everything may cost
constexpr double kImplausible = 0.05;  // log speed-up of a test from the median of its round
constexpr double kRefineNoise = 0.4;  // noise of a refinement in units of a test's noise

// What a pending proposal tests.
struct Tested {
    std::vector<std::uint8_t> edits;
    bool combination = false;
};

class GroupSearcher final : public SubSearcher {
  public:
    GroupSearcher(const SearchContext& context, const Settings& settings)
        : start_(context.start),
          checker_(context.checker),
          pool_size_(static_cast<std::size_t>(settings.at("pool"))),
          subsets_(static_cast<std::size_t>(settings.at("subsets"))),
          take_above_(settings.at("take_above")),
          longest_(settings.at("longest")),
          drift_(settings.at("drift")),
          most_best_(static_cast<std::size_t>(settings.at("best_tests"))),
          reverts_(static_cast<int>(settings.at("revert"))),
          share_(settings.at("share")),
          around_(context),
          rng_(context.seed),
          here_{context.start},
          top_(here_),
          finalists_(context.start),
          credit_(kClassPrior) {}

    std::string name() const override { return "group"; }
    const SearchPoint& here() const override { return here_; }
    void restart_from(const SearchPoint& point) override {
        here_ = point;
        round_.pool.clear();
        carried_.clear();
        round_.candidates.clear();
        round_.best_tests.clear();
        length_ = 1;
        if (point.speedup.log > top_.speedup.log) top_ = point;
        ahead_.reset();
        drafts_.clear();
    }
    void disable_claims() override { finalists_.disable_claims(); }
    void update_estimate(StepId step, double log_speedup) override {
        if (step == here_.step) here_.speedup.log = log_speedup;
        if (step == top_.step) top_.speedup.log = log_speedup;
    }

    std::vector<Proposal> propose(std::size_t n) override {
        pending_.clear();
        tested_.clear();
        if (round_.pool.empty() && !exact_)
            if (auto claim = finalists_.claim_if_due(top_)) {
                pending_.push_back(std::move(*claim));
                claiming_ = true;
                return pending_;
            }
        // After several rounds without a new schedule the search is exhausted.
        while (n > 0 && pending_.empty() && stale_rounds_ < kStaleRounds) {
            if (round_.pool.empty()) begin_round();
            fill(n);
            // The next phase needs the outcomes of this one.
            if (pending_.empty()) advance();
        }
        return pending_;
    }

    // Single edits and subsets do not depend on outcomes of the same phase; the next pool depends only on its
    // schedule.
    void prefetch(std::size_t n) override {
        if (round_.pool.empty() || claiming_ || finalists_.closing()) return;
        if (round_.phase == GroupPhase::Combine) {
            if (phase_done() && !exact_) draft_ahead();
        } else if (!phase_done() && !ahead_) {
            ahead_ = filled(n);
        }
    }

    ObserveResult observe(const std::vector<Observation>& observations) override {
        ObserveResult result;
        const std::size_t count = std::min(observations.size(), pending_.size());
        const SearchPoint from = here_;
        for (const Observation& seen : observations)
            result.reward.push_back(reward_of(seen.outcome, from.speedup.log));
        if (finalists_.closing()) {
            finalists_.observe_closing(observations);
        } else if (claiming_) {
            claiming_ = false;
            if (count > 0) take_claim(observations[0]);
        } else {
            for (std::size_t i = 0; i < count; ++i)
                note(i, observations[i]);
            if (phase_done()) advance();
        }
        for (std::size_t i = 0; i < count; ++i)
            result.accepted.push_back(here_.step != from.step && here_.step == observations[i].step);
        if (told_) {
            result.metrics.push_back({"explained", round_.fit.explained});
            result.metrics.push_back({"taken", static_cast<double>(round_.taken)});
            told_ = false;
        }
        return result;
    }

    std::vector<Proposal> close(std::size_t) override {
        finalists_.offer(top_);
        pending_ = finalists_.close();
        tested_.clear();
        return pending_;
    }

  private:
    void take_claim(const Observation& seen) {
        const double revised = finalists_.seen_claim(pending_[0], seen);
        if (!seen.outcome.ok()) {
            const SearchPoint start{start_};
            top_ = start;
            restart_from(start);
        } else if (pending_[0].result == top_.schedule) {
            update_estimate(top_.step, revised);
        }
    }

    void begin_round() {
        round_.phase = GroupPhase::Singles;
        ++stale_rounds_;  // reset by the first new proposal
        round_.fit = {};
        round_.tests.clear();
        round_.best_tests.clear();
        round_.next = 0;
        round_.made = 0;
        const Hash128 hash = here_.schedule.hash();
        const auto ready = std::ranges::find(drafts_, hash, &PoolDraft::of);
        PoolDraft draft = ready != drafts_.end() ? std::move(*ready) : drafted(here_.schedule, rounds_);
        drafts_.clear();
        rng_ = draft.rng;
        swept_ = draft.swept;
        round_.pool = std::move(draft.pool);
        reverting_ = draft.reverts;
        if (reverting_)
            rounds_ = 0;
        else
            carried_.clear();
    }

    // `rounds`: number of rounds since the last reverting one.
    PoolDraft drafted(const Schedule& from, int rounds) const {
        const bool reverts = reverts_ > 0 && !exact_ && rounds >= kRoundsBetween / reverts_;
        return draft_pool({around_, *checker_, start_, carried_, credit_, pool_size_}, from, reverts, rng_,
                          swept_);
    }

    // Drafts pools of the next round for each schedule that it may start from, as time allows. For kernels of
    // tens of thousands of instructions there is no time: each thread recomputes the data of a schedule.
    void draft_ahead() {
        if (drafting_ > kLongestDraft) {
            drafting_ -= drafting_ / 4;  // try again some rounds later: the machine may have been busy
            return;
        }
        std::vector<Schedule> from = {here_.schedule};
        for (const Proposal& proposal : pending_)
            from.push_back(proposal.result);
        for (const GroupCandidate& candidate : round_.candidates)
            from.push_back(candidate.at.schedule);
        from.push_back(top_.schedule);
        std::unordered_set<Hash128> known;
        std::erase_if(from, [&](const Schedule& s) { return !known.insert(s.hash()).second; });
        from.erase(from.begin() +
                       static_cast<std::ptrdiff_t>(std::min(from.size(), 2 * (shared_pool().threads() + 1))),
                   from.end());
        drafts_.assign(from.size(), {});
        const auto now = [] { return std::chrono::steady_clock::now(); };
        const auto began = now();
        // The current schedule first, then the schedules that are being refined.
        shared_pool().run(from.size(), [&](std::size_t i) {
            const auto start = now();
            if (start - began > kDraftingEnds) return;
            drafts_[i] = drafted(from[i], rounds_ + 1);
            if (i == 0) drafting_ = now() - start;
        });
    }

    // At most `wanted` single edits or subsets, and the state of the round after them.
    struct Filled {
        std::size_t wanted = 0;
        std::vector<Proposal> proposals;
        std::vector<Tested> tests;
        Rng rng;
        std::size_t next = 0, made = 0;
    };

    Filled filled(std::size_t n) const {
        Filled out{n, {}, {}, rng_, round_.next, round_.made};
        while (round_.phase == GroupPhase::Singles && out.next < round_.pool.size() &&
               out.proposals.size() < n)
            put(made({static_cast<std::uint8_t>(out.next++)}, false), out);
        // Each subset gives at most one proposal, so all missing ones may be drawn at once.
        while (round_.phase == GroupPhase::Subsets && out.made < wanted_subsets() &&
               out.proposals.size() < n) {
            std::vector<std::vector<std::uint8_t>> subsets;
            for (; out.made < wanted_subsets() && out.proposals.size() + subsets.size() < n; ++out.made)
                subsets.push_back(random_subset(out.rng));
            put_all(subsets, out);
        }
        return out;
    }

    void fill(std::size_t n) {
        if (!ahead_ || ahead_->wanted != n) ahead_ = filled(n);
        Filled now = std::move(*ahead_);
        ahead_.reset();
        rng_ = now.rng;
        round_.next = now.next;
        round_.made = now.made;
        if (round_.phase == GroupPhase::Combine)
            while (!round_.combinations.empty() && now.proposals.size() < n) {
                std::vector<std::uint8_t> edits = std::move(round_.combinations.back());
                round_.combinations.pop_back();
                put(made(edits, true), now);
            }
        for (const Proposal& proposal : now.proposals)
            if (proposed_.insert(proposal.result.hash()).second) stale_rounds_ = 0;
        pending_ = std::move(now.proposals);
        tested_ = std::move(now.tests);
        if (round_.phase == GroupPhase::Combine)
            for (; !round_.best_tests.empty() && pending_.size() < n; round_.best_tests.pop_back()) {
                BestTest& best = round_.best_tests.back();
                best.proposal.request = kRefineRequest;
                pending_.push_back(std::move(best.proposal));
                tested_.push_back({std::move(best.edits), true});
            }
    }

    struct Made {
        Proposal proposal;
        Tested test;
    };

    static void put(std::optional<Made> made, Filled& into) {
        if (!made) return;
        into.proposals.push_back(std::move(made->proposal));
        into.tests.push_back(std::move(made->test));
    }

    void put_all(const std::vector<std::vector<std::uint8_t>>& subsets, Filled& into) const {
        std::vector<std::optional<Made>> all(subsets.size());
        shared_pool().run(subsets.size(), [&](std::size_t i) { all[i] = made(subsets[i], false); });
        for (std::optional<Made>& one : all)
            put(std::move(one), into);
    }

    // Applies `edits` in order, except those that are not legal.
    std::optional<Made> made(const std::vector<std::uint8_t>& edits, bool combination) const {
        std::optional<Edited> all;
        std::vector<std::uint8_t> in;
        for (const std::uint8_t e : edits) {
            auto one = around_.apply(all ? all->result : here_.schedule, round_.pool[e].mutation);
            if (!one) continue;
            append_edit(all, std::move(*one));
            in.push_back(e);
        }
        if (!all || all->result == here_.schedule) return std::nullopt;
        std::sort(in.begin(), in.end());
        return Made{{here_.step, std::move(all->mutation), std::move(all->result), false,
                     combination ? kRefineRequest : kScreenRequest},
                    {std::move(in), combination}};
    }

    std::vector<std::uint8_t> open_edits() const {
        std::vector<std::uint8_t> out;
        for (std::size_t i = 0; i < round_.pool.size(); ++i)
            if (round_.pool[i].open) out.push_back(static_cast<std::uint8_t>(i));
        return out;
    }

    // A share of the open edits in random order, so that either of two exclusive edits may come first.
    std::vector<std::uint8_t> random_subset(Rng& rng) const {
        std::vector<std::uint8_t> out;
        for (const std::uint8_t e : open_edits())
            if (rng.chance(share_)) out.push_back(e);
        for (std::size_t i = out.size(); i > 1; --i)
            std::swap(out[i - 1], out[rng.below(static_cast<std::uint32_t>(i))]);
        return out;
    }

    void note(std::size_t i, const Observation& seen) {
        const Tested& test = tested_[i];
        if (!seen.outcome.ok()) {
            // An edit that fails alone is not tried again.
            if (test.edits.size() == 1) {
                round_.pool[test.edits[0]].open = false;
                ahead_.reset();
            }
            return;
        }
        const double value = seen.outcome.speedup.log;
        exact_ = exact_ || seen.exact;
        round_.tests.push_back({test.edits, value, 0, reference_of(test, seen.outcome), seen.outcome.device});
        const SearchPoint point{pending_[i].result, seen.step, seen.outcome.speedup};
        if (test.combination || (exact_ && seen.best)) round_.candidates.push_back({point, test.edits});
        if (!test.combination && !exact_) keep_best_test(pending_[i], test, point);
    }

    // log of the reference's time; 0 for refinements, in which the same reference takes another time.
    static double reference_of(const Tested& test, const Outcome& outcome) {
        return test.combination || outcome.cost <= 0 ? 0 : std::log(outcome.cost) + outcome.speedup.log;
    }

    std::size_t wanted_subsets() const {
        return static_cast<std::size_t>(static_cast<double>(subsets_) * length_);
    }

    bool phase_done() const {
        if (round_.pool.empty()) return false;
        if (round_.phase == GroupPhase::Singles) return round_.next >= round_.pool.size();
        if (round_.phase == GroupPhase::Subsets) return round_.made >= wanted_subsets();
        return round_.combinations.empty() && round_.best_tests.empty();
    }

    void advance() {
        ahead_.reset();
        if (round_.phase == GroupPhase::Singles) {
            discard();
            round_.phase = open_edits().size() < 2 ? GroupPhase::Combine : GroupPhase::Subsets;
            if (round_.phase == GroupPhase::Combine) combine();
        } else if (round_.phase == GroupPhase::Subsets) {
            round_.phase = GroupPhase::Combine;
            combine();
        } else {
            end_round();
        }
    }

    // A reading far from the others is an error of its reference or of a clock, and least squares would follow it.
    std::vector<GroupTest> plausible_tests() const {
        if (exact_ || round_.tests.empty()) return round_.tests;
        std::vector<double> values;
        for (const GroupTest& test : round_.tests)
            values.push_back(test.value);
        const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
        std::nth_element(values.begin(), middle, values.end());
        std::vector<GroupTest> out = round_.tests;
        std::erase_if(out, [&](const GroupTest& test) { return std::abs(test.value - *middle) > kImplausible; });
        return out;
    }

    // Drops edits that lose by more than the noise of a test.
    void discard() {
        round_.fit = fit_groups(plausible_tests(), round_.pool.size());
        for (const GroupTest& test : round_.tests)
            if (test.edits.size() == 1 && test.value < base() - round_.fit.noise)
                round_.pool[test.edits[0]].open = false;
    }

    void combine() {
        round_.fit = fit_groups(plausible_tests(), round_.pool.size());
        told_ = true;
        if (!reverting_) {
            learn_classes();
            keep_uncertain();
        }
        std::vector<std::uint8_t> order = open_edits();
        std::sort(order.begin(), order.end(), [&](std::uint8_t a, std::uint8_t b) {
            return round_.fit.effect[a] != round_.fit.effect[b] ? round_.fit.effect[a] > round_.fit.effect[b]
                                                                : a < b;
        });
        const auto above = [&](double errors) {
            std::vector<std::uint8_t> out;
            for (const std::uint8_t e : order)
                if (round_.fit.effect[e] > errors * round_.fit.error[e] && round_.fit.effect[e] > 0)
                    out.push_back(e);
            return out;
        };
        const std::vector<std::uint8_t> sure = above(take_above_), positive = above(0.0);
        round_.taken = sure.size();
        round_.combinations.clear();
        const auto offer = [&](const std::vector<std::uint8_t>& edits) {
            if (!edits.empty() && std::find(round_.combinations.begin(), round_.combinations.end(), edits) ==
                                      round_.combinations.end())
                round_.combinations.push_back(edits);
        };
        offer(positive);
        offer(above(2.0 * take_above_));
        offer(sure);
        if (reverting_) {
            offer(above(-1.0));
            offer(open_edits());
        }
        if (round_.combinations.empty() && round_.best_tests.empty()) end_round();
    }

    // Effects of edits seldom add up on a GPU: halves of edits of which none loses alone scatter by a percent, far more
    // than a test's noise. The best that were seen are candidates as they are.
    void keep_best_test(const Proposal& proposal, const Tested& test, const SearchPoint& point) {
        if (point.speedup.log <= here_.speedup.log - drift_) return;
        const auto at = std::find_if(round_.best_tests.begin(), round_.best_tests.end(),
                                     [&](const BestTest& other) { return other.value < point.speedup.log; });
        round_.best_tests.insert(at, {proposal, test.edits, point.speedup.log});
        if (round_.best_tests.size() > most_best_) round_.best_tests.pop_back();
    }

    // The estimate of a candidate from the fit and its refinement, weighted by their errors.
    double estimate(const GroupCandidate& of) const {
        if (exact_) return of.at.speedup.log;
        double predicted = base(), variance = round_.fit.noise * round_.fit.noise / 4;
        for (const std::uint8_t e : of.edits) {
            predicted += round_.fit.effect[e];
            variance += round_.fit.error[e] * round_.fit.error[e];
        }
        const double own = kRefineNoise * kRefineNoise * round_.fit.noise * round_.fit.noise;
        return (predicted * own + of.at.speedup.log * variance) / (own + variance);
    }

    double worth_of_reverting(const GroupCandidate& of) const {
        if (!reverting_) return 0;
        return reverts_ * kCompact * static_cast<double>(of.edits.size()) /
               static_cast<double>(round_.pool.size());
    }

    double base() const { return round_.fit.base.empty() ? here_.speedup.log : round_.fit.base.front(); }

    void end_round() {
        if (!exact_) here_.speedup.log = base();
        if (here_.step == top_.step) top_.speedup.log = here_.speedup.log;
        const GroupCandidate* chosen = nullptr;
        double highest = here_.speedup.log - (exact_ || reverting_ ? 0 : drift_);
        for (const GroupCandidate& candidate : round_.candidates) {
            const double value = estimate(candidate) + worth_of_reverting(candidate);
            if (value <= highest) continue;
            chosen = &candidate;
            highest = value;
        }
        const bool better = chosen && highest > here_.speedup.log;
        if (chosen) {
            // Of equal schedules the one with fewer edits is better.
            const double value = std::max(highest - worth_of_reverting(*chosen),
                                          reverting_ ? here_.speedup.log + 1e-6 : highest);
            here_ = chosen->at;
            here_.speedup.log = value;
        }
        if (here_.speedup.log > top_.speedup.log) {
            top_ = here_;
            finalists_.offer(here_);
        } else if (here_.speedup.log < top_.speedup.log - kDriftsTo) {
            here_ = top_;
        }
        ++rounds_;
        if (!reverting_) length_ = std::clamp(better ? length_ * 0.7 : length_ * 1.5, 1.0, longest_);
        round_.candidates.clear();
        round_.pool.clear();
    }

    void learn_classes() {
        for (std::size_t e = 0; e < round_.pool.size() && e < round_.fit.effect.size(); ++e) {
            double& share = credit_[static_cast<std::size_t>(round_.pool[e].kind)];
            const bool paid = round_.pool[e].open &&
                              round_.fit.effect[e] > take_above_ * round_.fit.error[e] &&
                              round_.fit.effect[e] > 0;
            share = 0.99 * share + (paid ? 0.25 : 0.0);
        }
    }

    // Edits that seem useful but are uncertain are tested again in the next round.
    void keep_uncertain() {
        for (std::size_t e = 0;
             e < round_.pool.size() && e < round_.fit.effect.size() && carried_.size() < pool_size_ / 4; ++e)
            if (round_.pool[e].open && round_.fit.effect[e] > 0.3 * round_.fit.error[e] &&
                round_.fit.effect[e] <= take_above_ * round_.fit.error[e])
                carried_.push_back(round_.pool[e]);
    }

    Schedule start_;
    CheckerPtr checker_;
    std::size_t pool_size_, subsets_;
    double take_above_;
    double longest_;  // longest round, as a multiple of the setting `subsets`
    double drift_;    // log speed-up that a round without a gain may lose
    std::size_t most_best_;
    int reverts_;  // how often, and how readily, a round reverts; 0: never
    double share_;  // of the open edits in a random subset
    Neighbourhood around_;
    Rng rng_;
    SearchPoint here_;
    SearchPoint top_;  // the best so far, by estimate
    Finalists finalists_;
    GroupRound round_;
    std::vector<PoolEdit> carried_;
    std::size_t swept_ = 0;
    double length_ = 1;  // of a round, as a multiple of the setting `subsets`
    bool exact_ = false, claiming_ = false;
    bool told_ = false;
    std::array<double, kEditClasses> credit_;
    std::unordered_set<Hash128> proposed_;
    int stale_rounds_ = 0;    // in a row that proposed no new words
    int rounds_ = 0;          // since one reverted
    bool reverting_ = false;  // this round's pool reverts changes since the start
    std::vector<Proposal> pending_;
    std::vector<Tested> tested_;
    std::optional<Filled> ahead_;  // prefetched proposals of this phase, valid unless an edit is dropped
    std::chrono::steady_clock::duration drafting_{};  // time of the last draft for the current schedule
    std::vector<PoolDraft> drafts_;                   // for the next round, made during the refinements
};

}  // namespace

const std::vector<SettingRange>& group_settings() {
    static const std::vector<SettingRange> known = {{"pool", 48, 4, 200},      {"subsets", 40, 4, 1000},
                                                    {"take_above", 1, 0, 10},  {"longest", 3, 1, 100},
                                                    {"drift", 0.0008, 0, 0.1}, {"best_tests", 2, 0, 100},
                                                    {"revert", 1, 0, 6},       {"share", 0.5, 0.02, 0.9}};
    return known;
}

std::unique_ptr<SubSearcher> make_group_searcher(const SearchContext& context, const Settings& settings) {
    return std::make_unique<GroupSearcher>(context, settings);
}

extern const BuiltInSearcher built_in_group{
    "group", "Group tests",
    "Tests many edits together and accepts all with a gain by a shrunken estimate, however small.",
    group_settings, [](const SearchContext& context, const Settings& settings) -> std::unique_ptr<Searcher> {
        return make_group_searcher(context, settings);
    }};

}  // namespace cubinlab
