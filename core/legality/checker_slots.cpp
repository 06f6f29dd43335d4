// SPDX-License-Identifier: GPL-3.0-or-later
// Legal positions of an instruction.
#include <algorithm>

#include "core/legality/checker_impl.h"

namespace cubinlab {

std::pair<Position, Position> HazardChecker::Impl::ordered_range(const Schedule& legal, InstrId id) const {
    const Block& block = kernel->flow().blocks[kernel->block_of(id)];
    const Position at = legal.position_of(id);
    if (fixed(id)) return {at, at};
    Position low = block.first;
    Position high = block.end() - 1;
    for (const OrderEdge& e : order.before(id))
        low = std::max(low, legal.position_of(e.first) + 1);
    for (const OrderEdge& e : order.after(id))
        high = std::min(high, legal.position_of(e.second) - 1);
    for (Position p = at; p > low; --p)
        if (fixed(legal.at(p - 1))) low = p;
    for (Position p = at; p < high; ++p)
        if (fixed(legal.at(p + 1))) high = p;
    return {low, high};
}

std::uint64_t& HazardChecker::Impl::whole_proofs() {
    thread_local std::uint64_t count = 0;
    return count;
}

std::pair<Position, Position> HazardChecker::order_range(const Schedule& legal, InstrId id) const {
    return impl_->ordered_range(legal, id);
}

SlotRange HazardChecker::slots(const Schedule& legal, InstrId id) const {
    const Position at = legal.position_of(id);
    const auto [low, high] = impl_->ordered_range(legal, id);
    SlotRange range{at, at, {}};
    std::vector<Position> bad;
    for (Position p = at; p-- > low;) {
        const Impl::Verdict verdict = impl_->decide(legal, Mutation::move_to(legal, id, p));
        if (verdict == Impl::Verdict::IllegalBeyond) break;
        if (verdict == Impl::Verdict::Legal)
            range.lowest = p;
        else
            bad.push_back(p);
    }
    for (Position p = at + 1; p <= high; ++p) {
        const Impl::Verdict verdict = impl_->decide(legal, Mutation::move_to(legal, id, p));
        if (verdict == Impl::Verdict::IllegalBeyond) break;
        if (verdict == Impl::Verdict::Legal)
            range.highest = p;
        else
            bad.push_back(p);
    }
    for (const Position p : bad)
        if (p > range.lowest && p < range.highest) range.holes.push_back(p);
    std::sort(range.holes.begin(), range.holes.end());
    return range;
}

Position room_above(const HazardChecker& checker, const Schedule& legal, InstrId id, Position enough) {
    using Verdict = HazardChecker::Impl::Verdict;
    const HazardChecker::Impl& impl = checker.internals();
    const Position at = legal.position_of(id);
    const Position low = impl.ordered_range(legal, id).first;
    Position room = 0;
    for (Position p = at; p-- > low && room < enough;) {
        const Verdict verdict = impl.decide(legal, Mutation::move_to(legal, id, p));
        if (verdict == Verdict::IllegalBeyond) break;
        if (verdict == Verdict::Legal) room = at - p;
    }
    return room;
}

}  // namespace cubinlab
