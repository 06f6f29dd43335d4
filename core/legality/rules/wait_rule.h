// SPDX-License-Identifier: GPL-3.0-or-later
// At least two cycles from setting a scoreboard to waiting for it, inside a block and across its entry edges.
// `View` is a Schedule or a BlockView. Internal to core/legality.
#pragma once
#include "core/legality/checker_impl.h"

namespace cubinlab {

// Checks waits at positions [from, to) against setters in the same block.
template <class View>
bool HazardChecker::Impl::waits_inside(const View& view, const Block& block, Position from, Position to,
                                       Findings& findings) const {
    for (Position p = from; p < to; ++p) {
        const InstrId waiter = view.at(p);
        const std::uint8_t waits = waits_for(waiter, view.control(waiter));
        if (waits == 0) continue;
        int have = 0;
        for (Position q = p; q-- > block.first;) {
            const InstrId setter = view.at(q);
            have += effective_stall(view.control(setter));
            if (have >= 2) break;
            const std::uint8_t common = waits & sets(view.control(setter));
            if (common != 0 && set_to_wait(setter, waiter, common, have, findings)) return true;
        }
    }
    return false;
}

template <class View>
bool HazardChecker::Impl::waits_at_entry(const View& view, BlockId block, Findings& findings) const {
    const Block& b = kernel->flow().blocks[block];
    int inside = 0;  // cycles from the block's start to p
    for (Position p = b.first; p < b.end() && inside < 2; ++p) {
        const InstrId waiter = view.at(p);
        const std::uint8_t waits = waits_for(waiter, view.control(waiter));
        for (const BlockId from : b.predecessors) {
            if (waits == 0) break;
            const Block& before = kernel->flow().blocks[from];
            int have = inside;
            for (Position q = before.end(); q-- > before.first;) {
                const InstrId setter = view.at(q);
                have += effective_stall(view.control(setter));
                if (have >= 2) break;
                const std::uint8_t common = waits & sets(view.control(setter));
                if (common != 0 && set_to_wait(setter, waiter, common, have, findings)) return true;
            }
        }
        inside += effective_stall(view.control(waiter));
    }
    return false;
}

template <class View>
bool HazardChecker::Impl::waits_of_block(const View& view, BlockId block, Findings& findings) const {
    const Block& b = kernel->flow().blocks[block];
    return waits_inside(view, b, b.first + 1, b.end(), findings) || waits_at_entry(view, block, findings);
}

}  // namespace cubinlab
