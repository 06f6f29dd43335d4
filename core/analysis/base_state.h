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
    const std::uint64_t* checkpoint(BlockId block, Position index) const {
        return checkpoints.data() + (checkpoint_begin[block] + index) * state_words;
    }
    const std::uint64_t* exit_state(BlockId block) const { return exits.data() + block * state_words; }

    std::uint64_t serial = 0;  // of the checker; 0: empty
    std::uint64_t last_use = 0;
    std::vector<InstrId> order;
    std::vector<ControlCode> controls;
    ScheduleTiming timing;
    std::vector<ScoreboardState> entries;
    std::size_t state_words = 0;
    std::vector<std::uint64_t> checkpoints;
    std::vector<std::size_t> checkpoint_begin;
    std::vector<std::uint64_t> exits;

  private:
    bool matches(const HazardChecker::Impl& impl, const Schedule& schedule) const;
    void build(const HazardChecker::Impl& impl, const Schedule& schedule);
};

}  // namespace cubinlab
