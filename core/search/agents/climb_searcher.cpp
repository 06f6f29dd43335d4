// SPDX-License-Identifier: GPL-3.0-or-later
// Hill climbing for noisy figures: `greedy` proposes, this searcher decides. The best two screenings of a batch are
// measured more closely, and the climb moves to what is still better. Where nothing is better it may drift to a schedule
// that measured equal, as greedy does with exact figures; now and then it measures its current schedule again, and returns
// to the best if that has fallen behind.
//
// The strict climb moves only to what a closer measurement shows to be clearly better, and never drifts. Its schedule
// contains few edits and none that gains nothing, so large moves find their positions free. When it stays for long it
// measures its schedule again, so that one lucky figure does not block everything else.
#include <algorithm>

#include "core/search/agents/sub_searcher.h"

namespace cubinlab {
namespace {

constexpr std::size_t kClosest = 2;        // proposals of a batch that are refined
constexpr int kDriftsBeforeRemeasure = 4;  // then the current schedule is measured again
constexpr double kFallsTo = 0.003;         // log speed-up below the best before the climb returns to it
constexpr double kClear = 0.001;           // least gain of the strict climb, log speed-up ...
constexpr double kClearErrors = 2.5;       // ... and in standard errors of a refinement
constexpr int kStaysBeforeRemeasure = 24;  // batches without a move of the strict climb

class ClimbSearcher final : public SubSearcher {
  public:
    ClimbSearcher(const SearchContext& context, std::unique_ptr<SubSearcher> climber, bool strict)
        : context_(context),
          here_{context.start},
          top_(here_),
          climber_(std::move(climber)),
          strict_(strict) {}

    std::string name() const override { return "climb"; }
    const SearchPoint& here() const override { return top_; }
    void restart_from(const SearchPoint& point) override {
        top_ = point;
        return_to_top();
    }
    void update_estimate(StepId step, double log_speedup) override {
        if (step == top_.step) top_.speedup.log = log_speedup;
        if (step != here_.step) return;
        here_.speedup.log = told_ = log_speedup;
        climber_->update_estimate(step, log_speedup);
        unsure_ = false;
    }
    bool at_checkpoint() const override { return closest_.empty(); }

    std::vector<Proposal> propose(std::size_t n) override {
        if (!closest_.empty()) {
            asked_ = Asked::Refined;
            std::vector<Proposal> out;
            for (const std::size_t i : closest_) {
                out.push_back(held_[i]);
                out.back().request = kRefineRequest;
            }
            return out;
        }
        if (drifts_ >= (strict_ ? kStaysBeforeRemeasure : kDriftsBeforeRemeasure) && here_.step != 0) {
            asked_ = Asked::Here;
            return {{0, difference(context_.start, here_.schedule), here_.schedule, false, kRefineRequest}};
        }
        asked_ = Asked::Tests;
        held_ = climber_->propose(n);
        for (Proposal& p : held_) {
            p.request = MeasureRequest{};
            p.promote = false;
        }
        return held_;
    }

    void prefetch(std::size_t n) override { climber_->prefetch(n); }

    ObserveResult observe(const std::vector<Observation>& observations) override {
        ObserveResult result;
        for (const Observation& seen : observations)
            result.reward.push_back(reward_of(seen.outcome, here_.speedup.log));
        result.accepted.assign(observations.size(), false);
        const StepId from = here_.step;
        if (asked_ == Asked::Tests)
            judge_tests(observations);
        else if (asked_ == Asked::Refined)
            judge_refined(observations);
        else if (!observations.empty())
            judge_here(observations[0].outcome);
        for (std::size_t i = 0; i < observations.size(); ++i)
            result.accepted[i] = here_.step != from && here_.step == observations[i].step;
        return result;
    }

  private:
    static constexpr int kMostMeasured = 1 << 20;
    enum class Asked { Tests, Refined, Here };

    void return_to_top() {
        here_ = top_;
        climber_->restart_from(here_);
        told_ = here_.speedup.log;
        unsure_ = false;
        held_.clear();
        seen_.clear();
        closest_.clear();
        drifts_ = 0;
        measured_ = 1;
    }

    void judge_tests(const std::vector<Observation>& observations) {
        seen_ = observations;
        seen_.resize(std::min(seen_.size(), held_.size()));
        closest_.clear();
        if (!seen_.empty() && seen_[0].exact) {
            tell(std::nullopt);
            return;
        }
        std::vector<std::size_t> better;
        for (std::size_t i = 0; i < seen_.size(); ++i)
            if (seen_[i].outcome.ok() &&
                seen_[i].outcome.speedup.log > here_.speedup.log + error_of(seen_[i]))
                better.push_back(i);
        std::stable_sort(better.begin(), better.end(), [&](std::size_t a, std::size_t b) {
            return seen_[a].outcome.speedup.log > seen_[b].outcome.speedup.log;
        });
        if (better.size() > kClosest) better.resize(kClosest);
        closest_ = std::move(better);
        if (!closest_.empty()) return;
        if (strict_)
            stay();
        else
            drift();
    }

    void stay() {
        drifts_ = std::min(drifts_ + 1, kStaysBeforeRemeasure);
        tell(std::nullopt);
    }

    // About a standard error. The interval of a screening is several of them wide, most for one or two pairs.
    static double error_of(const Observation& seen) {
        const Outcome& o = seen.outcome;
        return (o.speedup.high - o.speedup.low) / (o.pairs == 1 ? 10 : o.pairs == 2 ? 8 : 7);
    }

    void drift() {
        std::optional<std::size_t> equal;
        for (std::size_t i = 0; i < seen_.size(); ++i) {
            const Outcome& o = seen_[i].outcome;
            if (!o.ok() || o.speedup.log < here_.speedup.log) continue;
            if (!equal || o.speedup.log > seen_[*equal].outcome.speedup.log) equal = i;
        }
        if (equal) {
            // The climber takes it as equal to its own schedule.
            seen_[*equal].outcome.speedup = Speedup::exactly(told_);
            seen_[*equal].exact = true;
            here_ = {held_[*equal].result, seen_[*equal].step, here_.speedup};
            ++drifts_;
            unsure_ = true;
        }
        climber_->observe(seen_);
    }

    void judge_refined(const std::vector<Observation>& observations) {
        std::optional<std::size_t> best;
        for (std::size_t k = 0; k < observations.size() && k < closest_.size(); ++k) {
            Observation& first = seen_[closest_[k]];
            first.outcome = observations[k].outcome;
            if (!first.outcome.ok() || first.outcome.speedup.log <= here_.speedup.log + clear(first))
                continue;
            if (!best || first.outcome.speedup.log > seen_[*best].outcome.speedup.log) best = closest_[k];
        }
        closest_.clear();
        if (best || !strict_)
            tell(best);
        else
            stay();
    }

    double clear(const Observation& refined) const {
        return strict_ ? std::max(kClear, kClearErrors * error_of(refined)) : 0;
    }

    // Passes the outcomes of the batch to the climber.
    void tell(std::optional<std::size_t> best) {
        if (best) seen_[*best].best = true;
        const ObserveResult observed = climber_->observe(seen_);
        for (std::size_t i = 0; i < seen_.size() && i < observed.accepted.size(); ++i)
            if (observed.accepted[i]) here_ = {held_[i].result, seen_[i].step, seen_[i].outcome.speedup};
        if (best) {
            drifts_ = 0;
            measured_ = 1;
            told_ = here_.speedup.log;
            unsure_ = false;
        }
        // Only what was measured closer, or exactly, may be the best.
        if (!unsure_ && here_.speedup.log > top_.speedup.log) top_ = here_;
    }

    void judge_here(const Outcome& outcome) {
        drifts_ = 0;
        if (outcome.ok()) {
            const int before = strict_ ? measured_ : 0;
            measured_ = std::min(before + 1, kMostMeasured);
            here_.speedup.log += (outcome.speedup.log - here_.speedup.log) / (before + 1);
            told_ = here_.speedup.log;
            climber_->update_estimate(here_.step, told_);
        }
        unsure_ = false;
        if (outcome.ok() && (strict_ || here_.speedup.log > top_.speedup.log)) top_ = here_;
        if (outcome.ok() && here_.speedup.log >= top_.speedup.log - kFallsTo) return;
        return_to_top();
    }

    bool unsure_ = false;  // here_ was reached by a drift and not measured since
    SearchContext context_;
    SearchPoint here_, top_;
    std::unique_ptr<SubSearcher> climber_;
    Asked asked_ = Asked::Tests;
    std::vector<Proposal> held_;        // proposals of the climber in this batch
    std::vector<Observation> seen_;     // of held_
    std::vector<std::size_t> closest_;  // indices in held_ to refine
    int drifts_ = 0;                    // strict climb: batches without a move
    int measured_ = 1;                  // refinements of here_
    double told_ = 0;                   // the estimate that the climber uses for here_
    bool strict_;
};

}  // namespace

std::unique_ptr<SubSearcher> make_climb_searcher(const SearchContext& context, const Settings& settings) {
    return std::make_unique<ClimbSearcher>(context, make_greedy_searcher(context, settings), false);
}

std::unique_ptr<SubSearcher> make_strict_climb(const SearchContext& context,
                                               std::unique_ptr<SubSearcher> climber) {
    return std::make_unique<ClimbSearcher>(context, std::move(climber), true);
}

}  // namespace cubinlab
