// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab-bench-worker --probe`: which GPU is there, its state, and whether results are digested on it.
#pragma once

namespace cubinlab {

// Prints to standard output, errors to standard error in the name of `program`. Returns the exit code.
int print_device(int device, const char* program = "cubinlab-bench-worker");

}  // namespace cubinlab
