// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/client/shapes_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/gpu/client/mean_outcome.h"

namespace cubinlab {
namespace {

// Keeps GPU and cache of the machine, but not its calibration, which belongs to another shape.
EvaluatorInfo machine_alone(const EvaluatorInfo& of) {
    EvaluatorInfo out;
    out.kind = of.kind;
    out.device = of.device;
    out.unit = of.unit;
    out.gpu.cache = of.gpu.cache;
    out.gpu.facts = of.gpu.facts;
    return out;
}

}  // namespace

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
    return std::all_of(shapes.begin(), shapes.end(),
                       [](const Comparison& c) { return c.details.outputs_equal; });
}

ShapeFigures ShapesComparison::figures() const {
    ShapeFigures out;
    if (!several() || !outcome.ok()) return out;
    for (std::size_t k = 0; k < shapes.size(); ++k)
        out.push_back(shape_figure(names[k], shapes[k].outcome));
    return out;
}

std::string ShapesComparison::without_figure() const {
    std::string out;
    for (std::size_t k = 0; k < shapes.size(); ++k) {
        const Outcome& one = shapes[k].outcome;
        if (one.ok()) continue;
        const char* kind = to_string(one.kind);
        out += (out.empty() ? "" : ", ") +
               (several() ? fmt::format("shape {} ({})", names[k], kind) : std::string(kind));
    }
    return out;
}

Comparison not_compared(const Error& error, const GpuSettings& settings) {
    Comparison out;
    out.machine.gpu.cache = settings.cache;
    out.outcome.kind = OutcomeKind::WorkerLost;
    out.outcome.detail = error.message();
    out.machine.kind = EvaluatorKind::Gpu;
    return out;
}

Result<ShapesComparison> compare_shapes(std::span<const std::byte> a, std::span<const std::byte> b,
                                        const Workload& workload, const GpuSettings& settings, int loads,
                                        std::stop_token stop, CompareOptions options) {
    const std::vector<Workload> all = shapes_of(workload);
    const double alpha = options.alpha > 0 ? options.alpha : kConfirmAlpha;
    options.alpha = alpha / static_cast<double>(all.size());
    std::vector<std::string> names = shape_names(workload);
    std::vector<Comparison> measured;
    std::optional<Error> lost;  // the first
    for (std::size_t k = 0; k < all.size(); ++k) {
        auto one = compare_cubins(a, b, all[k], settings, loads, stop, options);
        options.gpu_known = true;
        if (one) {
            measured.push_back(std::move(*one));
            continue;
        }
        Error error = one.error();
        const bool worker = error.code == ErrorCode::Worker && !stop.stop_requested();
        if (worker) measured.push_back(not_compared(error, settings));
        if (all.size() > 1) error.where = fmt::format("shape '{}', {}", names[k], error.where);
        if (!worker) return fail(std::move(error));
        if (!lost) lost = std::move(error);
    }
    const auto ran = std::find_if(measured.begin(), measured.end(),
                                  [](const Comparison& c) { return !c.machine.device.empty(); });
    if (ran == measured.end()) return fail(std::move(*lost));
    for (Comparison& one : measured)
        if (one.machine.device.empty()) one.machine = machine_alone(ran->machine);
    return ShapesComparison(std::move(names), std::move(measured), settings.same_within);
}

}  // namespace cubinlab
