// SPDX-License-Identifier: GPL-3.0-or-later
// A real kernel, a searcher and an evaluator that follow a script, and a log that is kept in memory.
#pragma once
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/search/engine/tune_run.h"
#include "tests/support/catch.h"
#include "tests/support/sample_kernel.h"

namespace cubinlab::test {

// The checker takes a while to make in a debug build: one for all cases.
inline SearchContext bmm_context(std::uint64_t seed = 1) {
    static const KernelPtr kernel = kernel_of_sample("bmm_mma");
    static const CheckerPtr checker = *HazardChecker::create(kernel);
    return {kernel, checker, seed, "{}", {}, {}, Schedule(kernel)};
}

// Its own checker each time.
inline SearchContext context_of_sample(const std::string& name, std::uint64_t seed = 1) {
    const KernelPtr kernel = kernel_of_sample(name);
    return {kernel, *HazardChecker::create(kernel), seed, "{}", {}, {}, Schedule(kernel)};
}

struct MemorySink final : RunSink {
    std::vector<StepRecord> steps;
    std::vector<std::string> metrics;
    std::vector<double> values;  // of metrics
    int flushes = 0;
    bool finished = false;
    std::size_t fail_at = 0;  // append number that fails, 0 = none
    Status append(const StepRecord& record) override {
        if (fail_at != 0 && steps.size() + 1 == fail_at) return fail(ErrorCode::Io, "disk full");
        steps.push_back(record);
        return {};
    }
    Status metric(StepId, const std::string& name, double value) override {
        metrics.push_back(name);
        values.push_back(value);
        return {};
    }
    Status flush() override {
        ++flushes;
        return {};
    }
    Status finish(const RunSummary&) override {
        finished = true;
        return {};
    }
};

// Proposes the stall of instruction 0 in the order of the script; a number stands for a schedule.
class ScriptedSearcher final : public Searcher {
  public:
    ScriptedSearcher(Schedule start, std::vector<int> stalls)
        : start_(std::move(start)), stalls_(stalls.begin(), stalls.end()) {}
    std::string name() const override { return "scripted"; }
    std::vector<Proposal> propose(std::size_t n) override {
        std::vector<Proposal> out;
        for (; out.size() < n && !stalls_.empty(); stalls_.pop_front()) {
            ControlCode control = start_.control(0);
            control.stall = static_cast<std::uint8_t>(stalls_.front());
            const Mutation mutation = Mutation::control(start_, 0, control);
            out.push_back({0, mutation, *mutation.applied(start_), promote});
        }
        asked.push_back(out.size());
        return out;
    }
    ObserveResult observe(const std::vector<Observation>& observations) override {
        ObserveResult result;
        for (const Observation& seen : observations) {
            observed.push_back(seen);
            result.reward.push_back(10.0 * seen.outcome.speedup.log);
            result.accepted.push_back(seen.best);
        }
        result.metrics.push_back({"entropy", 0.5});
        return result;
    }
    std::vector<std::size_t> asked;
    std::vector<Observation> observed;
    bool promote = true;

  private:
    Schedule start_;
    std::deque<int> stalls_;
};

struct Call {
    int stall, reference;
    Effort effort;
    friend bool operator==(const Call&, const Call&) = default;
};

// Answers by the stall of instruction 0 and the effort.
class ScriptedEvaluator final : public Evaluator {
  public:
    explicit ScriptedEvaluator(EvaluatorKind kind, std::function<Outcome(const Call&)> answer)
        : answer_(std::move(answer)) {
        info_.kind = kind;
        info_.original_cost = 100;
    }
    const EvaluatorInfo& info() const override { return info_; }
    bool exact() const override { return info_.kind == EvaluatorKind::Model; }
    Result<std::vector<Outcome>> evaluate(std::span<const Schedule> candidates, const Schedule& reference,
                                          Effort effort, std::stop_token) override {
        std::vector<Outcome> out;
        for (const Schedule& candidate : candidates) {
            if (lost_at != 0 && calls.size() + 1 == lost_at)
                return fail(ErrorCode::Worker, "the worker died");
            calls.push_back({candidate.control(0).stall, reference.control(0).stall, effort});
            out.push_back(answer_(calls.back()));
        }
        return out;
    }
    std::vector<Call> calls;
    std::size_t lost_at = 0;

  private:
    EvaluatorInfo info_;
    std::function<Outcome(const Call&)> answer_;
};

inline Outcome figure(Verdict verdict, double log_speedup, double half_width = 0) {
    Outcome out;
    out.kind = OutcomeKind::Ok;
    out.verdict = verdict;
    out.speedup.log = log_speedup;
    out.speedup.low = log_speedup - half_width;
    out.speedup.high = log_speedup + half_width;
    out.cost = 100;
    return out;
}

inline Outcome failure(OutcomeKind kind) {
    Outcome out;
    out.kind = kind;
    out.detail = "seen";
    return out;
}

}  // namespace cubinlab::test
