// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: which views sit in which dock.
#include <QApplication>
#include <QDockWidget>
#include <QTabBar>
#include <QTimer>
#include <algorithm>

#include "ui/base/commands.h"
#include "ui/base/format.h"
#include "ui/document/command_rules.h"
#include "ui/document/kernel_info.h"
#include "ui/document/problems_panel.h"
#include "ui/graph/flow_view.h"
#include "ui/graph/graph_toolbar.h"
#include "ui/graph/graph_view.h"
#include "ui/hand/hand_tools.h"
#include "ui/listing/compare_view.h"
#include "ui/listing/pane.h"
#include "ui/listing/sass_view.h"
#include "ui/replay/replay_panel.h"
#include "ui/replay/step_focus.h"
#include "ui/run/mutation_log.h"
#include "ui/run/reward_chart.h"
#include "ui/run/run_strip.h"
#include "ui/shell/layouts.h"
#include "ui/shell/main_window.h"
#include "ui/shell/narrow_docks.h"
#include "ui/shell/schedule_actions.h"
#include "ui/source/source_view.h"
#include "ui/timeline/timeline_view.h"

namespace cubinlab::ui {
namespace {

// Views that are open by default. The View menu and the palette have the others.
bool open_by_default(const QString& dock) {
    static const QStringList names = {QStringLiteral("dock_kernel"),  QStringLiteral("dock_graph"),
                                      QStringLiteral("dock_rewards"), QStringLiteral("dock_mutations"),
                                      QStringLiteral("dock_replay"),  QStringLiteral("dock_timeline")};
    return names.contains(dock);
}

// What Help > What's This? says of a dock.
QString about_dock(const QString& name) {
    const std::pair<const char*, QString> known[] = {
        {"dock_graph",
         MainWindow::tr("Dependences between the instructions of a block. The critical path is bold.")},
        {"dock_flow", MainWindow::tr("Control flow: basic blocks and loops of the kernel.")},
        {"dock_kernel",
         MainWindow::tr("The kernel's bottleneck in the model, its longest waits and its facts.")},
        {"dock_rewards", MainWindow::tr("State of the agent and curves of its run.")},
        {"dock_mutations", MainWindow::tr("All evaluated mutations with their outcomes, one per row.")},
        {"dock_replay", MainWindow::tr("The run step by step, its essential edits and its edit patterns.")},
        {"dock_starts", MainWindow::tr("Other compilations of the kernel, with what became of each.")},
        {"dock_history", MainWindow::tr("History of your hand edits. Click an edit to return to it.")},
        {"dock_problems", MainWindow::tr("Findings of the legality check.")},
        {"dock_source",
         MainWindow::tr("Source code of the kernel, with the line of the selected instruction.")},
        {"dock_timeline", MainWindow::tr("Modelled issue cycles of each warp in the hot loop.")}};
    for (const auto& [dock, text] : known)
        if (name == QLatin1String(dock)) return text;
    return {};
}

// Commands that export the picture or values of a view: File > Export chart or graph.
void add_view_exports(Commands& commands, RewardChart* chart, GraphToolbar* dependencies,
                      GraphToolbar* flow) {
    const auto tr = [](const char* text) { return Commands::tr(text); };
    const auto add = [&](const QString& id, const QString& place, const QString& text, const QString& tip,
                         std::function<void()> run) {
        commands.add(id, text, "", kNoKey, tip, {place}, kAlways, std::move(run));
    };
    const auto curves = [&](const char* suffix, const QString& text) {
        const QString s = QString::fromLatin1(suffix);
        add(QStringLiteral("export.curves_") + s, QStringLiteral("export/curves"), text,
            tr("Write the values or the picture of the curves"), [chart, s] { chart->ask_and_export(s); });
    };
    curves("csv", tr("Curves as &CSV..."));
    curves("svg", tr("Curves as &SVG..."));
    curves("png", tr("Curves as &PNG..."));
    const auto graph = [&](const QString& id, const QString& name, GraphToolbar* toolbar) {
        for (const char* suffix : {"svg", "png", "dot"}) {
            const QString s = QString::fromLatin1(suffix);
            add(QStringLiteral("export.%1_%2").arg(id, s), QStringLiteral("export/") + id,
                tr("%1 as %2...").arg(name, s.toUpper()), tr("Write the whole graph"),
                [toolbar, s] { toolbar->ask_and_export(s); });
        }
    };
    graph(QStringLiteral("graph"), tr("Dependency graph"), dependencies);
    graph(QStringLiteral("flow"), tr("Control flow"), flow);
}

}  // namespace

void MainWindow::make_docks() {
    const auto add = [this](const QString& name, const QString& title, QWidget* view,
                            Qt::DockWidgetArea area) {
        auto* dock = new QDockWidget(title, this);
        dock->setObjectName(name);
        dock->setWidget(view);
        // Views wish for more than they need; with their wishes granted the window would outgrow the screen.
        view->setMinimumSize(area == Qt::RightDockWidgetArea ? 200 : 290, 120);
        dock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetFloatable |
                          QDockWidget::DockWidgetClosable);
        dock->setAccessibleName(title);
        dock->setWhatsThis(about_dock(name));
        connect(dock, &QDockWidget::topLevelChanged, this, &MainWindow::update_dock_titles);
        connect(dock, &QDockWidget::dockLocationChanged, this, &MainWindow::update_dock_titles);
        connect(dock->toggleViewAction(), &QAction::toggled, this, &MainWindow::update_dock_titles);
        let_rest(dock);
        addDockWidget(area, dock);
        docks_.push_back(dock);
        return dock;
    };
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setDocumentMode(true);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);  // the graphs take the full height

    auto* log = new MutationLog(&document_, &selection_, controller_.get(), &jobs_, this);
    auto* graph_view = new GraphView(&document_, &selection_, &jobs_, this);
    auto* flow_view = new FlowView(&document_, &selection_, &jobs_, this);
    auto* agent = new AgentPanel(&document_, controller_.get(), this);
    add_view_exports(commands_, agent->chart(), graph_view->toolbar(), flow_view->toolbar());
    auto* graph = add(QStringLiteral("dock_graph"), tr("Dependencies"), graph_view, Qt::RightDockWidgetArea);
    auto* flow = add(QStringLiteral("dock_flow"), tr("Flow"), flow_view, Qt::RightDockWidgetArea);
    kernel_info_ = new KernelInfoPanel(&document_, &selection_, &jobs_, this);
    auto* facts = add(QStringLiteral("dock_kernel"), tr("Kernel"), kernel_info_, Qt::RightDockWidgetArea);
    auto* rewards = add(QStringLiteral("dock_rewards"), tr("Agent"), agent, Qt::BottomDockWidgetArea);
    auto* mutations = add(QStringLiteral("dock_mutations"), tr("Mutations"), log, Qt::BottomDockWidgetArea);
    auto* replay_view =
        new ReplayPanel(&document_, &selection_, controller_.get(), &jobs_, log->model(), this);
    connect(replay_view, &ReplayPanel::export_minimal_asked, this,
            [this] { actions_->ask_and_export(ScheduleSlot::Minimal); });
    auto* replay = add(QStringLiteral("dock_replay"), tr("Replay"), replay_view, Qt::BottomDockWidgetArea);
    auto* focus = new StepFocus(&document_, &selection_, controller_.get(), &jobs_, this);
    add_replay_commands(commands_, replay_view, focus, controller_.get(), replay);
    auto* history = add(QStringLiteral("dock_history"), tr("Hand edits"), hand_->make_history(this),
                        Qt::BottomDockWidgetArea);
    auto* problem_list = new ProblemsPanel(&document_, &selection_, this);
    auto* problems =
        add(QStringLiteral("dock_problems"), tr("Problems"), problem_list, Qt::BottomDockWidgetArea);
    connect(problem_list, &ProblemsPanel::count_changed, problems, [problems](int count) {
        problems->setWindowTitle(count == 0 ? tr("Problems") : tr("Problems (%1)").arg(grouped(count)));
    });
    auto* timeline_view = new TimelineView(&document_, &selection_, &jobs_, this);
    auto* timeline =
        add(QStringLiteral("dock_timeline"), tr("Timeline"), timeline_view, Qt::BottomDockWidgetArea);
    add_timeline_commands(commands_, timeline_view, timeline, command_rules(document_, selection_).open);
    source_view_ = new SourceView(&document_, &selection_, &jobs_, this);
    auto* source = add(QStringLiteral("dock_source"), tr("Source"), source_view_, Qt::RightDockWidgetArea);
    add_source_commands(commands_, source_view_, source, command_rules(document_, selection_).open);
    QDockWidget* starts =
        add(QStringLiteral("dock_starts"), tr("Starts"), make_starts_view(), Qt::BottomDockWidgetArea);
    tabifyDockWidget(facts, graph);
    tabifyDockWidget(graph, flow);
    tabifyDockWidget(flow, source);
    splitDockWidget(rewards, mutations, Qt::Horizontal);
    tabifyDockWidget(mutations, replay);
    tabifyDockWidget(replay, starts);
    tabifyDockWidget(starts, timeline);
    tabifyDockWidget(timeline, history);
    tabifyDockWidget(history, problems);
    for (QDockWidget* dock : docks_)
        dock->setVisible(open_by_default(dock->objectName()));
    facts->raise();
    mutations->raise();
    narrow_ = new NarrowDocks(this, docks_);
}

// The listings come first: the docks get a share of the window, within what they can use.
void MainWindow::size_docks() {
    // Sizes take effect once the restored layout has settled.
    QTimer::singleShot(0, this, [this] { size_docks_now(); });
}

SourceEdit& MainWindow::source_edit() const {
    return *source_view_->edit();
}

QDockWidget* MainWindow::dock(const QString& name) const {
    const auto found = std::ranges::find(docks_, name, &QDockWidget::objectName);
    return found == docks_.end() ? nullptr : *found;
}

void MainWindow::bring_forward(QDockWidget* dock) {
    dock->show();
    dock->raise();
}

void MainWindow::size_docks_now() {
    QDockWidget *rewards_dock = dock(QStringLiteral("dock_rewards")),
                *log = dock(QStringLiteral("dock_mutations"));
    const int right = narrow_->stacked() ? 0 : std::clamp(width() / 4, 310, 560);
    const int below = rows_of(height());
    const int rewards = std::clamp((width() - right) * 2 / 5, 290, 700);
    if (right > 0) resizeDocks({dock(QStringLiteral("dock_kernel"))}, {right}, Qt::Horizontal);
    resizeDocks({rewards_dock, log}, {rewards, width() - right - rewards}, Qt::Horizontal);
    resizeDocks({rewards_dock, log}, {below, below}, Qt::Vertical);
}

// The first run gets one good chart: a taller Agent dock with half of the width. Never smaller than it is.
void MainWindow::give_curves_room() {
    QDockWidget *curves = dock(QStringLiteral("dock_rewards")), *log = dock(QStringLiteral("dock_mutations"));
    if (curves_have_room_ || !docks_shown_ || curves->isHidden() || curves->isFloating() ||
        dockWidgetArea(curves) != Qt::BottomDockWidgetArea)
        return;
    curves_have_room_ = true;
    constexpr double kShareOfHeight = 0.42, kShareOfWidth = 0.5;
    curves->raise();
    const int below = static_cast<int>(height() * kShareOfHeight);
    if (curves->height() < below) resizeDocks({curves}, {below}, Qt::Vertical);
    const int both = curves->width() + log->width(), wanted = static_cast<int>(both * kShareOfWidth);
    if (!log->isHidden() && !log->isFloating() && dockWidgetArea(log) == Qt::BottomDockWidgetArea &&
        curves->width() < wanted)
        resizeDocks({curves, log}, {wanted, both - wanted}, Qt::Horizontal);
}

// A dock behind a tab has its name there; its title bar would say it twice. A double click on the tab takes
// the dock out of the window, where it has a title bar again.
void MainWindow::update_dock_titles() {
    QTimer::singleShot(0, this, [this] {
        for (QDockWidget* dock : docks_) {
            bool tabbed = false;
            for (const QDockWidget* other : tabifiedDockWidgets(dock))
                tabbed = tabbed || other->toggleViewAction()->isChecked();
            const bool bare = tabbed && !dock->isFloating();
            QWidget* old = dock->titleBarWidget();
            if (bare == (old != nullptr)) continue;
            dock->setTitleBarWidget(bare ? new QWidget(dock) : nullptr);
            if (old != nullptr) old->deleteLater();
        }
        for (QTabBar* bar : findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
            bar->setAccessibleName(tr("Docks in this area"));
            // Names are whole words; where they do not fit, the bar scrolls.
            bar->setElideMode(Qt::ElideNone);
            bar->setUsesScrollButtons(true);
            connect(bar, &QTabBar::tabBarDoubleClicked, this, &MainWindow::float_tab, Qt::UniqueConnection);
        }
    });
}

void MainWindow::float_tab(int index) {
    const auto* bar = qobject_cast<QTabBar*>(sender());
    if (bar == nullptr || index < 0) return;
    for (QDockWidget* dock : docks_)
        if (dock->windowTitle() == bar->tabText(index)) dock->setFloating(true);
}

// Qt moves a dock behind a tab out of the window and calls it visible there: its view would go on computing and
// drawing for nobody, beside a running agent half of what the window does.
void MainWindow::let_rest(QDockWidget* dock) {
    QWidget* view = dock->widget();
    QSizePolicy place = view->sizePolicy();
    place.setRetainSizeWhenHidden(true);  // the docks keep their sizes
    view->setSizePolicy(place);
    connect(dock, &QDockWidget::visibilityChanged, this, [this, view](bool seen) {
        const QWidget* focus = QApplication::focusWidget();
        const bool has_keyboard = focus != nullptr && (focus == view || view->isAncestorOf(focus));
        if (!seen && has_keyboard) compare_->pane(Side::Right)->view()->setFocus();
        view->setVisible(seen);
    });
}

// The start page has the window to itself.
void MainWindow::show_docks(bool on) {
    if (on == docks_shown_) return;
    docks_shown_ = on;
    if (on) {
        docks_seen_ = true;
        const QSize before = size();
        narrow_->forget();
        restoreState(docks_state_);
        narrow_->fit();
        // That counts docks which share a place by tabs one below the other for a moment: a low window became higher.
        QTimer::singleShot(0, this, [this, before] {
            if (!isMaximized() && !isFullScreen()) resize(before);
        });
        if (docks_state_ == default_layout_ || settings_.dock_state().isEmpty())
            size_docks();
        else
            QTimer::singleShot(0, this, [this] { dock_room_->give_share(); });
        update_dock_titles();
        return;
    }
    docks_state_ = narrow_->layout();
    for (QDockWidget* dock : docks_)
        dock->hide();
}

QByteArray MainWindow::layout_to_keep() const {
    if (!docks_seen_) return settings_.dock_state();  // nothing was opened: what was kept stays
    return docks_shown_ ? narrow_->layout() : docks_state_;
}

}  // namespace cubinlab::ui
