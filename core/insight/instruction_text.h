// SPDX-License-Identifier: GPL-3.0-or-later
// The display text of an instruction in a schedule: its line of the listing, or where a field that the text names is
// rewritten (a cache hint), the decoder's text of the new word.
#pragma once
#include <span>
#include <string>

#include "core/schedule/schedule.h"

namespace cubinlab {

// `lines`: the listing of the original, by InstrId.
std::string instruction_text(const Schedule& schedule, InstrId id, std::span<const std::string> lines);

}  // namespace cubinlab
