// SPDX-License-Identifier: GPL-3.0-or-later
// The output of `tune` during the run and at its end.
#pragma once
#include <deque>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/base/output.h"
#include "app/cli/tuning/tune_plan.h"
#include "core/tuning/final_measurement.h"

namespace cubinlab::cli {

// The final measurement of the best in fresh processes; empty if the run needed none.
struct Again {
    std::vector<MeasuredAgain> measured;
    std::string problem;  // why there is no measurement
};
Json again_json(const Again& again);

// Prints one JSON line per step on standard error (--progress), or one text line per new best on standard
// output. It prints a step only once the session has committed it, so the step survives a crash.
class ProgressStream : public RunListener {
  public:
    ProgressStream(bool lines, bool quiet) : lines_(lines), quiet_(quiet) {}

    void on_step(const StepRecord& r, const Schedule&) override;
    void on_best(const StepRecord& r, const Schedule& s) override;
    void on_state(const std::string& state) override;
    void on_doing(const std::string& doing) override;
    // Called by the session's writer (SessionWriter::on_durable): steps up to this one are committed.
    void durable(StepId step);

  private:
    void tell(const Json& what);
    void tell_behind(std::string line);
    void tell_kept();
    static constexpr std::int64_t kBetween = 5'000'000;  // microseconds of the run, for people
    bool lines_, quiet_;
    std::int64_t now_ = 0, told_ = -kBetween;
    std::mutex mutex_;
    StepId kept_ = 0;                                     // the last one that is committed
    std::deque<std::pair<StepId, std::string>> waiting_;  // for the commit of that step
};

void print_start(const TuneOptions& options, const TuneInputs& in, const TunePlan& plan,
                 const EvaluatorChoice& choice);
Json summary_json(const RunSummary& summary);
// `again`: the final measurement. `stamp`: of the written cubin, or empty; `replaced`: what it replaced.
void print_summary(const TuneOptions& options, const RunSummary& summary, const EvaluatorInfo& evaluator,
                   const TunePlan& plan, const Again& again, const std::string& stamp,
                   const std::string& replaced);

}  // namespace cubinlab::cli
