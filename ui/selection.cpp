// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/selection.h"

namespace cubinlab::ui {
namespace {
constexpr std::size_t kHistoryLimit = 1000;
}

Selection::Selection(QObject* parent) : QObject(parent) {}

void Selection::select(quint32 instr) {
    if (!range_.empty()) set_range({});
    if (instr == instr_) return;
    Q_EMIT leaving();
    instr_ = instr;
    if (instr != kNone) {
        if (!history_.empty()) history_.resize(cursor_ + 1);
        if (history_.size() == kHistoryLimit) history_.erase(history_.begin());
        history_.push_back({instr, {}});
        cursor_ = history_.size() - 1;
        Q_EMIT history_changed();
    }
    Q_EMIT changed(instr);
}

std::vector<InstrId> Selection::targets() const {
    if (!range_.empty()) return range_;
    return instr_ == kNone ? std::vector<InstrId>{} : std::vector<InstrId>{instr_};
}

void Selection::set_range(std::vector<InstrId> ids) {
    if (ids == range_) return;
    range_ = std::move(ids);
    Q_EMIT range_changed();
}

void Selection::note_top(int rows) {
    if (cursor_ < history_.size() && history_[cursor_].instr == instr_) history_[cursor_].top = rows;
}

void Selection::go_to(std::size_t place) {
    if (!range_.empty()) set_range({});
    Q_EMIT leaving();
    cursor_ = place;
    instr_ = history_[cursor_].instr;
    restored_top_ = history_[cursor_].top;
    Q_EMIT history_changed();
    Q_EMIT changed(instr_);
    restored_top_.reset();
}

void Selection::hover(quint32 instr) {
    if (instr == hovered_) return;
    hovered_ = instr;
    Q_EMIT hover_changed(instr);
}

void Selection::go_back() {
    if (can_go_back()) go_to(cursor_ - 1);
}

void Selection::go_forward() {
    if (can_go_forward()) go_to(cursor_ + 1);
}

void Selection::clear() {
    history_.clear();
    cursor_ = 0;
    hover(kNone);
    set_range({});
    const bool had = instr_ != kNone;
    instr_ = kNone;
    Q_EMIT history_changed();
    if (had) Q_EMIT changed(kNone);
}

}  // namespace cubinlab::ui
