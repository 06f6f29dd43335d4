// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/measured_shapes.h"

#include <fmt/format.h>

#include <stdexcept>

#include "core/base/bounded_json.h"
#include "core/gpu/protocol/bench_types.h"
#include "core/gpu/protocol/protocol.h"

namespace cubinlab {
namespace {

using nlohmann::json;

void read_samples(const json& from, MeasuredShape& out) {
    out.by_load = from.at("by_load").get<std::vector<std::vector<float>>>();
    out.pair_deviation = from.at("calibration").at("pair_deviation").get<double>();
    out.load_deviation = from.at("calibration").at("load_deviation").get<double>();
    out.same_within = from.at("same_within").get<double>();
}

MeasuredShape read_shape(const json& from) {
    MeasuredShape out;
    read_samples(from, out);
    out.alpha = from.at("alpha").get<double>();
    const auto verdict = parse_verdict(from.at("verdict").get<std::string>());
    if (!verdict) throw std::runtime_error("no verdict");
    out.said = {from.at("name").get<std::string>(), *verdict, from.at("log_speedup").get<double>(),
                from.at("low").get<double>(), from.at("high").get<double>()};
    return out;
}

json shape_json(const std::string& name, const Comparison& one) {
    const MachineInfo machine = machine_of(one.machine);
    return {{"name", name},
            {"verdict", to_string(one.outcome.verdict)},
            {"log_speedup", one.outcome.speedup.log},
            {"low", one.outcome.speedup.low},
            {"high", one.outcome.speedup.high},
            {"alpha", one.outcome.alpha > 0 ? one.outcome.alpha : kConfirmAlpha},
            {"by_load", one.samples_by_load},
            {"cost_original_us", one.cost_a_us},
            {"cost_us", one.cost_b_us},
            {"outputs_equal", one.outputs_equal},
            {"input_sets", one.input_sets},
            {"calibration", calibration_json(machine)},
            {"same_within", machine.same_within ? json(*machine.same_within) : json(nullptr)}};
}

}  // namespace

json calibration_json(const MachineInfo& machine) {
    return machine.calibration ? to_message(*machine.calibration) : json(nullptr);
}

json further_shapes(const ShapesComparison& measured) {
    if (!measured.several()) return nullptr;
    json out = json::array();
    for (std::size_t k = 1; k < measured.shapes.size(); ++k)
        out.push_back(shape_json(measured.names[k], measured.shapes[k]));
    return out;
}

json each_shape(const ShapesComparison& measured) {
    json out = json::array();
    for (std::size_t k = 0; k < measured.shapes.size(); ++k) {
        const Outcome& o = measured.shapes[k].outcome;
        json one = o.ok() ? shape_json(measured.names[k], measured.shapes[k])
                          : json{{"name", measured.names[k]}, {"detail", o.detail}};
        one["outcome"] = to_string(o.kind);
        out.push_back(std::move(one));
    }
    return out;
}

json shapes_json(const ShapeFigures& figures) {
    json out = json::array();
    for (const ShapeFigure& figure : figures)
        out.push_back({{"name", figure.name},
                       {"verdict", to_string(figure.verdict)},
                       {"log_speedup", figure.speedup.log},
                       {"low", figure.speedup.low},
                       {"high", figure.speedup.high}});
    return out;
}

std::vector<MeasuredShape> measured_shapes(const MeasurementRecord& record) {
    const json more = parse_json_or_discard(record.json);
    MeasuredShape first;
    read_samples(more, first);
    first.alpha = record.outcome.alpha > 0 ? record.outcome.alpha : kConfirmAlpha;
    first.said = shape_figure(more.value("name", "first"), record.outcome);
    std::vector<MeasuredShape> out{std::move(first)};
    if (more.contains("shapes"))
        for (const json& shape : more["shapes"])
            out.push_back(read_shape(shape));
    return out;
}

Status check_measured_shapes(const std::vector<MeasurementRecord>& records, StepId step,
                             const std::string& workload_json) {
    const auto workload = Workload::parse(workload_json);
    for (const MeasurementRecord& record : records) {
        if ((step != 0 && record.step != step) || !record.outcome.ok()) continue;
        const json more = parse_json_or_discard(record.json);
        if (!more.is_object() || !more.contains("shapes")) continue;
        std::vector<std::string> names{json_or(more, "name", "first")};
        for (const json& shape : more["shapes"])
            names.push_back(json_or(shape, "name", ""));
        if (workload && names == shape_names(*workload)) continue;
        return fail(
            ErrorCode::Corrupt,
            fmt::format("the measurement of {}, made {}, is of the shapes {}, which are not its workload's",
                        at_step(record.run, record.step), record.made, names_in_short(names)));
    }
    return {};
}

}  // namespace cubinlab
