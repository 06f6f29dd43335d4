// SPDX-License-Identifier: GPL-3.0-or-later
// Two cubins compared in every shape of a workload: in each as `measure` compares them, over fresh processes and loads.
//
// The figure over all shapes is the one that a search confirms by (shapes_evaluator.h): the mean of the shapes' log
// speed-ups, its interval the mean of their intervals, each made for its share of the error probability. So the interval
// of every shape and that of the mean hold together.
//
//   auto all = TRY(compare_shapes(original, image, workload, settings, 12, stop));
//   all.outcome;    // of a workload of one shape: that shape's
//   all.figures();  // each shape's, where there are several
#pragma once
#include <string>
#include <vector>

#include "core/measure/gpu_evaluator.h"
#include "core/measure/shape_figures.h"

namespace cubinlab {

struct ShapesComparison {
    ShapesComparison(Comparison one);  // of a workload of one shape, which needs no words: not explicit
    // `shapes` belong to the first of `names`; at least one, all where each ran well.
    ShapesComparison(std::vector<std::string> names, std::vector<Comparison> shapes, double same_within);

    std::vector<std::string> names;  // of all shapes, the workload itself first
    std::vector<Comparison> shapes;  // those measured: up to the first that did not run well
    Outcome outcome;                 // over all of them; cost, pairs and samples are the first shape's

    bool several() const { return names.size() > 1; }
    const Comparison& first() const { return shapes.front(); }
    bool outputs_equal() const;
    ShapeFigures figures() const;  // empty: one shape, or one did not run well
};

// Stops with the first shape that does not run well. Errors: those of compare_cubins, by the shape's name.
Result<ShapesComparison> compare_shapes(std::span<const std::byte> a, std::span<const std::byte> b,
                                        const Workload& workload, const GpuSettings& settings, int loads,
                                        std::stop_token stop, CompareOptions options = {});

}  // namespace cubinlab
