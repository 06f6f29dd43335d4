// SPDX-License-Identifier: GPL-3.0-or-later
// Runs several methods and gives each as many measurements as it pays.
//
// The run begins with a race: lineages with different starts (group tests and a climb from the start schedule, list
// schedules near its order and along the critical path) get equal shares of the measurements. The worse half is dropped,
// the rest gets twice as much, until one is left. Then the methods take turns from the best schedule. A method gets turns
// in proportion to what it gained per measurement; group tests get at least every other turn. After a number of turns
// without a gain another race begins. Its result is kept if it is better; the best schedule is never lost.
//
// Before the race, and next to it while it is not far behind, an independent climb accepts clear gains alone
// (core/search/agents/independent_climb.h). Its sweep of a fresh kernel finds gains faster than any other method, and its few
// edits leave room for single large moves. The other methods continue from its best where that is the best of all.
//
// Schedules given as starts (winners of earlier runs, a hand schedule) are measured first, and the first race begins from
// them too.
//
// Where the evaluator judges cache hints, they come first of all (core/search/agents/hint_searcher.cpp): they cost few
// measurements, and what they gain is independent of the order. Everything else continues from the hinted start.
//
// The best estimate is the largest of many noisy figures, and a slow moment of the GPU can raise all of them at once. So
// every method takes over the result of a confirmation, and none chases a gain that does not exist.
//
// Turns are counted in measurements, not in time: the same outcomes give the same run. Turns are short at first: a kernel
// of a millisecond allows some 2,000 measurements in a run, which a race of full turns alone would use up.
#include <algorithm>
#include <array>
#include <functional>

#include "core/search/agents/auto_state.h"
#include "core/search/agents/finalists.h"
#include "core/search/agents/independent_climb.h"
#include "core/search/agents/sub_searcher.h"

namespace cubinlab {
namespace {

enum Method : std::size_t { kGroup, kClimb, kList, kMethods };
constexpr std::size_t kIndependent = kMethods;  // index of its gains; it takes part in no race
static_assert(kIndependent == AutoState::Greedy);

// Group tests gain over consecutive rounds on one schedule, the other methods at once. After a race a turn of group tests
// is up to kGroupTurns times as long, but at most 1/kGroupGrowth of all measurements before it.
constexpr std::size_t kGroupTurns = 10, kGroupGrowth = 6;
constexpr std::size_t kShorterAtFirst = 3;  // than the setting says
constexpr std::size_t kGrowth = 10;         // a turn is at most this part of what was measured before it
constexpr double kWithIt = 0.001;           // log speed-up below the run's best: the others work on it too

constexpr std::size_t kRacing = 3;  // number of given starts that race, the best ones

constexpr double kForget = 0.7;  // of what a method gained, from turn to turn
constexpr double kHope =
    0.0004;  // gain that a method not tried for long is given credit for, log speed-up a turn
constexpr double kHopeless = 0.02;  // log speed-up below the best, at the end of a race
constexpr double kLittle = 0.0005;  // gained less in `stalls` turns: it has stalled

struct Lineage {
    Method method = kGroup;
    SearchPoint at;
    bool critical = false;  // a list schedule that begins along the critical path
    bool by_list = false;   // it began as a list schedule
};

class AutoSearcher final : public Searcher {
  public:
    AutoSearcher(const SearchContext& context, std::size_t turn, int stalls, int revert, double share)
        : context_(context),
          turn_(turn),
          stalls_(stalls),
          revert_(revert),
          share_(share),
          top_{context.start},
          finalists_(context.start),
          independent_(context) {
        if (all_tried()) begin_race();
    }

    std::string name() const override { return "auto"; }

    void judged_by(const Evaluator& evaluator) override {
        if (evaluator.judges(EditKind::Hint)) hints_ = make_hint_searcher(context_);
    }

    std::vector<Proposal> propose(std::size_t n) override {
        if (std::vector<Proposal> out = propose_hints(n); !out.empty()) return out;
        if (!all_tried()) return propose_starts(n);
        if (!exact_)
            if (auto claim = finalists_.claim_if_due(top_)) {
                claim_ = *claim;
                return {*claim};
            }
        if (std::vector<Proposal> out = propose_independent(n); !out.empty()) return out;
        // A searcher with nothing left to propose ends its turn.
        for (std::size_t tries = 0; tries < 3 * kMethods; ++tries) {
            std::vector<Proposal> out = active().propose(n);
            if (!out.empty()) return out;
            end_turn();
        }
        return {};
    }

    void prefetch(std::size_t n) override {
        if (hints_ || !all_tried() || claim_ || finalists_.closing()) return;
        if (independent_.has_turn())
            independent_.climb().prefetch(n);
        else
            active().prefetch(n);
    }

    ObserveResult observe(const std::vector<Observation>& observations) override {
        ObserveResult result;
        const bool was_exact = exact_;
        for (const Observation& seen : observations) {
            result.reward.push_back(reward_of(seen.outcome, top_.speedup.log));
            exact_ = exact_ || seen.exact;
        }
        result.accepted.assign(observations.size(), false);
        measured_ += observations.size();
        if (finalists_.closing()) {
            finalists_.observe_closing(observations);
            return result;
        }
        if (claim_) {
            if (!observations.empty()) take_claim(observations[0]);
            claim_.reset();
            return result;
        }
        if (hints_) {
            ObserveResult told = hints_->observe(observations);
            result.accepted = std::move(told.accepted);
            result.doing = std::move(told.doing);
            return result;
        }
        if (independent_.has_turn()) {
            result.accepted = observe_independent(observations);
            if (!independent_.has_turn()) tell(result);
            return result;
        }
        if (!all_tried()) {
            result.accepted = observe_starts(observations);
            return result;
        }
        const ObserveResult observed = active().observe(observations);
        result.accepted = observed.accepted;
        used_ += observations.size();
        take(active().here(), method_);
        if (exact_ && !was_exact) begin_race();
        if (!exact_ && !independent_.begun()) {
            independent_.begin(++made_, &base_);
            begin_independent();
        }
        if (used_ >= whole_turn() && active().at_checkpoint()) {
            end_turn();
            if (!exact_ && independent_.take_turn(measured_, top_.speedup.log, turn(), kGroupTurns * turn()))
                begin_independent();
            tell(result);
        }
        return result;
    }

    std::vector<Proposal> close(std::size_t) override {
        finalists_.offer(top_);
        if (hints_ && hints_->here().step != 0) finalists_.offer(hints_->here());
        if (independent_.begun() && independent_.climb().here().step != 0)
            finalists_.offer(independent_.climb().here());
        return finalists_.close();
    }

  private:
    std::size_t before_turn() const { return measured_ - std::min<std::size_t>(measured_, used_); }

    std::size_t turn() const {
        return std::clamp(before_turn() / kGrowth, std::max<std::size_t>(turn_ / kShorterAtFirst, 1), turn_);
    }

    std::size_t whole_turn() const {
        if (racing()) return turn() * length_;
        if (method_ != kGroup) return turn();
        return std::clamp(before_turn() / kGroupGrowth, turn(), kGroupTurns * turn());
    }

    bool racing() const { return lineages_.size() > 1; }

    bool all_tried() const { return tried_ == context_.schedules.size(); }

    std::vector<Proposal> propose_hints(std::size_t n) {
        if (!hints_) return {};
        std::vector<Proposal> out = hints_->propose(n);
        if (!out.empty()) return out;
        base_ = hints_->here();
        hints_.reset();
        if (base_.step == 0) return {};
        hinted_ = base_.speedup.log;
        top_ = at_ = base_;
        better_at_ = measured_;
        finalists_.offer(top_);
        races_ = 0;
        if (all_tried()) begin_race();
        return {};
    }

    std::vector<Proposal> propose_starts(std::size_t n) const {
        std::vector<Proposal> out;
        for (std::size_t i = tried_; i < context_.schedules.size() && out.size() < n; ++i)
            out.push_back({0, difference(context_.start, context_.schedules[i]), context_.schedules[i], false,
                           kRefineRequest});
        return out;
    }

    std::vector<bool> observe_starts(const std::vector<Observation>& observations) {
        std::vector<bool> better;
        for (const Observation& seen : observations) {
            const SearchPoint start{context_.schedules[tried_++], seen.step, seen.outcome.speedup};
            better.push_back(seen.outcome.ok() && start.speedup.log > top_.speedup.log);
            if (seen.outcome.ok()) starts_.push_back(start);
            if (!better.back()) continue;
            given_ += start.speedup.log - top_.speedup.log;
            top_ = start;
            better_at_ = measured_;
            finalists_.offer(top_);
        }
        if (!all_tried()) return better;
        std::ranges::stable_sort(starts_, std::greater{},
                                 [](const SearchPoint& at) { return at.speedup.log; });
        begin_race();
        return better;
    }

    void tell(ObserveResult& result) const {
        const AutoState now = state();
        for (SearchMetric& metric : now.metrics())
            result.metrics.push_back(std::move(metric));
        result.doing = now.text();
    }

    void begin_independent() { with_it_ = !racing() && at_.speedup.log > top_.speedup.log - kWithIt; }

    std::vector<Proposal> propose_independent(std::size_t n) {
        if (!independent_.has_turn()) return {};
        std::vector<Proposal> out = independent_.climb().propose(n);
        if (!out.empty()) return out;
        independent_.end_turn();  // nothing is left
        end_independent();
        return {};
    }

    std::vector<bool> observe_independent(const std::vector<Observation>& observations) {
        const ObserveResult observed = independent_.climb().observe(observations);
        independent_.observed(observations.size());
        take(independent_.climb().here(), kIndependent);
        if (!independent_.has_turn()) end_independent();
        return observed.accepted;
    }

    // The others continue from what it found, unless they work on another schedule.
    void end_independent() {
        if (with_it_ && independent_.climb().here().step == top_.step) restart_all_from(top_);
    }

    void restart_all_from(const SearchPoint& found) {
        if (racing() || found.speedup.log <= at_.speedup.log) return;
        at_ = found;
        if (at_.speedup.log > mark_ + kLittle) {
            mark_ = at_.speedup.log;
            idle_ = 0;
        }
        continue_with(method_);
    }

    void take(const SearchPoint& point, std::size_t by) {
        if (point.step == top_.step) {
            top_.speedup.log = point.speedup.log;
            return;
        }
        if (point.speedup.log <= top_.speedup.log) return;
        brought_[by] += point.speedup.log - top_.speedup.log;
        top_ = point;
        better_at_ = measured_;
        finalists_.offer(top_);
    }

    // From now on every method uses the figure of the confirmation.
    void take_claim(const Observation& seen) {
        const double revised = finalists_.seen_claim(*claim_, seen);
        if (claim_->result != top_.schedule) return;
        const StepId step = top_.step;
        if (!seen.outcome.ok()) {
            top_ = base_ = {context_.start};
            begin_race();
        }
        for (std::unique_ptr<SubSearcher>& searcher : searchers_)
            if (searcher) searcher->update_estimate(step, revised);
        if (independent_.begun()) independent_.climb().update_estimate(step, revised);
        for (Lineage& lineage : lineages_)
            if (lineage.at.step == step) lineage.at.speedup.log = revised;
        if (base_.step == step) base_.speedup.log = revised;
        if (at_.step == step) at_.speedup.log = revised;
        if (top_.step == step) {
            double& brought = brought_[independent_.has_turn() ? kIndependent : std::size_t{method_}];
            brought = std::max(0.0, brought - std::max(0.0, top_.speedup.log - revised));
            top_.speedup.log = revised;
        }
        mark_ = std::min(mark_, at_.speedup.log);
        began_ = std::min(began_, active().here().speedup.log);
        if (finalists_.best() && finalists_.best()->speedup.log > top_.speedup.log) top_ = *finalists_.best();
    }

    AutoState state() const {
        AutoState out;
        out.race = exact_ && context_.schedules.empty()
                       ? races_ - 1
                       : races_;  // with exact figures the race restarts at once
        out.starts = racing() ? lineages_.size() : 1;
        out.method = independent_.has_turn() ? std::size_t{AutoState::Own} : std::size_t{method_};
        out.from = independent_.has_turn() ? independent_.climb().here().speedup.log
                   : racing()              ? lineages_[racer_].at.speedup.log
                                           : at_.speedup.log;
        out.best = top_.speedup.log;
        out.since_better = measured_ - better_at_;
        out.brought = brought_;
        out.given = given_;
        out.hinted = hinted_;
        return out;
    }

    static Settings defaults(const std::vector<SettingRange>& known) {
        Settings out;
        for (const SettingRange& s : known)
            out.emplace(s.name, s.value);
        return out;
    }

    std::unique_ptr<SubSearcher> make(Method method, bool critical, std::uint64_t number) const {
        SearchContext context = context_;
        context.seed = context_.seed * 1000 + number;
        std::unique_ptr<SubSearcher> out;
        if (method == kGroup) {
            Settings group = defaults(group_settings());
            group["revert"] = revert_;
            group["share"] = share_;
            out = make_group_searcher(context, group);
        } else if (method == kClimb) {
            out = make_climb_searcher(context, defaults(greedy_settings()));
        } else {
            Settings list = defaults(list_settings());
            list["start"] = critical ? 1 : 0;
            out = make_list_searcher(context, list);
        }
        out->disable_claims();
        return out;
    }

    // Begins a race from the start schedule with the hints that gained, with other random numbers.
    void begin_race() {
        lineages_.clear();
        const SearchPoint& start = base_;
        // Where figures are exact there is no noise that group tests could average out.
        if (!exact_) lineages_.push_back({kGroup, start});
        lineages_.push_back({kClimb, start});
        lineages_.push_back({kList, start, races_ % 2 == 1});
        // Given starts take part in the first race only; later races must find other schedules.
        for (std::size_t i = 0; races_ == 0 && i < std::min(kRacing, starts_.size()); ++i) {
            if (starts_[i].speedup.log <= 0) break;
            if (!exact_) lineages_.push_back({kGroup, starts_[i]});
            lineages_.push_back({kClimb, starts_[i]});
        }
        for (std::unique_ptr<SubSearcher>& searcher : searchers_)
            searcher.reset();
        racer_ = 0;
        length_ = 1;
        ++races_;
        enter(lineages_[0]);
    }

    SubSearcher& active() { return *searchers_[method_]; }

    // The method keeps what it learned; it restarts only if it works on another schedule.
    void enter(const Lineage& lineage) {
        method_ = lineage.method;
        std::unique_ptr<SubSearcher>& searcher = searchers_[method_];
        const bool fresh = !searcher;
        if (fresh) {
            searcher = make(method_, lineage.critical, ++made_);
        }
        if (fresh ? lineage.at.step != 0 : searcher->here().step != lineage.at.step)
            searcher->restart_from(lineage.at);
        began_ = lineage.at.speedup.log;
        used_ = 0;
    }

    void end_turn() {
        if (racing()) {
            end_of_leg();
            return;
        }
        const double gained = std::max(0.0, active().here().speedup.log - began_);
        gains_[method_] = kForget * gains_[method_] + (1 - kForget) * gained;
        if (active().here().speedup.log > at_.speedup.log) at_ = active().here();
        idle_ = at_.speedup.log > mark_ + kLittle ? 0 : idle_ + 1;
        if (idle_ == 0) mark_ = at_.speedup.log;
        if (idle_ >= stalls_) {
            idle_ = 0;
            begin_race();
            return;
        }
        choose();
    }

    void end_of_leg() {
        Lineage& lineage = lineages_[racer_];
        lineage.at = active().here();
        if (++racer_ < lineages_.size()) {
            enter(lineages_[racer_]);
            return;
        }
        std::stable_sort(lineages_.begin(), lineages_.end(), [](const Lineage& a, const Lineage& b) {
            return a.at.speedup.log > b.at.speedup.log;
        });
        lineages_.erase(lineages_.begin() + static_cast<std::ptrdiff_t>((lineages_.size() + 1) / 2),
                        lineages_.end());
        racer_ = 0;
        length_ *= 2;
        // A list schedule is a start; the other methods continue from there.
        for (Lineage& left : lineages_) {
            if (left.method != kList) continue;
            left.method = exact_ ? kClimb : kGroup;
            left.by_list = true;
        }
        if (racing()) {
            enter(lineages_[0]);
            return;
        }
        at_ = lineages_[0].at;
        // Another race should lead elsewhere, but not far below; so should another order of whole blocks, while the
        // independent climb continues with what it found.
        const bool elsewhere = races_ > 1 || (independent_.begun() && lineages_[0].by_list);
        if (top_.speedup.log > at_.speedup.log + (elsewhere ? kHopeless : 0)) at_ = top_;
        mark_ = at_.speedup.log;
        length_ = 1;
        gains_.fill(kHope);
        choose();
    }

    // The method that gained most continues from the best of this race.
    void choose() {
        for (double& gain : gains_)
            gain += 0.1 * kHope;
        // List schedules are starts of a race; they seldom improve the schedules of others.
        gains_[kList] = std::min(gains_[kList], 0.1 * kHope);
        if (exact_) gains_[kGroup] = 0;
        const auto gained = std::max_element(gains_.begin(), gains_.end()) - gains_.begin();
        // A climb overestimates its gain, the largest of many figures: it kept the turn for whole runs that ended lower.
        continue_with(!exact_ && method_ != kGroup ? kGroup : static_cast<Method>(gained));
    }

    void continue_with(Method method) {
        lineages_ = {{method, at_}};
        racer_ = 0;
        enter(lineages_[0]);
    }

    SearchContext context_;
    std::size_t turn_;  // measurements
    int stalls_;
    int revert_;
    double share_;
    std::unique_ptr<SubSearcher> hints_;  // null: their turn is over
    SearchPoint base_{context_.start};    // of every race
    SearchPoint top_;                     // of all races
    SearchPoint at_ = top_;
    Finalists finalists_;
    std::vector<Lineage> lineages_;
    std::size_t racer_ = 0, used_ = 0, length_ = 1;
    std::array<std::unique_ptr<SubSearcher>, kMethods> searchers_;
    Method method_ = kGroup;
    double began_ = 0, mark_ = 0;
    std::array<double, kMethods> gains_{};
    int idle_ = 0, races_ = 0;
    std::array<double, kMethods + 1> brought_{};  // log speed-up of the best that each of them added
    std::vector<SearchPoint> starts_;             // given starts that ran without failure, best first
    std::size_t tried_ = 0;                       // number of given starts that were measured
    double given_ = 0;                            // log speed-up of the best given start
    double hinted_ = 0;                           // log speed-up by cache hints
    std::uint64_t made_ = 0;
    std::uint64_t measured_ = 0, better_at_ = 0;  // so far; when the best of all was found
    bool exact_ = false;
    std::optional<Proposal> claim_;
    IndependentClimb independent_;
    bool with_it_ = false;  // the others worked on the best too when its turn began
};

const std::vector<SettingRange>& auto_settings() {
    static const std::vector<SettingRange> known = {
        {"turn", 300, 16, 100000},
        {"stalls", 12, 1, 1000},
        {"revert", 1, 0, 6},
        {"share", 0.5, 0.02, 0.9},
        // Of the search over starts (core/search/starts/order_learner.h).
        {"construct", 0, 0, 1},
        {"construct_rate", 0.02, 0, 1},
        {"construct_evolution", 0, 0, 1},
        {"construct_share", 0.5, 0, 1}};
    return known;
}

}  // namespace

extern const BuiltInSearcher built_in_auto{
    "auto",
    "A race of methods",
    "Races several methods and starts, continues with those that gain, and restarts when none does.",
    auto_settings,
    [](const SearchContext& context, const Settings& settings) -> std::unique_ptr<Searcher> {
        return std::make_unique<AutoSearcher>(context, static_cast<std::size_t>(settings.at("turn")),
                                              static_cast<int>(settings.at("stalls")),
                                              static_cast<int>(settings.at("revert")), settings.at("share"));
    },
    true};

}  // namespace cubinlab
