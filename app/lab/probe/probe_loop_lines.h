// SPDX-License-Identifier: GPL-3.0-or-later
// Instruction lines of the single-warp loops in probe_loops.h. Internal to them.
#pragma once
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "app/lab/probe/probe_asker.h"
#include "app/lab/probe/probe_loops.h"
#include "app/lab/probe/probe_operations.h"

namespace cubinlab::probe {

using Lines = std::vector<Line>;

// `text` with %D in turn over `kinds` registers from `first`, `step` apart, `count` times.
inline Lines repeated(const char* text, int count, int first, int step, int kinds,
                      const ControlCode& control) {
    Lines out;
    for (int i = 0; i < count; ++i)
        out.push_back({with_reg(text, "%D", fmt::format("R{}", first + step * (i % kinds))), control});
    return out;
}

inline Lines same(const char* text, int count, const ControlCode& control) {
    return repeated(text, count, 0, 0, 1, control);
}

inline Lines operator+(Lines a, const Lines& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

inline Line waits_for(unsigned mask) {
    return {"NOP", code(2, false, -1, -1, mask)};
}

void conflicting_loops(std::vector<LoopCase>& out);
void shared_memory_loops(std::vector<LoopCase>& out);

}  // namespace cubinlab::probe
