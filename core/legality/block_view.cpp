// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/block_view.h"

#include <algorithm>

namespace cubinlab {

void BlockView::touch(Position a, Position b) {
    low_ = std::min(low_, std::min(a, b));
    high_ = std::max(high_, std::max(a, b));
}

bool BlockView::apply(const Schedule& base, const Mutation& mutation) {
    base_ = &base;
    single_block_ = true;
    controls_.clear();
    fields_.clear();
    moves_ = 0;
    if (mutation.edits.empty() || mutation.edits.front().instr >= base.size()) {
        single_block_ = false;
        return false;
    }
    const FlowGraph& flow = base.kernel()->flow();
    block_id_ = flow.block_of[mutation.edits.front().instr];
    block_ = &flow.blocks[block_id_];
    low_ = block_->end();
    high_ = block_->first;
    order_.assign(base.order().begin() + block_->first, base.order().begin() + block_->end());
    position_.resize(block_->count);
    for (Position p = 0; p < block_->count; ++p)
        position_[order_[p] - block_->first] = block_->first + p;
    for (const Edit& edit : mutation.edits) {
        if (edit.instr >= base.size()) return false;
        if (flow.block_of[edit.instr] != block_id_) {
            single_block_ = false;
            return false;
        }
        if (!perform(edit)) return false;
    }
    for (const auto& [id, code] : controls_)
        touch(position_of(id), position_of(id));
    return true;
}

bool BlockView::perform_field(const Edit& edit) {
    const FieldKind& kind = field_of(edit.kind);
    const Word word = base_->word_of(edit.instr);
    if (!kind.has(word) || !kind.fits(word, edit.after)) return false;
    for (Field& field : fields_)
        if (field.instr == edit.instr && field.value.kind == edit.kind) {
            if (field.value.bits != edit.before) return false;
            field.value.bits = edit.after;
            return true;
        }
    if (base_->field(kind, edit.instr) != edit.before) return false;
    fields_.push_back({edit.instr, {edit.kind, edit.after}});
    return true;
}

bool BlockView::perform(const Edit& edit) {
    if (edit.kind == EditKind::Control) {
        if (!(control(edit.instr) == edit.control_before())) return false;
        for (auto& [id, code] : controls_)
            if (id == edit.instr) {
                code = edit.control_after();
                return true;
            }
        controls_.emplace_back(edit.instr, edit.control_after());
        return true;
    }
    if (!is_move(edit.kind)) return perform_field(edit);
    if (edit.anchor < block_->first || edit.anchor >= block_->end() || edit.anchor == edit.instr)
        return false;
    const Position from = position_of(edit.instr);
    const Position anchor = position_of(edit.anchor);
    Position to = anchor;
    if (edit.kind == EditKind::MoveBefore && from < anchor) --to;
    if (edit.kind == EditKind::MoveAfter && from > anchor) ++to;
    ++moves_;
    moved_ = edit.instr;
    if (from == to) return true;
    const auto begin = order_.begin() - block_->first;
    if (from < to)
        std::rotate(begin + from, begin + from + 1, begin + to + 1);
    else
        std::rotate(begin + to, begin + from, begin + from + 1);
    for (Position p = std::min(from, to); p <= std::max(from, to); ++p)
        position_[order_[p - block_->first] - block_->first] = p;
    touch(from, to);
    return true;
}

}  // namespace cubinlab
