// SPDX-License-Identifier: GPL-3.0-or-later
// The two colour sets, and the style sheet built from one of them.
#pragma once
#include <QPalette>
#include <QString>

#include "ui/base/theme.h"

namespace cubinlab::ui {

ThemeColors light_colors();
ThemeColors dark_colors();
// For lines and marks, not for text: contrast 3:1 on surfaces.
QColor rule_of(const ThemeColors& colors);
QPalette palette_of(const ThemeColors& colors);
QString style_sheet_of(const ThemeColors& colors);

}  // namespace cubinlab::ui
