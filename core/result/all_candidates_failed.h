// SPDX-License-Identifier: GPL-3.0-or-later
// True if every candidate of a run (or of the part that this call ran) failed. None was compared with the
// start then, so the run shows nothing about the kernel, and "nothing beat it" would be wrong.
#pragma once
#include "core/result/run_sink.h"

namespace cubinlab {

inline bool all_candidates_failed(const RunSummary& summary) {
    return summary.steps > 0 && summary.failed == summary.steps;
}

}  // namespace cubinlab
