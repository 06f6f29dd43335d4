// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/fitting_label.h"

#include <QAbstractItemView>
#include <QPainter>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <algorithm>

namespace cubinlab::ui {
namespace {

// A figure that changes ten times a second changes its width by a digit: in steps of this, the window around it need
// not be laid out each time.
constexpr int kWidthStep = 48;

constexpr int kFlags = Qt::AlignCenter | Qt::TextWordWrap;

bool in_number(const QString& text, qsizetype at) {
    if (at < 0 || at >= text.size()) return false;
    const bool digit = text[at].isDigit();
    // A point or comma between two digits.
    return digit || (at > 0 && at + 1 < text.size() && text[at - 1].isDigit() && text[at + 1].isDigit() &&
                     (text[at] == QLatin1Char('.') || text[at] == QLatin1Char(',')));
}

// `text` without its middle; a number at the gap is removed completely.
QString without_middle(const QString& text, const QFontMetrics& font, int width) {
    const QString cut = font.elidedText(text, Qt::ElideMiddle, width);
    const qsizetype gap = cut.indexOf(QChar(0x2026));
    if (gap < 0 || cut == text) return cut;
    qsizetype left = gap, right = text.size() - (cut.size() - gap - 1);
    while (left > 0 && in_number(text, left) && in_number(text, left - 1))
        --left;
    while (right < text.size() && in_number(text, right) && in_number(text, right - 1))
        ++right;
    return text.left(left) + QChar(0x2026) + text.sliced(right);
}

}  // namespace

FittingLabel::FittingLabel(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void FittingLabel::set_texts(const QStringList& longest_first) {
    if (texts_ == longest_first) return;
    const QSize wished = sizeHint();
    texts_ = longest_first;
    setToolTip(text());
    setAccessibleDescription(text());
    if (sizeHint() != wished) updateGeometry();
    update();
}

QString FittingLabel::shown_text() const {
    const int place = contentsRect().width();
    for (const QString& text : texts_)
        if (fontMetrics().horizontalAdvance(text) <= place) return text;
    return texts_.isEmpty() ? QString() : fontMetrics().elidedText(texts_.back(), Qt::ElideRight, place);
}

QSize FittingLabel::sizeHint() const {
    const QMargins m = contentsMargins();
    const int text_width = fontMetrics().horizontalAdvance(text()) + 2;
    return {(text_width + kWidthStep - 1) / kWidthStep * kWidthStep + m.left() + m.right(),
            minimumSizeHint().height()};
}

QSize FittingLabel::minimumSizeHint() const {
    const QMargins m = contentsMargins();
    return {24 + m.left() + m.right(), fontMetrics().height() + 2 + m.top() + m.bottom()};
}

void FittingLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(contentsRect(), Qt::AlignVCenter | Qt::AlignLeft, shown_text());
}

EmptyNote::EmptyNote(QWidget* parent) : QLabel(parent) {
    setAlignment(Qt::AlignCenter);
    setWordWrap(true);
    setTextFormat(Qt::PlainText);
    setAttribute(Qt::WA_TransparentForMouseEvents);
}

QRect EmptyNote::room() const {
    return contentsRect().marginsRemoved({margin(), margin(), margin(), margin()});
}

QString EmptyNote::shown() const {
    const qsizetype end = text().indexOf(QStringLiteral(". "));
    for (const QString& one : {text(), end < 0 ? QString() : text().left(end + 1)}) {
        const QRect taken = fontMetrics().boundingRect(room(), kFlags, one);
        if (taken.width() <= room().width() && taken.height() <= room().height()) return one;
    }
    return {};
}

void EmptyNote::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    drawFrame(&painter);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(room(), kFlags, shown());
}

ElidingCombo::ElidingCombo(QWidget* parent) : QComboBox(parent) {
    view()->setTextElideMode(Qt::ElideMiddle);
}

QString ElidingCombo::shown_text() const {
    QStyleOptionComboBox option;
    initStyleOption(&option);
    const QRect field =
        style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    // The field has a text's width in whole pixels, which rounds down as it may.
    if (fontMetrics().horizontalAdvance(currentText()) <= field.width()) return currentText();
    const QStringList shorter = currentData(kShorterRole).toStringList();
    for (const QString& wording : shorter)
        if (fontMetrics().horizontalAdvance(wording) <= field.width()) return wording;
    return elided(currentIndex(), field.width());
}

// If another name would look the same when elided, the gap ends at the first difference.
QString ElidingCombo::elided(int index, int width) const {
    const auto short_of = [&](const QString& text) { return without_middle(text, fontMetrics(), width); };
    const QString text = itemText(index), cut = short_of(text);
    qsizetype same = 0;
    for (int other = 0; other < count(); ++other) {
        const QString name = itemText(other);
        if (name == text || short_of(name) != cut) continue;
        const auto differ = std::mismatch(text.begin(), text.end(), name.begin(), name.end());
        same = std::max(same, static_cast<qsizetype>(differ.first - text.begin()));
    }
    if (same == 0 || same == text.size()) return cut;
    while (same > 0 && text[same - 1].isLetterOrNumber())  // the whole word that differs
        --same;
    // As much of the beginning as fits next to it.
    const QString rest = QChar(0x2026) + text.sliced(same);
    qsizetype kept = same;
    while (kept > 0 && fontMetrics().horizontalAdvance(text.left(kept) + rest) > width)
        --kept;
    return fontMetrics().elidedText(text.left(kept) + rest, Qt::ElideRight, width);
}

// Paints like a non-editable QComboBox, with another text.
void ElidingCombo::paintEvent(QPaintEvent* event) {
    if (currentIndex() < 0) return QComboBox::paintEvent(event);  // its placeholder
    QStylePainter painter(this);
    painter.setPen(palette().color(QPalette::Text));
    QStyleOptionComboBox option;
    initStyleOption(&option);
    option.currentText = shown_text();
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

}  // namespace cubinlab::ui
