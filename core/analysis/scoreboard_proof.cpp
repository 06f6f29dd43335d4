// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/scoreboard_proof.h"

#include <algorithm>
#include <bit>
#include <deque>

#include "core/analysis/latency.h"
#include "core/analysis/latency_classes.h"

namespace cubinlab {

namespace {

void set(std::uint64_t* row, std::size_t bit) {
    row[bit / 64] |= 1ull << (bit % 64);
}

// In-order groups: results of one group land in order. Members are taken from the decoder's traits.
enum Group : int { kMio, kXu, kFp64, kS2ur, kTex, kMovm, kRedux, kLsu, kTensor, kGroups };

int group_index(const Instruction& i) {
    if (latency::is_named(i, "LDL"))
        return -1;  // may miss the cache: ptxas never leaves one without a barrier
    if (i.has(Trait::InOrderMio)) return kMio;
    if (i.has(Trait::InOrderXu)) return kXu;
    if (i.has(Trait::InOrderFp64)) return kFp64;
    if (i.has(Trait::InOrderS2ur)) return kS2ur;
    if (latency::is_named(i, "MOVM")) return kMovm;  // ptxas: a pair of them under one barrier
    if (i.unit == Unit::Redux) return kRedux;        // ptxas: five of them under the last one's barrier
    return i.has(Trait::InOrderTex) ? kTex : -1;
}

// Operands are read in the order of the queue, whatever the order of the results: a store without a barrier
// is covered by a later one of its queue. Before sm_90 ptxas trusts that for global stores only: every global
// load has a barrier for its address, and whatever overwrites the address waits.
int read_group_index(const Arch& arch, const Instruction& i) {
    if (i.unit == Unit::Mio) return kMio;
    for (const char* name :
         {"SYNCS", "STAS", "REDAS"})  // shared memory's queue: ptxas covers one by a later one
        if (latency::is_named(i, name)) return kMio;
    if (i.unit == Unit::Lsu) return arch.sm < 90 && !i.memory.writes ? -1 : kLsu;
    if (latency::is_mma(i)) return kTensor;  // sm_75, where they carry barriers
    return group_index(i);
}

bool touches_memory(const Instruction& i) {
    return i.memory.also_writes_shared ||
           (i.memory.space != MemorySpace::None && i.memory.space != MemorySpace::Constant);
}

// Index into guarded_by_; the negated form follows the plain one.
std::size_t guard_index(std::size_t file, unsigned predicate, bool negated) {
    return (file * 8 + predicate) * 2 + (negated ? 1 : 0);
}

// The predicate of ATOM says that the address is not one for this instruction, which is known when the
// operands are read. ptxas waits for the read barrier only.
bool answers_when_read(const Instruction& i, RegIndex reg) {
    return reg_file(reg) == RegFile::Pred && latency::is_named(i, "ATOM");
}

}  // namespace

ScoreboardProof::ScoreboardProof(const Schedule& original, const DependencePairs& pairs,
                                 const MemoryOrder& order, CheckMode mode)
    : kernel_(*original.kernel()), trusts_guards_(mode == CheckMode::Absolute) {
    number_bits();
    make_groups();
    make_rows(pairs);
    make_strict_rows(original, order);
}

void ScoreboardProof::number_bits() {
    write_bit_.assign(kernel_.size(), -1);
    for (InstrId id = 0; id < kernel_.size(); ++id) {
        const Instruction& i = kernel_.instruction(id);
        const ControlCode control = i.control();
        const bool barrier = control.write_barrier != kNoBarrier || control.read_barrier != kNoBarrier;
        if (!barrier && !completes_by_scoreboard(kernel_.arch(), i)) continue;
        write_bit_[id] = static_cast<std::int32_t>(producer_of_.size() * 2);
        producer_of_.push_back(id);
    }
    unknown_base_ = producer_of_.size() * 2;
    words_ = (unknown_base_ + kScoreboards + 63) / 64;
}

void ScoreboardProof::make_groups() {
    group_of_.assign(kernel_.size(), -1);
    read_group_of_ = group_of_;
    group_writes_.assign(kGroups, std::vector<std::uint64_t>(words_, 0));
    group_reads_ = group_writes_;
    guarded_by_.assign(2 * 8 * 2, std::vector<std::uint64_t>(words_, 0));
    guard_of_.assign(kernel_.size(), -1);
    preds_written_.assign(kernel_.size(), {0, 0});
    named_waits_.assign(kernel_.size(), 0);
    for (InstrId id = 0; id < kernel_.size(); ++id) {
        const Instruction& i = kernel_.instruction(id);
        named_waits_[id] = latency::waits_by_name(i);
        if (i.guarded())
            guard_of_[id] =
                static_cast<std::int8_t>(guard_index(i.uniform_guard ? 1 : 0, i.guard & 7u, i.guard_negated));
        for (const RegAccess& a : accesses_of(i)) {
            if (!a.write || (reg_file(a.reg) != RegFile::Pred && reg_file(a.reg) != RegFile::UPred)) continue;
            std::uint8_t& mask = preds_written_[id][reg_file(a.reg) == RegFile::UPred ? 1 : 0];
            mask = static_cast<std::uint8_t>(mask | 1u << reg_number(a.reg));
        }
    }
    async_copies_.assign(words_, 0);
    memory_bits_.assign(words_, 0);
    for (const InstrId id : producer_of_) {
        const Instruction& i = kernel_.instruction(id);
        const auto bit = static_cast<std::size_t>(write_bit_[id]);
        const int group = group_index(i);
        const int reads = read_group_index(kernel_.arch(), i);
        if (guard_of_[id] >= 0)
            for (const std::size_t b : {bit, bit + 1})
                set(guarded_by_[static_cast<std::size_t>(guard_of_[id])].data(), b);
        group_of_[id] = static_cast<std::int8_t>(group);
        read_group_of_[id] = static_cast<std::int8_t>(reads);
        if (group >= 0) set(group_writes_[static_cast<std::size_t>(group)].data(), bit);
        if (reads >= 0) set(group_reads_[static_cast<std::size_t>(reads)].data(), bit + 1);
        if (latency::is_named(i, "LDGSTS"))
            for (const std::size_t b : {bit, bit + 1})
                set(async_copies_.data(), b);
        if (touches_memory(i)) set(memory_bits_.data(), bit);
    }
}

std::uint64_t* ScoreboardProof::make_row(InstrId id) {
    if (rows_of_[id] < 0) {
        rows_of_[id] = static_cast<std::int32_t>(rows_.size() / words_);
        rows_.resize(rows_.size() + words_, 0);
    }
    return rows_.data() + static_cast<std::size_t>(rows_of_[id]) * words_;
}

// Both in one in-order queue: the first has read its operands before the second can write. So has a global
// access before shared memory's queue writes; not so the other way round (ptxas gives STS and STL a read
// barrier before every LDG that overwrites what they store, and STG none before an LDS).
bool ScoreboardProof::same_queue(InstrId first, InstrId second) const {
    const int b = read_group_index(kernel_.arch(), kernel_.instruction(second));
    const int a = read_group_of_[first];
    return a >= 0 && (a == b || (a == kLsu && b == kMio));
}

void ScoreboardProof::make_rows(const DependencePairs& pairs) {
    rows_of_.assign(kernel_.size(), -1);
    std::vector<std::vector<InstrId>> writers(kRegCount);
    std::vector<std::vector<InstrId>> readers(kRegCount);
    for (const InstrId id : producer_of_) {
        if (!completes_by_scoreboard(kernel_.arch(), kernel_.instruction(id))) continue;
        for (const RegAccess& a : accesses_of(kernel_.instruction(id))) {
            if (reg_file(a.reg) == RegFile::BReg) continue;
            if (a.write) writers[a.reg].push_back(id);
            if (a.read && read_after_issue(kernel_.instruction(id), reg_file(a.reg)))
                readers[a.reg].push_back(id);
        }
    }
    for (InstrId id = 0; id < kernel_.size(); ++id) {
        const int group = group_index(kernel_.instruction(id));
        for (const RegAccess& a : accesses_of(kernel_.instruction(id))) {
            if (reg_file(a.reg) == RegFile::BReg) continue;
            for (const InstrId p : writers[a.reg]) {
                // Two results of one in-order group land in order.
                const bool in_order = !a.read && group >= 0 && group_of_[p] == group;
                const std::size_t answer = answers_when_read(kernel_.instruction(p), a.reg) ? 1 : 0;
                if (!in_order) set(make_row(id), static_cast<std::size_t>(write_bit_[p]) + answer);
            }
            if (!a.write) continue;
            for (const InstrId p : readers[a.reg])
                if (p != id && !same_queue(p, id))
                    set(make_row(id), static_cast<std::size_t>(write_bit_[p]) + 1);
        }
    }
    const auto add_pair = [&](const RegDependence& d) {
        if (!d.by_scoreboard || write_bit_[d.first] < 0 ||
            completes_by_scoreboard(kernel_.arch(), kernel_.instruction(d.first)))
            return;
        set(make_row(d.second),
            static_cast<std::size_t>(write_bit_[d.first]) + (d.kind == DependenceKind::War ? 1 : 0));
    };
    for (const RegDependence& d : pairs.local())
        add_pair(d);
    for (BlockId b = 0; b < kernel_.flow().blocks.size(); ++b)
        for (const CrossUse& use : pairs.flow(b).uses)
            if (use.dependence.second != kNone && use.dependence.first != kNone) add_pair(use.dependence);
    for (const std::uint64_t word : rows_)
        conflict_pairs_ += static_cast<std::size_t>(std::popcount(word));
}

bool ScoreboardProof::any_unknown(const std::uint64_t* pending) const {
    for (std::size_t s = 0; s < kScoreboards; ++s) {
        const std::size_t bit = unknown_base_ + s;
        if (pending[bit / 64] >> (bit % 64) & 1) return true;
    }
    return false;
}

// What the original waits for at a fence, a barrier or the end of a block may serve memory, other threads or
// unknown code: those completions are kept whatever the registers say. So are the memory accesses that were
// complete at a fence, by whichever wait.
void ScoreboardProof::make_strict_rows(const Schedule& original, const MemoryOrder& order) {
    const std::vector<ScoreboardState> entries = entry_states(original);
    find_fence_bits(order);
    for (const InstrId id : producer_of_)
        if (kernel_.instruction(id).has(Trait::UnknownOpcode))
            for (const std::size_t half : {0u, 1u})
                undecoded_.push_back(static_cast<std::size_t>(write_bit_[id]) + half);
    for (BlockId b = 0; b < kernel_.flow().blocks.size(); ++b)
        strict_block(kernel_.flow().blocks[b], entries[b], order);
}

// What was complete when the original accessed memory has to be complete then: a fence that tells by a
// barrier when it is done, a load that acquires, an atomic. ptxas waits for MEMBAR's barrier in front of
// every access that follows (52 of 52 in one block), so code that stands alone has to as well.
void ScoreboardProof::find_fence_bits(const MemoryOrder& order) {
    for (const InstrId id : producer_of_) {
        const Instruction& i = kernel_.instruction(id);
        if (!order.fence_like(id)) continue;
        fence_bits_.resize(words_, 0);
        membar_bits_.resize(words_, 0);
        const auto bit = static_cast<std::size_t>(write_bit_[id]);
        set(fence_bits_.data(), bit);
        if (!touches_memory(i)) set(fence_bits_.data(), bit + 1);
        if (!latency::is_named(i, "MEMBAR")) continue;
        const ControlCode control = i.control();
        if (control.write_barrier != kNoBarrier) set(membar_bits_.data(), bit);
        if (control.read_barrier != kNoBarrier) set(membar_bits_.data(), bit + 1);
    }
}

void ScoreboardProof::strict_block(const Block& block, ScoreboardState state, const MemoryOrder& order) {
    const bool after_unknown = any_unknown(state.data());
    for (InstrId id = block.first; id < block.end(); ++id) {
        const Instruction& i = kernel_.instruction(id);
        // What is not decoded may read and write anything.
        const bool unknown_end =
            (id + 1 == block.end() && block.unknown_successors) || i.has(Trait::UnknownOpcode);
        const bool fence = order.fence_like(id) || i.has(Trait::Terminator);
        const bool ordered = !fence_bits_.empty() && (order.fence_like(id) || order.accesses_memory(id));
        if (fence || ordered || unknown_end || after_unknown || !undecoded_.empty()) {
            ScoreboardState after = state;
            for (int s = 0; s < kScoreboards; ++s)
                if (i.control().wait_mask >> s & 1) wait(after.data(), s);
            std::uint64_t* bits = make_row(id);
            for (std::size_t w = 0; w < words_; ++w) {
                if (unknown_end)
                    bits[w] |= ~after[w];
                else if (fence)
                    bits[w] |= (state[w] & ~after[w]) | (memory_bits_[w] & ~after[w]);
            }
            for (std::size_t w = 0; ordered && w < words_; ++w)
                bits[w] |= (fence_bits_[w] & ~after[w]) | (trusts_guards_ ? membar_bits_[w] : 0);
            for (const std::size_t bit : undecoded_)
                if ((after[bit / 64] >> (bit % 64) & 1) == 0) set(bits, bit);
            for (std::size_t bit = unknown_base_; after_unknown && bit < unknown_base_ + kScoreboards; ++bit)
                if ((after[bit / 64] >> (bit % 64) & 1) == 0) set(bits, bit);
        }
        step(state.data(), id, i.control());
    }
}

void ScoreboardProof::wait(std::uint64_t* state, int scoreboard) const {
    const std::uint64_t* covers = state + words_ * static_cast<std::size_t>(scoreboard + 1);
    for (std::size_t w = 0; w < words_; ++w)
        state[w] &= ~covers[w];
}

void ScoreboardProof::set_barrier(std::uint64_t* state, InstrId id, int scoreboard, bool write) const {
    std::uint64_t* covers = state + words_ * static_cast<std::size_t>(scoreboard + 1);
    const auto bit = static_cast<std::size_t>(write_bit_[id]);
    const Instruction& i = kernel_.instruction(id);
    if (write) set(covers, bit);
    set(covers, bit + 1);  // a result that is written implies that the operands were read
    // A barrier of an instruction that may not execute speaks only for those that execute when it does.
    const std::uint64_t* fresh = state + words_ * kGuardRow;
    const std::uint64_t* twins = guard_of_[id] < 0 || trusts_guards_
                                     ? nullptr
                                     : guarded_by_[static_cast<std::size_t>(guard_of_[id])].data();
    const auto cover = [&](const std::vector<std::uint64_t>& members) {
        for (std::size_t w = 0; w < words_; ++w)
            covers[w] |= state[w] & members[w] & (twins ? twins[w] & fresh[w] : ~0ull);
    };
    if (write && group_of_[id] >= 0) cover(group_writes_[static_cast<std::size_t>(group_of_[id])]);
    if (read_group_of_[id] >= 0) cover(group_reads_[static_cast<std::size_t>(read_group_of_[id])]);
    // When shared memory's queue writes, older global accesses have read: see same_queue.
    if (write && read_group_of_[id] == kMio) cover(group_reads_[kLsu]);
    if (write && latency::is_named(i, "LDGDEPBAR")) cover(async_copies_);
}

bool ScoreboardProof::step(std::uint64_t* state, InstrId id, const ControlCode& control,
                           std::vector<ScoreboardConflict>* found) const {
    if (control.wait_mask != 0)
        for (int s = 0; s < kScoreboards; ++s)
            if (control.wait_mask >> s & 1) wait(state, s);
    const Instruction& i = kernel_.instruction(id);
    for (unsigned named = named_waits_[id]; named != 0; named &= named - 1)
        wait(state, std::countr_zero(named));
    // sm_75: a barrier takes the queue of shared-memory operations and leaves it after them.
    if (i.unit == Unit::Barrier && kernel_.arch().sm < 80)
        for (std::size_t w = 0; w < words_; ++w)
            state[w] &= ~(group_reads_[kMio][w] | (trusts_guards_ ? group_reads_[kLsu][w] : 0));
    bool bad = false;
    if (const std::uint64_t* conflicts = row(id)) {
        // Under the opposite guard: other lanes, as long as the predicate is what it was.
        const std::uint64_t* other = trusts_guards_ && guard_of_[id] >= 0
                                         ? guarded_by_[static_cast<std::size_t>(guard_of_[id]) ^ 1].data()
                                         : nullptr;
        const std::uint64_t* fresh = state + kGuardRow * words_;
        std::uint64_t hit = 0;
        for (std::size_t w = 0; w < words_; ++w)
            hit |= state[w] & conflicts[w] & (other ? ~(other[w] & fresh[w]) : ~0ull);
        bad = hit != 0;
        if (bad && found) collect(state, id, *found);
    }
    const std::array<std::uint8_t, 2>& written = preds_written_[id];
    if (write_bit_[id] < 0) {
        forget_guards(state, written);
        return bad;
    }
    const auto bit = static_cast<std::size_t>(write_bit_[id]);
    for (std::size_t r = 0; r < kStateRows; ++r)  // a new instance: no older barrier speaks for it
        state[r * words_ + bit / 64] &= ~(3ull << (bit % 64));
    state[bit / 64] |= 3ull << (bit % 64);
    state[kGuardRow * words_ + bit / 64] |= 3ull << (bit % 64);
    if (control.read_barrier < kScoreboards) set_barrier(state, id, control.read_barrier, false);
    if (control.write_barrier < kScoreboards) set_barrier(state, id, control.write_barrier, true);
    forget_guards(state, written);
    return bad;
}

void ScoreboardProof::forget_guards(std::uint64_t* state, const std::array<std::uint8_t, 2>& written) const {
    if ((written[0] | written[1]) == 0) return;
    std::uint64_t* fresh = state + words_ * kGuardRow;
    for (std::size_t file = 0; file < 2; ++file)
        for (unsigned left = written[file]; left != 0; left &= left - 1) {
            const auto first = guard_index(file, static_cast<unsigned>(std::countr_zero(left)), false);
            for (std::size_t w = 0; w < words_; ++w)
                fresh[w] &= ~(guarded_by_[first][w] | guarded_by_[first + 1][w]);
        }
}

std::vector<ScoreboardConflict> ScoreboardProof::excuse_original(const Schedule& original) {
    const std::vector<ScoreboardState> entries = entry_states(original);
    std::vector<ScoreboardConflict> found;
    for (BlockId b = 0; b < entries.size(); ++b) {
        ScoreboardState state = entries[b];
        const Block& block = kernel_.flow().blocks[b];
        for (InstrId id = block.first; id < block.end(); ++id)
            step(state.data(), id, original.control(id), &found);
    }
    for (const ScoreboardConflict& c : found) {
        const std::size_t bit = c.producer == kNone
                                    ? unknown_base_ + static_cast<std::size_t>(c.unknown_scoreboard)
                                    : static_cast<std::size_t>(write_bit_[c.producer]) + (c.write ? 0 : 1);
        std::uint64_t* bits = make_row(c.consumer);
        bits[bit / 64] &= ~(1ull << (bit % 64));
    }
    return found;
}

void ScoreboardProof::collect(const std::uint64_t* pending, InstrId id,
                              std::vector<ScoreboardConflict>& found) const {
    const std::uint64_t* conflicts = row(id);
    for (std::size_t w = 0; w < words_; ++w) {
        for (std::uint64_t hit = pending[w] & conflicts[w]; hit != 0; hit &= hit - 1) {
            const std::size_t bit = w * 64 + static_cast<std::size_t>(std::countr_zero(hit));
            if (bit < unknown_base_)
                found.push_back({producer_of_[bit / 2], id, bit % 2 == 0, -1});
            else if (bit < unknown_base_ + kScoreboards)
                found.push_back({kNone, id, true, static_cast<int>(bit - unknown_base_)});
        }
    }
}

bool ScoreboardProof::at_most(const std::uint64_t* state, const std::uint64_t* base) const {
    std::uint64_t worse = 0;
    for (std::size_t w = 0; w < words_; ++w) {
        worse |= state[w] & ~base[w];
        for (std::size_t s = 1; s < kStateRows; ++s) {
            const std::size_t at = s * words_ + w;
            worse |= state[w] & base[at] & ~state[at];  // base covers it, this state does not
        }
    }
    return worse == 0;
}

bool ScoreboardProof::merge(std::uint64_t* into, const std::uint64_t* from) const {
    std::uint64_t changed = 0;
    for (std::size_t w = 0; w < words_; ++w) {
        const std::uint64_t a = into[w];
        const std::uint64_t b = from[w];
        for (std::size_t s = 1; s < kStateRows; ++s) {
            const std::size_t at = s * words_ + w;
            const std::uint64_t covered = ((into[at] | ~a) & (from[at] | ~b)) & (a | b);
            changed |= covered ^ into[at];
            into[at] = covered;
        }
        changed |= b & ~a;
        into[w] = a | b;
    }
    return changed != 0;
}

std::vector<ScoreboardState> ScoreboardProof::entry_states(const Schedule& schedule) const {
    const std::vector<Block>& blocks = kernel_.flow().blocks;
    std::vector<ScoreboardState> entries(blocks.size(), empty_state());
    std::deque<BlockId> work;
    std::vector<bool> queued(blocks.size(), true);
    for (BlockId b = 0; b < blocks.size(); ++b) {
        work.push_back(b);
        if (b == 0 || !blocks[b].unknown_predecessors) continue;
        for (std::size_t s = 0; s < kScoreboards; ++s) {
            set(entries[b].data(), unknown_base_ + s);
            set(entries[b].data() + words_ * (s + 1), unknown_base_ + s);
        }
    }
    ScoreboardState state;
    while (!work.empty()) {
        const BlockId b = work.front();
        work.pop_front();
        queued[b] = false;
        state = entries[b];
        for (Position p = blocks[b].first; p < blocks[b].end(); ++p)
            step(state.data(), schedule.at(p), schedule.control(schedule.at(p)));
        for (const BlockId to : blocks[b].successors) {
            if (!merge(entries[to].data(), state.data()) || queued[to]) continue;
            queued[to] = true;
            work.push_back(to);
        }
    }
    return entries;
}

}  // namespace cubinlab
