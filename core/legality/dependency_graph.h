// SPDX-License-Identifier: GPL-3.0-or-later
// Dependences between instructions of one schedule, each with a reason; for the graph view, the arrows of the
// listing and the list scheduler. Inside a block and across the edges of its loop.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/ids.h"
#include "core/sass/instruction.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

enum class DependenceKind : std::uint8_t { Raw, War, Waw, Memory, Fence, Scoreboard, Order };
const char* to_string(DependenceKind kind);

struct Dependence {
    InstrId from = 0;  // must issue first
    InstrId to = 0;
    DependenceKind kind = DependenceKind::Raw;
    RegFile file = RegFile::Gpr;  // register dependences
    std::uint8_t reg = 0;         // first common register
    std::int8_t scoreboard = -1;  // the slot that protects it, if any
    bool by_waits = false;        // a wait proves completion: `latency` is an estimate, not a requirement
    bool loop_carried = false;
    int latency = 0;   // required cycles (fixed), or the model's estimate (variable)
    int distance = 0;  // actual cycles: sum of stalls from `from` to `to`
    int slack() const { return distance - latency; }
    std::string resource() const;  // "R4", "UP1", "SB2", "shared"
};

struct DependencyGraph {
    std::vector<InstrId> nodes;     // in schedule order
    std::vector<Dependence> edges;  // without register edges that an equal or stronger path implies
    std::vector<int> earliest;      // by node index: cycle of earliest issue inside the block
    std::vector<int> slack;         // by node index: cycles of possible delay; 0 = critical
    std::vector<InstrId> critical_path;
    int length = 0;  // cycles
};

DependencyGraph build_dependency_graph(const Schedule& schedule, BlockId block, bool loop_carried = true);
// Producers and consumers of one instruction, also in other blocks (for arrows and `explain`).
std::vector<Dependence> dependences_of(const Schedule& schedule, InstrId id);
// All register and scoreboard dependences between blocks (for the graph of a loop).
std::vector<Dependence> dependences_across_blocks(const Schedule& schedule);

}  // namespace cubinlab
