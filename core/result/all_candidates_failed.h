// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a run, or the part of it that is over, says nothing of its kernel: where every candidate failed none was compared
// with the start, and "nothing beat it" would be no finding.
#pragma once
#include "core/result/run_sink.h"

namespace cubinlab {

inline bool all_candidates_failed(const RunSummary& summary) {
    return summary.steps > 0 && summary.failed == summary.steps;
}

}  // namespace cubinlab
