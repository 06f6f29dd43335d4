// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/parts/shape_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/evidence/claim_parts.h"
#include "core/evidence/measured_shapes.h"
#include "core/result/measurement_json.h"

namespace cubinlab::cli {
namespace {

std::string line_of(const ShapeFigure& shape) {
    return fmt::format("  shape {}: {}  {}", shape.name, to_string(shape.verdict),
                       percent_text(shape.speedup));
}

void add_slower(std::vector<std::string>& lines, const ShapeFigures& shapes, double mean) {
    if (const std::string slower = slower_words(shapes); !slower.empty())
        lines.push_back("  " + slower + (mean > 0 ? ", while the mean gains" : ""));
}

}  // namespace

std::string over_words(const ShapeFigures& shapes) {
    return shapes.empty() ? "" : fmt::format(", mean of {} shapes", shapes.size());
}

std::vector<std::string> shape_lines(const ShapesComparison& comparison) {
    std::vector<std::string> out;
    if (!comparison.several()) return out;
    for (std::size_t k = 0; k < comparison.shapes.size(); ++k) {
        const Comparison& shape = comparison.shapes[k];
        const std::string& name = comparison.names[k];
        if (shape.outcome.ok())
            out.push_back(fmt::format("{}, {:.3f} -> {:.3f} us", line_of(shape_figure(name, shape.outcome)),
                                      shape.details.cost_original_us, shape.outcome.cost));
        else
            out.push_back(
                fmt::format("  shape {}: {}: {}", name, to_string(shape.outcome.kind), shape.outcome.detail));
    }
    add_slower(out, comparison.figures(), comparison.outcome.speedup.log);
    return out;
}

std::string no_figure_line(const ShapesComparison& comparison) {
    const Outcome& o = comparison.outcome;
    if (!comparison.several()) return fmt::format("{}: {}", to_string(o.kind), o.detail);
    return fmt::format("{}: no figure over all {} shapes, none for {}",
                       seen_to_fail(o.kind) ? to_string(o.kind) : to_string(o.verdict),
                       comparison.names.size(), comparison.without_figure());
}

std::vector<std::string> shape_lines(const ShapeFigures& shapes, double mean) {
    std::vector<std::string> out;
    for (const ShapeFigure& shape : shapes)
        out.push_back(line_of(shape));
    add_slower(out, shapes, mean);
    return out;
}

Json details_document(const ShapesComparison& comparison, std::size_t shape) {
    const std::optional<Cache> cache = cache_of(comparison.shapes[shape].machine);
    Json out = details_json(measured_shape(comparison, shape, cache.value_or(Cache::Hot)).details);
    Json samples = std::move(out["by_load"]);
    out.erase("by_load");
    out["log_ratio_samples_by_load"] = std::move(samples);
    return out;
}

Json shapes_document(const ShapesComparison& comparison) {
    Json out = Json::array();
    for (std::size_t k = 0; comparison.several() && k < comparison.shapes.size(); ++k) {
        const Comparison& shape = comparison.shapes[k];
        Json one = details_document(comparison, k);
        one["result"] = to_json(shape.outcome, EvaluatorKind::Gpu);
        out.push_back(std::move(one));
    }
    return out;
}

Json shapes_document(const ShapeFigures& shapes) {
    return shapes_json(shapes);
}

std::vector<std::string> condition_lines(const Comparison& c) {
    std::vector<std::string> out;
    double clock_low = 1e9, clock_high = -1, heat = -1, power = -1;
    for (const GpuReading& reading : c.outcome.states) {
        if (reading.sm_clock_mhz < 0) continue;
        clock_low = std::min<double>(clock_low, reading.sm_clock_mhz);
        clock_high = std::max<double>(clock_high, reading.sm_clock_mhz);
        heat = std::max<double>(heat, reading.temperature_c);
        power = std::max<double>(power, reading.power_w);
    }
    if (clock_high >= 0)
        out.push_back(fmt::format("SM clock {:.0f} to {:.0f} MHz, at most {:.0f} C and {:.0f} W", clock_low,
                                  clock_high, heat, power));
    if (c.outcome.throttled_blocks > 0)
        out.push_back(fmt::format("{} loads discarded because the GPU was throttled, and repeated",
                                  c.outcome.throttled_blocks));
    const EnergyComparison& e = c.details.energy;
    if (e.windows > 0)
        out.push_back(fmt::format(
            "energy A {:.3f} mJ, B {:.3f} mJ per launch: B needs {}, "
            "{:.0f} and {:.0f} W",
            e.a_mj, e.b_mj, percent_text(-Speedup{e.log_ratio, e.low, e.high}), e.a_watts, e.b_watts));
    if (std::string warning = machine_warning(c.machine); !warning.empty())
        out.push_back("WARNING: " + warning);
    return out;
}

}  // namespace cubinlab::cli
