// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of dialogs and columns follow the size of the text, or larger text would find less room than at first.
#pragma once
#include <QScreen>
#include <QSize>
#include <QWidget>
#include <algorithm>

#include "ui/base/theme.h"

namespace cubinlab::ui {

// Against the desktop's size of text, never less than 1.
inline double text_scale() {
    const Theme& theme = Theme::instance();
    return std::max(1.0, static_cast<double>(theme.ui_points()) / std::max(1, theme.default_ui_points()));
}

// Of `widget`, which has room enough in `size` at the desktop's size of text; never more than its screen has, or the window
// below it, which may be wider.
inline QSize for_text(const QWidget& widget, const QSize& size) {
    constexpr double kShareOfScreen = 0.94;
    QSize most = widget.screen()->availableGeometry().size();
    if (const QWidget* below = widget.parentWidget()) most = most.expandedTo(below->window()->size());
    return (size * text_scale()).boundedTo(most * kShareOfScreen);
}

}  // namespace cubinlab::ui
