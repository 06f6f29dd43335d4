// SPDX-License-Identifier: GPL-3.0-or-later
// A measurement in a session (MeasurementRecord) by the shapes of its workload. Its outcome and the head of its `json` are
// the first shape's; of several shapes `json` has their names and the others' figures with what these are made of.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/gpu/client/machine_info.h"
#include "core/gpu/client/shapes_comparison.h"
#include "core/store/session.h"

namespace cubinlab {

struct MeasuredShape {
    ShapeFigure said;
    double alpha = 0;
    std::vector<std::vector<float>> by_load;  // log-ratios
    double pair_deviation = 0, load_deviation = 0, same_within = 0;
};

nlohmann::json calibration_json(const MachineInfo& machine);  // null: it has none
// What measurement_record adds to `json` for several shapes; null for one.
nlohmann::json further_shapes(const ShapesComparison& measured);
// Of a measurement where a shape has no figure: each shape by its name, those that ran well with figure and samples, the
// others with outcome and detail.
nlohmann::json each_shape(const ShapesComparison& measured);
nlohmann::json shapes_json(const ShapeFigures& figures);  // name, verdict and figure of each
// The first shape first. Throws what nlohmann throws where the record is not of measurement_record's making.
std::vector<MeasuredShape> measured_shapes(const MeasurementRecord& record);
// Corrupt where a record that ran well speaks of several shapes, but not of those of the workload.
Status check_measured_shapes(const std::vector<MeasurementRecord>& records, StepId step,
                             const std::string& workload_json);

}  // namespace cubinlab
