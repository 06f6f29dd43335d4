// SPDX-License-Identifier: GPL-3.0-or-later
// The small flat button of a tool row, and the button of a dialog.
#pragma once
#include <QPushButton>
#include <QToolButton>

namespace cubinlab::ui {

// `tip` is also the accessible text.
inline QToolButton* text_button(const QString& text, const QString& tip) {
    auto* button = new QToolButton;
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setAutoRaise(true);
    button->setProperty("compact", true);
    return button;
}

inline QPushButton* dialog_button(const QString& text, const QString& about, QWidget* parent) {
    auto* button = new QPushButton(text, parent);
    button->setToolTip(about);
    button->setAccessibleDescription(about);
    button->setAutoDefault(false);
    return button;
}

}  // namespace cubinlab::ui
