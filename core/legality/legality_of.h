// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/legality/hazard.h"
#include "core/base/result.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

// Checks one schedule against its original; empty: legal. To check several schedules, keep a HazardChecker.
// Errors are those of HazardChecker::create.
Result<Legality> legality_of(const Schedule& schedule);

}  // namespace cubinlab
