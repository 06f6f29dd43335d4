// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/reachable.h"

namespace cubinlab {

std::vector<bool> reachable_blocks(const FlowGraph& flow) {
    std::vector<bool> seen(flow.blocks.size(), false);
    std::vector<BlockId> open;
    const auto push = [&](BlockId b) {
        if (b < seen.size() && !seen[b]) {
            seen[b] = true;
            open.push_back(b);
        }
    };
    push(0);
    bool indirect_done = false;
    while (!open.empty()) {
        const Block& block = flow.blocks[open.back()];
        open.pop_back();
        for (const BlockId next : block.successors)
            push(next);
        if (block.unknown_successors && !indirect_done) {
            indirect_done = true;
            for (BlockId b = 0; b < flow.blocks.size(); ++b)
                if (flow.blocks[b].unknown_predecessors) push(b);
        }
    }
    return seen;
}

}  // namespace cubinlab
