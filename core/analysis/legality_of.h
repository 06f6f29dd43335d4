// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/analysis/hazard.h"
#include "core/base/result.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

// One schedule against its original, judged once: empty: legal. Who judges many keeps a HazardChecker. Errors are those of
// HazardChecker::create.
Result<Legality> legality_of(const Schedule& schedule);

}  // namespace cubinlab
