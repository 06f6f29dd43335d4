// SPDX-License-Identifier: GPL-3.0-or-later
// What a run's evaluator waited for, as documents tell it: seconds by their cause.
#pragma once
#include <nlohmann/json.hpp>

#include "core/result/run_sink.h"

namespace cubinlab {

nlohmann::ordered_json waits_json(const RunWaits& waits);

}  // namespace cubinlab
