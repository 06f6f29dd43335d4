// SPDX-License-Identifier: GPL-3.0-or-later
// The figure of each shape of a workload, in addition to the mean over all shapes.
#pragma once
#include <string>
#include <vector>

#include "core/gpu/protocol/workload.h"
#include "core/result/outcome.h"

namespace cubinlab {

struct ShapeFigure {
    std::string name;
    Verdict verdict = Verdict::Unclear;
    Speedup speedup;
    bool operator==(const ShapeFigure&) const = default;
};
using ShapeFigures = std::vector<ShapeFigure>;  // the workload itself first; empty: only one shape

// Each shape as a workload of its own, the workload itself first.
std::vector<Workload> shapes_of(const Workload& workload);
// An unnamed workload itself is "first", or "the workload" if a shape has that name.
std::vector<std::string> shape_names(const Workload& workload);
// "first 4096x1x1 of 256x1x1, short 128x1x1 of 256x1x1": each shape's grid and block.
std::string launches_in_words(const Workload& workload);
ShapeFigure shape_figure(std::string name, const Outcome& outcome);
Outcome outcome_of(const ShapeFigure& figure);  // Ok with this figure, all other fields default
std::vector<std::string> slower_shapes(const ShapeFigures& figures);  // names
// "short, wide, tall and 2 more": at most three names.
std::string names_in_short(const std::vector<std::string>& names);
// "SLOWER in short (1 of 3 shapes)"; empty: in no shape.
std::string slower_words(const ShapeFigures& figures);

}  // namespace cubinlab
