// SPDX-License-Identifier: GPL-3.0-or-later
// Finds places where a kernel releases a stage of shared memory while its own loads of it are pending: see
// CheckReport::notes. Loads and arrivals issue in order, but after the arrival a bulk or tensor copy of
// another thread may overwrite data before the loads read it. Compilers emit this for sources without
// fence.proxy.async between reads and arrival. Whether a copy follows is unknown here, so it is a note, not a
// finding. Arrivals that announce bytes (arrive.expect_tx) release nothing; loads before a BAR are complete
// when it completes.
#include <fmt/format.h>

#include "core/legality/checker_impl.h"
#include "core/legality/tables/latency_classes.h"

namespace cubinlab {

namespace {

// SYNCS.ARRIVE (0x5a7 queries, 0x5b2 initialises) that counts arrivals and no bytes: .A1T0, .ART0.
bool gives_back(const Instruction& i) {
    constexpr std::uint16_t kArrive = 0x9a7;
    const std::uint64_t counts = i.word.bits(84, 2);
    return i.opcode == kArrive && (counts == 1 || counts == 2);
}

struct Load {
    InstrId id = 0;
    std::uint8_t barrier = kNoBarrier;
};

bool copies_into_shared(const Kernel& kernel) {
    for (InstrId id = 0; id < kernel.size(); ++id) {
        const Instruction& i = kernel.instruction(id);
        if (i.unit == Unit::AsyncGroup && i.memory.also_writes_shared) return true;
    }
    return false;
}

bool reads_shared(const Instruction& i) {
    return i.unit == Unit::Mio && i.memory.space == MemorySpace::Shared && i.memory.reads && !i.memory.writes;
}

// Loads of shared memory complete in order: a wait for one covers the older ones.
void end_loads(std::vector<Load>& loads, std::uint8_t waits) {
    std::size_t done = 0;
    for (std::size_t n = 0; n < loads.size(); ++n)
        if (loads[n].barrier < kScoreboards && (waits >> loads[n].barrier & 1) != 0) done = n + 1;
    loads.erase(loads.begin(), loads.begin() + static_cast<std::ptrdiff_t>(done));
}

CheckNote note_of(const Kernel& kernel, const Load& load, InstrId arrive) {
    return {load.id, arrive,
            fmt::format("{} 0x{:04x} may still be reading when {} 0x{:04x} gives its memory back: a copy that another "
                        "thread starts then could overwrite it first, and two runs differ. A wait for the load there "
                        "orders them in this schedule, a fence.proxy.async between the two in the source",
                        kernel.instruction(load.id).mnemonic, load.id * kWordBytes,
                        kernel.instruction(arrive).mnemonic, arrive * kWordBytes)};
}

}  // namespace

std::vector<CheckNote> HazardChecker::Impl::early_releases(const Schedule& schedule) const {
    std::vector<CheckNote> notes;
    if (!copies_into_shared(*kernel)) return notes;
    for (const Block& block : kernel->flow().blocks) {
        std::vector<Load> loads;  // pending, oldest first
        for (Position p = block.first; p < block.end(); ++p) {
            const InstrId id = schedule.at(p);
            const Instruction& i = kernel->instruction(id);
            const ControlCode& control = schedule.control(id);
            end_loads(loads, i.guarded() ? control.wait_mask : waits_for(id, control));
            if (i.unit == Unit::Fence || latency::is_named(i, "BAR")) loads.clear();
            if (gives_back(i) && !loads.empty()) notes.push_back(note_of(*kernel, loads.back(), id));
            if (reads_shared(i)) loads.push_back({id, control.write_barrier});
        }
    }
    return notes;
}

}  // namespace cubinlab
