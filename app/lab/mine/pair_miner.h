// SPDX-License-Identifier: GPL-3.0-or-later
// Mines distances and waits from a compiler's schedule: every pair of instructions of one block that share a
// register, with the cycles and the wait between them, if any.
//
//   mine_pairs(*kernel, [](const MinedPair& p) { minimum[{p.kind, ...}] = std::min(..., p.cycles); });
//
// The distances are those of the straight path, without pairs across block edges.
#pragma once
#include <functional>
#include <vector>

#include "core/legality/dependency_graph.h"
#include "core/legality/register_access.h"
#include "core/schedule/kernel.h"

namespace cubinlab {

// What stands between the two.
enum class Between : std::uint8_t {
    Nothing,    // no wait that could speak for the first: only distance, or the order of a queue
    OwnWait,    // a wait for a barrier of the first
    OtherWait,  // a wait for a barrier that a later instruction set: it may cover the first
};

struct MinedPair {
    DependenceKind kind = DependenceKind::Raw;
    InstrId first = kNone;
    InstrId second = kNone;
    std::uint8_t first_operand = 0;
    std::uint8_t second_operand = 0;
    RegIndex reg = 0;
    int cycles = 0;
    Between between = Between::Nothing;
    std::vector<InstrId> setters;  // OtherWait: who set what was waited for
    bool barrier_between = false;  // BAR stands between (or is the second)
};

// The pair is proven by a wait, not by distance alone: the first completes by a barrier, or has one that is
// waited for.
bool by_wait(const Arch& arch, const MinedPair& pair, const Instruction& first);

void mine_pairs(const Kernel& kernel, const std::function<void(const MinedPair&)>& found);

}  // namespace cubinlab
