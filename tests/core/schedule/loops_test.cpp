// SPDX-License-Identifier: GPL-3.0-or-later
// Cycles of a flow graph against the plain definition: a walk from the block's successors meets the block.
#include "core/schedule/loops.h"

#include <random>

#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

bool reaches_itself(const FlowGraph& graph, BlockId start) {
    std::vector<bool> seen(graph.blocks.size(), false);
    std::vector<BlockId> work = graph.blocks[start].successors;
    while (!work.empty()) {
        const BlockId b = work.back();
        work.pop_back();
        if (b == start) return true;
        if (seen[b]) continue;
        seen[b] = true;
        work.insert(work.end(), graph.blocks[b].successors.begin(), graph.blocks[b].successors.end());
    }
    return false;
}

}  // namespace

TEST_CASE("blocks in cycles are those that reach themselves") {
    std::mt19937 random(11);
    std::size_t cyclic = 0, free = 0;
    for (int round = 0; round < 400; ++round) {
        FlowGraph graph;
        graph.blocks.resize(1 + random() % 24);
        const std::size_t edges = random() % (graph.blocks.size() * 2 + 1);
        for (std::size_t e = 0; e < edges; ++e)
            graph.blocks[random() % graph.blocks.size()].successors.push_back(
                static_cast<BlockId>(random() % graph.blocks.size()));
        const std::vector<bool> found = blocks_in_cycles(graph);
        for (BlockId b = 0; b < graph.blocks.size(); ++b) {
            CHECK(found[b] == reaches_itself(graph, b));
            (found[b] ? cyclic : free) += 1;
        }
    }
    CHECK(cyclic > 500);
    CHECK(free > 500);
}
