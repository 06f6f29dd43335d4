// SPDX-License-Identifier: GPL-3.0-or-later
// Tab follows the layout of a view. Qt's default is the order in which the widgets were created.
#pragma once

class QWidget;

namespace cubinlab::ui {

// Orders the widgets of the layouts below `root` like their items, and leaves all others in place.
void tab_as_laid_out(QWidget& root);

}  // namespace cubinlab::ui
