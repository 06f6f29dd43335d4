// SPDX-License-Identifier: GPL-3.0-or-later
// What the single-block check knows about the schedule it starts from. Kept per thread for the last few
// schedules and recognised by comparing contents, so a caller never has to say that something changed.
// Internal.
//
// Most schedules that are asked about differ in one block from one that is known. The states at block entries are found
// by running blocks until nothing changes; where the changed block makes of each state that came to it what it made of it
// before, every one of these runs is what it was, and so are the entries. Then that block alone is looked at again, from the
// first instruction that differs to where the states are what they were.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/checker_impl.h"

namespace cubinlab {

class BaseState {
  public:
    static constexpr Position kStride = 8;  // instructions between two kept scoreboard states

    // The state of `schedule`, from the cache or made now.
    static const BaseState& of(const HazardChecker::Impl& impl, const Schedule& schedule);
    // Made from nothing, and from a state of the same checker: none where that differs in more than a block, or its
    // entries may not be the same.
    static BaseState built(const HazardChecker::Impl& impl, const Schedule& schedule);
    static std::optional<BaseState> derived(const HazardChecker::Impl& impl, const Schedule& schedule,
                                            const BaseState& from);

    const ScheduleTiming& timing() const { return timing_; }
    // Of each of the checker's proofs.
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
        std::vector<ScoreboardProof::BlockRun> runs;  // or none, where they would take too much memory
        std::vector<std::size_t> last;                // by block: its last run, which began with the entry
    };
    // Of one run of a block, back to back: its checkpoints, then its exit state. Of each word what is pending, and of
    // what covers that: equal states are equal words.
    struct Saved {
        std::vector<ScoreboardWord> words;
        std::vector<std::size_t> begin = {0};  // by saved state, one more than there are
        ScoreboardSpan at(std::size_t index) const {
            return {words.data() + begin[index], begin[index + 1] - begin[index]};
        }
        ScoreboardSpan last() const { return at(begin.size() - 2); }
        static Saved of(const ScoreboardState& state);
        void add(const ScoreboardState& state);
        // The first `count` states, or those from `first` on, of another.
        void add_first(const Saved& other, std::size_t count);
        void add_rest(const Saved& other, std::size_t first);
    };
    using SavedPtr = std::shared_ptr<const Saved>;
    struct Open {
        std::shared_ptr<const Fixpoint> fixpoint;
        std::vector<SavedPtr>
            saved;  // by run, null where not asked for yet; by block where there are no runs
    };
    // Where two schedules differ inside a block.
    struct Window {
        BlockId block = 0;
        Position low = 0, high = 0;
    };

    const Saved& saved(BlockId block, std::size_t proof) const {
        return *open_[proof].saved[open_[proof].fixpoint->last[block]];
    }
    bool matches(const HazardChecker::Impl& impl, const Schedule& schedule) const;
    // Nothing where they differ in more than a block.
    std::optional<Window> difference(const HazardChecker::Impl& impl, const Schedule& schedule) const;
    static SavedPtr save(const ScoreboardProof& proof, const Schedule& schedule, BlockId block,
                         ScoreboardState state);
    // The same, where `old` is that of a schedule that differs in the window alone.
    static SavedPtr save_again(const ScoreboardProof& proof, const Schedule& schedule, const Window& window,
                               const Saved& old);
    // False: the entries may not be the same.
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
