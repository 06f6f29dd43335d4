// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/eliding_combo.h"

#include <QAbstractItemView>
#include <QStyleOptionComboBox>
#include <QStylePainter>

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
    return fontMetrics().elidedText(currentText(), Qt::ElideMiddle, field.width());
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
