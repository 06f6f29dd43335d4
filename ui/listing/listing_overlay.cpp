// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/listing/listing_overlay.h"

#include <QEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>

#include "ui/base/theme.h"
#include "ui/listing/sass_view.h"

namespace cubinlab::ui {
namespace {

constexpr int kChipMargins = 14;  // of a label, both sides together

}  // namespace

// A sibling of the viewport, not its child: an editor scrolls its viewport's children with the text.
ListingOverlay::ListingOverlay(SassView* view) : QWidget(view), view_(view) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    setGeometry(view->viewport()->geometry());
    view->viewport()->installEventFilter(this);
    connect(view, &SassView::scrolled, this, qOverload<>(&QWidget::update));
    connect(view->horizontalScrollBar(), &QScrollBar::valueChanged, this, qOverload<>(&QWidget::update));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    raise();
}

bool ListingOverlay::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Move || event->type() == QEvent::Show)
        setGeometry(view_->viewport()->geometry());
    return QWidget::eventFilter(watched, event);
}

void ListingOverlay::forget() {
    labels_.clear();
    legal_.clear();
    note_row_ = -1;
    note_.clear();
    drag_ = {};
    update();
}

void ListingOverlay::set_labels(std::vector<RowLabel> labels) {
    labels_ = std::move(labels);
    update();
}

void ListingOverlay::set_legal_rows(std::vector<int> rows) {
    legal_ = std::move(rows);
    update();
}

void ListingOverlay::set_note(int row, const QString& text) {
    note_row_ = row;
    note_ = text;
    update();
}

void ListingOverlay::set_drag(DragPicture drag) {
    drag_ = std::move(drag);
    update();
}

QRect ListingOverlay::row_rect(int row) const {
    const int height = view_->row_height();
    return {0, (row - view_->first_visible_row()) * height, width(), height};
}

void ListingOverlay::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& c = Theme::instance().colors();
    paint_clipped(painter);
    for (const int row : legal_) {
        const QRect box = row_rect(row);
        if (!box.intersects(rect())) continue;
        painter.fillRect(QRect(0, box.top(), 3, box.height()), c.good);
        painter.fillRect(box, with_alpha(c.good, 18));
    }
    if (drag_.active())
        paint_drag(painter);
    else
        paint_labels(painter);
    if (!drag_.active() && note_row_ >= 0) paint_note(painter);
}

// It answers a key press, so it may cover the end of its row.
void ListingOverlay::paint_note(QPainter& painter) const {
    const ThemeColors& c = Theme::instance().colors();
    painter.setFont(Theme::instance().small_font());
    const QRect row = row_rect(note_row_);
    const int wide = std::min(painter.fontMetrics().horizontalAdvance(note_) + kChipMargins, width());
    const QRect chip(width() - wide, row.top() + 1, wide, row.height() - 2);
    painter.fillRect(chip, c.raised);
    painter.fillRect(QRect(chip.left(), chip.top(), 2, chip.height()), c.accent);
    painter.setPen(c.text);
    painter.drawText(chip.adjusted(7, 0, -4, 0), Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(note_, Qt::ElideRight, wide - 11));
}

// "›" at the edge where the line goes on.
void ListingOverlay::paint_clipped(QPainter& painter) const {
    const ThemeColors& c = Theme::instance().colors();
    painter.setFont(Theme::instance().mono_font());
    const int digit = painter.fontMetrics().horizontalAdvance(QLatin1Char('0'));
    // Letter widths are fractional: rounding would cut a long line unnoticed.
    const double letter = QFontMetricsF(painter.font()).horizontalAdvance(QLatin1Char('0'));
    const int shown = width() + view_->horizontalScrollBar()->value();
    const int first = view_->first_visible_row();
    const auto& texts = view_->texts();
    for (int row = first; row < first + view_->visible_rows() + 1; ++row) {
        if (row < 0 || static_cast<std::size_t>(row) >= texts.size()) break;
        if (static_cast<double>(texts[static_cast<std::size_t>(row)].size()) * letter + 6 <= shown) continue;
        const QRect box = row_rect(row);
        QLinearGradient fade(width() - 3 * digit, 0, width(), 0);
        fade.setColorAt(0, with_alpha(c.surface, 0));
        fade.setColorAt(0.6, with_alpha(c.surface, 230));
        painter.fillRect(QRect(width() - 3 * digit, box.top(), 3 * digit, box.height()), fade);
        painter.setPen(c.text_dim);
        painter.drawText(box.adjusted(0, 0, -2, 0), Qt::AlignRight | Qt::AlignVCenter,
                         QStringLiteral("\u203a"));
    }
}

// The longest wording that leaves the row's own text free: without the place of the wait, the resource alone, or nothing.
// The tooltip has all of it.
QString ListingOverlay::shown_text(const RowLabel& label) const {
    const QFontMetrics font(Theme::instance().small_font());
    const double letter = QFontMetricsF(Theme::instance().mono_font()).horizontalAdvance(QLatin1Char('0'));
    const auto& texts = view_->texts();
    const auto row = static_cast<std::size_t>(label.row);
    const double text_end = row < texts.size() ? static_cast<double>(texts[row].size()) * letter + 6 : 0;
    const double free = width() + view_->horizontalScrollBar()->value() - text_end;
    QStringList wordings{label.text};
    if (const qsizetype comma = label.text.indexOf(QLatin1Char(',')); comma > 0)
        wordings << label.text.left(comma) + QStringLiteral(" \u2026");
    wordings << label.text.section(QLatin1Char(' '), 0, 1) << label.text.section(QLatin1Char(' '), 0, 0);
    for (const QString& wording : wordings)
        if (font.horizontalAdvance(wording) + kChipMargins <= free) return wording;
    return {};
}

void ListingOverlay::paint_labels(QPainter& painter) const {
    const ThemeColors& c = Theme::instance().colors();
    painter.setFont(Theme::instance().small_font());
    const QFontMetrics metrics = painter.fontMetrics();
    for (const RowLabel& label : labels_) {
        const QRect row = row_rect(label.row);
        if (!row.intersects(rect())) continue;
        const QString text = shown_text(label);
        constexpr int kMark = 3;  // instead of a label
        const int wide = text.isEmpty() ? kMark : metrics.horizontalAdvance(text) + kChipMargins;
        const QRect chip(width() - wide, row.top() + 1, wide, row.height() - 2);
        painter.fillRect(chip, with_alpha(c.raised, 235));
        painter.fillRect(QRect(chip.left(), chip.top(), 2, chip.height()), label.color);
        painter.setPen(label.strong ? c.bad : label.color);
        painter.drawText(chip.adjusted(6, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, text);
    }
}

void ListingOverlay::paint_drag(QPainter& painter) const {
    const ThemeColors& c = Theme::instance().colors();
    const QRect origin = row_rect(drag_.origin);
    for (int row = drag_.first; row <= drag_.last; ++row) {
        const QRect box = row_rect(row);
        if (!box.intersects(rect()) || !drag_.known || row == drag_.origin) continue;
        if (!drag_.place[static_cast<std::size_t>(row - drag_.first)]) continue;
        if (drag_.legal_at(row)) {
            painter.fillRect(box, with_alpha(c.good, 38));
            painter.fillRect(QRect(0, box.top(), 4, box.height()), c.good);
        } else {  // hatched as well as red
            painter.fillRect(box, QBrush(with_alpha(c.bad, 70), Qt::BDiagPattern));
        }
    }
    painter.setPen(QPen(c.accent, 1, Qt::DashLine));
    painter.drawRect(origin.adjusted(0, 0, -1, -1));
    painter.setFont(Theme::instance().small_font());
    if (drag_.target < 0) return;
    const QRect target = row_rect(drag_.target);
    const bool legal = !drag_.known || drag_.target == drag_.origin || drag_.legal_at(drag_.target);
    const QColor color = legal ? c.accent : c.bad;
    const int edge = drag_.target < drag_.origin ? target.top() : target.bottom() + 1;
    painter.fillRect(QRect(0, edge - 1, width(), 3), color);
    if (drag_.hint.isEmpty()) return;
    const Hint hint = hint_place();
    painter.fillRect(hint.chip, c.raised);
    painter.setPen(color);
    painter.drawRect(hint.chip.adjusted(0, 0, -1, -1));
    painter.setPen(c.text);
    painter.drawText(hint.text, Qt::TextWordWrap | Qt::AlignLeft, drag_.hint);
}

// The text is measured in the width that it is drawn in: 8 and 6 pixels of the chip are around it.
ListingOverlay::Hint ListingOverlay::hint_place() const {
    const QRect target = row_rect(drag_.target);
    const QRect room(0, 0, width() - 12 - 14, 400);
    const QRect text = QFontMetrics(Theme::instance().small_font())
                           .boundingRect(room, Qt::TextWordWrap | Qt::AlignLeft, drag_.hint);
    int top = target.bottom() + 8;
    if (top + text.height() + 10 > height()) top = target.top() - text.height() - 18;
    const QRect chip(8, std::max(2, top), text.width() + 14, text.height() + 10);
    return {chip, chip.adjusted(8, 5, -6, -4)};
}

}  // namespace cubinlab::ui
