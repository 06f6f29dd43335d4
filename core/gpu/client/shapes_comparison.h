// SPDX-License-Identifier: GPL-3.0-or-later
// Two cubins compared in every shape of a workload: in each as `measure` compares them, over fresh processes and loads.
//
// The figure over all shapes is the one that a search confirms by (shapes_evaluator.h): the mean of the shapes' log
// speed-ups, its interval the mean of their intervals, each made for its share of the error probability. So the interval
// of every shape and that of the mean hold together.
//
//   auto all = TRY(compare_shapes(original, image, workload, settings, 12, stop));
// A shape whose worker dies, hangs or cannot be started costs the figures of no other: there is no mean then, the outcome is
// UNCLEAR and says which shape failed and why, and `shapes` has what the others gave.
//
//   all.outcome;    // of a workload of one shape: that shape's
//   all.figures();  // each shape's, where there are several
#pragma once
#include <string>
#include <vector>

#include "core/gpu/client/gpu_evaluator.h"
#include "core/gpu/client/shape_figures.h"

namespace cubinlab {

struct ShapesComparison {
    ShapesComparison(Comparison one);  // of a workload of one shape, which needs no words: not explicit
    // `shapes` belong to the first of `names`; at least one, all where they come from compare_shapes.
    ShapesComparison(std::vector<std::string> names, std::vector<Comparison> shapes, double same_within);

    std::vector<std::string> names;  // of all shapes, the workload itself first
    std::vector<Comparison> shapes;  // of each, whether it ran well or not
    Outcome outcome;                 // over all of them; cost, pairs and samples are the first shape's

    bool several() const { return names.size() > 1; }
    const Comparison& first() const { return shapes.front(); }
    bool outputs_equal() const;
    ShapeFigures figures() const;  // empty: one shape, or one did not run well
    // "shape wide (WorkerLost), shape short (Hang)", of one shape "WorkerLost"; empty: each ran well.
    std::string without_figure() const;
};

// One whose worker gave nothing, in the words of the error.
Comparison not_compared(const Error& error, const GpuSettings& settings);

// Errors: those of compare_cubins, by the shape's name; those of the worker where no shape has a figure.
Result<ShapesComparison> compare_shapes(std::span<const std::byte> a, std::span<const std::byte> b,
                                        const Workload& workload, const GpuSettings& settings, int loads,
                                        std::stop_token stop, CompareOptions options = {});

}  // namespace cubinlab
