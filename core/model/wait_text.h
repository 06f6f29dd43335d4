// SPDX-License-Identifier: GPL-3.0-or-later
// The sentences of an explanation. Internal to core/model.
#pragma once
#include <string>

#include "core/model/explanation.h"

namespace cubinlab {

// What `waiter` waits for. `names`: the schedule whose positions name the instructions.
std::string wait_text(const Schedule& schedule, InstrId waiter, const WaitCause& cause,
                      const Schedule& names);
std::string bottleneck_sentence(const Explanation& explanation);

}  // namespace cubinlab
