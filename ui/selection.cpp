// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/selection.h"

namespace cubinlab::ui {
namespace {
constexpr std::size_t kHistoryLimit = 1000;
}

Selection::Selection(QObject* parent) : QObject(parent) {}

void Selection::select(quint32 instr) {
    if (instr == instr_) return;
    instr_ = instr;
    if (instr != kNone) {
        if (!history_.empty()) history_.resize(cursor_ + 1);
        if (history_.size() == kHistoryLimit) history_.erase(history_.begin());
        history_.push_back(instr);
        cursor_ = history_.size() - 1;
        Q_EMIT history_changed();
    }
    Q_EMIT changed(instr);
}

void Selection::hover(quint32 instr) {
    if (instr == hovered_) return;
    hovered_ = instr;
    Q_EMIT hover_changed(instr);
}

void Selection::go_back() {
    if (!can_go_back()) return;
    instr_ = history_[--cursor_];
    Q_EMIT history_changed();
    Q_EMIT changed(instr_);
}

void Selection::go_forward() {
    if (!can_go_forward()) return;
    instr_ = history_[++cursor_];
    Q_EMIT history_changed();
    Q_EMIT changed(instr_);
}

void Selection::clear() {
    history_.clear();
    cursor_ = 0;
    hover(kNone);
    const bool had = instr_ != kNone;
    instr_ = kNone;
    Q_EMIT history_changed();
    if (had) Q_EMIT changed(kNone);
}

}  // namespace cubinlab::ui
