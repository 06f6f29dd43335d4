// SPDX-License-Identifier: GPL-3.0-or-later
// The column `json` of `measurements`: the details of a record, `shapes` (`by_shape` where one has no figure) and
// `without_figure`. Outcome and the other members of the record have columns of their own.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "core/store/session.h"

namespace cubinlab {

nlohmann::json measurement_json(const MeasurementRecord& record);
// Tolerates anything: what is missing stays empty, and a record without its samples is pooled with nothing.
void read_measurement(const nlohmann::json& from, MeasurementRecord& record);

// As the columns named `json` have it: one line, invalid bytes replaced.
std::string json_column(const nlohmann::json& document);

}  // namespace cubinlab
