// SPDX-License-Identifier: GPL-3.0-or-later
// Legal edits of a schedule, drawn at random: what random, greedy, anneal and evolve propose. Every edit that
// comes out was allowed by the checker on the schedule it is for.
//
// Instructions are drawn with weight 4^(loop depth): an edit outside every loop can buy at most its own
// cycles.
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "core/search/environment.h"
#include "core/search/rng.h"

namespace cubinlab {

struct Edited {
    Mutation mutation;
    Schedule result;
};

enum class EditClass : std::uint8_t { Stall, Yield, Move, LoadEarlier, MoveAndStall };
inline constexpr std::size_t kEditClasses = 5;

class Neighbourhood {
  public:
    explicit Neighbourhood(const SearchContext& context);

    // One edit of a class; empty if the instruction that was drawn has none. Stall changes by 1 to 3.
    std::optional<Edited> draw(const Schedule& schedule, EditClass kind, Rng& rng) const;
    // 1 to `most` edits of any class, one after the other; empty if none was found in a bounded number of
    // draws.
    std::optional<Edited> draw_some(const Schedule& schedule, unsigned most, Rng& rng) const;

    // Particular edits, for sweeps. Empty if not legal or no change.
    std::optional<Edited> move_to(const Schedule& schedule, InstrId id, Position to) const;
    std::optional<Edited> stall_by(const Schedule& schedule, InstrId id, int change) const;
    std::optional<Edited> flip_yield(const Schedule& schedule, InstrId id) const;
    // Every legal single edit of one instruction (moves to every slot, stall +-1..3, yield), in a fixed
    // order.
    std::vector<Mutation> all_of(const Schedule& schedule, InstrId id) const;

    bool legal(const Schedule& schedule, const Mutation& mutation) const {
        return checker_->allows(schedule, mutation);
    }
    const EditScope& scope() const { return scope_; }
    // Editable instructions, deepest loops first, address order inside.
    const std::vector<InstrId>& by_heat() const { return by_heat_; }
    // Movable memory operations and other producers that signal through a scoreboard.
    const std::vector<InstrId>& producers() const { return producers_; }

  private:
    InstrId draw_id(const std::vector<InstrId>& ids, const std::vector<std::uint64_t>& sums, Rng& rng) const;
    std::optional<Edited> draw_move(const Schedule& schedule, InstrId id, bool earlier_only, Rng& rng) const;
    std::optional<Edited> draw_move_and_stall(const Schedule& schedule, InstrId id, Rng& rng) const;
    std::optional<Edited> apply(const Schedule& schedule, Mutation mutation) const;

    CheckerPtr checker_;
    EditScope scope_;
    std::vector<InstrId> by_heat_, producers_, movable_;
    std::vector<std::uint64_t> editable_sums_, producer_sums_, movable_sums_;
};

}  // namespace cubinlab
