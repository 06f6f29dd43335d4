// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/learner_rule.h"

#include <fmt/format.h>

#include <limits>

#include "core/evidence/run_curve.h"
#include "core/search/agents/agent_settings.h"
#include "core/search/agents/cuasmrl_settings.h"
#include "core/search/agents/learner_rewards.h"

namespace cubinlab {
namespace {

using Rule = std::function<Judgement(const Outcome& outcome, double before)>;

// Empty: the agent is no learner.
Result<Rule> rule_of(const RunInfo& run) {
    if (run.agent == "ppo-cuasmrl") {
        const auto settings = TRY(PpoSettings::parse(run.agent_settings));
        return Rule([failure = settings.failure_reward](const Outcome& outcome, double before) {
            return judge_as_paper(outcome, before, failure);
        });
    }
    if (run.agent != "ppo") return Rule();
    const auto settings = TRY(read_settings(run.agent_settings, edit_ppo_settings()));
    const double failure = settings.find("failure_reward")->second;
    const double floor = settings.find("loss_floor")->second;
    return Rule([failure, floor](const Outcome& outcome, double before) {
        return judge_by_gain(outcome, before, failure, floor);
    });
}

bool same(double a, double b) {
    return std::abs(a - b) <= 1e-6 * std::max({1.0, std::abs(a), std::abs(b)});
}

// A file keeps no infinite ends of an interval: both are 0 there. The agent saw that the gain is within them.
Outcome as_seen(const Outcome& logged) {
    Outcome out;
    out.kind = logged.kind;
    out.log_speedup = logged.log_speedup;
    out.low = logged.low;
    out.high = logged.high;
    if (out.low == 0 && out.high == 0 && out.log_speedup != 0) {
        out.high = std::numeric_limits<double>::infinity();
        out.low = -out.high;
    }
    return out;
}

class Steps {
  public:
    Steps(const RunInfo& run, const Rule& rule, Deviations& out) : run_(run), rule_(rule), out_(out) {}

    void check(const StepRecord& record) {
        const auto before = gain_at(record.parent);
        if (!before)
            told(record, fmt::format("parent is {}, which did not run well: no learner goes on from there",
                                     record.parent));
        else
            compare(record, rule_(as_seen(record.outcome), *before));
        gains_.push_back(record.outcome.ok() ? record.outcome.log_speedup
                                             : std::numeric_limits<double>::quiet_NaN());
    }

  private:
    std::optional<double> gain_at(StepId step) const {
        const auto at = static_cast<std::size_t>(step);
        if (step < 0 || at >= gains_.size() || std::isnan(gains_[at])) return std::nullopt;
        return gains_[at];
    }
    void compare(const StepRecord& record, const Judgement& made) {
        if (!same(record.reward, made.reward))
            told(record, fmt::format("reward is {:.6g}, by the rule of {} it is {:.6g}", record.reward,
                                     run_.agent, made.reward));
        if (record.accepted != made.accepted)
            told(record, fmt::format("accepted is {:d}, by the rule of {} it is {:d}", record.accepted,
                                     run_.agent, made.accepted));
    }
    void told(const StepRecord& record, std::string what) {
        out_.add(at_step(run_.id, record.step), std::move(what));
    }

    const RunInfo& run_;
    const Rule& rule_;
    Deviations& out_;
    std::vector<double> gains_ = {0};  // by step, against the start; NaN: it did not run well
};

}  // namespace

Result<std::uint64_t> check_learner_rule(SessionReader& reader, const RunInfo& run, Deviations& out,
                                         const std::stop_token& stop) {
    const auto rule = rule_of(run);
    if (!rule) {
        out.add(at_step(run.id, 0), "its settings give no rule: " + rule.error().message());
        return 0;
    }
    if (!*rule) return 0;
    Steps steps(run, *rule, out);
    std::uint64_t checked = 0;
    TRY(each_step(
        reader, run.id,
        [&](StepRecord& record) -> Status {
            if (record.step > static_cast<StepId>(run.steps)) return {};
            steps.check(record);
            ++checked;
            return {};
        },
        stop));
    return checked;
}

}  // namespace cubinlab
