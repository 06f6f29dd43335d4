// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/moves/environment.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "core/schedule/flow_graph.h"

namespace cubinlab {
namespace {

constexpr std::array<std::string_view, 4> kMovable = {"LDGSTS", "LDG", "STG", "LDS"};

}  // namespace

std::span<const std::string_view> movable_mnemonics() {
    return kMovable;
}

int movable_kind(const Instruction& instruction) {
    const auto found = std::find(kMovable.begin(), kMovable.end(), std::string_view(instruction.mnemonic));
    return found == kMovable.end() ? -1 : static_cast<int>(found - kMovable.begin());
}

EditScope::EditScope(const SearchContext& context)
    : kernel_(context.kernel), editable_(context.kernel->size(), true) {
    if (!context.scope.empty()) {
        for (InstrId id = 0; id < kernel_->size(); ++id)
            editable_[id] = std::find(context.scope.begin(), context.scope.end(), kernel_->block_of(id)) !=
                            context.scope.end();
    }
    for (const InstrId id : context.locked)
        if (id < editable_.size()) editable_[id] = false;
    const std::vector<bool> reachable = reachable_blocks(kernel_->flow());
    for (InstrId id = 0; id < kernel_->size(); ++id)
        if (!reachable[kernel_->block_of(id)]) editable_[id] = false;
    for (InstrId id = 0; id < editable_.size(); ++id)
        if (editable_[id]) ids_.push_back(id);
}

MoveGame::MoveGame(const SearchContext& context)
    : checker_(context.checker), scope_(context), schedule_(context.start) {
    for (const InstrId id : scope_.ids())
        if (scope_.movable(id) && movable_kind(context.kernel->instruction(id)) >= 0) movable_.push_back(id);
    mask_.assign(actions(), 0);
    refresh_mask();
}

void MoveGame::reset(const Schedule& schedule) {
    schedule_ = schedule;
    refresh_mask();
}

bool MoveGame::any_legal() const {
    return std::find(mask_.begin(), mask_.end(), 1) != mask_.end();
}

InstrId MoveGame::neighbour(std::size_t action) const {
    const InstrId id = movable_[action / 2];
    const Position at = schedule_.position_of(id);
    const Block& block = scope_.kernel()->flow().blocks[scope_.kernel()->block_of(id)];
    const bool up = action % 2 == 0;
    if (up) return at > block.first ? schedule_.at(at - 1) : kNone;
    return at + 1 < block.end() ? schedule_.at(at + 1) : kNone;
}

Mutation MoveGame::mutation(std::size_t action) const {
    assert(action < actions());
    const InstrId id = movable_[action / 2];
    const InstrId other = neighbour(action);
    return action % 2 == 0 ? Mutation::move_before(id, other) : Mutation::move_after(id, other);
}

void MoveGame::step(std::size_t action) {
    assert(action < actions() && mask_[action] != 0);
    const Position at = schedule_.position_of(movable_[action / 2]);
    schedule_.move(movable_[action / 2], action % 2 == 0 ? at - 1 : at + 1);
    refresh_mask();
}

void MoveGame::refresh_mask() {
    for (std::size_t action = 0; action < actions(); ++action) {
        const InstrId other = neighbour(action);
        mask_[action] = other != kNone && !scope_.kernel()->pinned(other) &&
                        checker_->allows(schedule_, mutation(action));
    }
}

}  // namespace cubinlab
