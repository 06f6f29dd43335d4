// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/selection.h"

#include <utility>

namespace cubinlab::ui {
namespace {
constexpr std::size_t kHistoryLimit = 1000;
}

Selection::Selection(QObject* parent) : QObject(parent) {}

void Selection::select(quint32 instr) {
    if (!knows(instr)) return;
    if (!s_.range.empty()) set_range({});
    if (instr == s_.instr) return;
    Q_EMIT leaving();
    s_.instr = instr;
    if (instr != kNone) {
        if (!s_.history.empty()) s_.history.resize(s_.cursor + 1);
        if (s_.history.size() == kHistoryLimit) s_.history.erase(s_.history.begin());
        s_.history.push_back({instr, {}});
        s_.cursor = s_.history.size() - 1;
        Q_EMIT history_changed();
    }
    Q_EMIT changed(instr);
}

std::vector<InstrId> Selection::targets() const {
    if (!s_.range.empty()) return s_.range;
    return s_.instr == kNone ? std::vector<InstrId>{} : std::vector<InstrId>{s_.instr};
}

void Selection::set_range(std::vector<InstrId> ids) {
    std::erase_if(ids, [this](InstrId id) { return !knows(id); });
    if (ids == s_.range) return;
    s_.range = std::move(ids);
    Q_EMIT range_changed();
}

void Selection::note_top(int rows) {
    if (s_.cursor < s_.history.size() && s_.history[s_.cursor].instr == s_.instr)
        s_.history[s_.cursor].top = rows;
}

void Selection::go_to(std::size_t place) {
    if (!s_.range.empty()) set_range({});
    Q_EMIT leaving();
    s_.cursor = place;
    s_.instr = s_.history[s_.cursor].instr;
    s_.restored_top = s_.history[s_.cursor].top;
    Q_EMIT history_changed();
    Q_EMIT changed(s_.instr);
    s_.restored_top.reset();
}

void Selection::go_back() {
    if (can_go_back()) go_to(s_.cursor - 1);
}

void Selection::go_forward() {
    if (can_go_forward()) go_to(s_.cursor + 1);
}

void Selection::begin(std::size_t instructions) {
    const State before = std::exchange(s_, State{});
    s_.size = instructions;
    if (!before.range.empty()) Q_EMIT range_changed();
    Q_EMIT history_changed();
    if (before.instr != kNone) Q_EMIT changed(kNone);
}

}  // namespace cubinlab::ui
