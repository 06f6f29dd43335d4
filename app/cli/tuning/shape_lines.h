// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison in every shape of a workload, as the commands tell it: a line for each shape, words where one got slower,
// and the documents' `shapes`. Of a workload of one shape: nothing.
#pragma once
#include <string>
#include <vector>

#include "app/cli/base/output.h"
#include "core/gpu/client/shapes_comparison.h"

namespace cubinlab::cli {

std::string over_words(const ShapeFigures& shapes);  // ", mean of 3 shapes"
std::vector<std::string> shape_lines(const ShapesComparison& comparison);
// Of one that did not run well: "UNCLEAR: no figure over all 3 shapes, there is none of shape wide (WorkerLost)", and by
// its kind where the candidate was seen to fail; of one shape kind and detail.
std::string no_figure_line(const ShapesComparison& comparison);
// Without the times. `mean`: the log speed-up over all of them.
std::vector<std::string> shape_lines(const ShapeFigures& shapes, double mean);
Json shapes_document(const ShapesComparison& comparison);
Json shapes_document(const ShapeFigures& shapes);

}  // namespace cubinlab::cli
