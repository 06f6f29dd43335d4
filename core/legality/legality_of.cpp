// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/legality_of.h"

#include "core/legality/hazard_checker.h"

namespace cubinlab {

Result<Legality> legality_of(const Schedule& schedule) {
    const auto checker = TRY(HazardChecker::create(schedule.kernel()));
    return checker->check(schedule);
}

}  // namespace cubinlab
