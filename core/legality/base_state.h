// SPDX-License-Identifier: GPL-3.0-or-later
// Analysis results of the schedule to which a single-block check applies a mutation. Each thread caches the
// last few schedules and compares contents, so callers do not report changes. Internal.
//
// Most schedules differ from a cached one in one block. Block entry states are a fixpoint over block runs. If
// the changed block maps every entry state to the same exit state as before, all block entries are unchanged.
// Then only this block is recomputed, from the first changed instruction until the states match.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "core/legality/checker_impl.h"

namespace cubinlab {

class BaseState {
  public:
    static constexpr Position kStride = 8;  // instructions between two saved scoreboard states

    // The state of `schedule`, cached or computed.
    static const BaseState& of(const HazardChecker::Impl& impl, const Schedule& schedule);
    // Computes the state from scratch, or from a state of the same checker. `derived` returns nothing if the
    // schedules differ in several blocks or the entries may differ.
    static BaseState built(const HazardChecker::Impl& impl, const Schedule& schedule);
    static std::optional<BaseState> derived(const HazardChecker::Impl& impl, const Schedule& schedule,
                                            const BaseState& from);

    const ScheduleTiming& timing() const { return timing_; }
    // `proof`: index of one of the checker's proofs.
    const ScoreboardState& entry(BlockId block, std::size_t proof = 0) const {
        return open_[proof].fixpoint->entries[block];
    }
    // Scoreboard state before the instruction at block.first + kStride * index.
    ScoreboardSpan checkpoint(BlockId block, Position index, std::size_t proof = 0) const {
        return saved(block, proof).at(index);
    }
    ScoreboardSpan exit_state(BlockId block, std::size_t proof = 0) const {
        return saved(block, proof).last();
    }

  private:
    struct Fixpoint {
        std::vector<ScoreboardState> entries;
        std::vector<ScoreboardProof::BlockRun> runs;  // empty if they would take too much memory
        std::vector<std::size_t> last;                // by block: its last run; begins with the entry state
    };
    // The states of one run of a block: its checkpoints, then its exit state. A word has the pending bits and
    // what covers them; equal states have equal words.
    struct Saved {
        std::vector<ScoreboardWord> words;
        std::vector<std::size_t> begin = {0};  // by saved state, and the end
        ScoreboardSpan at(std::size_t index) const {
            return {words.data() + begin[index], begin[index + 1] - begin[index]};
        }
        ScoreboardSpan last() const { return at(begin.size() - 2); }
        static Saved of(const ScoreboardState& state);
        void add(const ScoreboardState& state);
        // Appends the first `count` states of another, or its states from `first`.
        void add_first(const Saved& other, std::size_t count);
        void add_rest(const Saved& other, std::size_t first);
    };
    using SavedPtr = std::shared_ptr<const Saved>;
    struct Open {
        std::shared_ptr<const Fixpoint> fixpoint;
        std::vector<SavedPtr> saved;  // by run, null if not computed; by block if there are no runs
    };
    // Where two schedules of the same kernel differ.
    struct Window {
        BlockId block = 0;
        Position low = 0, high = 0;
    };

    const Saved& saved(BlockId block, std::size_t proof) const {
        return *open_[proof].saved[open_[proof].fixpoint->last[block]];
    }
    bool matches(const HazardChecker::Impl& impl, const Schedule& schedule) const;
    // Nothing if they differ in more than one block.
    std::optional<Window> difference(const HazardChecker::Impl& impl, const Schedule& schedule) const;
    static SavedPtr save(const ScoreboardProof& proof, const Schedule& schedule, BlockId block,
                         ScoreboardState state);
    // Recomputes `old`, the states of a schedule that differs only inside the window.
    static SavedPtr save_incrementally(const ScoreboardProof& proof, const Schedule& schedule,
                                       const Window& window, const Saved& old);
    // Returns false if the entries may differ.
    static bool derive(const ScoreboardProof& proof, const Schedule& schedule, const Window& window,
                       Open& open);

    std::uint64_t serial_ = 0;  // of the checker; 0: empty
    std::uint64_t last_use_ = 0;
    std::vector<InstrId> order_;
    std::vector<ControlCode> controls_;
    ScheduleTiming timing_;
    std::vector<Open> open_;  // by proof
};

}  // namespace cubinlab
