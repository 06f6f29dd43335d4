// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of each shape of a workload beside the mean over all of them.
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
using ShapeFigures = std::vector<ShapeFigure>;  // the workload itself first; empty: it has one shape

// The workload itself, unless named, is "first"; "the workload" where a shape has that name.
std::vector<std::string> shape_names(const Workload& workload);
// "first 4096x1x1 of 256x1x1, short 128x1x1 of 256x1x1": each shape's grid and block.
std::string launches_in_words(const Workload& workload);
ShapeFigure shape_figure(std::string name, const Outcome& outcome);
Outcome outcome_of(const ShapeFigure& figure);  // one that ran well, with this figure and nothing else
std::vector<std::string> slower_shapes(const ShapeFigures& figures);  // names
// "short, wide and 2 more": of many names three.
std::string names_in_short(const std::vector<std::string>& names);
// "SLOWER in short (1 of 3 shapes)"; empty: in none.
std::string slower_words(const ShapeFigures& figures);

}  // namespace cubinlab
