// SPDX-License-Identifier: GPL-3.0-or-later
// What `tune` prints during a run and at its end.
#pragma once
#include <deque>
#include <mutex>
#include <string>
#include <utility>

#include "app/cli/base/common_options.h"
#include "app/cli/base/output.h"
#include "core/search/engine/default_agent.h"
#include "core/tuning/measure.h"
#include "core/tuning/tune_session.h"

namespace cubinlab::cli {

// Prints one JSON line per step on standard error (--progress), or one text line per new best on standard output. A step
// is printed only after the session has committed it, so a printed step survives a crash.
class ProgressStream : public TuneObserver {
  public:
    ProgressStream(bool lines, bool quiet) : lines_(lines), quiet_(quiet) {}

    void on_step(const StepRecord& r, const Schedule&) override;
    void on_best(const StepRecord& r, const Schedule& s) override;
    void on_phase(RunPhase phase) override;
    void on_doing(const std::string& doing) override;
    void on_durable(StepId step) override;

  private:
    void queue_json(const Json& what);
    void queue_line(std::string line);
    void print_committed();
    static constexpr std::int64_t kBetween = 5'000'000;  // microseconds of the run, for people
    bool lines_, quiet_;
    std::int64_t now_ = 0, shown_ = -kBetween;
    std::mutex mutex_;
    StepId kept_ = 0;                                     // the last one that is committed
    std::deque<std::pair<StepId, std::string>> waiting_;  // for the commit of that step
};

struct TuneOptions : Common {
    std::string file, workload, agent = kDefaultAgent, agent_settings = "{}", evaluator = "auto",
                                budget = "60s", session, out;
    GpuOptions gpu;
    std::uint64_t seed = 1;
    std::string lock;                       // byte offsets of instructions that the agent does not edit
    std::int64_t resume = -1;               // run to continue; 0: the newest
    std::size_t batch = 0;                  // 0: by evaluator
    int final_processes = kFinalProcesses;  // that measure the best of a run on a GPU at its end; 0: none
    bool force = false;                     // --out may replace a file that this program did not write
    bool progress = false;  // print one JSON line per step on standard error once it is committed
    std::vector<std::string> from_schedules;  // earlier schedules, or folders of them, to begin from
    std::string ptx;                          // of the kernel; empty: searched in FILE and next to it
    bool only_reschedules = false;            // no other compilation is tried
    struct Given {
        bool agent = false, settings = false, seed = false;
    } given;  // on the command line
};

// `note`: evaluator_note().
void print_start(const TuneOptions& options, const Kernel& kernel, const TunePlan& plan,
                 const std::string& note);
Json tune_document(const TuneOptions& options, const Kernel& kernel, const TunePlan& plan,
                   const TuneResult& result, const std::string& note);
void print_summary(const TuneOptions& options, const TunePlan& plan, const TuneResult& result);

}  // namespace cubinlab::cli
