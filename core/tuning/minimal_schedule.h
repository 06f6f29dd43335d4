// SPDX-License-Identifier: GPL-3.0-or-later
// The edits of a winner that carry its gain (core/search/moves/minimise.h), judged by the kind of evaluator that judged its run.
// A GPU judges each step of the minimisation in one process, and what is kept is what measured well there: so the minimal
// schedule and the whole one are each compared with the original over fresh processes, in every shape, on the same GPU. A
// schedule of another compilation is minimised against its own start.
//
//   auto found = TRY(find_minimal({.whole = best, .judge = run.evaluator.kind, .workload = workload, .gpu = gpu}, stop));
//   export_cubin(found.keeps_whole() ? best : found.minimised.schedule, ...);
#pragma once
#include <optional>
#include <stop_token>
#include <string>

#include "core/gpu/client/shapes_comparison.h"
#include "core/result/evaluator.h"
#include "core/search/moves/minimise.h"
#include "core/search/moves/rank_edits.h"

namespace cubinlab {

struct MinimalRequest {
    Schedule whole;
    KernelPtr original = nullptr;  // that fresh processes compare with; null: the kernel of `whole`
    EvaluatorKind judge = EvaluatorKind::Model;
    std::optional<Workload> workload = {};
    GpuSettings gpu = {};
    double keep = 0.95;   // as MinimiseSettings
    int loads = 12;       // of the comparison in fresh processes, where a GPU judges
    bool energy = false;  // measured in it, too
    bool rank = false;    // also ranks the edits that are kept
};

struct ConfirmedMinimal {
    ShapesComparison minimal, whole;  // each against the original
    std::string why_not;              // why_not_confirmed of them
};

struct MinimalSchedule {
    Minimised minimised;
    EvaluatorInfo evaluator;                // that judged it
    std::optional<ConfirmedMinimal> fresh;  // where a GPU judged
    std::optional<EditRanking> ranking;     // where it was asked for

    bool keeps_whole() const { return fresh && !fresh->why_not.empty(); }
    // Against the original, in fresh processes where there were any.
    const Outcome& outcome() const { return fresh ? fresh->minimal.outcome : minimised.outcome; }
    const Outcome& whole_outcome() const { return fresh ? fresh->whole.outcome : minimised.winner; }
};

// Errors: Refused (no gain to begin with), those of choose_evaluator and measure_schedule.
Result<MinimalSchedule> find_minimal(const MinimalRequest& request, std::stop_token stop);

// Confirmed is a minimal schedule that ran well and whose figure is not below the interval of the whole one, with the same
// verdict or a better one, and SLOWER in no shape where the whole one is not. Empty: it is.
std::string why_not_confirmed(const ShapesComparison& minimal, const ShapesComparison& whole);

}  // namespace cubinlab
