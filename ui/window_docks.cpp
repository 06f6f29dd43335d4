// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: which views sit in which dock.
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QVBoxLayout>

#include "ui/graph/flow_view.h"
#include "ui/graph/graph_view.h"
#include "ui/main_window.h"
#include "ui/panels/kernel_info.h"
#include "ui/panels/mutation_log.h"
#include "ui/panels/problems_panel.h"
#include "ui/panels/reward_chart.h"
#include "ui/panels/step_panel.h"

namespace cubinlab::ui {

void MainWindow::make_docks() {
    const auto add = [this](const QString& name, const QString& title, QWidget* view,
                            Qt::DockWidgetArea area) {
        auto* dock = new QDockWidget(title, this);
        dock->setObjectName(name);
        dock->setWidget(view);
        // Views wish for more than they need; with their wishes granted the window would outgrow the screen.
        view->setMinimumSize(area == Qt::RightDockWidgetArea          ? 300
                             : name == QStringLiteral("dock_rewards") ? 440
                                                                      : 560,
                             120);
        dock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetFloatable |
                          QDockWidget::DockWidgetClosable);
        dock->setAccessibleName(title);
        addDockWidget(area, dock);
        docks_.push_back(dock);
        menuBar()->findChild<QMenu*>(QStringLiteral("view_menu"))->addAction(dock->toggleViewAction());
        return dock;
    };
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setDocumentMode(true);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);  // the graphs take the full height

    auto* log = new MutationLog(&document_, &selection_, controller_.get(), &jobs_, this);
    auto* steps = new QWidget(this);  // the log with the replay above it
    auto* layout = new QVBoxLayout(steps);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(new StepPanel(&document_, controller_.get(), log->model(), steps));
    layout->addWidget(log, 1);

    auto* graph = add(QStringLiteral("dock_graph"), tr("Dependency graph"),
                      new GraphView(&document_, &selection_, &jobs_, this), Qt::RightDockWidgetArea);
    auto* flow = add(QStringLiteral("dock_flow"), tr("Control flow"),
                     new FlowView(&document_, &selection_, &jobs_, this), Qt::RightDockWidgetArea);
    auto* facts = add(QStringLiteral("dock_kernel"), tr("Kernel"), new KernelInfoPanel(&document_, this),
                      Qt::RightDockWidgetArea);
    auto* rewards = add(QStringLiteral("dock_rewards"), tr("Rewards"),
                        new RewardChart(&document_, controller_.get(), this), Qt::BottomDockWidgetArea);
    auto* mutations = add(QStringLiteral("dock_mutations"), tr("Mutations"), steps, Qt::BottomDockWidgetArea);
    auto* problems = add(QStringLiteral("dock_problems"), tr("Problems"),
                         new ProblemsPanel(&document_, &selection_, this), Qt::BottomDockWidgetArea);
    tabifyDockWidget(graph, flow);
    tabifyDockWidget(flow, facts);
    splitDockWidget(rewards, mutations, Qt::Horizontal);
    tabifyDockWidget(mutations, problems);
    graph->raise();
    mutations->raise();
    resizeDocks({graph}, {490}, Qt::Horizontal);
    resizeDocks({rewards, mutations}, {460, 640}, Qt::Horizontal);
    resizeDocks({rewards, mutations}, {300, 300}, Qt::Vertical);
}

// The start page has the window to itself.
void MainWindow::show_docks(bool on) {
    if (on == docks_shown_) return;
    docks_shown_ = on;
    if (on) {
        restoreState(docks_state_);
        return;
    }
    docks_state_ = saveState();
    for (QDockWidget* dock : docks_)
        dock->hide();
}

QByteArray MainWindow::layout_to_keep() const {
    return docks_shown_ ? saveState() : docks_state_;
}

}  // namespace cubinlab::ui
