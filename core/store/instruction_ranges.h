// SPDX-License-Identifier: GPL-3.0-or-later
// Sets of instructions as short text: original indices, runs of them as first-last, in order: "3 7 12-15".
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/schedule/schedule.h"

namespace cubinlab {

std::string ranges_text(std::span<const InstrId> ids);  // any order; double ones once
// Sorted. Empty optional: not such a text, or an index that a kernel of `size` instructions has not.
std::optional<std::vector<InstrId>> ranges_from(std::string_view text, std::size_t size);

}  // namespace cubinlab
