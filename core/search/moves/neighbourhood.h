// SPDX-License-Identifier: GPL-3.0-or-later
// Random legal edits of a schedule, the proposals of random, greedy and anneal. The checker has allowed every
// returned edit on its schedule.
//
// Instructions are drawn with weight 4^(loop depth): an edit outside every loop can save at most its own
// cycles.
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "core/legality/stall_repair.h"
#include "core/schedule/scoreboard_edits.h"
#include "core/search/moves/environment.h"
#include "core/search/moves/rng.h"

namespace cubinlab {

struct Edited {
    Mutation mutation;
    Schedule result;

    // Empty if the mutation does not apply.
    static std::optional<Edited> of(const Schedule& schedule, Mutation mutation);
};

// MoveAndPay: a move to any position that the order permits; adds required and removes excess stall counts. MoveAlong: a
// longer move together with the instructions in its way (core/legality/move_along.h), with the same stall repair. Reassign: a
// producer's barrier and its waits use another scoreboard. WaitElsewhere: moves a wait to another instruction of the block.
enum class EditClass : std::uint8_t {
    Stall,
    Yield,
    Move,
    LoadEarlier,
    MoveAndStall,
    MoveAndPay,
    Reuse,
    Reassign,
    WaitElsewhere,
    MoveAlong,
};
inline constexpr std::size_t kEditClasses = 10;
// Prior weights of the classes. Edits of scoreboards and reuse flags seldom gain by themselves; they make
// other edits possible.
inline constexpr std::array<double, kEditClasses> kClassPrior = {1, 1, 1, 1, 2, 0.6, 0.05, 0.05, 0.08, 1};
EditClass draw_class(const std::array<double, kEditClasses>& shares, Rng& rng);

class Neighbourhood {
  public:
    explicit Neighbourhood(const SearchContext& context);

    // One edit of a class; empty if the drawn instruction has none. Stall changes are 1 to 3 cycles.
    std::optional<Edited> draw(const Schedule& schedule, EditClass kind, Rng& rng) const;
    // 1 to `most` edits of any class in sequence; empty if a bounded number of draws finds none.
    std::optional<Edited> draw_some(const Schedule& schedule, unsigned most, Rng& rng) const;
    // Up to `n` proposals from draw_some() on the schedule of step `parent`.
    std::vector<Proposal> drawn(const Schedule& schedule, StepId parent, unsigned most, std::size_t n,
                                Rng& rng) const;

    // Applies a mutation of another schedule; empty if it does not apply or is not legal.
    std::optional<Edited> apply(const Schedule& schedule, Mutation mutation) const;
    // Specific edits, for sweeps. Empty if not legal or without effect.
    std::optional<Edited> move_to(const Schedule& schedule, InstrId id, Position to) const;
    std::optional<Edited> stall_by(const Schedule& schedule, InstrId id, int change) const;
    std::optional<Edited> flip_yield(const Schedule& schedule, InstrId id) const;
    std::optional<Edited> flip_reuse(const Schedule& schedule, InstrId id, int slot) const;
    // Adds required and removes excess stalls (core/legality/stall_repair.h) of editable instructions.
    std::optional<Edited> move_and_pay(const Schedule& schedule, InstrId id, Position to) const;
    // A longer move, together with the movable instructions in its way.
    std::optional<Edited> move_along_and_pay(const Schedule& schedule, InstrId id, Position to) const;
    // Reverts one edit of the difference to another schedule, with the required stall counts.
    std::optional<Edited> reverted(const Schedule& schedule, const Edit& edit) const;
    std::optional<Edited> reassign(const Schedule& schedule, InstrId id, BarrierSide side,
                                   std::uint8_t slot) const;
    std::optional<Edited> wait_elsewhere(const Schedule& schedule, InstrId from, int scoreboard,
                                         InstrId to) const;
    // All legal single edits of one instruction in a fixed order: moves to every slot, MoveAndPay within
    // eight slots, stall +-1..3, yield, reuse, its barriers to every free scoreboard, its waits up to three
    // slots away.
    std::vector<Mutation> all_of(const Schedule& schedule, InstrId id) const;

    bool legal(const Schedule& schedule, const Mutation& mutation) const {
        return checker_->allows(schedule, mutation);
    }
    const EditScope& scope() const { return scope_; }
    // Editable instructions, deepest loops first, then by address.
    const std::vector<InstrId>& by_heat() const { return by_heat_; }
    // Movable memory operations and other producers that signal through a scoreboard.
    const std::vector<InstrId>& producers() const { return producers_; }

  private:
    InstrId draw_id(const std::vector<InstrId>& ids, const std::vector<std::uint64_t>& sums, Rng& rng) const;
    InstrId draw_mover(Rng& rng) const;
    std::optional<Edited> draw_move(const Schedule& schedule, InstrId id, bool earlier_only, Rng& rng) const;
    std::optional<Edited> draw_move_and_stall(const Schedule& schedule, InstrId id, Rng& rng) const;
    std::optional<Edited> draw_move_and_pay(const Schedule& schedule, InstrId id, Rng& rng) const;
    std::optional<Edited> draw_move_along(const Schedule& schedule, InstrId id, Rng& rng) const;
    std::optional<Edited> draw_reassign(const Schedule& schedule, Rng& rng) const;
    std::optional<Edited> draw_wait(const Schedule& schedule, Rng& rng) const;
    bool all_editable(const Mutation& mutation) const;
    std::optional<Edited> with_stalls(const Schedule& schedule, const Mutation& moves) const;

    CheckerPtr checker_;
    EditScope scope_;
    std::vector<InstrId> by_heat_, producers_, movable_, setters_, waiters_;
    std::vector<std::uint64_t> editable_sums_, producer_sums_, movable_sums_, setter_sums_, waiter_sums_;
};

}  // namespace cubinlab
