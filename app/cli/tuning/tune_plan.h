// SPDX-License-Identifier: GPL-3.0-or-later
// What `tune` decides before a session is touched: what it reads, where it may write, where it starts, what
// judges it.
#pragma once
#include <optional>
#include <stop_token>
#include <vector>

#include "app/cli/command.h"
#include "core/base/output_file.h"
#include "core/legality/hazard_checker.h"
#include "core/search/engine/tune_run.h"
#include "core/tuning/earlier_schedules.h"
#include "core/tuning/evaluator_choice.h"
#include "core/tuning/resumed_run.h"

namespace cubinlab::cli {

// What is read before anything is made.
struct TuneInputs {
    KernelPtr kernel;
    CheckerPtr checker;
    std::optional<Workload> workload;
};

// A run that is about to start, or to go on. Nothing of it is in the session yet.
struct TunePlan {
    RunSettings settings;
    RunId id = 0;                 // of the run to resume; a new one gets its number with its first step
    Schedule start;               // where it starts, or started
    bool against_start = false;   // which is not the original
    std::vector<InstrId> locked;  // never moved or edited
    std::optional<ResumedRun> resumed;
    std::optional<RaceStarts> starts = {};  // of --warm-start
};

// Errors before the search, which may take hours: a view-only architecture, an output that may not be written.
Result<TuneInputs> read_tune_inputs(const TuneOptions& options);
// Where the best goes, and what it must not replace.
OutputFile cubin_to_write(const TuneOptions& options, const TuneInputs& in);
// `log`: the session of --resume where it is open already.
Result<TunePlan> plan_tune(const TuneOptions& options, const TuneInputs& in, const Budget& budget,
                           std::shared_ptr<SessionReader> log, std::stop_token stop);
// The GPU of the options, as a resumed run was judged by it.
GpuSettings gpu_for_tune(const TuneOptions& options, const TunePlan& plan);
// The evaluator of the options; BadUse where it is not the one that the resumed run was judged by.
Result<EvaluatorChoice> choose_for_tune(const TuneOptions& options, const TuneInputs& in,
                                        const TunePlan& plan, std::stop_token stop);

}  // namespace cubinlab::cli
