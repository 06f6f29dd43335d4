// SPDX-License-Identifier: GPL-3.0-or-later
// Several methods, each where it pays. First a race: lineages that begin differently (group tests and a climb from the
// start, list schedules near its order and along the critical path) get equal shares of measuring; the worse half is
// dropped, the rest gets twice as much, until one is left. Then the methods take turns from the best schedule, each
// as often as it gained per measurement. Where nothing has gained for a while another race begins, and what it ends
// with is kept if it is better; the best is never lost.
//
// What is measured, not time, decides the turns: the same outcomes give the same run.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/search/arm.h"
#include "core/search/finalists.h"

namespace cubinlab {
namespace {

enum Method : std::size_t { kGroup, kClimb, kList, kMethods };
constexpr std::array<const char*, kMethods> kNames = {"group", "climb", "list"};

constexpr double kForget = 0.7;  // of what a method gained, from turn to turn
constexpr double kHope =
    0.0004;  // gain that a method not tried for long is given credit for, log speed-up a turn
constexpr double kLittle = 0.0005;  // gained less in `stalls` turns: it has stalled

struct Lineage {
    Method method = kGroup;
    Standing at;
    bool critical = false;  // a list schedule that begins along the critical path
};

class AutoSearcher final : public Searcher {
  public:
    AutoSearcher(const SearchContext& context, const Settings& settings)
        : context_(context),
          turn_(static_cast<std::size_t>(settings.at("turn"))),
          stalls_(static_cast<int>(settings.at("stalls"))),
          top_{context.start, 0, 0, 0},
          finalists_(context.start) {
        begin_race();
    }

    std::string name() const override { return "auto"; }

    std::vector<Proposal> propose(std::size_t n) override {
        finalists_.reopen();
        if (!exact_)
            if (auto claim = finalists_.claim_if_due(top_)) {
                claim_ = *claim;
                return {*claim};
            }
        // An arm that has nothing left gives its turn away.
        for (std::size_t tries = 0; tries < 3 * kMethods; ++tries) {
            std::vector<Proposal> out = arm().propose(n);
            if (!out.empty()) return out;
            end_turn();
        }
        return {};
    }

    ObserveResult observe(const std::vector<Observation>& observations) override {
        ObserveResult result;
        const bool was_exact = exact_;
        for (const Observation& seen : observations) {
            result.reward.push_back(reward_of(seen.outcome, top_.log_speedup));
            exact_ = exact_ || (seen.outcome.ok() && seen.outcome.low == seen.outcome.high);
        }
        result.accepted.assign(observations.size(), false);
        if (finalists_.closing()) {
            finalists_.observe_closing(observations);
            return result;
        }
        if (claim_) {
            if (!observations.empty()) {
                finalists_.seen_claim(*claim_, observations[0]);
                // What was believed of it is corrected, so that it does not stand in the way of a better one.
                const Outcome& seen = observations[0].outcome;
                if (seen.ok() && claim_->result == top_.schedule)
                    top_.log_speedup = (top_.log_speedup + 2 * seen.log_speedup) / 3;
            }
            claim_.reset();
            return result;
        }
        const ObserveResult told = arm().observe(observations);
        result.accepted = told.accepted;
        used_ += observations.size();
        take(arm().here());
        if (exact_ && !was_exact) begin_race();
        if (used_ >= turn_ * length_) {
            end_turn();
            result.metrics.push_back({"phase", racing() ? static_cast<double>(lineages_.size()) : 1.0});
            result.metrics.push_back({"method", static_cast<double>(method_)});
            result.metrics.push_back({"estimate", top_.log_speedup});
        }
        return result;
    }

    std::vector<Proposal> close(std::size_t) override {
        finalists_.offer(top_);
        return finalists_.close();
    }

  private:
    bool racing() const { return lineages_.size() > 1; }

    void take(const Standing& standing) {
        if (standing.log_speedup <= top_.log_speedup) return;
        top_ = standing;
        finalists_.offer(top_);
    }

    std::unique_ptr<Arm> make(Method method, bool critical) {
        SearchContext context = context_;
        context.seed = context_.seed * 1000 + ++made_;
        const auto defaults = [](const std::vector<SettingRange>& known) {
            Settings out;
            for (const SettingRange& s : known)
                out.emplace(s.name, s.value);
            return out;
        };
        if (method == kGroup) return make_group_arm(context, defaults(group_settings()));
        if (method == kClimb) return make_climb_arm(context, defaults(greedy_settings()));
        Settings list = defaults(list_settings());
        list["start"] = critical ? 1 : 0;
        return make_list_arm(context, list);
    }

    // From the start again, with other random numbers.
    void begin_race() {
        lineages_.clear();
        const Standing start{context_.start, 0, 0, 0};
        // Where figures are exact there is no noise that group tests could average out.
        if (!exact_) lineages_.push_back({kGroup, start});
        lineages_.push_back({kClimb, start});
        lineages_.push_back({kList, start, races_ % 2 == 1});
        for (std::unique_ptr<Arm>& arm : arms_)
            arm.reset();
        racer_ = 0;
        length_ = 1;
        ++races_;
        enter(lineages_[0]);
    }

    Arm& arm() { return *arms_[method_]; }

    // Its method goes on with what it learned, unless it stands elsewhere.
    void enter(const Lineage& lineage) {
        method_ = lineage.method;
        std::unique_ptr<Arm>& arm = arms_[method_];
        const bool fresh = !arm;
        if (fresh) arm = make(method_, lineage.critical);
        if (fresh ? lineage.at.step != 0 : arm->here().step != lineage.at.step) arm->go_on_from(lineage.at);
        began_ = lineage.at.log_speedup;
        used_ = 0;
    }

    void end_turn() {
        if (racing()) {
            end_of_leg();
            return;
        }
        const double gained = std::max(0.0, arm().here().log_speedup - began_);
        gains_[method_] = kForget * gains_[method_] + (1 - kForget) * gained;
        if (arm().here().log_speedup > at_.log_speedup) at_ = arm().here();
        idle_ = at_.log_speedup > mark_ + kLittle ? 0 : idle_ + 1;
        if (idle_ == 0) mark_ = at_.log_speedup;
        if (idle_ >= stalls_) {
            idle_ = 0;
            begin_race();
            return;
        }
        choose();
    }

    void end_of_leg() {
        Lineage& lineage = lineages_[racer_];
        lineage.at = arm().here();
        if (++racer_ < lineages_.size()) {
            enter(lineages_[racer_]);
            return;
        }
        std::stable_sort(lineages_.begin(), lineages_.end(), [](const Lineage& a, const Lineage& b) {
            return a.at.log_speedup > b.at.log_speedup;
        });
        lineages_.erase(lineages_.begin() + static_cast<std::ptrdiff_t>((lineages_.size() + 1) / 2),
                        lineages_.end());
        racer_ = 0;
        length_ *= 2;
        // A list schedule is a place to begin; going on from there is the others' work.
        for (Lineage& left : lineages_)
            if (left.method == kList) left.method = exact_ ? kClimb : kGroup;
        if (racing()) {
            enter(lineages_[0]);
            return;
        }
        at_ = lineages_[0].at;
        mark_ = at_.log_speedup;
        length_ = 1;
        gains_.fill(kHope);
        choose();
    }

    // From the best of this race for as long as it gains.
    void choose() {
        for (double& gain : gains_)
            gain += 0.1 * kHope;
        // List schedules begin a race; they seldom go on from where others are.
        gains_[kList] = std::min(gains_[kList], 0.1 * kHope);
        if (exact_) gains_[kGroup] = 0;
        method_ = static_cast<Method>(std::max_element(gains_.begin(), gains_.end()) - gains_.begin());
        lineages_ = {{method_, at_}};
        racer_ = 0;
        enter(lineages_[0]);
    }

    SearchContext context_;
    std::size_t turn_;  // measurements
    int stalls_;
    Standing top_;  // of all races
    Standing at_ = top_;
    Finalists finalists_;
    std::vector<Lineage> lineages_;
    std::size_t racer_ = 0, used_ = 0, length_ = 1;
    std::array<std::unique_ptr<Arm>, kMethods> arms_;
    Method method_ = kGroup;
    double began_ = 0, mark_ = 0;
    std::array<double, kMethods> gains_{};
    int idle_ = 0, races_ = 0;
    std::uint64_t made_ = 0;
    bool exact_ = false;
    std::optional<Proposal> claim_;
};

}  // namespace

const std::vector<SettingRange>& auto_settings() {
    static const std::vector<SettingRange> known = {{"turn", 300, 16, 100000}, {"stalls", 12, 1, 1000}};
    return known;
}

std::unique_ptr<Searcher> make_auto(const SearchContext& context, const Settings& settings) {
    return std::make_unique<AutoSearcher>(context, settings);
}

}  // namespace cubinlab
