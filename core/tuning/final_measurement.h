// SPDX-License-Identifier: GPL-3.0-or-later
// The best of a run on a GPU, measured once more when the run has ended, over fresh processes. A run's own confirmations
// come from the process that searched. Where its memory lies both sides share, but what the search kept was good there:
// on an H100 bmm's winners showed 3 % less in other processes (resources/docs/measurement.md, "Known limits"). So a run
// ends with a figure of the kind that `measure` gives, in its session, and stamps, reports and exports go by that.
//
//   if (worth_measuring_again(summary, evaluator->info()))
//       for (const MeasuredAgain& a : TRY(measure_again(best, workload, gpu, {run, step}, kLoadsAgain, stop)))
//           TRY(session->add_measurement(a.record));
#pragma once
#include <stop_token>
#include <vector>

#include "core/evidence/step_measurement.h"
#include "core/gpu/client/shapes_comparison.h"
#include "core/gpu/protocol/workload.h"
#include "core/result/run_sink.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

inline constexpr int kLoadsAgain = 6;  // each in a process of its own: 3 to 6 s a shape on small kernels

struct MeasuredAgain {
    ShapesComparison comparison;  // with the original, in every shape of the workload
    MeasurementRecord record;
};

// A GPU judged it, something beat the start, and the run was not stopped: who stops waits for nothing.
bool worth_measuring_again(const RunSummary& summary, const EvaluatorInfo& evaluator);

// One for each cache that the run was judged by; two share the error probability of one. Inputs and order are drawn from another seed than the search's. Of a
// pool one GPU measures, the first that answers: what two say are two figures.
// Errors: those of compare_shapes, but for a worker lost with the second cache, which is an outcome. A best that does not run well is none: it is what the record says.
Result<std::vector<MeasuredAgain>> measure_again(const Schedule& best, const Workload& workload,
                                                 GpuSettings settings, RunId run, StepId step, int loads,
                                                 std::stop_token stop);

}  // namespace cubinlab
