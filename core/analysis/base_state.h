// SPDX-License-Identifier: GPL-3.0-or-later
// What the single-block check knows about the schedule it starts from. Kept per thread for the last few
// schedules and recognised by comparing contents, so a caller never has to say that something changed.
// Internal.
#pragma once
#include <vector>

#include "core/analysis/checker_impl.h"

namespace cubinlab {

struct BaseState {
    static constexpr Position kStride = 8;  // instructions between two kept scoreboard states

    // The state of `schedule`, from the cache or made now.
    static const BaseState& of(const HazardChecker::Impl& impl, const Schedule& schedule);

    // Scoreboard state before the instruction at block.first + kStride * index.
    ScoreboardSpan checkpoint(BlockId block, Position index) const {
        return saved(checkpoint_begin[block] + index);
    }
    ScoreboardSpan exit_state(BlockId block) const { return saved(checkpoint_begin[block + 1] - 1); }

    std::uint64_t serial = 0;  // of the checker; 0: empty
    std::uint64_t last_use = 0;
    std::vector<InstrId> order;
    std::vector<ControlCode> controls;
    ScheduleTiming timing;
    std::vector<ScoreboardState> entries;
    // Saved states back to back: of each block its checkpoints, then its exit state.
    std::vector<ScoreboardWord> words;
    std::vector<std::size_t> words_begin;       // by saved state
    std::vector<std::size_t> checkpoint_begin;  // by block: its first saved state; one more than blocks

  private:
    bool matches(const HazardChecker::Impl& impl, const Schedule& schedule) const;
    ScoreboardSpan saved(std::size_t index) const {
        return {words.data() + words_begin[index], words_begin[index + 1] - words_begin[index]};
    }
    void save(const ScoreboardState& state);
    void build(const HazardChecker::Impl& impl, const Schedule& schedule);
};

}  // namespace cubinlab
