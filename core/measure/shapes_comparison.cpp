// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/shapes_comparison.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/measure/shapes_evaluator.h"

namespace cubinlab {

ShapesComparison::ShapesComparison(Comparison one) : names{"first"}, outcome(one.outcome) {
    shapes.push_back(std::move(one));
}

ShapesComparison::ShapesComparison(std::vector<std::string> all, std::vector<Comparison> measured,
                                   double same_within)
    : names(std::move(all)), shapes(std::move(measured)) {
    std::vector<Outcome> outcomes;
    for (const Comparison& shape : shapes)
        outcomes.push_back(shape.outcome);
    outcome = several() ? over_shapes(outcomes, names, same_within) : outcomes.front();
}

bool ShapesComparison::outputs_equal() const {
    return std::all_of(shapes.begin(), shapes.end(), [](const Comparison& c) { return c.outputs_equal; });
}

ShapeFigures ShapesComparison::figures() const {
    ShapeFigures out;
    if (!several() || !outcome.ok()) return out;
    for (std::size_t k = 0; k < shapes.size(); ++k)
        out.push_back(shape_figure(names[k], shapes[k].outcome));
    return out;
}

Result<ShapesComparison> compare_shapes(std::span<const std::byte> a, std::span<const std::byte> b,
                                        const Workload& workload, const GpuSettings& settings, int loads,
                                        std::stop_token stop, CompareOptions options) {
    Workload first = workload;
    first.shapes.clear();
    std::vector<const Workload*> all{&first};
    for (const Workload& shape : workload.shapes)
        all.push_back(&shape);
    const double alpha = options.alpha > 0 ? options.alpha : kConfirmAlpha;
    options.alpha = alpha / static_cast<double>(all.size());
    std::vector<std::string> names = shape_names(workload);
    std::vector<Comparison> measured;
    for (std::size_t k = 0; k < all.size(); ++k) {
        auto one = compare_cubins(a, b, *all[k], settings, loads, stop, options);
        if (!one) {
            Error error = one.error();
            if (all.size() > 1) error.where = fmt::format("shape '{}', {}", names[k], error.where);
            return fail(std::move(error));
        }
        measured.push_back(std::move(*one));
        if (!measured.back().outcome.ok()) break;
    }
    return ShapesComparison(std::move(names), std::move(measured), settings.same_within);
}

}  // namespace cubinlab
