// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/move_along.h"

#include <algorithm>
#include <vector>

#include "core/legality/checker_impl.h"

namespace cubinlab {
namespace {

bool ordered(const OrderEdges& order, InstrId first, InstrId second) {
    return std::ranges::any_of(order.before(second), [&](const OrderEdge& e) { return e.first == first; });
}

}  // namespace

std::optional<Mutation> move_along(const HazardChecker& checker, const Schedule& legal, InstrId id,
                                   Position to) {
    const HazardChecker::Impl& impl = checker.internals();
    const Block& block = legal.kernel()->flow().blocks[legal.kernel()->block_of(id)];
    const Position at = legal.position_of(id);
    if (to == at || to < block.first || to >= block.end() || impl.fixed(id)) return std::nullopt;
    const bool up = to < at;
    const int step = up ? -1 : 1;
    // Nearest first, so that each is compared with all that already move.
    std::vector<InstrId> along = {id};
    InstrId anchor = kNone;  // the farthest instruction that is passed
    for (Position p = at; p != to;) {
        p = static_cast<Position>(static_cast<int>(p) + step);
        const InstrId other = legal.at(p);
        if (impl.fixed(other)) return std::nullopt;
        const bool held = std::ranges::any_of(along, [&](InstrId moved) {
            return up ? ordered(impl.order, other, moved) : ordered(impl.order, moved, other);
        });
        if (!held)
            anchor = other;
        else if (along.push_back(other); along.size() > kMostAlong + 1)
            return std::nullopt;
    }
    if (anchor == kNone) return std::nullopt;
    const Position passed = legal.position_of(anchor);
    Mutation out;
    // The farthest moves first: the next one that passes the anchor then follows it.
    for (auto moved = along.rbegin(); moved != along.rend(); ++moved) {
        const Position p = legal.position_of(*moved);
        if (up ? p < passed : p > passed) continue;
        const Mutation one =
            up ? Mutation::move_before(*moved, anchor) : Mutation::move_after(*moved, anchor);
        out.edits.push_back(one.edits.front());
    }
    return out;
}

}  // namespace cubinlab
