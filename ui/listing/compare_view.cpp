// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/listing/compare_view.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QScrollBar>
#include <QTimer>
#include <algorithm>

#include "ui/listing/gutter.h"
#include "ui/listing/pane.h"
#include "ui/listing/ribbons.h"
#include "ui/listing/sass_view.h"
#include "ui/selection.h"

namespace cubinlab::ui {
namespace {

constexpr int kWide = 1100;      // pixels; from here on there is room for every column
constexpr int kRebuildMs = 100;  // a running agent changes the listing at most ten times a second

std::string text_of_row(const Document& document, const ListingRow& row, InstrId id) {
    if (row.is_header()) return header_text(*document.kernel(), row.header);
    const std::vector<std::string>& lines = document.listing().lines;
    return id < lines.size() ? lines[id] : std::string();
}

std::vector<RowMark> marks_of_row(const ScheduleDiff& diff, const ListingRow& row, InstrId id) {
    if (row.is_header()) return {RowMark::Header};
    if (id == kNone) return {RowMark::Blank};
    switch (diff.change[id]) {
        case Change::Same:
            return {};
        case Change::Control:
            return {RowMark::Control};
        case Change::Moved:
        case Change::MovedAndControl:
            return {RowMark::Moved};
    }
    return {};
}

}  // namespace

CompareView::CompareView(Document* document, Selection* selection, QWidget* parent)
    : QWidget(parent), document_(document), selection_(selection) {
    left_ = new Pane(Side::Left, this);
    right_ = new Pane(Side::Right, this);
    ribbons_ = new Ribbons(left_->view(), this);
    ruler_ = new OverviewRuler(right_->view(), this);
    // The strips start where the listings start, below the bars of the panes.
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(left_, 1);
    layout->addWidget(ribbons_);
    layout->addWidget(right_, 1);
    layout->addWidget(ruler_);
    rebuild_timer_ = new QTimer(this);
    rebuild_timer_->setSingleShot(true);
    connect(rebuild_timer_, &QTimer::timeout, this, &CompareView::rebuild);

    connect_pane(left_, Side::Left);
    connect_pane(right_, Side::Right);
    connect(left_, &Pane::head_chosen, document_, &Document::show_left);
    connect(right_, &Pane::head_chosen, document_, &Document::show_right);
    connect(ribbons_, &Ribbons::instr_pressed, selection_, &Selection::select);
    connect(document_, &Document::opened, this, [this] {
        for (Pane* pane : {left_, right_})
            pane->view()->set_first_visible_row(0);
    });
    connect(document_, &Document::pair_changed, this, &CompareView::schedule_rebuild);
    connect(document_, &Document::listing_changed, this, &CompareView::schedule_rebuild);
    connect(document_, &Document::liveness_changed, this, &CompareView::show_liveness);
    connect(document_, &Document::problems_changed, this, &CompareView::show_problems);
    connect(selection_, &Selection::changed, this, &CompareView::show_selection);
    setFocusProxy(right_->view());
}

void CompareView::connect_pane(Pane* pane, Side side) {
    SassView* view = pane->view();
    SassView* other = (side == Side::Left ? right_ : left_)->view();
    const auto press = [this, side](int row) {
        if (const InstrId id = rows_.instr(row, side); id != kNone) {
            selecting_here_ = true;  // what was clicked is in view; do not scroll under the pointer
            selection_->select(id);
            selecting_here_ = false;
        }
    };
    connect(view, &SassView::row_pressed, this, press);
    connect(pane->gutter(), &Gutter::row_pressed, this, press);
    const auto menu = [this, press](int row, const QPoint& global) {
        press(row);
        Q_EMIT menu_requested(global);
    };
    connect(view, &SassView::row_menu, this, menu);
    connect(pane->gutter(), &Gutter::row_menu, this, menu);
    connect(view, &SassView::row_hovered, this,
            [this, side](int row) { selection_->hover(rows_.instr(row, side)); });
    connect(view, &SassView::resized, this, &CompareView::balance_scrollbars);
    connect(view, &SassView::scrolled, this, [this, other](int row) {
        if (scrolling_ || other->first_visible_row() == row) return;
        scrolling_ = true;
        other->set_first_visible_row(row);
        scrolling_ = false;
    });
    connect(view->horizontalScrollBar(), &QScrollBar::valueChanged, this,
            [other](int value) { other->horizontalScrollBar()->setValue(value); });
}

// Both listings get a horizontal bar or neither, so that they always show the same rows.
void CompareView::balance_scrollbars() {
    const auto too_wide = [](SassView* view) { return view->text_width() > view->viewport()->width(); };
    const bool needed = too_wide(left_->view()) || too_wide(right_->view());
    for (Pane* pane : {left_, right_})
        pane->view()->setHorizontalScrollBarPolicy(needed ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
}

void CompareView::schedule_rebuild() {
    if (!since_rebuild_.isValid() || since_rebuild_.elapsed() >= kRebuildMs || !document_->follow_live()) {
        rebuild_timer_->stop();
        rebuild();
    } else if (!rebuild_timer_->isActive()) {
        rebuild_timer_->start(static_cast<int>(kRebuildMs - since_rebuild_.elapsed()));
    }
}

void CompareView::rebuild() {
    if (!document_->is_open() || !document_->diff()) return;
    since_rebuild_.start();
    // The instruction that stays where it is on the screen: the selected one, or the first in view.
    SassView* view = right_->view();
    const int first = view->first_visible_row();
    InstrId anchor = selection_->instr();
    int anchor_row = rows_.row_of(anchor, Side::Right);
    if (anchor_row < first || anchor_row >= first + view->visible_rows()) {
        anchor_row = first;
        while (static_cast<std::size_t>(anchor_row) < rows_.size() &&
               rows_.instr(anchor_row, Side::Left) == kNone)
            ++anchor_row;
        anchor = rows_.instr(anchor_row, Side::Left);
    }
    const bool by_left = anchor != selection_->instr();

    ListingRows rows = make_rows(*document_->kernel(), *document_->diff());
    for (const Side side : {Side::Left, Side::Right}) {
        std::vector<std::string> texts;
        std::vector<std::vector<RowMark>> marks;
        texts.reserve(rows.size());
        marks.reserve(rows.size());
        for (const ListingRow& row : rows.rows) {
            const InstrId id = side == Side::Left ? row.left : row.right;
            texts.push_back(text_of_row(*document_, row, id));
            marks.push_back(marks_of_row(*document_->diff(), row, id));
        }
        pane(side)->view()->set_rows(std::move(texts), marks);
    }
    rows_ = std::move(rows);
    left_->gutter()->set_content(&rows_, document_->left(), document_->diff());
    right_->gutter()->set_content(&rows_, document_->right(), document_->diff());
    ribbons_->set_content(&rows_, document_->diff());
    show_liveness();
    show_problems();
    show_heads();
    balance_scrollbars();
    if (const int now = rows_.row_of(anchor, by_left ? Side::Left : Side::Right); now >= 0) {
        left_->view()->set_first_visible_row(first + now - anchor_row);
        right_->view()->set_first_visible_row(first + now - anchor_row);
    }
    show_selection(selection_->instr());
}

void CompareView::show_heads() {
    left_->set_heads(document_->left_head(), *document_);
    right_->set_heads(document_->right_head(), *document_);
    left_->set_facts(facts_of(Side::Left));
    right_->set_facts(facts_of(Side::Right));
    left_->captions_changed();
    right_->captions_changed();
}

QStringList CompareView::facts_of(Side side) const {
    const ScheduleDiff& diff = *document_->diff();
    if (side == Side::Left)
        return {tr("%1 stall cycles").arg(diff.stall_cycles_left),
                tr("%1 instructions").arg(document_->kernel()->size()),
                tr("text: %1").arg(QString::fromStdString(document_->listing().origin))};
    const auto left = static_cast<qint64>(diff.stall_cycles_left);
    const auto right = static_cast<qint64>(diff.stall_cycles_right);
    const QString sign = right > left   ? QStringLiteral("+")
                         : right < left ? QStringLiteral("\u2212")
                                        : QStringLiteral("\u00b1");
    return {tr("%1 stall cycles (%2%3)").arg(right).arg(sign).arg(std::abs(right - left)),
            tr("%1 moved").arg(diff.moved), tr("%1 control changed").arg(diff.control)};
}

void CompareView::show_liveness() {
    if (!document_->is_open()) return;
    const int registers = document_->kernel()->info().registers;
    left_->gutter()->set_liveness(document_->left_liveness(), registers);
    right_->gutter()->set_liveness(document_->right_liveness(), registers);
}

void CompareView::show_problems() {
    std::vector<InstrId> places;
    for (const Hazard& hazard : document_->problems())
        if (hazard.later != kNone) places.push_back(hazard.later);
    ruler_->set_content(&rows_, document_->diff(), std::move(places));
}

void CompareView::show_selection(InstrId id) {
    for (const Side side : {Side::Left, Side::Right}) {
        const int row = rows_.row_of(id, side);
        pane(side)->view()->mark_only(RowMark::Selected, row);
        pane(side)->gutter()->set_selected(id);
    }
    ribbons_->set_selected(id);
    ruler_->set_selected(id);
    if (id != kNone && !selecting_here_) right_->view()->reveal_row(rows_.row_of(id, focused_side()));
}

Side CompareView::focused_side() const {
    return left_->view()->hasFocus() ? Side::Left : Side::Right;
}

void CompareView::step_selection(int by) {
    const Side side = focused_side();
    const int direction = by < 0 ? -1 : 1;
    int row = rows_.row_of(selection_->instr(), side);
    if (row < 0) row = pane(side)->view()->first_visible_row() - direction;
    int wanted = std::clamp(row + by, 0, std::max(0, static_cast<int>(rows_.size()) - 1));
    while (rows_.instr(wanted, side) == kNone && wanted > 0 && wanted + 1 < static_cast<int>(rows_.size()))
        wanted += direction;
    while (rows_.instr(wanted, side) == kNone && wanted != row &&
           wanted >= 0)  // an end: back to the last one
        wanted -= direction;
    if (const InstrId id = rows_.instr(wanted, side); id != kNone) selection_->select(id);
}

bool CompareView::go_to_change(int direction) {
    if (!document_->diff()) return false;
    const auto& change = document_->diff()->change;
    int row = rows_.row_of(selection_->instr(), Side::Right);
    if (row < 0 && direction < 0) row = static_cast<int>(rows_.size());
    for (row += direction; row >= 0 && static_cast<std::size_t>(row) < rows_.size(); row += direction) {
        const InstrId id = rows_.instr(row, Side::Right);
        if (id == kNone || change[id] == Change::Same) continue;
        selection_->select(id);
        return true;
    }
    return false;
}

bool CompareView::find(const QString& text, int direction) {
    if (text.isEmpty() || rows_.size() == 0) return false;
    const Side side = focused_side();
    const int count = static_cast<int>(rows_.size());
    int row = std::max(0, rows_.row_of(selection_->instr(), side));
    for (int i = 0; i < count; ++i) {
        row = (row + direction + count) % count;
        const InstrId id = rows_.instr(row, side);
        if (id == kNone || !document_->text_of(id).contains(text, Qt::CaseInsensitive)) continue;
        selection_->select(id);
        return true;
    }
    return false;
}

// In a narrow window the text comes before the bar of live registers.
void CompareView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const bool wide = width() >= kWide;
    if (wide == wide_) return;
    wide_ = wide;
    set_columns(true, wide, true);
}

void CompareView::set_columns(bool offset, bool live, bool control) {
    for (Pane* pane : {left_, right_}) {
        pane->gutter()->set_columns({offset, live, control});
        pane->captions_changed();
    }
}

void CompareView::keyPressEvent(QKeyEvent* event) {
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
            step_selection(-static_cast<int>(rows_.size()));
            break;
        case Qt::Key_End:
            step_selection(static_cast<int>(rows_.size()));
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            Q_EMIT edit_asked();
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
