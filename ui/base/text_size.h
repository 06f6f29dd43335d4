// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of dialogs follow the size of the text, or larger text would find less room than at first.
#pragma once
#include <QScreen>
#include <QSize>
#include <QWidget>
#include <algorithm>

#include "ui/base/theme.h"

namespace cubinlab::ui {

// Of `widget`, which has room enough in `size` at the desktop's size of text; never more than its screen has.
inline QSize for_text(const QWidget& widget, const QSize& size) {
    constexpr double kShareOfScreen = 0.94;
    const Theme& theme = Theme::instance();
    const double larger =
        std::max(1.0, static_cast<double>(theme.ui_points()) / std::max(1, theme.default_ui_points()));
    return (size * larger).boundedTo(widget.screen()->availableGeometry().size() * kShareOfScreen);
}

}  // namespace cubinlab::ui
