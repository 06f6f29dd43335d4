// SPDX-License-Identifier: GPL-3.0-or-later
// Prints a comparison over the shapes of a workload: one line per shape, a note if one became slower, and the
// `shapes` of the documents. Empty for a workload with one shape.
#pragma once
#include <string>
#include <vector>

#include "app/cli/base/output.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "core/gpu/client/shapes_comparison.h"

namespace cubinlab::cli {

std::string over_words(const ShapeFigures& shapes);  // ", mean of 3 shapes"
std::vector<std::string> shape_lines(const ShapesComparison& comparison);
// For a comparison without a figure: "UNCLEAR: no figure over all 3 shapes, none for shape wide
// (WorkerLost)", with the kind of a failure instead of UNCLEAR. With one shape: kind and detail.
std::string no_figure_line(const ShapesComparison& comparison);
// Without times. `mean`: the log speed-up over all shapes.
std::vector<std::string> shape_lines(const ShapeFigures& shapes, double mean);
// The details of one shape (core/result/measurement.h); `by_load` is called log_ratio_samples_by_load.
Json details_document(const ShapesComparison& comparison, std::size_t shape = 0);
Json shapes_document(const ShapesComparison& comparison);
Json shapes_document(const ShapeFigures& shapes);

// The conditions of a comparison: clocks, temperature, power, discarded loads, energy.
std::vector<std::string> condition_lines(const Comparison& comparison);

}  // namespace cubinlab::cli
