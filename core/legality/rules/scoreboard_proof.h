// SPDX-License-Identifier: GPL-3.0-or-later
// Proves that variable-latency results are complete (or operands read) before a dependent instruction.
//
// A *producer bit* is "this instruction's write" or "its reads". The state at a point is the set of bits that
// may be pending on some path, and for each scoreboard the bits that a wait on it completes on every path.
// When P sets scoreboard s, s covers P and all pending older members of P's in-order group. A wait on s
// clears the bits that s covers. An instruction is legal if no conflicting bit is pending after its waits.
// Internal to core/legality.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "core/legality/rules/counted_waits.h"
#include "core/legality/rules/memory_order.h"
#include "core/legality/rules/scoreboard_rows.h"

namespace cubinlab {

struct ScoreboardConflict {
    InstrId producer = kNone;  // kNone: unknown code before the block
    InstrId consumer = kNone;
    bool write = false;  // the producer's write (else its reads)
    int unknown_scoreboard = -1;
    bool left = false;            // pending at the end of a block before unknown code
    int left_to_scoreboard = -1;  // the scoreboard that the original uses for it there; -1: none
};

class ScoreboardProof {
  public:
    // Absolute mode treats guarded instructions as ptxas does: a barrier also covers older members of its
    // group under another guard, and opposite guards select disjoint lanes. `in_cycle`: by block, whether it
    // can reach itself.
    ScoreboardProof(const Schedule& original, const DependencePairs& pairs, const MemoryOrder& order,
                    const std::vector<bool>& in_cycle, CheckMode mode,
                    std::size_t stored_whole = ScoreboardRows::kStoredWhole);

    // A proof with the rules of absolute mode for only the pairs that `strict` excused; takes them from it.
    ScoreboardProof(const Schedule& original, ScoreboardProof& strict);

    // The effect of a block on an entry state.
    struct BlockRun {
        BlockId block = 0;
        ScoreboardState before, after;
    };
    // States at block entries, by fixpoint iteration; empty if they have more than `most_words` words. `runs` gets
    // the block runs in order (the last of a block begins with its entry state), or nothing if they are too many.
    std::vector<ScoreboardState> entry_states(const Schedule& schedule, std::size_t most_words = SIZE_MAX,
                                              std::vector<BlockRun>* runs = nullptr) const;
    // False if the entry states would take too much memory.
    bool complete() const { return complete_; }
    // Executes one instruction; returns true if it conflicts with a pending bit. `found` gets the conflicts.
    bool step(ScoreboardState& state, InstrId id, const ControlCode& control,
              std::vector<ScoreboardConflict>* found = nullptr) const;
    // As step(), without checking conflicts.
    void advance(ScoreboardState& state, InstrId id, const ControlCode& control) const;
    // Checks the end of a block before unknown code (after RET: the caller). That code waits for pending
    // results by the scoreboards that track them in the original; they must track them here too. Absolute
    // mode requires some scoreboard. Returns true if a result is not tracked.
    bool leaves(ScoreboardSpan state, BlockId block, std::vector<ScoreboardConflict>* found = nullptr) const;
    // True if the instruction may have a barrier: the proof models it.
    bool may_set(InstrId id) const { return producers_.is_producer(id); }
    // Drops conflicts of the original: they are limits of the proof, not of a reordering. Returns the number of
    // pairs; both instructions are pinned in `held`, by InstrId.
    std::size_t excuse_original(const Schedule& original, std::vector<bool>& held);
    // True if `id` conflicts with `pending`, whatever it waits for.
    bool touches(InstrId id, ScoreboardSpan pending) const { return rows_.touches(id, pending); }
    // Instructions on which counted waits depend: if their order or barriers change, the proof does not hold.
    const std::vector<InstrId>& counted_parts() const { return counted_.parts; }
    std::size_t conflicts_count() const { return rows_.register_pairs(); }

  private:
    std::vector<ScoreboardRows::Stored> handed_over(ScoreboardProof& other) const;
    void make_strict_rows(const Schedule& original, const MemoryOrder& order,
                          const std::vector<bool>& in_cycle);
    void strict_block(BlockId number, ScoreboardState state, const MemoryOrder& order, bool in_cycle);
    bool any_unknown(ScoreboardSpan state) const;
    static void wait(ScoreboardState& state, unsigned scoreboards);
    void wait_for(ScoreboardState& state, InstrId id, const ControlCode& control) const;
    bool meets(ScoreboardSpan state, InstrId id, std::vector<ScoreboardConflict>* found) const;
    void issue(ScoreboardState& state, InstrId id, const ControlCode& control) const;
    void forget_guards(ScoreboardState& state, const std::array<std::uint8_t, 2>& written) const;
    std::size_t excuse(ScoreboardSpan state, InstrId id, std::vector<bool>& held);
    void collect(const ScoreboardWord& word, std::uint64_t row, InstrId id,
                 std::vector<ScoreboardConflict>& found) const;
    void set_barrier(ScoreboardState& state, InstrId id, int scoreboard, bool write) const;

    const Kernel& kernel_;
    bool trusts_guards_ = false;
    ScoreboardProducers producers_;
    CountedWaits counted_;
    bool complete_ = true;
    ScoreboardRows rows_;
    std::map<BlockId, ScoreboardState> left_;      // by block before unknown code: the state of the original
    std::vector<ScoreboardRows::Stored> excused_;  // from excuse_original() to the proof of these pairs
    std::vector<ScoreboardState> original_entries_;  // from the constructor to excuse_original()
};

}  // namespace cubinlab
