// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/move_room.h"

#include "core/legality/checker_impl.h"

namespace cubinlab {

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
