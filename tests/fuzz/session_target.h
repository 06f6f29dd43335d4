// SPDX-License-Identifier: GPL-3.0-or-later
// What both session targets do with an image of a session file: everything that reading it can do.
#pragma once
#include <cstddef>
#include <span>

namespace cubinlab::fuzz {

void read_session(std::span<const std::byte> image);

}  // namespace cubinlab::fuzz
