// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/rules/awaited_rule.h"

#include <algorithm>

#include "core/legality/tables/latency.h"
#include "core/legality/tables/latency_classes.h"
#include "core/schedule/kernel.h"

namespace cubinlab {
namespace {

using latency::is_named;

constexpr unsigned kExchange = 0x1b2;

bool sets_up_mbarrier(const Instruction& i) {
    return (i.opcode & 0x1ff) == kExchange;
}

bool is_view_fence(const Instruction& i) {
    return is_named(i, "FENCE");
}

// Signals earlier work to other threads or the copy unit, in ptxas code for sm_90a always after the wait. Cases in
// one block for FENCE.VIEW.ASYNC and SYNCS.EXCH: BAR 100 and 25, UCGABAR_ARV 4 and 7, SYNCS 289 and 117, UBLKCP 4
// and 2, STAS 28 and 24, strong accesses and atomics of global memory 61 and 53.
bool signals_completion(const Instruction& i) {
    if (is_named(i, "BAR") || is_named(i, "UCGABAR_ARV") || is_named(i, "SYNCS") || is_named(i, "STAS") ||
        is_named(i, "REDAS"))
        return true;
    if (i.unit == Unit::AsyncGroup && i.has(Trait::AsyncIssue)) return i.memory.space != MemorySpace::None;
    return i.unit == Unit::Lsu && i.memory.space == MemorySpace::Global &&
           (i.memory.strong || i.memory.atomic);
}

// Others that wait for the copy-unit fence: WARPGROUP 113 of 113, LDGSTS 52. Atomics of shared memory do so
// inside a block (66 of 66), but not over an edge.
bool works_on_shared(const Instruction& i) {
    return is_named(i, "WARPGROUP") || is_named(i, "LDGSTS");
}

bool touches_vector_register(const Instruction& i) {
    return std::ranges::any_of(i.operands, [](const Operand& o) { return o.file == RegFile::Gpr; });
}

bool is_block_membar(const Instruction& i) {
    constexpr unsigned kScopeBit = 76, kScopeBits = 3, kBlock = 0;
    return is_named(i, "MEMBAR") && i.word.bits(kScopeBit, kScopeBits) == kBlock;
}

// setmaxnreg.dec: the registers below the new count stay as they are. ptxas 12.4 waits for it nowhere (15 of 15), ptxas
// 13.0 before the next general register.
bool gives_registers_back(const Instruction& i) {
    constexpr unsigned kKindBit = 72, kKindBits = 2, kDealloc = 1;
    return changes_register_count(i) && i.word.bits(kKindBit, kKindBits) == kDealloc;
}

// After a change of the register count, ptxas uses no general register before it completes (300 of 300);
// SYNCS, BAR, MEMBAR and others without one may come before. The initialisation of an mbarrier tells no thread
// of earlier work: ptxas 12.4 does not wait for a copy-unit fence or another initialisation before it, and
// MEMBAR.CTA does not wait for it (ptxas 13.0 waits in 104 of 104 cases; 103 of 148 MEMBARs wait for
// FENCE.VIEW.ASYNC). What signals later waits for all of them.
bool waits_for(const Instruction& setter, const Instruction& waiter) {
    if (changes_register_count(setter)) return touches_vector_register(waiter);
    if (signals_completion(waiter)) return !sets_up_mbarrier(waiter);
    if (!sets_up_mbarrier(setter)) return works_on_shared(waiter);
    return is_named(waiter, "MEMBAR") && !is_block_membar(waiter);
}

}  // namespace

// sm_90: 64 of 64 have a barrier. sm_100: MEMBAR.SC 41 of 41, MEMBAR.ALL 23 of 241. sm_120: 0 of 110.
bool block_membar(const Arch& arch, const Instruction& i) {
    constexpr unsigned kKindBit = 79, kKindBits = 2, kSequential = 0;
    if (arch.sm < 90 || arch.sm >= 120 || !is_block_membar(i)) return false;
    return arch.sm < 100 || i.word.bits(kKindBit, kKindBits) == kSequential;
}

bool issues_with(const Instruction& first, const Instruction& second) {
    constexpr unsigned kGuardBit = 12, kGuardBits = 4;
    return is_block_membar(first) && first.control().stall == 0 && is_named(second, "MEMBAR") &&
           !is_block_membar(second) &&
           first.word.bits(kGuardBit, kGuardBits) == second.word.bits(kGuardBit, kGuardBits);
}

std::vector<std::pair<InstrId, InstrId>> awaited_pairs(const Kernel& kernel, CheckMode mode) {
    std::vector<InstrId> setters;
    for (InstrId id = 0; id < kernel.size(); ++id) {
        const Instruction& i = kernel.instruction(id);
        const bool alone = mode == CheckMode::Absolute && (is_view_fence(i) || sets_up_mbarrier(i));
        const bool free = mode == CheckMode::Absolute && gives_registers_back(i);
        if (alone || (changes_register_count(i) && !free)) setters.push_back(id);
    }
    std::vector<std::pair<InstrId, InstrId>> pairs;
    if (setters.empty()) return pairs;
    // With more setters than in any compiled kernel, uses those nearest before the instruction.
    constexpr std::size_t kMost = 256;
    std::size_t before = 0;
    for (InstrId id = 0; id < kernel.size(); ++id) {
        while (before < setters.size() && setters[before] < id)
            ++before;
        const std::size_t from = setters.size() <= kMost || before <= kMost ? 0 : before - kMost;
        const std::size_t to = std::min(setters.size(), from + kMost);
        for (std::size_t n = from; n < to; ++n)
            if (setters[n] != id && waits_for(kernel.instruction(setters[n]), kernel.instruction(id)))
                pairs.emplace_back(setters[n], id);
    }
    return pairs;
}

bool lacks_counted_scoreboard(const Instruction& i, const ControlCode& control) {
    // ptxas: scoreboard 0 in 1,294 of 1,294 and in 200 of 200 cases.
    if (is_named(i, "LDGDEPBAR")) return control.write_barrier != 0;
    return is_named(i, "UTMACMDFLUSH") && control.read_barrier != 0;
}

}  // namespace cubinlab
