// SPDX-License-Identifier: GPL-3.0-or-later
// A schedule with a mutation of one block applied, without copying the schedule. Internal to core/legality.
#pragma once
#include <vector>

#include "core/schedule/mutation.h"

namespace cubinlab {

class BlockView {
  public:
    // Returns false if the mutation is malformed for `base` or touches several blocks; single_block()
    // distinguishes the two.
    bool apply(const Schedule& base, const Mutation& mutation);
    bool single_block() const { return single_block_; }

    InstrId at(Position p) const {
        return p >= block_->first && p < block_->end() ? order_[p - block_->first] : base_->at(p);
    }
    Position position_of(InstrId id) const {
        return id >= block_->first && id < block_->end() ? position_[id - block_->first]
                                                         : base_->position_of(id);
    }
    const ControlCode& control(InstrId id) const {
        for (const auto& [changed, code] : controls_)
            if (changed == id) return code;
        return base_->control(id);
    }

    // Edits of fields without control codes: the last value of each.
    struct Field {
        InstrId instr = 0;
        FieldValue value;
    };
    const std::vector<Field>& fields() const { return fields_; }

    BlockId block_id() const { return block_id_; }
    const Block& block() const { return *block_; }
    const std::vector<std::pair<InstrId, ControlCode>>& controls() const { return controls_; }
    // Positions with another instruction or control code than the base are in [low, high]; none if low >
    // high.
    Position low() const { return low_; }
    Position high() const { return high_; }
    // The moved instruction, if there is only one move.
    InstrId single_move() const { return moves_ == 1 ? moved_ : kNone; }
    std::size_t moves() const { return moves_; }

  private:
    bool perform(const Edit& edit);
    bool perform_field(const Edit& edit);
    void touch(Position a, Position b);

    const Schedule* base_ = nullptr;
    const Block* block_ = nullptr;
    BlockId block_id_ = 0;
    bool single_block_ = true;
    std::vector<InstrId> order_;      // of the block
    std::vector<Position> position_;  // by InstrId - block.first
    std::vector<std::pair<InstrId, ControlCode>> controls_;
    std::vector<Field> fields_;
    Position low_ = 0;
    Position high_ = 0;
    std::size_t moves_ = 0;
    InstrId moved_ = kNone;
};

}  // namespace cubinlab
