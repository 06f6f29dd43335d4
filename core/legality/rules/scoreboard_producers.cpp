// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/rules/scoreboard_producers.h"

#include <algorithm>

#include "core/legality/rules/awaited_rule.h"
#include "core/legality/tables/latency.h"
#include "core/legality/tables/latency_classes.h"

namespace cubinlab {

namespace {

bool touches_memory(const Instruction& i) {
    return i.memory.also_writes_shared ||
           (i.memory.space != MemorySpace::None && i.memory.space != MemorySpace::Constant);
}

bool plain_store(const Instruction& i) {
    const bool result =
        std::any_of(i.operands.begin(), i.operands.end(), [](const Operand& o) { return o.write; });
    return touches_memory(i) && i.memory.writes && !i.memory.also_writes_shared && !result &&
           !i.has(Trait::UnknownOpcode);
}

// The stack pointer: ptxas loads it without a barrier if no instruction uses it; R1 may still be the
// undefined half of a stored pair.
bool unused_stack_pointer(const Kernel& kernel, const Instruction& load) {
    constexpr unsigned kStackPointer = 1, kLdc = 0xb82;
    const int stack_offset = kernel.arch().sm < 100 ? 0x28 : 0x37c;
    if (load.opcode != kLdc || load.word.bits(54, 5) != 0 || load.memory.base != 255 ||
        load.memory.offset != stack_offset)
        return false;
    const auto touches = [](const Operand& o) {
        return o.file == RegFile::Gpr && o.first <= kStackPointer && o.first + o.count > kStackPointer;
    };
    if (std::none_of(load.operands.begin(), load.operands.end(),
                     [&](const Operand& o) { return o.write && touches(o) && o.count == 1; }))
        return false;
    for (InstrId id = 0; id < kernel.size(); ++id)
        for (const Operand& o : kernel.instruction(id).operands)
            if (o.read && touches(o) && (o.role != Role::StoreData || o.first == kStackPointer)) return false;
    return true;
}

}  // namespace

std::size_t guard_index(std::size_t file, unsigned predicate, bool negated) {
    return (file * 8 + predicate) * 2 + (negated ? 1 : 0);
}

int result_group(const Arch& arch, const Instruction& i, CheckMode mode) {
    if (latency::is_named(i, "LDL")) return -1;  // may miss the cache: ptxas always gives it a barrier
    if (i.has(Trait::InOrderMio)) return kMio;
    if (i.has(Trait::InOrderXu)) return kXu;
    if (i.has(Trait::InOrderFp64)) return kFp64;
    if (latency::is_wide_conversion(i)) return kWide;
    // Before sm_90 each has its own barrier: 229 of 229 cases of compiled code.
    if (i.has(Trait::InOrderS2ur)) return arch.sm >= 90 ? kS2ur : -1;
    // ptxas: two of them share a barrier; from sm_80 on the barrier of a later LDSM may cover one.
    if (latency::is_named(i, "MOVM")) return arch.sm < 80 ? kMovm : kMio;
    // ptxas, sm_100: the barrier of the second covers both halves of a load.
    if (latency::is_named(i, "LDTM")) return kTensorLoad;
    if (i.unit == Unit::Redux) return kRedux;  // ptxas: the barrier of the last covers five of them
    // ptxas: the barrier of the last, or of a later one of another kind, covers a sequence.
    if (i.unit == Unit::Dmma || (arch.sm < 80 && latency::is_mma(i))) return kTensor;
    if (arch.sm == 103 && latency::is_named(i, "IMMA")) return kIntegerTensor;  // ptxas: a later IMMA's barrier covers it
    // ptxas, sm_90: a predicate of a reducing barrier is read after the wait for the result of a later one,
    // in one kernel; before sm_90 in none.
    if (mode == CheckMode::Absolute && arch.sm >= 90 && latency::is_named(i, "B2R")) return kB2r;
    // ptxas, sm_90a: the barrier of a later FENCE.VIEW.ASYNC covers one without, at a BAR, in one kernel.
    if (mode == CheckMode::Absolute && latency::is_named(i, "FENCE")) return kView;
    return i.has(Trait::InOrderTex) ? kTex : -1;
}

ScoreboardProducers::ScoreboardProducers(const Kernel& kernel, CheckMode mode) {
    number_bits(kernel, mode);
    const BitRow none(words_, 0);
    group.assign(kernel.size(), -1);
    own_group.assign(kernel.size(), -1);
    queue_op.assign(kernel.size(), QueueOp::Other);
    reads_covered.assign(kernel.size(), 0);
    reads_drained.assign(kernel.size(), 0);
    group_writes.assign(kGroups, none);
    class_reads.assign(kReadClasses, none);
    op_reads.assign(kQueueOps, none);
    guarded_by.assign(2 * 8 * 2, none);
    guard_of.assign(kernel.size(), -1);
    preds_written.assign(kernel.size(), {0, 0});
    named_waits.assign(kernel.size(), 0);
    unknown = undecoded = async_copies = memory = endless = fences = membars = none;
    for (std::size_t s = 0; s < kScoreboards; ++s)
        set_bit(unknown, unknown_base + s);
    for (InstrId id = 0; id < kernel.size(); ++id) {
        note(kernel, id, mode);
        if (is_producer(id)) note_producer(kernel, id, mode);
    }
}

void ScoreboardProducers::number_bits(const Kernel& kernel, CheckMode mode) {
    write_bit.assign(kernel.size(), -1);
    for (InstrId id = 0; id < kernel.size(); ++id) {
        const Instruction& i = kernel.instruction(id);
        const ControlCode control = i.control();
        const bool barrier = control.write_barrier != kNoBarrier || control.read_barrier != kNoBarrier;
        if (!barrier && !completes_by_scoreboard(kernel.arch(), i)) continue;
        if (!barrier && mode == CheckMode::Absolute && unused_stack_pointer(kernel, i)) continue;
        write_bit[id] = static_cast<std::int32_t>(producer_of.size() * 2);
        producer_of.push_back(id);
    }
    unknown_base = producer_of.size() * 2;
    words_ = (unknown_base + kScoreboards + 63) / 64;
}

void ScoreboardProducers::note(const Kernel& kernel, InstrId id, CheckMode mode) {
    const Instruction& i = kernel.instruction(id);
    // With a guard it may not wait.
    if (!i.guarded()) named_waits[id] = latency::waits_by_name(i);
    own_group[id] = static_cast<std::int8_t>(result_group(kernel.arch(), i, mode));
    queue_op[id] = cubinlab::queue_op(i);
    reads_drained[id] = read_classes_drained(kernel.arch(), i, mode);
    if (i.guarded())
        guard_of[id] =
            static_cast<std::int8_t>(guard_index(i.uniform_guard ? 1 : 0, i.guard & 7u, i.guard_negated));
    for (const Operand& o : i.operands) {
        if (!o.write || (o.file != RegFile::Pred && o.file != RegFile::UPred)) continue;
        std::uint8_t& mask = preds_written[id][o.file == RegFile::UPred ? 1 : 0];
        for (unsigned r = 0; r < o.count; ++r)
            mask = static_cast<std::uint8_t>(mask | 1u << ((o.first + r) & 7u));
    }
}

void ScoreboardProducers::note_producer(const Kernel& kernel, InstrId id, CheckMode mode) {
    const Instruction& i = kernel.instruction(id);
    const auto bit = static_cast<std::size_t>(write_bit[id]);
    const auto set_both = [&](BitRow& row) {
        set_bit(row, bit);
        set_bit(row, bit + 1);
    };
    group[id] = own_group[id];
    if (guard_of[id] >= 0) set_both(guarded_by[static_cast<std::size_t>(guard_of[id])]);
    if (group[id] >= 0) set_bit(group_writes[static_cast<std::size_t>(group[id])], bit);
    reads_covered[id] = read_classes_covered(kernel.arch(), i, mode);
    const ReadClass reads = read_class(i);
    if (reads != ReadClass::None) set_bit(class_reads[static_cast<std::size_t>(reads)], bit + 1);
    set_bit(op_reads[static_cast<std::size_t>(queue_op[id])], bit + 1);
    if (latency::is_named(i, "LDGSTS")) set_both(async_copies);
    if (touches_memory(i)) set_bit(memory, bit);
    if (i.has(Trait::UnknownOpcode)) {
        set_both(undecoded);
        any_undecoded = true;
    }
    const ControlCode control = i.control();
    if (plain_store(i) && group[id] < 0 && control.write_barrier == kNoBarrier) set_bit(endless, bit);
    const bool no_barrier = control.write_barrier == kNoBarrier && control.read_barrier == kNoBarrier;
    if (i.unit == Unit::Barrier && no_barrier && group[id] < 0 && reads == ReadClass::None) set_both(endless);
}

// Work that was complete when the original accessed memory must be complete then: fences with a completion
// barrier, acquiring loads, atomics. ptxas waits for the barrier of MEMBAR before every later access (52 of
// 52 in one block), so absolute mode requires that too.
void ScoreboardProducers::note_fences(const Kernel& kernel, const MemoryOrder& order, bool absolute) {
    for (const InstrId id : producer_of) {
        const Instruction& i = kernel.instruction(id);
        if (!order.fence_like(id)) continue;
        any_fence = true;
        const auto bit = static_cast<std::size_t>(write_bit[id]);
        set_bit(fences, bit);
        if (!touches_memory(i)) set_bit(fences, bit + 1);
        if (!absolute || !latency::is_named(i, "MEMBAR")) continue;
        if (i.control().write_barrier != kNoBarrier) set_bit(membars, bit);
        if (i.control().read_barrier != kNoBarrier || block_membar(kernel.arch(), i))
            set_bit(membars, bit + 1);
    }
}

}  // namespace cubinlab
