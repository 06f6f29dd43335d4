// SPDX-License-Identifier: GPL-3.0-or-later
// Protects files from standard output: a program started with a closed stream (`cubinlab ... >&-`) would
// reuse its number for the next file it opens, and print into a session or an exported cubin.
#pragma once

namespace cubinlab {

// Opens closed streams on /dev/null in the wrong direction, so that using them still fails.
void hold_standard_streams();

}  // namespace cubinlab
