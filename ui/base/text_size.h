// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of dialogs and columns scale with the text size, so that larger text still fits.
#pragma once
#include <QScreen>
#include <QSize>
#include <QWidget>
#include <algorithm>

#include "ui/base/theme.h"

namespace cubinlab::ui {

// Relative to the desktop's text size, at least 1.
inline double text_scale() {
    const Theme& theme = Theme::instance();
    return std::max(1.0, static_cast<double>(theme.ui_points()) / std::max(1, theme.default_ui_points()));
}

// Resizes `widget`, given its `size` at the desktop's text size; never larger than the screen or the window
// below.
inline QSize for_text(const QWidget& widget, const QSize& size) {
    constexpr double kShareOfScreen = 0.94;
    QSize most = widget.screen()->availableGeometry().size();
    if (const QWidget* below = widget.parentWidget()) most = most.expandedTo(below->window()->size());
    return (size * text_scale()).boundedTo(most * kShareOfScreen);
}

}  // namespace cubinlab::ui
