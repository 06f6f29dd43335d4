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
#include <map>
#include <vector>

#include "core/analysis/counted_waits.h"
#include "core/analysis/memory_order.h"
#include "core/analysis/scoreboard_rows.h"

namespace cubinlab {

struct ScoreboardConflict {
    InstrId producer = kNone;  // kNone: unknown code before the block
    InstrId consumer = kNone;
    bool write = false;  // the producer's write (else its reads)
    int unknown_scoreboard = -1;
    bool left = false;            // it is pending where the block ends and what follows is not known
    int left_to_scoreboard = -1;  // that the original's code behind waits for it by; -1: none stands for it
};

class ScoreboardProof {
  public:
    // Absolute mode trusts guarded instructions as ptxas does: a barrier also speaks for older members of its
    // group under another guard, and instructions under opposite guards touch different lanes.
    // `in_cycle`: by block, whether it can reach itself.
    ScoreboardProof(const Schedule& original, const DependencePairs& pairs, const MemoryOrder& order,
                    const std::vector<bool>& in_cycle, CheckMode mode,
                    std::size_t stored_whole = ScoreboardRows::kStoredWhole);

    // As absolute mode proves, and nothing but the pairs that `strict` excused the original, which it hands over.
    ScoreboardProof(const Schedule& original, ScoreboardProof& strict);

    // What a block makes of a state that comes to it.
    struct BlockRun {
        BlockId block = 0;
        ScoreboardState before, after;
    };
    // States at block entries, to a fixpoint. Empty where they have more than `most_words` together. `runs`, if given,
    // gets what they rest on, in order (of each block the last one begins with its entry), or nothing where that is too much.
    std::vector<ScoreboardState> entry_states(const Schedule& schedule, std::size_t most_words = SIZE_MAX,
                                              std::vector<BlockRun>* runs = nullptr) const;
    // False where so much is pending at so many block entries that the states take too much memory.
    bool complete() const { return complete_; }
    // Executes one instruction; true if it meets a pending bit. `found`, if given, gets the conflicts.
    bool step(ScoreboardState& state, InstrId id, const ControlCode& control,
              std::vector<ScoreboardConflict>* found = nullptr) const;
    // The same without asking what it meets.
    void advance(ScoreboardState& state, InstrId id, const ControlCode& control) const;
    // At the end of a block, what leaves it for code that is not known (RET: the place of the call). That waits for what is
    // still pending by the scoreboards that stand for it in the original, which have to stand for it here. Absolute mode
    // asks that some scoreboard does. True if something is lost.
    bool leaves(ScoreboardSpan state, BlockId block, std::vector<ScoreboardConflict>* found = nullptr) const;
    // An instruction may carry a barrier only if the proof knows what it would stand for.
    bool may_set(InstrId id) const { return producers_.is_producer(id); }
    // Drops conflicts that the original itself has: they say something about the proof, not about a
    // reordering. Returns how many pairs; their two ends have to stay where they are: `held`, by InstrId.
    std::size_t excuse_original(const Schedule& original, std::vector<bool>& held);
    // Something of `pending` is forbidden to `id`, whatever it waits for itself.
    bool touches(InstrId id, ScoreboardSpan pending) const { return rows_.touches(id, pending); }
    // What counted waits rest on: where these move or change barriers the proof no longer holds.
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
    std::map<BlockId, ScoreboardState>
        left_;  // by block whose end leads to unknown code: the original's state there
    std::vector<ScoreboardRows::Stored> excused_;    // from excuse_original() to the proof of these
    std::vector<ScoreboardState> original_entries_;  // from the constructor to excuse_original()
};

}  // namespace cubinlab
