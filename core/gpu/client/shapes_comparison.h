// SPDX-License-Identifier: GPL-3.0-or-later
// Compares two cubins in every shape of a workload, as `cubinlab measure` does: over fresh processes and
// loads.
//
// The figure over all shapes is that of a confirmation (over_shapes): the mean of the log speed-ups,
// with the mean of the intervals, each for its share of the error probability. So the intervals of all shapes
// and of the mean hold simultaneously. If the worker of a shape dies, hangs or does not start, there is no
// mean: the outcome is UNCLEAR and names the shape and the reason, and `shapes` keeps the figures of the
// others.
//
//   auto all = TRY(compare_shapes(original, image, workload, settings, 12, stop));
//   all.outcome;    // of the only shape if there is one
//   all.figures();  // by shape if there are several
#pragma once
#include <string>
#include <vector>

#include "core/gpu/client/gpu_evaluator.h"
#include "core/gpu/client/shape_figures.h"

namespace cubinlab {

struct ShapesComparison {
    ShapesComparison(Comparison one);  // of a workload with one shape; implicit conversion
    // `shapes` belong to the first of `names`; at least one, all of them from compare_shapes.
    ShapesComparison(std::vector<std::string> names, std::vector<Comparison> shapes, double same_within);

    std::vector<std::string> names;  // of all shapes, the workload itself first
    std::vector<Comparison> shapes;  // by shape, failed ones too
    Outcome outcome;                 // over all shapes; cost, pairs and samples are those of the first

    bool several() const { return names.size() > 1; }
    const Comparison& first() const { return shapes.front(); }
    bool outputs_equal() const;
    ShapeFigures figures() const;  // empty: only one shape, or a shape failed
    // "shape wide (worker-lost), shape short (hang)", with one shape "worker-lost"; empty: no shape failed.
    std::string without_figure() const;
};

// A comparison whose worker failed with `error`: WorkerLost.
Comparison not_compared(const Error& error, const GpuSettings& settings);

// Errors: those of compare_cubins, with the name of the shape; those of the worker if no shape has a figure.
Result<ShapesComparison> compare_shapes(std::span<const std::byte> a, std::span<const std::byte> b,
                                        const Workload& workload, const GpuSettings& settings, int loads,
                                        std::stop_token stop, CompareOptions options = {});

}  // namespace cubinlab
