// SPDX-License-Identifier: GPL-3.0-or-later
// Measures minimum distances on this GPU. For every pair of dependent fixed-latency instructions of a kernel
// it lowers the stall counts between them, one cycle at a time, so that only pairs of this class fall below
// the table, and tests on the GPU whether the results are still correct.
//
// A failure at distance d proves that the class needs more than d cycles. A success at d proves nothing (the
// value may not have mattered, the warp may have been delayed). So failures may raise a table, and successes
// alone never lower one.
#pragma once
#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "core/legality/hazard_checker.h"
#include "core/result/evaluator.h"

namespace cubinlab {

struct ProbeClass {
    std::string kind;      // "raw", "war", "waw"
    std::string producer;  // unit, with "@P" in front where the first instruction is predicated
    std::string consumer;
    std::string file;  // "R", "P", "UR", "UP"
    friend auto operator<=>(const ProbeClass&, const ProbeClass&) = default;
};

struct ProbeTally {
    int table = 0;                   // cycles that the checker asks for (largest seen in the class)
    int compiler_minimum = 1 << 20;  // smallest distance in the unmodified code
    std::map<int, std::pair<std::uint64_t, std::uint64_t>> at;  // distance -> (failed, tried)
};

struct ProbeReport {
    std::map<ProbeClass, ProbeTally> classes;
    std::uint64_t candidates = 0;
    // Yield requested on a stall-1 instruction, one at a time and on all at once: (failed, tried).
    std::pair<std::uint64_t, std::uint64_t> yield_at_stall_1, yield_at_all_stall_1;
    // Yield withdrawn from an instruction with stall >= 12.
    std::pair<std::uint64_t, std::uint64_t> no_yield_at_long_stall;
    std::string end;  // empty: everything was tried; else why it ended early
};

struct ProbeSettings {
    int pairs_per_class = 6;  // instances tried of each class and kernel
    int below = 3;            // distances tried below the table
    int repeats = 3;          // evaluations of each candidate
};

Status probe_kernel(const CheckerPtr& checker, Evaluator& evaluator, const ProbeSettings& settings,
                    ProbeReport& report, std::stop_token stop);

}  // namespace cubinlab
