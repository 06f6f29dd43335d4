// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/measurement_row.h"

#include "core/base/bounded_json.h"
#include "core/result/measurement_json.h"

namespace cubinlab {

nlohmann::json measurement_json(const MeasurementRecord& record) {
    nlohmann::json out = details_json(record.details);
    const char* const shapes = record.without_figure.empty() ? "shapes" : "by_shape";
    for (const ShapeMeasurement& shape : record.shapes)
        out[shapes].push_back(shape_json(shape));
    if (!record.without_figure.empty()) out["without_figure"] = record.without_figure;
    return out;
}

void read_measurement(const nlohmann::json& from, MeasurementRecord& record) {
    record.details = read_details(from);
    record.without_figure = json_or(from, "without_figure", "");
    record.shapes.clear();
    const char* const shapes = record.without_figure.empty() ? "shapes" : "by_shape";
    const auto found = from.is_object() ? from.find(shapes) : from.end();
    if (found == from.end()) return;
    // What is no list is a shape that nobody can read.
    for (const nlohmann::json& shape : found->is_array() ? *found : nlohmann::json::array({nullptr}))
        record.shapes.push_back(read_shape(shape));
}

std::string json_column(const nlohmann::json& document) {
    return document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace cubinlab
