// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: its menus. Which command stands in which section the command says itself; here is the order of sections.
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>

#include "ui/document/place.h"
#include "ui/hand/hand_tools.h"
#include "ui/shell/layouts.h"
#include "ui/shell/main_window.h"
#include "ui/shell/start_page.h"
#include "ui/shell/windows.h"

namespace cubinlab::ui {
namespace {

// All windows of the program, oldest first; a click raises one.
void fill_windows(const MainWindow& shown, QMenu& menu) {
    menu.clear();
    for (MainWindow* window : Windows::instance().all()) {
        QString title = window->windowTitle().remove(QStringLiteral("[*]"));
        QAction* action = menu.addAction(title.replace(QLatin1Char('&'), QStringLiteral("&&")), window,
                                         [window] { Windows::bring_up(window); });
        action->setCheckable(true);
        action->setChecked(window == &shown);
    }
}

}  // namespace

void MainWindow::make_menus() {
    const auto submenu = [this](QMenu* menu, const QString& title, const QStringList& sections) {
        QMenu* sub = menu->addMenu(title);
        commands_.fill(sub, sections);
        return sub;
    };
    QMenu* file = menuBar()->addMenu(tr("&File"));
    commands_.fill(file, {"file/open"});
    recent_menu_ = file->addMenu(tr("Open &recent"));
    commands_.fill(file, {"file/session", "file/export"});
    submenu(file, tr("E&xport other"), {"file/export_more"});
    submenu(file, tr("Export chart or &graph"), {"export/curves", "export/graph", "export/flow"});
    commands_.fill(file, {"file/measure", "file/beside", "file/end"});
    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    commands_.fill(edit, {"edit/undo", "edit/copy", "edit/move", "edit/control", "edit/right", "edit/find",
                          "edit/hand", "edit/source", "edit/settings"});
    QMenu* go = menuBar()->addMenu(tr("&Go"));
    commands_.fill(go, {"go/history", "go/change", "go/offset", "go/bookmark", "go/window"});
    QMenu* windows = go->addMenu(tr("&Windows"));
    connect(windows, &QMenu::aboutToShow, this, [this, windows] { fill_windows(*this, *windows); });
    fill_windows(*this, *windows);
    QMenu* agent = menuBar()->addMenu(tr("&Agent"));
    commands_.fill(agent, {"agent/run", "agent/measure", "agent/live", "agent/scope"});
    submenu(agent, tr("&Replay"), {"replay/step", "replay/learned"});
    make_view_menu();
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    commands_.fill(help, {"help/docs", "help/use", "help/about"});
    row_menu_ = new QMenu(this);
    commands_.fill(row_menu_, {"row/move", "row/control", "row/history", "row/hand"});
    hand_->add_scoreboard_menu(row_menu_);
    commands_.fill(row_menu_, {"row/places", "row/notes"});
    fill_recent();
}

void MainWindow::make_view_menu() {
    QMenu* view = menuBar()->addMenu(tr("&View"));
    commands_.fill(view, {"view/palette"});
    const auto submenu = [&](const QString& title, const QStringList& sections) {
        commands_.fill(view->addMenu(title), sections);
    };
    view->addSeparator();
    submenu(tr("&Theme"), {"theme/mode"});
    submenu(tr("Listing &columns"), {"columns/all"});
    submenu(tr("&Folding"), {"folding/all"});
    commands_.fill(view, {"view/listing", "view/text"});
    view->addSeparator();
    QMenu* layout = view->addMenu(tr("La&yout"));
    connect(layout, &QMenu::aboutToShow, this, [this, layout] { layouts_->fill_menu(layout); });
    layouts_->fill_menu(layout);
    view->addSeparator();
    for (QDockWidget* dock : docks_)
        view->addAction(dock->toggleViewAction());
}

void MainWindow::fill_recent() {
    const QStringList paths = settings_.recent();
    recent_menu_->clear();
    for (const QString& path : paths)
        recent_menu_->addAction(
            Place::from(path).name() + QStringLiteral("    ") + Place::from(path).folder(), this,
            [this, path] { open_path(path); });
    recent_menu_->setEnabled(!paths.isEmpty());
    if (!paths.isEmpty()) {
        recent_menu_->addSeparator();
        recent_menu_->addAction(tr("Clear list"), this, [this] {
            settings_.forget_recent();
            fill_recent();
        });
    }
    start_->set_recent(paths);
}

}  // namespace cubinlab::ui
