// SPDX-License-Identifier: GPL-3.0-or-later
// Finds reorderings that assume that the lanes of a warp do not exchange data through shared memory without a
// fence: see CheckReport::notes.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/legality/checker_impl.h"

namespace cubinlab {

namespace {

CheckNote note_of(const Kernel& kernel, InstrId earlier, InstrId later) {
    return {earlier, later,
            fmt::format(
                "{} 0x{:04x} and {} 0x{:04x} changed order with no fence between them: their bytes differ in "
                "each lane, but a lane that reads there what another one of its warp writes needs a "
                "__syncwarp, and without it would notice",
                kernel.instruction(earlier).mnemonic, earlier * kWordBytes,
                kernel.instruction(later).mnemonic, later * kWordBytes)};
}

}  // namespace

std::vector<CheckNote> HazardChecker::Impl::lane_notes(const Schedule& schedule) const {
    std::vector<CheckNote> notes;
    for (const Block& block : kernel->flow().blocks) {
        std::set<InstrId> passed;  // shared accesses before this one
        for (Position p = block.first; p < block.end(); ++p) {
            const InstrId id = schedule.at(p);
            if (kernel->instruction(id).memory.space != MemorySpace::Shared) continue;
            std::vector<InstrId> overtaken(passed.upper_bound(id), passed.end());
            std::sort(overtaken.begin(), overtaken.end(), [&](InstrId a, InstrId b) {
                return schedule.position_of(a) < schedule.position_of(b);
            });
            for (const InstrId later : overtaken)
                if (memory.disjoint_in_own_lane_only(id, later)) notes.push_back(note_of(*kernel, id, later));
            passed.insert(passed.end(), id);
        }
    }
    return notes;
}

}  // namespace cubinlab
