// SPDX-License-Identifier: GPL-3.0-or-later
// A measurement in a session (MeasurementRecord) by the shapes of its workload.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/gpu/client/shapes_comparison.h"
#include "core/store/session.h"

namespace cubinlab {

// One shape of a comparison, with what its figure is judged with.
ShapeMeasurement measured_shape(const ShapesComparison& measured, std::size_t shape, Cache cache);
nlohmann::json shapes_json(const ShapeFigures& figures);  // name, verdict and figure of each

// Of a record that ran well, the first shape first, each with its name. Empty: one of them lacks its samples by load, or
// what its interval is judged with.
std::vector<ShapeMeasurement> measured_shapes(const MeasurementRecord& record);
// The error probability of the interval of a shape.
double alpha_of(const Outcome& outcome);

// Corrupt where a record that ran well speaks of several shapes, but not of those of the workload.
Status check_measured_shapes(const std::vector<MeasurementRecord>& records, StepId step,
                             const std::string& workload_json);

}  // namespace cubinlab
