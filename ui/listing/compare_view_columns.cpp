// SPDX-License-Identifier: GPL-3.0-or-later
// CompareView: the columns next to the text of both listings, and which of them fit.
#include "ui/base/theme.h"
#include "ui/document/kernel_notes.h"
#include "ui/listing/compare_view.h"
#include "ui/listing/gutter.h"
#include "ui/listing/pane.h"
#include "ui/listing/ribbons.h"

namespace cubinlab::ui {
namespace {

constexpr int kWide = 157;   // letters; from here on there is room for every column
constexpr int kTight = 123;  // below, arrows would leave no room for the text
constexpr int kNarrow = 97;  // below, control codes would, too

}  // namespace

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
