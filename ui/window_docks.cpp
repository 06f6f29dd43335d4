// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: which views sit in which dock.
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>

#include "ui/graph/flow_view.h"
#include "ui/graph/graph_view.h"
#include "ui/main_window.h"

namespace cubinlab::ui {

void MainWindow::make_docks() {
    const auto add = [this](const QString& name, const QString& title, QWidget* view,
                            Qt::DockWidgetArea area) {
        auto* dock = new QDockWidget(title, this);
        dock->setObjectName(name);
        dock->setWidget(view);
        dock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetFloatable |
                          QDockWidget::DockWidgetClosable);
        dock->setAccessibleName(title);
        addDockWidget(area, dock);
        docks_.push_back(dock);
        menuBar()->findChild<QMenu*>(QStringLiteral("view_menu"))->addAction(dock->toggleViewAction());
        return dock;
    };
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    auto* graph = add(QStringLiteral("dock_graph"), tr("Dependency graph"),
                      new GraphView(&document_, &selection_, &jobs_, this), Qt::RightDockWidgetArea);
    auto* flow = add(QStringLiteral("dock_flow"), tr("Control flow"),
                     new FlowView(&document_, &selection_, &jobs_, this), Qt::RightDockWidgetArea);
    tabifyDockWidget(graph, flow);
    graph->raise();
    resizeDocks({graph}, {380}, Qt::Horizontal);
}

}  // namespace cubinlab::ui
