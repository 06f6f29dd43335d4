// SPDX-License-Identifier: GPL-3.0-or-later
// What `tune` tells while it runs and when it has ended.
#pragma once
#include <deque>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/output.h"
#include "app/cli/tune_plan.h"
#include "core/tuning/final_measurement.h"

namespace cubinlab::cli {

// The best over fresh processes, once the run had ended; nothing where the run gave no reason to.
struct Again {
    std::vector<MeasuredAgain> measured;
    std::string problem;  // why it could not be
};
Json again_json(const Again& again);

// One JSON line a step on standard error (--progress), or a line for people on standard output for each new best; written
// once the step is committed to the session: what was told survives the end of the process, however it comes and however
// slow the disk is.
class ProgressStream : public RunListener {
  public:
    ProgressStream(bool lines, bool quiet) : lines_(lines), quiet_(quiet) {}

    void on_step(const StepRecord& r, const Schedule&) override;
    void on_best(const StepRecord& r, const Schedule& s) override;
    void on_phase(RunPhase phase) override;
    void on_doing(const std::string& doing) override;
    // From the session's writer (SessionWriter::on_durable): steps up to this one are committed.
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
// `again`: the best over fresh processes. `stamp`: of the cubin that was written, empty where none was; `replaced`: what
// was there before.
void print_summary(const TuneOptions& options, const RunSummary& summary, const EvaluatorInfo& evaluator,
                   const TunePlan& plan, const Again& again, const std::string& stamp,
                   const std::string& replaced);

}  // namespace cubinlab::cli
