// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/pair_builder.h"

#include <algorithm>
#include <bitset>
#include <functional>
#include <queue>
#include <utility>

#include "core/legality/rules/acquire_rule.h"
#include "core/legality/tables/latency.h"
#include "core/legality/tables/latency_classes.h"

namespace cubinlab {

namespace {

constexpr std::uint8_t kNoOperand = 255;

bool waits_for_barrier(const Instruction& i) {
    return (i.memory.space != MemorySpace::None && i.memory.space != MemorySpace::Constant) ||
           i.memory.also_writes_shared || i.unit == Unit::Mio;
}

}  // namespace

PairBuilder::PairBuilder(const Kernel& kernel, DependencePairs& pairs, CheckMode mode)
    : kernel_(kernel), pairs_(pairs), mode_(mode) {
    if (mode == CheckMode::Absolute) return;
    std::bitset<kRegCount> used;
    bool unknown = false;
    for (const Instruction& i : kernel.instructions()) {
        unknown = unknown || i.has(Trait::UnknownOpcode);
        for (const RegAccess& a : accesses_of(i))
            used.set(a.reg);
    }
    for (RegIndex reg = 0; unknown && reg < kRegCount; ++reg)
        if (used.test(reg)) anything_.push_back({reg, kNoOperand, true, true});
}

std::vector<RegAccess> PairBuilder::tracked(InstrId id) const {
    const Instruction& i = kernel_.instruction(id);
    std::vector<RegAccess> result = i.has(Trait::UnknownOpcode) ? anything_ : accesses_of(i);
    if (waits_for_wgmma(i)) result.push_back({kGroupReg, kNoOperand, true, false});
    if (i.unit == Unit::Gmma) result.push_back({kGroupReg, kNoOperand, false, true});
    if (arrive_to_wgmma_floor(i) > 0) result.push_back({kArriveReg, kNoOperand, false, true});
    if (i.unit == Unit::Gmma) result.push_back({kArriveReg, kNoOperand, true, false});
    if (latency::is_named(i, "UCGABAR_WAIT")) result.push_back({kBarrierReg, kNoOperand, true, false});
    if (invalidates_cache(i)) result.push_back({kInvalidateReg, kNoOperand, false, true});
    if (waits_for_invalidate(i)) result.push_back({kInvalidateReg, kNoOperand, true, false});
    if (fence_to_memory_floor(kernel_.arch(), i, mode_) > 0)
        result.push_back({kBarrierReg, kNoOperand, false, true});
    else if (waits_for_barrier(i) || is_control_transfer(i))
        result.push_back({kBarrierReg, kNoOperand, true, false});
    return result;
}

RegDependence PairBuilder::make(DependenceKind kind, InstrId first, std::uint8_t first_operand,
                                InstrId second, std::uint8_t second_operand, RegIndex reg) const {
    RegDependence d{first, second, reg, kind, false, 0, 0, 0};
    const Instruction& a = kernel_.instruction(first);
    if (reg == kGroupReg) {
        d.table = static_cast<std::uint16_t>(kind == DependenceKind::Raw ? kWgmmaToDepbar : 1);
        return d;
    }
    if (reg == kArriveReg) {
        d.table = static_cast<std::uint16_t>(kind == DependenceKind::Raw ? arrive_to_wgmma_floor(a) : 1);
        return d;
    }
    if (reg == kInvalidateReg) {
        d.table = static_cast<std::uint16_t>(
            kind == DependenceKind::Raw ? invalidate_to_memory_floor(kernel_.arch(), mode_) : 1);
        return d;
    }
    if (reg == kBarrierReg) {
        const Instruction& b = kernel_.instruction(second);
        const int floor = latency::is_named(b, "UCGABAR_WAIT") ? arrive_to_wait_floor(a)
                          : is_control_transfer(b)             ? barrier_floor(kernel_.arch(), a)
                                                   : fence_to_memory_floor(kernel_.arch(), a, mode_);
        d.table = static_cast<std::uint16_t>(kind == DependenceKind::Raw && floor > 0 ? floor : 1);
        return d;
    }
    if (reg_file(reg) == RegFile::BReg) {
        d.table = 1;
        return d;
    }
    // Not decoded: no table; the original's distance applies. For results with a barrier see the strict rows
    // of ScoreboardProof.
    if (first_operand == kNoOperand || second_operand == kNoOperand) return d;
    const Instruction& b = kernel_.instruction(second);
    const Operand& first_use = a.operands[first_operand];
    const Operand& second_use = b.operands[second_operand];
    d.with_wait = static_cast<std::uint16_t>(
        distance_with_wait(kernel_.arch(), kind, a, first_use, b, second_use, reg_number(reg), mode_));
    if (completes_by_scoreboard(kernel_.arch(), a)) {
        // Operands read at issue only need a later overwrite.
        d.by_scoreboard = kind != DependenceKind::War || read_after_issue(a, reg_file(reg));
        d.table = d.by_scoreboard ? 0 : 1;
        return d;
    }
    const auto need =
        required_distance(kernel_.arch(), kind, a, first_use, b, second_use, reg_number(reg), mode_);
    d.table = static_cast<std::uint16_t>(need.value_or(0));
    return d;
}

void PairBuilder::Recent::forget(std::uint32_t passed) {
    while (first_ < all_.size() && passed - all_[first_].behind >= std::uint32_t{kDistanceCap})
        ++first_;
    if (first_ * 2 < all_.size()) return;
    all_.erase(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
}

void PairBuilder::Recent::clear() {
    all_.clear();
    first_ = 0;
}

const PairBuilder::Head* PairBuilder::BlockSummary::head(RegIndex reg) const {
    const auto at = std::lower_bound(registers.begin(), registers.end(), reg,
                                     [](const Touched& t, RegIndex r) { return t.reg < r; });
    return at == registers.end() || at->reg != reg ? nullptr : &at->head;
}

void PairBuilder::add_local(DependenceKind kind, const Seen& first, InstrId second, const RegAccess& access) {
    if (first.id == second) return;
    RegDependence pair = make(kind, first.id, first.operand, second, access.operand, access.reg);
    // As in ScoreboardProof: opposite guards select disjoint lanes.
    if (mode_ == CheckMode::Absolute && under_opposite_guards(first.id, second)) {
        pair.with_wait = 0;
        pair.table = std::min<std::uint16_t>(pair.table, 1);
    }
    pairs_.local_.push_back(pair);
}

// True for guards on one predicate that is not written between. `second` is the current instruction.
bool PairBuilder::under_opposite_guards(InstrId first, InstrId second) const {
    const Instruction& a = kernel_.instruction(first);
    const Instruction& b = kernel_.instruction(second);
    if (!a.guarded() || !b.guarded()) return false;
    if (a.guard != b.guard || a.uniform_guard != b.uniform_guard || a.guard_negated == b.guard_negated)
        return false;
    const RegIndex guard = reg_index(a.uniform_guard ? RegFile::UPred : RegFile::Pred, a.guard);
    return std::ranges::none_of(scratch_[guard].tail.writers, [&](const Seen& w) { return w.id >= first; });
}

// An access of an earlier block before kDistanceCap writers is always far enough away.
void PairBuilder::note_head(Head& head, const RegAccess& access, InstrId id) const {
    if (head.killed || head.passed >= kDistanceCap) return;
    if (access.read) head.reads.push_back({id, access.operand});
    if (!access.write) return;
    head.writes.push_back({id, access.operand});
    head.passed += kernel_.instruction(id).control().stall > 0 ? 1 : 0;
}

PairBuilder::Touched& PairBuilder::touch(RegIndex reg) {
    if (!in_use_[reg]) {
        in_use_[reg] = true;
        touched_.push_back(reg);
        scratch_[reg].reg = reg;
    }
    return scratch_[reg];
}

void PairBuilder::scan_instruction(InstrId id) {
    const std::vector<RegAccess> accesses = tracked(id);
    const Instruction& instruction = kernel_.instruction(id);
    for (const RegAccess& access : accesses) {
        Touched& here = touch(access.reg);
        note_head(here.head, access, id);
        if (access.read)
            for (const Seen& w : here.tail.writers)
                add_local(DependenceKind::Raw, w, id, access);
        if (!access.write) continue;
        for (const Seen& w : here.tail.writers)
            add_local(DependenceKind::Waw, w, id, access);
        for (const Seen& r : here.tail.readers)
            add_local(DependenceKind::War, r, id, access);
    }
    for (const RegAccess& access : accesses) {
        RegState& state = scratch_[access.reg].tail;
        if (access.read) state.readers.push({id, access.operand, state.passed});
    }
    const bool certain = always_writes(instruction);
    for (const RegAccess& access : accesses) {
        if (!access.write) continue;
        Touched& here = scratch_[access.reg];
        RegState& state = here.tail;
        if (certain) {
            state.writers.clear();
            state.readers.clear();
            state.passed = 0;
            here.head.killed = true;
        } else {
            state.passed += instruction.control().stall > 0 ? 1 : 0;
            state.writers.forget(state.passed);
            state.readers.forget(state.passed);
        }
        state.writers.push({id, access.operand, state.passed});
    }
}

void PairBuilder::scan_block(BlockId block) {
    const Block& range = kernel_.flow().blocks[block];
    BlockSummary& summary = summaries_[block];
    for (InstrId id = range.first; id < range.end(); ++id) {
        const std::size_t first = pairs_.local_.size();
        scan_instruction(id);
        settle_local(first);
        pairs_.local_begin_[id + 1] = static_cast<std::uint32_t>(pairs_.local_.size());
        summary.shortest += kernel_.instruction(id).control().stall > 0 ? 1 : 0;
    }
    std::sort(touched_.begin(), touched_.end());
    summary.registers.reserve(touched_.size());
    for (const RegIndex reg : touched_) {
        summary.registers.push_back(std::move(scratch_[reg]));
        scratch_[reg] = {};
        in_use_[reg] = false;
    }
    touched_.clear();
}

// Returns false if it was already there by a path that is no longer.
bool PairBuilder::enter(BlockId block, std::uint32_t exposure, int cycles) {
    Entered& entered = entered_[block];
    if (entered.exposure == exposure) {
        if (entered.cycles <= cycles) return false;
        entered.cycles = cycles;
        return true;
    }
    entered = {exposure, static_cast<std::uint32_t>(pairs_.flows_[block].in.size()), cycles, false};
    pairs_.flows_[block].in.push_back(exposure);
    ++in_flow_;
    return true;
}

void PairBuilder::add_use(BlockId block, std::uint32_t in, const RegDependence& dependence) {
    if (dependence.by_scoreboard ? dependence.with_wait == 0 : dependence.table == 1) return;
    pairs_.flows_[block].uses.push_back({in, dependence});
    ++in_flow_;
}

void PairBuilder::meet(BlockId block, std::uint32_t in, std::uint32_t exposure) {
    const Exposure& e = pairs_.exposures_[exposure];
    const Block& range = kernel_.flow().blocks[block];
    if (e.first == kNone) {
        const InstrId end = std::min<InstrId>(range.end(), range.first + kDistanceCap);
        for (InstrId id = range.first; id < end; ++id)
            add_use(block, in, {kNone, id, e.reg, DependenceKind::Order, false, 0, 0, 0});
        return;
    }
    if (range.unknown_successors)
        add_use(block, in, {e.first, kNone, e.reg, DependenceKind::Order, false, 0, 0, 0});
    const Head* head = summaries_[block].head(e.reg);
    if (head == nullptr) return;
    if (e.write)
        for (const Seen& r : head->reads)
            add_use(block, in, make(DependenceKind::Raw, e.first, e.operand, r.id, r.operand, e.reg));
    for (const Seen& w : head->writes)
        add_use(block, in,
                make(e.write ? DependenceKind::Waw : DependenceKind::War, e.first, e.operand, w.id, w.operand,
                     e.reg));
}

// Follows one exposure from the end of its block while distances matter. Nearest block first (Dijkstra 1959),
// so that a block is left with its shortest path even if a longer path has fewer hops.
void PairBuilder::explore(std::uint32_t exposure, const std::vector<BlockId>& start, BlockId origin,
                          bool own_out) {
    struct Step {
        BlockId block;
        int cycles;  // from the end of the exposure's block to the start of this block
        bool operator>(const Step& other) const { return cycles > other.cycles; }
    };
    std::priority_queue<Step, std::vector<Step>, std::greater<>> work;
    const auto leave = [&](BlockId from, std::int32_t in, int cycles,
                           const std::vector<BlockId>& successors) {
        BlockFlow& flow = pairs_.flows_[from];
        flow.out.push_back({exposure, in});
        const auto out = static_cast<std::uint32_t>(flow.out.size() - 1);
        for (const BlockId to : successors) {
            if (enter(to, exposure, cycles)) work.push({to, cycles});
            pairs_.flows_[from].targets.push_back({out, to, entered_[to].in});
            ++in_flow_;
        }
    };
    if (own_out) {
        leave(origin, -1, 0, start);
    } else {
        if (enter(origin, exposure, 0)) work.push({origin, 0});
    }
    while (!work.empty() && in_flow_ < kMostInFlow) {
        const Step step = work.top();
        work.pop();
        if (std::exchange(entered_[step.block].left, true)) continue;
        const std::uint32_t in = entered_[step.block].in;
        meet(step.block, in, exposure);
        const Exposure& e = pairs_.exposures_[exposure];
        const Head* head = e.first == kNone ? nullptr : summaries_[step.block].head(e.reg);
        const bool killed = head != nullptr && head->killed;
        const int cycles = step.cycles + summaries_[step.block].shortest;
        if (killed || cycles >= kDistanceCap) continue;
        leave(step.block, static_cast<std::int32_t>(in), cycles,
              kernel_.flow().blocks[step.block].successors);
    }
}

void PairBuilder::expose(BlockId block, const Exposure& exposure, std::uint32_t index) {
    const Block& range = kernel_.flow().blocks[block];
    if (exposure.first != kNone && range.unknown_successors) {
        BlockFlow& flow = pairs_.flows_[block];
        flow.uses.push_back(
            {kNone, {exposure.first, kNone, exposure.reg, DependenceKind::Order, false, 0, 0, 0}});
    }
    explore(index, range.successors, block, exposure.first != kNone);
}

void PairBuilder::expose_block(BlockId block) {
    const auto add = [&](const Exposure& e) {
        pairs_.exposures_.push_back(e);
        expose(block, e, static_cast<std::uint32_t>(pairs_.exposures_.size() - 1));
    };
    for (const Touched& touched : summaries_[block].registers) {
        const RegIndex reg = touched.reg;
        const RegState& state = touched.tail;
        if (reg_file(reg) == RegFile::BReg && !is_virtual(reg)) continue;
        // ptxas ignores these over an edge: CCTL.IVALL with 1 cycle at the end of a block, ATOMG after it.
        if (reg == kInvalidateReg && mode_ == CheckMode::Absolute) continue;
        const auto fixed = [&](const Seen& s) {
            const Instruction& i = kernel_.instruction(s.id);
            return !completes_by_scoreboard(kernel_.arch(), i) || keeps_distance_with_wait(i);
        };
        // A barrier or fence that signals a scoreboard also needs its cycles.
        for (const Seen& w : state.writers)
            if (is_virtual(reg) || fixed(w)) add({w.id, reg, w.operand, true});
        if (is_virtual(reg)) continue;
        for (const Seen& r : state.readers)
            if (fixed(r)) add({r.id, reg, r.operand, false});
    }
    if (block != 0 && kernel_.flow().blocks[block].unknown_predecessors) add({kNone, 0, 0, false});
}

// The pairs of one instruction, from `first` on.
void PairBuilder::settle_local(std::size_t first) {
    std::vector<RegDependence>& local = pairs_.local_;
    const auto begin = local.begin() + static_cast<std::ptrdiff_t>(first);
    std::stable_sort(begin, local.end(), [](const RegDependence& a, const RegDependence& b) {
        if (a.first != b.first) return a.first < b.first;
        if (a.by_scoreboard != b.by_scoreboard) return a.by_scoreboard;
        if ((a.table == 0) != (b.table == 0)) return a.table == 0;
        return a.by_scoreboard ? a.with_wait > b.with_wait : a.table > b.table;
    });
    // If two instructions share several registers, the longest distance represents the pair. Pairs without a
    // table entry stay separate, because they use the original's distance.
    const auto same = [](const RegDependence& a, const RegDependence& b) {
        return a.first == b.first && a.by_scoreboard == b.by_scoreboard && (a.table == 0) == (b.table == 0);
    };
    local.erase(std::unique(begin, local.end(), same), local.end());
}

void PairBuilder::build() {
    const std::size_t blocks = kernel_.flow().blocks.size();
    summaries_.resize(blocks);
    entered_.resize(blocks);
    pairs_.flows_.resize(blocks);
    pairs_.local_begin_.assign(kernel_.size() + 1, 0);
    scratch_.resize(kTrackedCount);
    in_use_.resize(kTrackedCount, false);
    for (BlockId b = 0; b < blocks; ++b)
        scan_block(b);
    for (BlockId b = 0; b < blocks && in_flow_ < kMostInFlow; ++b)
        expose_block(b);
    if (in_flow_ < kMostInFlow) return;
    pairs_.complete_ = false;
    pairs_.exposures_.clear();
    pairs_.flows_.assign(blocks, {});
}

}  // namespace cubinlab
