// SPDX-License-Identifier: GPL-3.0-or-later
// Tab goes through a view as it is laid out. Qt's own order is that in which the widgets were made.
#pragma once

class QWidget;

namespace cubinlab::ui {

// Widgets of the layouts below `root`, in the order of their items; those outside of layouts keep their place.
void tab_as_laid_out(QWidget& root);

}  // namespace cubinlab::ui
