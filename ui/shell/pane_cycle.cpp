// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/pane_cycle.h"

#include <QApplication>
#include <QDockWidget>
#include <QToolBar>
#include <algorithm>

#include "ui/listing/compare_view.h"
#include "ui/listing/pane.h"
#include "ui/listing/sass_view.h"
#include "ui/shell/main_window.h"
#include "ui/shell/start_page.h"

namespace cubinlab::ui {
namespace {

bool takes_keys(const QWidget* widget) {
    return widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) != 0;
}

// The first widget of a pane that accepts focus.
QWidget* first_in(QWidget* root) {
    if (takes_keys(root)) return root;
    for (QWidget* widget = root->nextInFocusChain(); widget != root; widget = widget->nextInFocusChain())
        if (root->isAncestorOf(widget) && takes_keys(widget)) return widget;
    return nullptr;
}

}  // namespace

std::vector<WindowPane> panes_of(MainWindow& window) {
    std::vector<WindowPane> panes;
    const auto add = [&panes](QWidget* root, const QString& name, QWidget* enter = nullptr) {
        if (root->isVisible() && first_in(root) != nullptr) panes.push_back({root, name, enter});
    };
    for (QToolBar* bar : window.findChildren<QToolBar*>(QString(), Qt::FindDirectChildrenOnly))
        add(bar, bar->windowTitle());
    add(&window.start_page(), MainWindow::tr("Start page"));
    for (const auto& [side, name] : {std::pair(Side::Left, MainWindow::tr("Left listing")),
                                     std::pair(Side::Right, MainWindow::tr("Right listing"))}) {
        Pane* pane = window.compare_view().pane(side);
        add(pane, name, pane->view());
    }
    auto docks = window.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly);
    std::stable_sort(docks.begin(), docks.end(), [](const QDockWidget* a, const QDockWidget* b) {
        return std::pair(a->y(), a->x()) < std::pair(b->y(), b->x());
    });
    for (QDockWidget* dock : docks)  // behind a tab: not visible
        if (!dock->visibleRegion().isEmpty() || dock->isFloating()) add(dock, dock->windowTitle());
    return panes;
}

QString go_to_pane(MainWindow& window, int by) {
    const std::vector<WindowPane> panes = panes_of(window);
    if (panes.empty()) return {};
    const QWidget* focus = QApplication::focusWidget();
    const auto here = std::find_if(panes.begin(), panes.end(), [&](const WindowPane& pane) {
        return focus != nullptr && (pane.root == focus || pane.root->isAncestorOf(focus));
    });
    const auto count = static_cast<int>(panes.size());
    int at = by > 0 ? 0 : count - 1;
    if (here != panes.end()) at = (static_cast<int>(here - panes.begin()) + by + count) % count;
    const WindowPane& next = panes[static_cast<std::size_t>(at)];
    if (QWidget* widget = next.enter != nullptr ? next.enter : first_in(next.root))
        widget->setFocus(Qt::TabFocusReason);
    return next.name;
}

}  // namespace cubinlab::ui
