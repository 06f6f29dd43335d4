// SPDX-License-Identifier: GPL-3.0-or-later
// CompareView: keys, search and folding.
#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <algorithm>

#include "ui/document/selection.h"
#include "ui/listing/compare_view.h"
#include "ui/listing/pane.h"
#include "ui/listing/ribbons.h"
#include "ui/listing/sass_view.h"

namespace cubinlab::ui {

Side CompareView::focused_side() const {
    return left_->view()->hasFocus() ? Side::Left : Side::Right;
}

void CompareView::step_selection(int by) {
    const Side side = focused_side();
    const int direction = by < 0 ? -1 : 1;
    int row = k_.rows.row_of(selection_->instr(), side);
    if (row < 0 && selection_->has())
        row = k_.rows.header_row[document_->kernel()->block_of(selection_->instr())];
    if (row < 0) row = pane(side)->view()->first_visible_row() - direction;
    int wanted = std::clamp(row + by, 0, std::max(0, static_cast<int>(k_.rows.size()) - 1));
    while (k_.rows.instr(wanted, side) == kNone && wanted + direction >= 0 &&
           wanted + direction < static_cast<int>(k_.rows.size()))
        wanted += direction;
    while (k_.rows.instr(wanted, side) == kNone && wanted != row &&
           wanted >= 0)  // an end: back to the last one
        wanted -= direction;
    if (const InstrId id = k_.rows.instr(wanted, side); id != kNone) selection_->select(id);
}

void CompareView::begin_at(BlockId block) {
    if (block >= k_.rows.header_row.size() || k_.rows.header_row[block] < 0) return;
    for (Pane* one : {left_, right_})
        one->view()->set_first_visible_row(k_.rows.header_row[block]);
}

bool CompareView::go_to_change(int direction) {
    if (!document_->pair().diff()) return false;
    const Schedule& right = *document_->pair().right();
    const auto size = static_cast<long>(right.size());
    const InstrId from = selection_->instr();
    long p = from != kNone ? static_cast<long>(right.position_of(from)) : direction < 0 ? size : -1;
    for (p += direction; p >= 0 && p < size; p += direction) {
        const InstrId id = right.at(static_cast<Position>(p));
        if (document_->pair().diff()->change[id] == Change::Same) continue;
        selection_->select(id);
        return true;
    }
    return false;
}

bool CompareView::find(const QString& text, int direction) {
    const SassQuery query = SassQuery::parse(text.toStdString());
    if (query.kind == QueryKind::Empty || !document_->is_open()) return false;
    // In the order of that side, folded blocks included; a match unfolds its block.
    const Schedule& schedule =
        focused_side() == Side::Left ? *document_->pair().left() : *document_->pair().right();
    const auto size = static_cast<long>(schedule.size());
    const InstrId from = selection_->instr();
    long p = from == kNone ? (direction > 0 ? -1 : 0) : static_cast<long>(schedule.position_of(from));
    for (long i = 0; i < size; ++i) {
        p = (p + direction + size) % size;
        const InstrId id = schedule.at(static_cast<Position>(p));
        const std::string line = document_->text_of(id).toStdString();
        if (!match(query, document_->kernel()->instruction(id), line).hit) continue;
        selection_->select(id);
        return true;
    }
    return false;
}

QString CompareView::set_query(const QString& text) {
    k_.query = SassQuery::parse(text.toStdString());
    show_found();
    if (k_.query.kind == QueryKind::Empty || !document_->is_open()) return {};
    int hits = 0, reads = 0, writes = 0;
    for (InstrId id = 0; id < document_->kernel()->size(); ++id) {
        const QueryHit hit =
            match(k_.query, document_->kernel()->instruction(id), document_->text_of(id).toStdString());
        hits += hit.hit;
        reads += hit.reads;
        writes += hit.writes;
    }
    if (k_.query.kind == QueryKind::Register)
        return tr("%2: %1 reads, %3 writes")
            .arg(QString::number(reads), QString::fromStdString(k_.query.text).toUpper(),
                 QString::number(writes));
    return hits == 0 ? tr("not found") : tr("%n found", "", hits);
}

std::pair<int, int> CompareView::found_at(InstrId id) const {
    if (k_.query.kind == QueryKind::Empty || !document_->is_open()) return {0, 0};
    const Schedule& schedule =
        focused_side() == Side::Left ? *document_->pair().left() : *document_->pair().right();
    int at = 0, count = 0;
    for (Position p = 0; p < schedule.size(); ++p) {
        const InstrId here = schedule.at(p);
        if (!match(k_.query, document_->kernel()->instruction(here), document_->text_of(here).toStdString())
                 .hit)
            continue;
        ++count;
        if (here == id) at = count;
    }
    return {at, count};
}

void CompareView::show_found() {
    std::vector<InstrId> found;
    std::vector<TextMark> marks[2];
    if (k_.query.kind != QueryKind::Empty && document_->is_open())
        for (InstrId id = 0; id < document_->kernel()->size(); ++id) {
            const std::string line = document_->text_of(id).toStdString();
            const Instruction& instruction = document_->kernel()->instruction(id);
            if (!match(k_.query, instruction, line).hit) continue;
            found.push_back(id);
            for (const QueryMark& mark : marks_in(k_.query, instruction, line))
                for (const Side side : {Side::Left, Side::Right})
                    if (const int row = k_.rows.row_of(id, side); row >= 0)
                        marks[static_cast<int>(side)].push_back(
                            {row, static_cast<int>(mark.start), static_cast<int>(mark.length), mark.write});
        }
    left_->view()->set_text_marks(marks[0]);
    right_->view()->set_text_marks(marks[1]);
    ruler_->set_found(std::move(found));
}

// ---- folding ----

void CompareView::set_folded(const std::set<BlockId>& blocks, bool on) {
    if (!document_->is_open()) return;
    const std::set<BlockId> before = k_.folded;
    for (const BlockId block : blocks) {
        if (on)
            k_.folded.insert(block);
        else
            k_.folded.erase(block);
    }
    if (k_.folded == before) return;
    rebuild();
    int row = k_.rows.row_of(selection_->instr(), focused_side());
    if (row < 0 && selection_->has())  // folded: use the block's header
        row = k_.rows.header_row[document_->kernel()->block_of(selection_->instr())];
    right_->view()->reveal_row(row);
}

// True: the block of the instruction was folded and is now unfolded.
bool CompareView::unfold_for(InstrId id) {
    if (id == kNone || !document_->is_open() || id >= document_->kernel()->size()) return false;
    const bool folded = k_.folded.erase(document_->kernel()->block_of(id)) != 0;
    if (!folded && (!only_changed_ || k_.rows.row_of(id, focused_side()) >= 0)) return false;
    rebuild();
    if (k_.rows.row_of(id, focused_side()) < 0) return false;
    show_selection(id);
    return true;
}

// ---- display of the comparison ----

void CompareView::set_only_changed(bool on) {
    if (on == only_changed_) return;
    only_changed_ = on;
    rebuild();
    right_->view()->reveal_row(k_.rows.row_of(selection_->instr(), focused_side()));
    Q_EMIT columns_changed();
}

bool CompareView::compact() const {
    const DiffPtr diff = document_->pair().diff();
    return compact_wish_.value_or(diff && diff->moved >= kManyMoves);
}

void CompareView::set_compact(bool on) {
    if (on == compact()) return;
    compact_wish_ = on;
    rebuild();
    right_->view()->reveal_row(k_.rows.row_of(selection_->instr(), focused_side()));
    Q_EMIT columns_changed();
}

// ---- ranges ----

void CompareView::choose_range(int row, Side side) {
    const int from = k_.rows.row_of(selection_->instr(), side);
    if (from < 0) {
        selection_->select(k_.rows.instr(row, side));
        return;
    }
    k_.range_end = row;
    std::vector<InstrId> ids;
    for (int r = std::min(from, row); r <= std::max(from, row); ++r)
        if (const InstrId id = k_.rows.instr(r, side); id != kNone) ids.push_back(id);
    const int end = k_.range_end;
    selection_->set_range(ids.size() > 1 ? std::move(ids) : std::vector<InstrId>{});
    k_.range_end = end;
}

void CompareView::extend_selection(int by) {
    const Side side = focused_side();
    const int from = k_.rows.row_of(selection_->instr(), side);
    if (from < 0) return;
    const int last = static_cast<int>(k_.rows.size()) - 1;
    int row = std::clamp((k_.range_end < 0 ? from : k_.range_end) + by, 0, std::max(0, last));
    const int direction = by < 0 ? -1 : 1;
    while (row > 0 && row < last && k_.rows.instr(row, side) == kNone)
        row += direction;
    choose_range(row, side);
    right_->view()->reveal_row(row);
}

void CompareView::copy_rows(Side side) const {
    const Schedule* schedule =
        side == Side::Left ? document_->pair().left().get() : document_->pair().right().get();
    if (schedule == nullptr) return;
    QStringList lines;
    for (const InstrId id : selection_->targets())
        lines << QStringLiteral("/*%1*/ %2 %3;")
                     .arg(schedule->position_of(id) * kWordBytes, 4, 16, QLatin1Char('0'))
                     .arg(QString::fromStdString(schedule->control(id).text()), document_->text_of(id));
    if (!lines.isEmpty())
        QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')) + QLatin1Char('\n'));
}

// ---- keys ----

void CompareView::keyPressEvent(QKeyEvent* event) {
    const int shifted = event->key() == Qt::Key_Up ? -1 : event->key() == Qt::Key_Down ? 1 : 0;
    if (event->modifiers() == Qt::ShiftModifier && shifted != 0) {
        extend_selection(shifted);
        return;
    }
    if (event->modifiers() != Qt::NoModifier && event->modifiers() != Qt::KeypadModifier) {
        QWidget::keyPressEvent(event);
        return;
    }
    const int page = std::max(1, right_->view()->visible_rows() - 2);
    switch (event->key()) {
        case Qt::Key_Up:
            step_selection(-1);
            break;
        case Qt::Key_Down:
            step_selection(1);
            break;
        case Qt::Key_PageUp:
            step_selection(-page);
            break;
        case Qt::Key_PageDown:
            step_selection(page);
            break;
        case Qt::Key_Home:
            step_selection(-static_cast<int>(k_.rows.size()));
            break;
        case Qt::Key_End:
            step_selection(static_cast<int>(k_.rows.size()));
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            Q_EMIT edit_asked(nullptr);
            break;
        case Qt::Key_Left:
            left_->view()->setFocus();
            break;
        case Qt::Key_Right:
            right_->view()->setFocus();
            break;
        default:
            QWidget::keyPressEvent(event);
    }
}

}  // namespace cubinlab::ui
