// SPDX-License-Identifier: GPL-3.0-or-later
// The legal slots and legal control codes of every instruction of a schedule, kept up to date while the
// schedule is edited: an edit only throws away the answers that it reached, and an answer is made again when
// it is asked for.
//
//   SlotSets sets(checker, schedule);
//   sets.slots(id)              // SlotRange, as HazardChecker::slots
//   sets.control_edits(id)      // as HazardChecker::control_edits
//   sets.apply(mutation);       // legal ones only; false: refused, nothing changed
//   sets.reached()              // answers that the last edit made stale
//
// What an edit reaches: its own block; a block whose entry it changes (cycles since results were issued,
// scoreboards that are open there, the block-edge residues that are kept for this comparison); the
// neighbours of such blocks, and whatever leads into them within the longest distance that is asked for. An
// instruction whose answer needed the proof over the whole kernel is stale after every edit.
//
// Not thread-safe: one owner. Equal to asking the checker afresh after every edit (a property test).
#pragma once
#include <cstdint>
#include <vector>

#include "core/analysis/hazard_checker.h"
#include "core/analysis/scoreboard_state.h"

namespace cubinlab {

class SlotSets {
  public:
    SlotSets(CheckerPtr checker, Schedule legal);

    const Schedule& schedule() const { return schedule_; }
    const SlotRange& slots(InstrId id);
    const std::vector<ControlCode>& control_edits(InstrId id);
    bool may_move(InstrId id, Position to) { return slots(id).contains(to); }

    bool apply(const Mutation& mutation);
    // Another schedule of the same kernel, which is legal: what differs counts as one edit.
    void reset(const Schedule& legal);

    std::size_t reached() const { return reached_; }      // instructions made stale by the last edit
    std::uint64_t computed() const { return computed_; }  // answers made since the start

  private:
    struct Answer {
        bool slots_known = false;
        bool controls_known = false;
        bool needs_all = false;  // took a proof over the whole kernel
        SlotRange slots;
        std::vector<ControlCode> controls;
    };
    // What a block shows to the others.
    struct Edge {
        std::vector<int> ages;  // cycles since issue of what may reach its entry
        std::vector<ScoreboardState> open;  // at its entry, by proof
    };

    void take_edges(std::vector<Edge>& edges) const;
    void forget(const Schedule& before);
    std::vector<bool> reach_of(std::vector<bool> changed) const;

    CheckerPtr checker_;
    Schedule schedule_;
    std::vector<Answer> answers_;  // by InstrId
    std::vector<Edge> edges_;      // by block
    std::size_t reached_ = 0;
    std::uint64_t computed_ = 0;
};

}  // namespace cubinlab
