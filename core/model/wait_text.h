// SPDX-License-Identifier: GPL-3.0-or-later
// The sentences of an explanation. Internal to core/model.
#pragma once
#include <string>

#include "core/model/explanation.h"

namespace cubinlab {

// `names`: instructions are named by their places there.
std::string wait_text(const Schedule& schedule, const WaitCause& cause, const Schedule& names);
std::string verdict_of(const Explanation& explanation);

}  // namespace cubinlab
