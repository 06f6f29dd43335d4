// SPDX-License-Identifier: GPL-3.0-or-later
// A program started with a closed standard stream (`cubinlab ... >&-`) would get its number for the next file
// it opens, and print into a session or an exported cubin.
#pragma once

namespace cubinlab {

// Closed ones are opened on /dev/null such that using them fails as it does on a closed one.
void hold_standard_streams();

}  // namespace cubinlab
