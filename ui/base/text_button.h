// SPDX-License-Identifier: GPL-3.0-or-later
// The small flat button of a view's tool row.
#pragma once
#include <QToolButton>

namespace cubinlab::ui {

// `tip` is also what a screen reader says.
inline QToolButton* text_button(const QString& text, const QString& tip) {
    auto* button = new QToolButton;
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setAutoRaise(true);
    button->setProperty("compact", true);
    return button;
}

}  // namespace cubinlab::ui
