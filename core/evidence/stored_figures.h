// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the figures that a session stores follow from what they were made of. Anybody can edit a log, so every claim (a
// stamp, a bundle, a report) checks its figure first:
//
//   modelled steps   the model evaluates the schedule again, with the settings that the run stored
//   GPU steps        mean, interval and verdict are recomputed from the raw samples, the calibration, the error
//                    probability and the step that was the reference
//   measurements     likewise, from the samples of each load
//
// An edit of the samples themselves shows only when the schedule is measured again.
//
//   auto open = check_step_figure(*reader, kernel, run, step);
//   if (!open) return print_error(open.error());        // names step, stored and recomputed figure
//   parts.unchecked = *open;                            // of ClaimParts; empty: the figure follows
#pragma once
#include <cstdint>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "core/store/session.h"

namespace cubinlab {

// Largest difference of log speed-ups (and of the ends of their intervals) that counts as none.
inline constexpr double kFigureTolerance = 1e-4;

// Why the figure of a step could not be checked, wholly or in part ("the session holds no samples of it");
// empty: it was checked, or there is none (step 0, a step that did not run well). Errors: Corrupt where it
// does not follow, and what the reader gives.
Result<std::string> check_step_figure(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run,
                                      StepId step);

// The same of several steps. Errors: of the first whose figure does not follow.
Status check_step_figures(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run,
                          const std::set<StepId>& steps, std::stop_token stop = {});

struct FiguresChecked {
    std::uint64_t follow = 0;     // steps whose figure follows
    std::uint64_t unchecked = 0;  // steps and measurements whose figure could not be checked
    std::string why;              // of the first of them
};
enum class FiguresOf {
    EveryStep,
    BestSteps,  // those that became the run's best
    Sampled,  // of a GPU's, those evaluated steps that hold samples: sessions are kept without, to learn from
};
// The steps of a run up to run.steps, and its measurements. Errors: of the first figure that does not follow.
Result<FiguresChecked> check_run_figures(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run,
                                         FiguresOf which, std::stop_token stop = {});

// A log whose figures follow may still have an illegal best: made by hand, or by a version whose rules let it pass. Refused
// where the run's best is illegal by today's rules; no export writes it. Nothing is asked where nothing beat the start.
// `best`: the schedule after the run's best step.
Status check_best_is_legal(const RunInfo& run, const Schedule& best);

// The measurements of a step (0: of every step) against their own samples. How many have no samples by load, and are
// left out here as they are in pool_measurements.
Result<std::uint64_t> check_measurement_figures(const std::vector<MeasurementRecord>& records, StepId step);

// `replay --verify`: rebuilds every schedule of a run, recomputes every figure, and checks every measured schedule for
// legality. Whether the samples themselves are true shows only when a schedule is measured again.
struct RunVerification {
    std::uint64_t rebuilt = 0;  // steps whose schedule has the logged hash
    std::uint64_t legal = 0;    // of these, schedules that were evaluated and that the checker proves legal
    FiguresChecked figures;
};
// Errors: of the first thing that does not hold: Corrupt where a schedule or a figure does not follow from the log,
// Refused where a schedule that ran is illegal; Cancelled.
Result<RunVerification> verify_run(SessionReader& reader, const KernelPtr& kernel, RunInfo run,
                                   std::stop_token stop);

}  // namespace cubinlab
