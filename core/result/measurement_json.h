// SPDX-License-Identifier: GPL-3.0-or-later
// Measurements and what judged them as JSON: the form of sessions, bundles and `--json`. The fields come from the lists
// next to the structs. A field that is missing, or of another type, keeps its default.
#pragma once
#include <nlohmann/json.hpp>

#include "core/result/evaluator.h"
#include "core/result/measurement.h"

namespace cubinlab {

// MachineInfo or ModelInfo, by the kind of the evaluator, which must be set before it is read.
nlohmann::json facts_json(const EvaluatorInfo& evaluator);
void read_facts(const nlohmann::json& from, EvaluatorInfo& evaluator);

// Without a figure for the energy, `energy` is null.
nlohmann::json details_json(const MeasurementDetails& details);
MeasurementDetails read_details(const nlohmann::json& from);

// The details, and the outcome without raw samples.
nlohmann::json shape_json(const ShapeMeasurement& shape);
// Where the figure is missing or wrong: OutcomeKind::Error.
ShapeMeasurement read_shape(const nlohmann::json& from);

}  // namespace cubinlab
