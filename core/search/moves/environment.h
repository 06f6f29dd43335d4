// SPDX-License-Identifier: GPL-3.0-or-later
// The assembly game of CuAsmRL (arXiv 2501.08071): a state is a schedule, an action swaps one movable memory
// operation with its neighbour above or below. Shared by neural agents; knows nothing of torch, rewards or
// time.
//
//   MoveGame game(context);
//   std::vector<std::uint8_t> mask = game.mask();        // mask[2k] up, mask[2k+1] down, for movable()[k]
//   Mutation m = game.mutation(action);
//   game.step(action);                                   // asserts mask[action]
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/search/engine/searcher.h"

namespace cubinlab {

// The operations that the paper's agent moves: LDGSTS, LDG, STG (its code) and LDS (its successor).
std::span<const std::string_view> movable_mnemonics();
// Index in movable_mnemonics(), or -1.
int movable_kind(const Instruction& instruction);

// The instructions that a run may move or edit: not pinned, not locked, in scope, and reachable
// (core/schedule/flow_graph.h). No edit changes a locked instruction; others may still move past it if that is
// legal.
class EditScope {
  public:
    explicit EditScope(const SearchContext& context);
    bool editable(InstrId id) const { return editable_[id]; }                         // control code
    bool movable(InstrId id) const { return editable_[id] && !kernel_->pinned(id); }  // position
    const std::vector<InstrId>& ids() const { return ids_; }                          // editable, ascending
    const KernelPtr& kernel() const { return kernel_; }

  private:
    KernelPtr kernel_;
    std::vector<bool> editable_;
    std::vector<InstrId> ids_;
};

class MoveGame {
  public:
    explicit MoveGame(const SearchContext& context);

    const Schedule& schedule() const { return schedule_; }
    void reset(const Schedule& schedule);  // a legal schedule of the same kernel
    const std::vector<InstrId>& movable() const {
        return movable_;
    }  // ascending InstrId, fixed for the kernel
    std::size_t actions() const { return 2 * movable_.size(); }

    // 1: legal now. Costs two legality checks per movable operation; cached until the next step.
    const std::vector<std::uint8_t>& mask() const { return mask_; }
    bool any_legal() const;
    Mutation mutation(std::size_t action) const;
    void step(std::size_t action);

  private:
    InstrId neighbour(std::size_t action) const;  // kNone at the edge of a block
    void refresh_mask();

    CheckerPtr checker_;
    EditScope scope_;
    Schedule schedule_;
    std::vector<InstrId> movable_;
    std::vector<std::uint8_t> mask_;
};

}  // namespace cubinlab
