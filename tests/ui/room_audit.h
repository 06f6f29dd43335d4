// SPDX-License-Identifier: GPL-3.0-or-later
// What a view does not show whole: texts of widgets that are cut, controls that are cut by what holds them, and controls
// that lie over one another. Texts that shorten themselves and have the rest in a tooltip (FittingLabel, ElidingCombo,
// EmptyNote) are not counted, nor what can be scrolled to.
#pragma once
#include <QStringList>

class QWidget;

namespace cubinlab::ui::test {

QStringList without_room(const QWidget& root);

}  // namespace cubinlab::ui::test
