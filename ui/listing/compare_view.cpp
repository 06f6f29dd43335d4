// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/listing/compare_view.h"

#include <QHBoxLayout>
#include <QScrollBar>
#include <QTimer>

#include "core/insight/instruction_text.h"
#include "ui/base/theme.h"
#include "ui/document/kernel_notes.h"
#include "ui/document/selection.h"
#include "ui/listing/gutter.h"
#include "ui/listing/listing_overlay.h"
#include "ui/listing/pane.h"
#include "ui/listing/ribbons.h"
#include "ui/listing/sass_view.h"

namespace cubinlab::ui {
namespace {

constexpr int kRebuildMs = 100;  // a running agent changes the listing at most ten times a second

// The part of a block that agents may edit; empty: nothing is locked or out of scope.
QString scope_text(const Kernel& kernel, BlockId block, const KernelNotes* notes) {
    if (notes == nullptr || (notes->locked().empty() && notes->scope().empty())) return {};
    const Block& b = kernel.flow().blocks[block];
    std::uint32_t open = 0;
    for (InstrId id = b.first; id < b.end(); ++id)
        if (!notes->locked(id) && notes->in_scope(id)) ++open;
    if (open == 0) return CompareView::tr("  locked");
    if (open == b.count) return CompareView::tr("  editable by agents");
    return CompareView::tr("  %1 of %2 editable by agents").arg(open).arg(b.count);
}

std::string text_of_row(const Document& document, const ListingRow& row, InstrId id, const Schedule& schedule,
                        const KernelNotes* notes) {
    if (row.is_header())
        return header_text(*document.kernel(), row.header) +
               scope_text(*document.kernel(), row.header, notes).toStdString();
    return id == kNone ? std::string() : instruction_text(schedule, id, document.listing().lines);
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

constexpr int kWide = 157;   // letters; from here on there is room for every column
constexpr int kTight = 123;  // below, arrows would leave no room for the text
constexpr int kNarrow = 76;  // below, control codes would, too

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
    connect(left_, &Pane::slot_chosen, &document_->pair(), &ComparedPair::show_left);
    connect(right_, &Pane::slot_chosen, &document_->pair(), &ComparedPair::show_right);
    connect(ribbons_, &Ribbons::instr_pressed, selection_, &Selection::select);
    connect(document_, &Document::leaving, this, &CompareView::forget);
    connect(document_, &Document::opened, this, &CompareView::show_columns);
    connect(&document_->pair(), &ComparedPair::changed, this, &CompareView::schedule_rebuild);
    connect(document_, &Document::listing_changed, this, &CompareView::schedule_rebuild);
    connect(&document_->pair(), &ComparedPair::liveness_changed, this, &CompareView::show_liveness);
    connect(&document_->pair(), &ComparedPair::timing_changed, this, &CompareView::show_timing);
    connect(&document_->pair(), &ComparedPair::problems_changed, this, &CompareView::show_problems);
    connect(selection_, &Selection::range_changed, this, &CompareView::show_range);
    connect(selection_, &Selection::leaving, this, [this] {
        if (const int row = k_.rows.row_of(selection_->instr(), focused_side()); row >= 0)
            selection_->note_top(row - right_->view()->first_visible_row());
    });
    connect(&Theme::instance(), &Theme::changed, this, &CompareView::show_labels);
    connect(&Theme::instance(), &Theme::changed, this, &CompareView::fit_columns);
    connect(selection_, &Selection::changed, this, &CompareView::show_selection);
    setFocusProxy(right_->view());
    show_columns();
}

void CompareView::connect_pane(Pane* pane, Side side) {
    SassView* view = pane->view();
    SassView* other = (side == Side::Left ? right_ : left_)->view();
    const auto press = [this, side](int row) {
        if (const InstrId id = k_.rows.instr(row, side); id != kNone) {
            selecting_here_ = true;  // the clicked row is in view; do not scroll under the pointer
            selection_->select(id);
            selecting_here_ = false;
        }
    };
    connect(view, &SassView::row_pressed, this, press);
    connect(view, &SassView::range_asked, this, [this, side](int row) { choose_range(row, side); });
    connect(pane->gutter(), &Gutter::range_asked, this, [this, side](int row) { choose_range(row, side); });
    connect(view, &SassView::copy_asked, this, [this, side] { copy_rows(side); });
    connect(view, &SassView::row_activated, this, [this, side](int row) {
        if (row < static_cast<int>(k_.rows.size()) &&
            k_.rows.rows[static_cast<std::size_t>(row)].is_header()) {
            const BlockId block = k_.rows.rows[static_cast<std::size_t>(row)].header;
            set_folded({block}, !folded(block));
        } else if (k_.rows.instr(row, side) != kNone) {
            Q_EMIT edit_asked(nullptr);
        }
    });
    connect(pane->gutter(), &Gutter::row_activated, this, [this, press](int row, const char* field) {
        press(row);
        Q_EMIT edit_asked(field);
    });
    connect(pane->gutter(), &Gutter::fold_toggled, this,
            [this](BlockId block) { set_folded({block}, !folded(block)); });
    connect(pane->gutter(), &Gutter::row_pressed, this, press);
    const auto menu = [this, press](int row, const QPoint& global) {
        press(row);
        Q_EMIT menu_requested(global);
    };
    connect(view, &SassView::row_menu, this, menu);
    connect(pane->gutter(), &Gutter::row_menu, this, menu);
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

void CompareView::forget() {
    rebuild_timer_->stop();
    k_ = {};
    for (Pane* pane : {left_, right_}) {
        pane->view()->set_text_marks({});
        pane->view()->set_rows({}, {});
        pane->gutter()->forget();
        pane->overlay()->forget();
        pane->set_facts({});
    }
    ribbons_->forget();
    ruler_->forget();
    show_columns();
}

void CompareView::schedule_rebuild() {
    if (!k_.since_rebuild.isValid() || k_.since_rebuild.elapsed() >= kRebuildMs ||
        !document_->pair().follow_live()) {
        rebuild_timer_->stop();
        rebuild();
    } else if (!rebuild_timer_->isActive()) {
        rebuild_timer_->start(static_cast<int>(kRebuildMs - k_.since_rebuild.elapsed()));
    }
}

void CompareView::rebuild() {
    if (!document_->is_open() || !document_->pair().diff()) return;
    k_.since_rebuild.start();
    // The instruction that keeps its screen position: the selected one, or the first in view.
    SassView* view = right_->view();
    const int first = view->first_visible_row();
    InstrId anchor = selection_->instr();
    int anchor_row = k_.rows.row_of(anchor, Side::Right);
    if (anchor_row < first || anchor_row >= first + view->visible_rows()) {
        anchor_row = first;
        while (static_cast<std::size_t>(anchor_row) < k_.rows.size() &&
               k_.rows.instr(anchor_row, Side::Left) == kNone)
            ++anchor_row;
        anchor = k_.rows.instr(anchor_row, Side::Left);
    }
    const bool by_left = anchor != selection_->instr();

    ListingRows rows = make_rows(*document_->kernel(), *document_->pair().diff(), k_.folded,
                                 {compact(), only_changed_, selection_->instr()});
    const bool other_style = rows.compact != k_.rows.compact;
    for (const Side side : {Side::Left, Side::Right}) {
        std::vector<std::string> texts;
        std::vector<std::vector<RowMark>> marks;
        const SchedulePtr schedule =
            side == Side::Left ? document_->pair().left() : document_->pair().right();
        texts.reserve(rows.size());
        marks.reserve(rows.size());
        for (const ListingRow& row : rows.rows) {
            const InstrId id = side == Side::Left ? row.left : row.right;
            texts.push_back(text_of_row(*document_, row, id, *schedule, notes_));
            marks.push_back(marks_of_row(*document_->pair().diff(), row, id));
        }
        pane(side)->view()->set_rows(std::move(texts), marks);
    }
    k_.rows = std::move(rows);
    left_->gutter()->set_content(&k_.rows, document_->pair().left(), document_->pair().diff(),
                                 document_->pair().right());
    right_->gutter()->set_content(&k_.rows, document_->pair().right(), document_->pair().diff(),
                                  document_->pair().left());
    ribbons_->set_content(&k_.rows, document_->pair().diff());
    show_liveness();
    show_problems();
    show_timing();
    show_heads();
    balance_scrollbars();
    // A view at the top stays at the top.
    const int now =
        by_left && first == 0 ? anchor_row : k_.rows.row_of(anchor, by_left ? Side::Left : Side::Right);
    if (now >= 0) {
        left_->view()->set_first_visible_row(first + now - anchor_row);
        right_->view()->set_first_visible_row(first + now - anchor_row);
    }
    selecting_here_ = true;  // what is in view stays in view
    show_selection(selection_->instr());
    selecting_here_ = false;
    show_found();
    show_labels();
    if (other_style) Q_EMIT columns_changed();
}

void CompareView::show_heads() {
    left_->set_heads(document_->pair().left_slot(), *document_);
    right_->set_heads(document_->pair().right_slot(), *document_);
    left_->set_facts(facts_of(Side::Left));
    right_->set_facts(facts_of(Side::Right));
    left_->captions_changed();
    right_->captions_changed();
}

QStringList CompareView::facts_of(Side side) const {
    const ScheduleDiff& diff = *document_->pair().diff();
    if (side == Side::Left)
        return {tr("%1 stall cycles").arg(diff.stall_cycles_left),
                tr("%n instruction(s)", nullptr, static_cast<int>(document_->kernel()->size())),
                tr("disassembly: %1").arg(QString::fromStdString(document_->listing().origin))};
    const auto left = static_cast<qint64>(diff.stall_cycles_left);
    const auto right = static_cast<qint64>(diff.stall_cycles_right);
    const QString sign = right > left   ? QStringLiteral("+")
                         : right < left ? QStringLiteral("\u2212")
                                        : QStringLiteral("\u00b1");
    QStringList changes{tr("%1 moved").arg(diff.moved), tr("%1 control codes changed").arg(diff.control)};
    // A narrow pane drops the last fact: "0 moved" alone would suggest an unchanged schedule.
    if (diff.moved == 0 && diff.control != 0) changes.swapItemsAt(0, 1);
    changes.prepend(tr("%1 stall cycles (%2%3)").arg(right).arg(sign).arg(std::abs(right - left)));
    return changes;
}

void CompareView::show_liveness() {
    if (!document_->is_open()) return;
    const int registers = document_->kernel()->info().registers;
    left_->gutter()->set_liveness(document_->pair().left_liveness(), registers);
    right_->gutter()->set_liveness(document_->pair().right_liveness(), registers);
}

void CompareView::show_problems() {
    std::vector<InstrId> places;
    for (const Hazard& hazard : document_->pair().problems())
        if (hazard.later != kNone) places.push_back(hazard.later);
    ruler_->set_content(&k_.rows, document_->pair().diff(), std::move(places));
}

void CompareView::show_selection(InstrId id) {
    if (!selecting_here_ && unfold_for(id)) return;
    show_range();
    for (const Side side : {Side::Left, Side::Right})
        pane(side)->gutter()->set_selected(id);
    ribbons_->set_selected(id);
    ruler_->set_selected(id);
    show_labels();
    if (id == kNone || selecting_here_) return;
    const int row = k_.rows.row_of(id, focused_side());
    if (const auto top = selection_->restored_top(); top && row >= 0)
        right_->view()->set_first_visible_row(row - *top);  // as at the last visit
    right_->view()->reveal_row(row);
}

void CompareView::show_range() {
    const std::vector<InstrId> ids = selection_->targets();
    for (const Side side : {Side::Left, Side::Right}) {
        std::vector<int> rows;
        for (const InstrId id : ids)
            rows.push_back(k_.rows.row_of(id, side));
        pane(side)->view()->mark_rows(RowMark::Selected, rows);
        pane(side)->gutter()->set_range(selection_->range());
    }
    if (selection_->range().empty()) k_.range_end = -1;
}

void CompareView::set_arrows(Side side, const ArrowsPtr& arrows) {
    k_.arrows[static_cast<int>(side)] = arrows;
    pane(side)->gutter()->set_arrows(arrows);
    show_labels();
}

// One label per other end, at the right edge of its row.
void CompareView::show_labels() {
    const ThemeColors& c = Theme::instance().colors();
    for (const Side side : {Side::Left, Side::Right}) {
        std::vector<RowLabel> labels;
        const ArrowsPtr& arrows = k_.arrows[static_cast<int>(side)];
        if (arrows && pane(side)->gutter()->columns().arrows && arrows->instr == selection_->instr())
            for (const DependencyArrow& arrow : arrows->arrows) {
                const int row = k_.rows.row_of(arrow.from == arrows->instr ? arrow.to : arrow.from, side);
                if (row < 0) continue;
                const ArrowReason& reason = arrow.reasons.front();
                labels.push_back(
                    {row, QString::fromStdString(arrow.label()),
                     reason.guarded ? c.text_dim : c.dependence[static_cast<std::size_t>(arrow.kind())],
                     reason.too_close()});
            }
        pane(side)->overlay()->set_labels(std::move(labels));
    }
}

void CompareView::set_legal_places(const SchedulePtr& schedule, const SlotRange& range, bool on) {
    std::vector<int> rows;
    if (on && document_->pair().right() && *schedule == *document_->pair().right())
        for (Position p = range.lowest; p <= range.highest && p < schedule->size(); ++p)
            if (range.contains(p))
                if (const int row = k_.rows.row_of(schedule->at(p), Side::Right); row >= 0)
                    rows.push_back(row);
    right_->overlay()->set_legal_rows(std::move(rows));
}

// In a narrow window the text has priority over information shown elsewhere.
void CompareView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit_columns();
}

void CompareView::fit_columns() {
    const int letters =
        width() / QFontMetrics(Theme::instance().mono_font()).horizontalAdvance(QLatin1Char('0'));
    const bool wide = letters >= kWide, tight = letters < kTight, narrow = letters < kNarrow;
    if (wide == wide_ && tight == tight_ && narrow == narrow_) return;
    wide_ = wide;
    tight_ = tight;
    narrow_ = narrow;
    show_columns();
}

bool CompareView::column(Column which) const {
    switch (which) {
        case Column::Live:
            return live_wish_.value_or(wide_);
        case Column::Cycle:
            return cycle_wish_.value_or(false);
        case Column::Arrows:
            return arrows_wish_.value_or(true);
        case Column::Source:
            return source_on_;
        case Column::Profile:
            return k_.profile_on;
    }
    return false;
}

void CompareView::set_column(Column which, bool on) {
    if (column(which) == on) return;
    switch (which) {
        case Column::Live:
            live_wish_ = on;
            break;
        case Column::Cycle:
            cycle_wish_ = on;
            document_->pair().want_timing(on);
            break;
        case Column::Arrows:
            arrows_wish_ = on;
            break;
        case Column::Source:
            source_on_ = on;
            break;
        case Column::Profile:
            k_.profile_on = on;
            break;
    }
    show_columns();
}

void CompareView::show_columns() {
    const KernelPtr kernel = document_->kernel();
    const bool decoded = !kernel || kernel->arch().decodable();
    for (const Side side : {Side::Left, Side::Right}) {
        GutterColumns columns;
        columns.live = decoded && column(Column::Live);
        columns.cycle = column(Column::Cycle);
        columns.source = source_on_ && k_.has_source;
        columns.profile = k_.profile_on;
        // The candidate's dependences; the other side's too where there is room.
        columns.arrows = decoded && column(Column::Arrows) && (wide_ || (side == Side::Right && !tight_));
        columns.control = !narrow_;
        pane(side)->gutter()->set_columns(columns);
        pane(side)->captions_changed();
    }
    show_labels();
    Q_EMIT columns_changed();
}

void CompareView::show_timing() {
    left_->gutter()->set_timing(document_->pair().left_timing());
    right_->gutter()->set_timing(document_->pair().right_timing());
}

void CompareView::set_notes(const KernelNotes* notes) {
    notes_ = notes;
    for (Pane* one : {left_, right_})
        one->gutter()->set_notes(notes);
    if (notes != nullptr) ruler_->set_bookmarks({notes->bookmarks().begin(), notes->bookmarks().end()});
    schedule_rebuild();  // block headers show what agents may edit
}

void CompareView::set_heat(const HeatPtr& heat) {
    right_->gutter()->set_heat(heat);
    right_->captions_changed();
}

void CompareView::set_profile(const ProfilePtr& profile) {
    k_.profile_on = profile != nullptr;
    for (Pane* one : {left_, right_})
        one->gutter()->set_profile(profile);
    show_columns();
}

void CompareView::set_source(const SourcePlaces& places) {
    k_.has_source = places != nullptr;
    for (Pane* one : {left_, right_})
        one->gutter()->set_source(places);
    show_columns();
}

void CompareView::set_occupancy(const std::vector<OccupancyStep>& steps) {
    for (Pane* one : {left_, right_})
        one->gutter()->set_occupancy(steps);
}

}  // namespace cubinlab::ui
