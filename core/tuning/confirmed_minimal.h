// SPDX-License-Identifier: GPL-3.0-or-later
// A minimised winner measured as a claim is. Every step of the minimisation was judged in one process, and what was kept is
// what looked good there: so the minimal schedule and the whole one are each compared with the original over fresh
// processes, in every shape, on the same GPU.
//
//   auto fresh = TRY(confirm_minimal(minimal, whole, workload, gpu, 12, stop));
//   if (!fresh.why_not.empty()) ...  // the whole one is kept
#pragma once
#include <stop_token>
#include <string>

#include "core/gpu/client/shapes_comparison.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

struct ConfirmedMinimal {
    ShapesComparison minimal, whole;  // each against the original
    std::string why_not;              // why_not_confirmed of them
};

// Errors: those of compare_shapes.
Result<ConfirmedMinimal> confirm_minimal(const Schedule& minimal, const Schedule& whole,
                                         const Workload& workload, GpuSettings settings, int loads,
                                         std::stop_token stop, const CompareOptions& options = {});

// Confirmed is a minimal schedule that ran well and whose figure is not below the interval of the whole one, with the same
// verdict or a better one, and SLOWER in no shape where the whole one is not. Empty: it is.
std::string why_not_confirmed(const ShapesComparison& minimal, const ShapesComparison& whole);

}  // namespace cubinlab
