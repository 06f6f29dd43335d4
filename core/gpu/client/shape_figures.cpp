// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/client/shape_figures.h"

#include <fmt/format.h>

#include <algorithm>

namespace cubinlab {

std::vector<Workload> shapes_of(const Workload& workload) {
    std::vector<Workload> out{workload};
    out.front().shapes.clear();
    out.insert(out.end(), workload.shapes.begin(), workload.shapes.end());
    return out;
}

std::vector<std::string> shape_names(const Workload& workload) {
    const bool taken = std::any_of(workload.shapes.begin(), workload.shapes.end(),
                                   [](const Workload& shape) { return shape.name == "first"; });
    std::vector<std::string> out{!workload.name.empty() ? workload.name : taken ? "the workload" : "first"};
    for (const Workload& shape : workload.shapes)
        out.push_back(shape.name);
    return out;
}

std::string launches_in_words(const Workload& workload) {
    const auto one = [](const std::string& name, const Workload& w) {
        return fmt::format("{} {} of {}", name, fmt::join(w.grid, "x"), fmt::join(w.block, "x"));
    };
    const std::vector<std::string> names = shape_names(workload);
    std::string out = one(names.front(), workload);
    for (std::size_t k = 0; k < workload.shapes.size(); ++k)
        out += ", " + one(names[k + 1], workload.shapes[k]);
    return out;
}

ShapeFigure shape_figure(std::string name, const Outcome& outcome) {
    return {std::move(name), outcome.verdict, outcome.speedup};
}

Outcome outcome_of(const ShapeFigure& figure) {
    Outcome out;
    out.kind = OutcomeKind::Ok;
    out.verdict = figure.verdict;
    out.speedup = figure.speedup;
    return out;
}

std::vector<std::string> slower_shapes(const ShapeFigures& figures) {
    std::vector<std::string> out;
    for (const ShapeFigure& figure : figures)
        if (figure.verdict == Verdict::Slower) out.push_back(figure.name);
    return out;
}

std::string names_in_short(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 3;
    const std::size_t shown = std::min(names.size(), kMost);
    const auto end = names.begin() + static_cast<std::ptrdiff_t>(shown);
    std::string out = fmt::format("{}", fmt::join(names.begin(), end, ", "));
    if (names.size() > shown) out += fmt::format(" and {} more", names.size() - shown);
    return out;
}

std::string slower_words(const ShapeFigures& figures) {
    const auto names = slower_shapes(figures);
    if (names.empty()) return {};
    return fmt::format("SLOWER in {} ({} of {} shapes)", names_in_short(names), names.size(), figures.size());
}

}  // namespace cubinlab
