// SPDX-License-Identifier: GPL-3.0-or-later
// The figures that a claim carries, and the sentence made of them. Anybody may fill them: nothing is written from
// parts, only from a Claim (claim.h), which the checks alone make of them. What has parts in hand without the checks
// is `verify`, which asks whether a bundle's stamp follows from the bundle's own figures.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/gpu/client/shape_figures.h"
#include "core/result/cache.h"
#include "core/result/claim_level.h"
#include "core/schedule/kernel.h"
#include "core/store/session.h"

namespace cubinlab {

struct ClaimParts {
    std::optional<EvaluatorKind> evaluator;  // empty: there is no figure
    CodeKind code = CodeKind::Reschedule;
    std::string device;
    std::optional<Cache> cache;  // empty: no GPU, or the session does not say
    Speedup speedup;             // against the original, unless:
    bool against_start = false;  // against the schedule that the run started from, which is not the original
    Verdict verdict = Verdict::Unclear;
    // False: the figure is that of a screening or a promotion, made on data that helped to choose the
    // schedule.
    bool confirmed = true;
    ShapeFigures shapes;  // of a measurement over all shapes, whose mean the figure is; else empty
    std::string assumed;  // what the model takes for granted of the loops (core/model/assumed_passes.h)
    // Why the figure could not be checked against what it was made of (stored_figures.h); empty: it was.
    std::string unchecked;
    // What has no figure in a measurement over fresh processes ("shape wide (WorkerLost)"): the verdict is UNCLEAR then.
    std::string without_figure;
    Hash128 original;  // the code that the figure is about; zero: that of the schedule's own kernel
    std::string session;  // path
    RunId run = 0;
    StepId step = 0;
};

ClaimLevel level_of(const ClaimParts& parts);
// Of a schedule that takes the place of `original`: it may be of another compilation.
CodeKind code_kind_of(const Kernel& original, const Schedule& schedule);
// "measured: 1.0320x [1.0290, 1.0350] FASTER on NVIDIA H200, hot cache", "modelled, unmeasured (1.0305x in modelled cycles; assuming 16 iterations of each loop)" ...
std::string stamp_of(const ClaimParts& parts);

// Whether an outcome is a figure over fresh loads at no more than kConfirmAlpha.
bool is_confirmed(const Outcome& outcome);

// A GPU ran it, and it did not do what the original does.
bool seen_to_fail(OutcomeKind kind);

// The step's own figure.
ClaimParts parts_of(const RunInfo& run, const StepRecord& record, const std::filesystem::path& session);
// In place of the figure of `parts`: one against the original, over fresh loads of a GPU; `shapes`: where it is a mean.
void put_measured(ClaimParts& parts, std::string device, std::optional<Cache> cache,
                  const ShapeFigure& figure, ShapeFigures shapes = {});
// A measurement that is not whole takes the verdict away, not the run's own figure.
void put_without_figure(ClaimParts& parts, std::string without_figure);
// The figure of all measurements of a step on the GPU that measured it most takes the place of the run's own: with the
// cache that the run was judged by (of both, the mean that over_caches gives), else with the hot one. `parts` as they
// are, where there is none that has all `shapes` of the workload.
ClaimParts with_measurements(ClaimParts parts, const std::vector<MeasurementRecord>& records, StepId step,
                             std::size_t shapes = 1);
// Of a session's workload; 1 where it has none, or none that can be read.
std::size_t shapes_in(const std::string& workload_json);

}  // namespace cubinlab
