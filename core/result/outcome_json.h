// SPDX-License-Identifier: GPL-3.0-or-later
// An outcome as JSON, as in evidence bundles and the --json output of every command. The fields come from the
// visitor of core/result/outcome.h; raw samples have the key "log_ratio_samples".
#pragma once
#include <nlohmann/json.hpp>

#include "core/result/outcome.h"

namespace cubinlab {

enum class RawSamples { LeftOut, Included };  // samples and states

nlohmann::ordered_json outcome_json(const Outcome& outcome, RawSamples raw);
// Throws, as nlohmann does, where a field is of another type or the figure itself is missing; `pairs`, `detail` and
// what a later schema brought may be missing.
Outcome read_outcome(const nlohmann::json& object);

}  // namespace cubinlab
