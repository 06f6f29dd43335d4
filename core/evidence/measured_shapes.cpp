// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/measured_shapes.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/gpu/protocol/bench_types.h"
#include "core/gpu/protocol/workload.h"

namespace cubinlab {
namespace {

bool can_be_judged(const ShapeMeasurement& shape) {
    return shape.outcome.ok() && !shape.details.by_load.empty() && shape.details.calibration &&
           shape.details.same_within;
}

std::string name_in(const MeasurementDetails& details) {
    return details.name.empty() ? "first" : details.name;
}

}  // namespace

ShapeMeasurement measured_shape(const ShapesComparison& measured, std::size_t shape, Cache cache) {
    const Comparison& one = measured.shapes[shape];
    const MachineInfo& machine = one.machine.gpu;
    ShapeMeasurement out = one;
    MeasurementDetails& details = out.details;
    if (measured.several()) details.name = measured.names[shape];
    details.cache = cache;
    details.device = one.machine.device;
    if (machine.facts) details.uuid = machine.facts->uuid;
    details.calibration = machine.calibration;
    details.same_within = machine.same_within;
    details.seed = machine.seed;
    return out;
}

nlohmann::json shapes_json(const ShapeFigures& figures) {
    nlohmann::json out = nlohmann::json::array();
    for (const ShapeFigure& figure : figures)
        out.push_back({{"name", figure.name},
                       {"verdict", to_string(figure.verdict)},
                       {"log_speedup", figure.speedup.log},
                       {"low", figure.speedup.low},
                       {"high", figure.speedup.high}});
    return out;
}

std::vector<ShapeMeasurement> measured_shapes(const MeasurementRecord& record) {
    std::vector<ShapeMeasurement> out{record};
    out.insert(out.end(), record.shapes.begin(), record.shapes.end());
    if (!std::ranges::all_of(out, can_be_judged)) return {};
    for (ShapeMeasurement& shape : out)
        shape.details.name = name_in(shape.details);
    return out;
}

double alpha_of(const Outcome& outcome) {
    return outcome.alpha > 0 ? outcome.alpha : kConfirmAlpha;
}

Status check_measured_shapes(const std::vector<MeasurementRecord>& records, StepId step,
                             const std::string& workload_json) {
    const auto workload = Workload::parse(workload_json);
    for (const MeasurementRecord& record : records) {
        if ((step != 0 && record.step != step) || !record.outcome.ok() || record.shapes.empty()) continue;
        std::vector<std::string> names{name_in(record.details)};
        for (const ShapeMeasurement& shape : record.shapes)
            names.push_back(shape.details.name);
        if (workload && names == shape_names(*workload)) continue;
        return fail(
            ErrorCode::Corrupt,
            fmt::format("the measurement of {}, made {}, is of the shapes {}, which are not its workload's",
                        at_step(record.run, record.step), record.made, names_in_short(names)));
    }
    return {};
}

}  // namespace cubinlab
