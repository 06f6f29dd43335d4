// SPDX-License-Identifier: GPL-3.0-or-later
// Keyboard access to every part of the window: Ctrl+F6 goes to the next pane (left listing, right listing,
// each open dock, tool bars), Ctrl+Shift+F6 to the previous one. Tab moves inside a pane.
#pragma once
#include <QString>
#include <vector>

class QWidget;

namespace cubinlab::ui {

class MainWindow;

struct WindowPane {
    QWidget* root = nullptr;
    QString name;
    QWidget* enter = nullptr;  // gets the focus; null: the first child of the root that accepts it
};
std::vector<WindowPane> panes_of(MainWindow& window);  // visible panes in reading order
// Focuses the pane `by` positions from the focused one. Returns its name; empty: none.
QString go_to_pane(MainWindow& window, int by);

}  // namespace cubinlab::ui
