// SPDX-License-Identifier: GPL-3.0-or-later
// Line icons of resources/icons in the theme's text colour, at any scale.
#pragma once
#include <QIcon>
#include <QString>

namespace cubinlab::ui {

// "play" -> resources/icons/play.svg. Ask again when the theme changes. An unknown name gives no icon.
QIcon themed_icon(const QString& name);
QIcon app_icon();

}  // namespace cubinlab::ui
