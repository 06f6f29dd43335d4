// SPDX-License-Identifier: GPL-3.0-or-later
// RunWaits as JSON: seconds by cause.
#pragma once
#include <nlohmann/json.hpp>

#include "core/result/run_sink.h"

namespace cubinlab {

inline nlohmann::ordered_json waits_json(const RunWaits& waits) {
    return {{"proposals", waits.proposals}, {"ahead", waits.ahead}, {"decisions", waits.decisions}};
}

}  // namespace cubinlab
