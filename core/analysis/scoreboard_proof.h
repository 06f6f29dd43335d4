// SPDX-License-Identifier: GPL-3.0-or-later
// Proof that a variable-latency result is complete (or its operands read) before something depends on it.
//
// A *producer bit* stands for "this instruction's write" or "its reads". The state at a point is the set of
// bits that may still be pending on some path, and for each scoreboard the set of bits whose completion a
// wait on it implies on every path. Setting scoreboard s by P lets s cover P and, because such groups return
// in order, all pending members of P's in-order group. A wait on s clears what s covers. An instruction is in
// order when no bit it conflicts with is pending after its own wait. Internal to core/analysis.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/dependence_pairs.h"
#include "core/analysis/memory_order.h"

namespace cubinlab {

inline constexpr int kScoreboards = 6;

// Bit rows of one length, back to back: row 0 is what is pending, rows 1..6 what each scoreboard covers, row
// 7 the guarded producers whose guard predicate has not been written since.
inline constexpr std::size_t kGuardRow = kScoreboards + 1;
inline constexpr std::size_t kStateRows = kScoreboards + 2;
using ScoreboardState = std::vector<std::uint64_t>;

struct ScoreboardConflict {
    InstrId producer = kNone;  // kNone: unknown code before the block
    InstrId consumer = kNone;
    bool write = false;  // the producer's write (else its reads)
    int unknown_scoreboard = -1;
};

class ScoreboardProof {
  public:
    // Absolute mode trusts guarded instructions as ptxas does: a barrier also speaks for older members of its
    // group under another guard, and instructions under opposite guards touch different lanes.
    ScoreboardProof(const Schedule& original, const DependencePairs& pairs, const MemoryOrder& order,
                    CheckMode mode);

    std::size_t words() const { return words_; }
    std::size_t state_words() const { return words_ * kStateRows; }

    // States at block entries, to a fixpoint.
    std::vector<ScoreboardState> entry_states(const Schedule& schedule) const;
    // Executes one instruction; true if it meets a pending bit. `found`, if given, gets the conflicts.
    bool step(std::uint64_t* state, InstrId id, const ControlCode& control,
              std::vector<ScoreboardConflict>* found = nullptr) const;
    // True where nothing that `state` allows is forbidden by `base`: fewer pending, at least as much covered.
    bool at_most(const std::uint64_t* state, const std::uint64_t* base) const;
    // into := both paths; true if it changed.
    bool merge(std::uint64_t* into, const std::uint64_t* from) const;
    // An instruction may carry a barrier only if the proof knows what it would stand for.
    bool may_set(InstrId id) const { return write_bit_[id] >= 0; }
    // Drops conflicts that the original itself has: they say something about the proof, not about a
    // reordering. Returns them: their two ends have to stay where they are.
    std::vector<ScoreboardConflict> excuse_original(const Schedule& original);
    // Bits of `state` that conflict with `id`, as a row.
    const std::uint64_t* row(InstrId id) const {
        return rows_of_[id] < 0 ? nullptr : rows_.data() + static_cast<std::size_t>(rows_of_[id]) * words_;
    }
    ScoreboardState empty_state() const { return ScoreboardState(state_words(), 0); }
    std::size_t conflicts_count() const { return conflict_pairs_; }

  private:
    void number_bits();
    void make_groups();
    void make_rows(const DependencePairs& pairs);
    void make_strict_rows(const Schedule& original, const MemoryOrder& order);
    void strict_block(const Block& block, ScoreboardState state, const MemoryOrder& order);
    void find_fence_bits(const MemoryOrder& order);
    bool any_unknown(const std::uint64_t* pending) const;
    void wait(std::uint64_t* state, int scoreboard) const;
    void forget_guards(std::uint64_t* state, const std::array<std::uint8_t, 2>& written) const;
    bool same_queue(InstrId first, InstrId second) const;
    std::uint64_t* make_row(InstrId id);
    void collect(const std::uint64_t* pending, InstrId id, std::vector<ScoreboardConflict>& found) const;
    void set_barrier(std::uint64_t* state, InstrId id, int scoreboard, bool write) const;

    const Kernel& kernel_;
    bool trusts_guards_ = false;
    std::size_t words_ = 0;
    std::vector<std::int32_t> write_bit_;  // by InstrId; reads are the next bit; -1: no producer
    std::vector<InstrId> producer_of_;     // by bit / 2
    std::size_t unknown_base_ = 0;         // six bits for unknown code
    std::vector<std::int8_t> group_of_;    // by InstrId, -1: none
    std::vector<std::int8_t> read_group_of_;
    std::vector<std::vector<std::uint64_t>> guarded_by_;  // by file, predicate and polarity: their bits
    std::vector<std::int8_t> guard_of_;                   // by InstrId: index into guarded_by_, -1: no guard
    std::vector<std::uint8_t> named_waits_;               // by InstrId: scoreboards that DEPBAR names
    std::vector<std::array<std::uint8_t, 2>> preds_written_;  // by InstrId: predicates, uniform predicates
    std::vector<std::size_t> undecoded_;                      // bits of producers that are not decoded
    std::vector<std::uint64_t> async_copies_;                 // both bits of every LDGSTS
    std::vector<std::uint64_t> memory_bits_;                  // write bits of memory accesses
    // Empty where there are none: both bits of fences and the write bits of strong accesses; those of MEMBAR.
    std::vector<std::uint64_t> fence_bits_;
    std::vector<std::uint64_t> membar_bits_;
    std::vector<std::vector<std::uint64_t>> group_writes_;  // by group: write bits, read bits
    std::vector<std::vector<std::uint64_t>> group_reads_;
    std::vector<std::int32_t> rows_of_;  // by InstrId
    std::vector<std::uint64_t> rows_;
    std::size_t conflict_pairs_ = 0;
};

}  // namespace cubinlab
