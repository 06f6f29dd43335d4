// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/eliding_combo.h"

#include <QAbstractItemView>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <algorithm>

namespace cubinlab::ui {

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
    return elided(currentIndex(), field.width());
}

// Where another name would look the same without its middle, the middle that goes ends at the first difference.
QString ElidingCombo::elided(int index, int width) const {
    const auto without_middle = [&](const QString& text) {
        return fontMetrics().elidedText(text, Qt::ElideMiddle, width);
    };
    const QString text = itemText(index), cut = without_middle(text);
    qsizetype same = 0;
    for (int other = 0; other < count(); ++other) {
        const QString name = itemText(other);
        if (name == text || without_middle(name) != cut) continue;
        const auto differ = std::mismatch(text.begin(), text.end(), name.begin(), name.end());
        same = std::max(same, static_cast<qsizetype>(differ.first - text.begin()));
    }
    if (same == 0 || same == text.size()) return cut;
    while (same > 0 && text[same - 1].isLetterOrNumber())  // the whole word that differs
        --same;
    // As much of the beginning as there is room for beside it.
    const QString rest = QChar(0x2026) + text.sliced(same);
    qsizetype kept = same;
    while (kept > 0 && fontMetrics().horizontalAdvance(text.left(kept) + rest) > width)
        --kept;
    return fontMetrics().elidedText(text.left(kept) + rest, Qt::ElideRight, width);
}

// As QComboBox paints one that cannot be edited, with another text.
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
