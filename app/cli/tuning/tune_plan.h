// SPDX-License-Identifier: GPL-3.0-or-later
// Decisions of `tune` before it touches a session: its inputs, outputs, start and evaluator.
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

// The inputs, read before any output is written.
struct TuneInputs {
    KernelPtr kernel;
    CheckerPtr checker;
    std::optional<Workload> workload;
};

// A run that is about to start or resume. The session does not contain it yet.
struct TunePlan {
    RunSettings settings;
    RunId id = 0;                 // of the run to resume; 0: a new run, numbered with its first step
    Schedule start;               // of the run, also if it is resumed
    bool against_start = false;   // the start is not the original
    std::vector<InstrId> locked;  // never moved or edited
    std::optional<ResumedRun> resumed;
    std::optional<RaceStarts> starts = {};  // of --warm-start
};

// Finds errors before a long search: a view-only architecture, an output that cannot be written.
Result<TuneInputs> read_tune_inputs(const TuneOptions& options);
// The output of the best schedule, and the inputs that it must not replace.
OutputFile cubin_to_write(const TuneOptions& options, const TuneInputs& in);
// `log`: the session of --resume if it is already open.
Result<TunePlan> plan_tune(const TuneOptions& options, const TuneInputs& in, const Budget& budget,
                           std::shared_ptr<SessionReader> log, std::stop_token stop);
// The GPU settings of the options, with the cache state of a resumed run.
GpuSettings gpu_for_tune(const TuneOptions& options, const TunePlan& plan);
// The evaluator of the options; BadUse if it differs from the evaluator of the resumed run.
Result<EvaluatorChoice> choose_for_tune(const TuneOptions& options, const TuneInputs& in,
                                        const TunePlan& plan, std::stop_token stop);

}  // namespace cubinlab::cli
