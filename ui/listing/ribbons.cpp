// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/listing/ribbons.h"

#include <QCoreApplication>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/base/theme.h"
#include "ui/listing/sass_view.h"

namespace cubinlab::ui {
namespace {

constexpr int kRibbonWidth = 40;
constexpr int kRulerWidth = 14;
constexpr int kNearRows = 4;        // of the selection, in a compact comparison
constexpr int kCaptionHeight = 18;  // of the panes' column names

// The strips are as high as the panes; their content starts where the listing does.
int listing_top(const QWidget* strip, const SassView* view) {
    return view->mapToGlobal(QPoint(0, 0)).y() - strip->mapToGlobal(QPoint(0, 0)).y();
}

int listing_height(const QWidget* strip, const SassView* view) {
    return std::max(1, strip->height() - listing_top(strip, view));
}

// Continues the bar and the captions of the panes.
void paint_strip(QPainter& painter, const QRect& all, int top) {
    const ThemeColors& c = Theme::instance().colors();
    painter.fillRect(all, c.surface_alt);
    painter.fillRect(QRect(all.left(), all.top(), all.width(), top - kCaptionHeight), c.window);
    painter.setPen(c.border);
    painter.drawLine(all.left(), top - 1, all.right(), top - 1);
}

bool is_moved(Change change) {
    return change == Change::Moved || change == Change::MovedAndControl;
}

}  // namespace

Ribbons::Ribbons(SassView* view, QWidget* parent) : QWidget(parent), view_(view) {
    setFixedWidth(kRibbonWidth);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Moves from the left to the right listing"));
    setToolTip(tr("Where each moved instruction went; click a curve to select it"));
    connect(view, &QsciScintilla::SCN_UPDATEUI, this, qOverload<>(&QWidget::update));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void Ribbons::set_content(const ListingRows* rows, DiffPtr diff) {
    k_.rows = rows;
    k_.diff = std::move(diff);
    k_.moved.clear();
    if (k_.diff)
        for (InstrId id = 0; id < k_.diff->change.size(); ++id)
            if (is_moved(k_.diff->change[id])) k_.moved.push_back(id);
    update();
}

void Ribbons::forget() {
    k_ = {};
    update();
}

void Ribbons::set_selected(InstrId id) {
    k_.selected = id;
    update();
}

bool Ribbons::ends_of(InstrId id, Ends& ends) const {
    const int left = k_.rows->row_of(id, Side::Left);
    const int right = k_.rows->row_of(id, Side::Right);
    if (left < 0 || right < 0) return false;
    const double row = view_->row_height();
    const int first = view_->first_visible_row();
    ends.left = (left - first + 0.5) * row;
    ends.right = (right - first + 0.5) * row;
    return std::max(ends.left, ends.right) >= 0 && std::min(ends.left, ends.right) <= height();
}

void Ribbons::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& c = Theme::instance().colors();
    const int top = listing_top(this, view_);
    paint_strip(painter, rect(), top);
    painter.drawLine(0, top, 0, height());
    painter.drawLine(width() - 1, top, width() - 1, height());
    if (k_.rows == nullptr) return;
    painter.setClipRect(0, top, width(), height() - top);
    painter.translate(0, top);
    painter.setRenderHint(QPainter::Antialiasing);
    const double thick = view_->row_height() * 0.62;
    const auto draw = [&](InstrId id, bool strong) {
        Ends ends;
        if (!ends_of(id, ends)) return;
        const double w = width();
        QPainterPath path;
        path.moveTo(0, ends.left - thick / 2);
        path.cubicTo(w * 0.5, ends.left - thick / 2, w * 0.5, ends.right - thick / 2, w,
                     ends.right - thick / 2);
        path.lineTo(w, ends.right + thick / 2);
        path.cubicTo(w * 0.5, ends.right + thick / 2, w * 0.5, ends.left + thick / 2, 0,
                     ends.left + thick / 2);
        path.closeSubpath();
        QColor fill = c.moved;
        fill.setAlpha(strong ? 190 : 62);
        painter.fillPath(path, fill);
        fill.setAlpha(strong ? 255 : 120);
        painter.setPen(QPen(fill, 1));
        painter.drawPath(path);
    };
    for (const InstrId id : k_.moved)
        if (id != k_.selected && shown(id)) draw(id, false);
    const bool moved = std::find(k_.moved.begin(), k_.moved.end(), k_.selected) != k_.moved.end();
    if (moved || (k_.rows->compact && k_.selected != kNone)) draw(k_.selected, true);
}

// In a compact comparison with hundreds of ribbons, draw only those near the selection.
bool Ribbons::shown(InstrId id) const {
    if (!k_.rows->compact) return true;
    const int at = k_.rows->row_of(k_.selected, Side::Right), here = k_.rows->row_of(id, Side::Right);
    return at >= 0 && here >= 0 && std::abs(here - at) <= kNearRows;
}

void Ribbons::mousePressEvent(QMouseEvent* event) {
    if (k_.rows == nullptr) return;
    const double share = event->position().x() / width();
    const double y = event->position().y() - listing_top(this, view_);
    const double blend = share * share * (3 - 2 * share);  // close to the curve's own shape
    InstrId nearest = kNone;
    double best = view_->row_height();
    for (const InstrId id : k_.moved) {
        Ends ends;
        if (!shown(id) || !ends_of(id, ends)) continue;
        const double away = std::abs(ends.left + (ends.right - ends.left) * blend - y);
        if (away < best) {
            best = away;
            nearest = id;
        }
    }
    if (nearest != kNone) Q_EMIT instr_pressed(nearest);
}

void Ribbons::wheelEvent(QWheelEvent* event) {
    QCoreApplication::sendEvent(view_->viewport(), event);
}

OverviewRuler::OverviewRuler(SassView* view, QWidget* parent) : QWidget(parent), view_(view) {
    setFixedWidth(kRulerWidth);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Overview of the kernel"));
    setToolTip(
        tr("Moved (blue), control code changed (amber), problems (red), matches (green, right), bookmarks "
           "(left). Click to go there."));
    connect(view, &QsciScintilla::SCN_UPDATEUI, this, qOverload<>(&QWidget::update));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void OverviewRuler::set_content(const ListingRows* rows, DiffPtr diff, std::vector<InstrId> problems) {
    k_.rows = rows;
    k_.diff = std::move(diff);
    k_.problems = std::move(problems);
    update();
}

void OverviewRuler::set_found(std::vector<InstrId> ids) {
    k_.found = std::move(ids);
    update();
}

void OverviewRuler::set_bookmarks(std::vector<InstrId> ids) {
    k_.bookmarks = std::move(ids);
    update();
}

void OverviewRuler::forget() {
    k_ = {};
    update();
}

void OverviewRuler::set_selected(InstrId id) {
    k_.selected = id;
    update();
}

void OverviewRuler::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& c = Theme::instance().colors();
    const int top = listing_top(this, view_);
    paint_strip(painter, rect(), top);
    painter.drawLine(0, top, 0, height());
    if (k_.rows == nullptr || k_.rows->size() == 0) return;
    painter.translate(0, top);
    const double scale =
        static_cast<double>(listing_height(this, view_)) / static_cast<double>(k_.rows->size());
    QColor thumb = rule_of(c);
    thumb.setAlpha(60);
    painter.fillRect(QRectF(1, view_->first_visible_row() * scale, width() - 1,
                            std::max(6.0, view_->visible_rows() * scale)),
                     thumb);
    const auto mark = [&](int row, const QColor& color, int left, int right) {
        if (row < 0) return;
        painter.fillRect(QRectF(left, row * scale, right - left, std::max(2.0, scale)), color);
    };
    if (k_.diff)
        for (InstrId id = 0; id < k_.diff->change.size(); ++id) {
            if (is_moved(k_.diff->change[id]))
                mark(k_.rows->row_of(id, Side::Right), c.moved, 2, width() - 2);
            else if (k_.diff->change[id] == Change::Control)
                mark(k_.rows->row_of(id, Side::Right), c.control_changed, 2, width() - 2);
        }
    for (const InstrId id : k_.found)
        mark(k_.rows->row_of(id, Side::Right), c.good, width() - 5, width());
    for (const InstrId id : k_.bookmarks)
        mark(k_.rows->row_of(id, Side::Right), c.accent, 0, 5);
    for (const InstrId id : k_.problems)
        mark(k_.rows->row_of(id, Side::Right), c.bad, 1, width());
    if (k_.selected != kNone) mark(k_.rows->row_of(k_.selected, Side::Right), c.text, 1, width());
}

void OverviewRuler::go_to(double y) {
    if (k_.rows == nullptr) return;
    const int row = static_cast<int>((y - listing_top(this, view_)) / listing_height(this, view_) *
                                     static_cast<double>(k_.rows->size()));
    view_->set_first_visible_row(row - view_->visible_rows() / 2);
}

void OverviewRuler::mousePressEvent(QMouseEvent* event) {
    go_to(event->position().y());
}

void OverviewRuler::mouseMoveEvent(QMouseEvent* event) {
    if ((event->buttons() & Qt::LeftButton) != 0) go_to(event->position().y());
}

void OverviewRuler::wheelEvent(QWheelEvent* event) {
    QCoreApplication::sendEvent(view_->viewport(), event);
}

}  // namespace cubinlab::ui
