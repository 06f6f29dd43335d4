// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab-bench-worker --probe`: the GPU, its state, and whether it can compute digests.
#pragma once

namespace cubinlab {

// Prints to standard output, and errors with the name `program` to standard error. Returns the exit code.
int print_device(int device, const char* program = "cubinlab-bench-worker");

}  // namespace cubinlab
