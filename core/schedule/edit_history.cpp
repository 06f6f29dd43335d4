// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/edit_history.h"

#include <fmt/format.h>

namespace cubinlab {

EditHistory::EditHistory(Schedule start) : current_(std::move(start)) {}

Status EditHistory::push(const Mutation& mutation, std::string label) {
    auto backward = mutation.inverse(current_);
    if (!backward) return fail(backward.error());
    if (auto applied = mutation.apply(current_); !applied) return applied;
    entries_.resize(cursor_);
    entries_.push_back({mutation, std::move(*backward), std::move(label)});
    ++cursor_;
    return {};
}

Result<Mutation> EditHistory::undo() {
    if (!can_undo()) return fail(ErrorCode::BadUse, "there is nothing to undo");
    const Entry& entry = entries_[cursor_ - 1];
    if (auto applied = entry.backward.apply(current_); !applied) return fail(applied.error());
    --cursor_;
    return entry.backward;
}

Result<Mutation> EditHistory::redo() {
    if (!can_redo()) return fail(ErrorCode::BadUse, "there is nothing to redo");
    const Entry& entry = entries_[cursor_];
    if (auto applied = entry.forward.apply(current_); !applied) return fail(applied.error());
    ++cursor_;
    return entry.forward;
}

Status EditHistory::go_to(std::size_t cursor) {
    if (cursor > entries_.size())
        return fail(ErrorCode::BadUse,
                    fmt::format("there is no edit {}; the history holds {}", cursor, entries_.size()));
    while (cursor_ > cursor)
        if (auto step = undo(); !step) return fail(step.error());
    while (cursor_ < cursor)
        if (auto step = redo(); !step) return fail(step.error());
    return {};
}

}  // namespace cubinlab
