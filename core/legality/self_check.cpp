// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/self_check.h"

#include <fmt/format.h>

#include "core/legality/hazard_checker.h"
#include "core/base/number_of.h"

namespace cubinlab {

std::string SelfCheck::text() const {
    if (count == 0) return {};
    return fmt::format("the original itself has {} (`check` on its own lists all), which stay: {}",
                       number_of(count, "finding"), first);
}

Result<SelfCheck> self_check(KernelPtr kernel) {
    const auto report = TRY(check_kernel(std::move(kernel)));
    if (report.hazards.empty()) return SelfCheck{};
    return SelfCheck{report.hazards.size(), report.hazards.front().explanation};
}

}  // namespace cubinlab
