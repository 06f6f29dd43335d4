// SPDX-License-Identifier: GPL-3.0-or-later
// The worker's side of the protocol: one thread reads requests, one measures, one watches. The worker ends
// when its input ends, also while the GPU hangs, so that a lost connection leaves nothing behind.
#pragma once

namespace cubinlab {

// Takes over descriptors 0 and 1 (anything that prints to 1 later goes to 2). Returns the exit status.
int run_worker();

}  // namespace cubinlab
