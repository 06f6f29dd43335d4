// SPDX-License-Identifier: GPL-3.0-or-later
// Every part of the window by keyboard alone: Ctrl+F6 goes to the next pane (left listing, right listing,
// each open dock, tool bars), Ctrl+Shift+F6 to the one before. Tab moves inside a pane.
#pragma once
#include <QString>
#include <vector>

class QWidget;

namespace cubinlab::ui {

class MainWindow;

struct WindowPane {
    QWidget* root = nullptr;
    QString name;
    QWidget* enter = nullptr;  // what gets the keyboard; null: the first of the root that takes it
};
std::vector<WindowPane> panes_of(MainWindow& window);  // what is shown, in reading order
// Gives the keyboard to the pane `by` places from the one that has it. Returns its name; empty: there is
// none.
QString go_to_pane(MainWindow& window, int by);

}  // namespace cubinlab::ui
