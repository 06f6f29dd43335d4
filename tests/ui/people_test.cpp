// SPDX-License-Identifier: GPL-3.0-or-later
// The window on people's machines: Help is searched, Copy is in the menu, every window is in a
// list, What's This answers, and what lies over the graph lies over none of its nodes.
#include <QClipboard>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QScreen>
#include <QStatusBar>
#include <QTextBrowser>
#include <QToolBar>
#include <set>

#include "tests/ui/window_support.h"
#include "ui/base/message_bar.h"
#include "ui/base/theme.h"
#include "ui/document/kernel_name.h"
#include "ui/document/selection.h"
#include "ui/graph/graph_canvas.h"
#include "ui/graph/graph_toolbar.h"
#include "ui/graph/graph_view.h"
#include "ui/shell/help_window.h"
#include "ui/shell/pane_cycle.h"
#include "ui/shell/windows.h"
#include "ui/timeline/timeline_view.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

QAction* entry(MainWindow& window, const char* menu, const char* text) {
    for (QAction* top : window.menuBar()->actions()) {
        if (QString(top->text()).remove(QLatin1Char('&')) != QLatin1String(menu)) continue;
        for (QAction* action : top->menu()->actions())
            if (QString(action->text()).remove(QLatin1Char('&')) == QLatin1String(text)) return action;
    }
    return nullptr;
}

}  // namespace

TEST_CASE("Edit > Copy copies the selected instructions of the listing that has the keyboard") {
    OpenWindow open;
    open.window.selection().select(0x127);
    open.listing(Side::Right)->setFocus();
    QAction* copy = required(entry(open.window, "Edit", "Copy"));
    QGuiApplication::clipboard()->clear();
    copy->trigger();
    CHECK(QGuiApplication::clipboard()->text().contains(open.window.document().text_of(0x127)));
}

TEST_CASE("Go > Windows lists the windows and brings one up") {
    OpenWindow open;
    MainWindow* other = Windows::instance().open_new();
    QAction* windows = required(entry(open.window, "Go", "Windows"));
    Q_EMIT windows->menu()->aboutToShow();
    const auto listed = windows->menu()->actions();
    REQUIRE(listed.size() == 2);
    CHECK(listed[0]->text().contains(QStringLiteral("bmm_mma")));
    CHECK(listed[0]->isChecked());
    CHECK_FALSE(listed[1]->isChecked());
    listed[1]->trigger();
    CHECK(wait_for([&] { return other->isActiveWindow(); }));
    other->close();
}

TEST_CASE("Ctrl+F6 comes to the listing itself, not to the choice above it, and names the pane") {
    OpenWindow open;
    std::set<QString> seen;
    for (int i = 0; i < 12; ++i)
        seen.insert(go_to_pane(open.window, 1));
    REQUIRE(seen.count(QStringLiteral("Left listing")) == 1);
    for (const Side side : {Side::Left, Side::Right}) {
        const QString name =
            side == Side::Left ? QStringLiteral("Left listing") : QStringLiteral("Right listing");
        for (int i = 0; i < 12 && go_to_pane(open.window, 1) != name; ++i) {
        }
        CHECK(open.listing(side)->hasFocus());
    }
    QTest::keyClick(open.listing(Side::Right), Qt::Key_Left);
    CHECK(open.listing(Side::Left)->hasFocus());
    QTest::keyClick(open.listing(Side::Left), Qt::Key_Right);
    CHECK(open.listing(Side::Right)->hasFocus());
}

TEST_CASE("Esc in Find goes back to the listing and keeps what was looked for") {
    OpenWindow open;
    auto* find = open.window.findChild<QLineEdit*>(QStringLiteral("find"));
    find->setFocus();
    QTest::keyClicks(find, QStringLiteral("HMMA"));
    QTest::keyClick(find, Qt::Key_Escape);
    CHECK(open.listing(Side::Right)->hasFocus());
    CHECK(find->text() == QStringLiteral("HMMA"));
}

TEST_CASE("a refusal takes the place of the one before, and names each instruction by one address") {
    OpenWindow open;
    open.window.selection().select(0);
    int height = 0;
    for (int i = 0; i < 6; ++i) {
        open.key(Qt::Key_Up, Qt::AltModifier);
        REQUIRE(wait_for([&] { return open.window.messages().isVisible(); }));
        CHECK(open.window.messages().count() == 1);
        if (i == 0) height = open.window.messages().sizeHint().height();
        CHECK(open.window.messages().sizeHint().height() == height);
    }
}

TEST_CASE("folding a block that is scrolled through leaves its header in sight") {
    OpenWindow open;
    CompareView& view = open.window.compare_view();
    const KernelPtr kernel = open.window.document().kernel();
    const InstrId id = 0x127;
    const BlockId block = kernel->block_of(id);
    open.window.selection().select(id);
    SassView* listing = open.listing();
    listing->set_first_visible_row(view.rows().row_of(id, Side::Right) - 3);
    REQUIRE(view.rows().header_row[block] < listing->first_visible_row());
    open.key(Qt::Key_Period, Qt::ControlModifier);
    const int header = view.rows().header_row[block];
    CHECK(header >= listing->first_visible_row());
    CHECK(header < listing->first_visible_row() + listing->visible_rows());
}

TEST_CASE("the graph's text follows the text size") {
    OpenWindow open;
    open.window.selection().select(0x127);
    auto* dock = open.window.findChild<QDockWidget*>(QStringLiteral("dock_graph"));
    dock->show();
    dock->raise();
    auto* canvas = dock->findChild<GraphCanvas*>();
    REQUIRE(wait_for([&] { return canvas->graph() != nullptr; }));
    const auto height = [&] { return canvas->node_rect(0).height(); };
    const double before = height();
    Theme& theme = Theme::instance();
    const int points = theme.mono_points();
    theme.set_mono_points(points + 6);
    CHECK(wait_for([&] { return height() > before; }));
    theme.set_mono_points(points);
    CHECK(wait_for([&] { return height() == before; }));
}

TEST_CASE(
    "a window that was closed maximised comes back maximised, and all of it is laid out for that size") {
    {
        MainWindow window;
        window.showMaximized();
        settle();
        window.close();
    }
    MainWindow again;
    again.show();
    REQUIRE(wait_for([&] { return again.isMaximized() && again.isVisible(); }));
    const QSize screen = again.screen()->availableGeometry().size();
    CHECK(wait_for([&] { return again.frameGeometry().width() >= screen.width(); }));
    CHECK(again.rect().contains(again.centralWidget()->geometry()));
    CHECK(again.statusBar()->geometry().right() == again.width() - 1);
    again.showNormal();
    again.close();
}

TEST_CASE("kernels are called by their C++ names, overloads with their arguments") {
    CHECK(called(QStringLiteral("_ZN4demo5saxpyIfLi4EEEvPT_PKS1_S1_i")) ==
          QStringLiteral("demo::saxpy<float, 4>"));
    CHECK(called(QStringLiteral("attention_kernel")) == QStringLiteral("attention_kernel"));
    const QStringList names = {QStringLiteral("_Z3addPfi"), QStringLiteral("_Z3addPdi"),
                               QStringLiteral("_Z3subPfi"), QStringLiteral("_Z3addPii")};
    CHECK(called(names) == QStringList{QStringLiteral("add(float*, int)"),
                                       QStringLiteral("add(double*, int)"), QStringLiteral("sub"),
                                       QStringLiteral("add(int*, int)")});
}

TEST_CASE("a title has a short name of its kernel: without template arguments, then cut at its end") {
    CHECK(short_called(QStringLiteral("attention_kernel")) == QStringLiteral("attention_kernel"));
    const QString arguments = QStringLiteral("Li1234567E").repeated(20);
    CHECK(short_called(QStringLiteral("_Z11gemm_deviceI%1EvPf").arg(arguments)) ==
          QStringLiteral("gemm_device<...>"));
    const QString plain =
        QStringLiteral("kernel_cutlass_kernel_") + QStringLiteral("tensorptrf16gmem_").repeated(10);
    const QString shown = short_called(plain);
    CHECK(shown.size() == 60);
    CHECK(shown.startsWith(QStringLiteral("kernel_cutlass_kernel_")));
    CHECK(shown.endsWith(QChar(0x2026)));
}

TEST_CASE("every dock and every command answers What's This") {
    OpenWindow open("");
    CHECK(entry(open.window, "Help", "What's This?") != nullptr);
    for (const QDockWidget* dock : open.window.docks()) {
        INFO(dock->objectName().toStdString());
        CHECK_FALSE(dock->whatsThis().isEmpty());
    }
    for (const QAction* action : open.window.commands().all())
        CHECK_FALSE(action->whatsThis().isEmpty());
}

TEST_CASE("Help is searched: pages that hold every word stay, and the place is shown") {
    OpenWindow open("");
    open.window.commands()[QStringLiteral("help.docs")]->trigger();
    auto* help = required(open.window.findChild<HelpWindow*>());
    const int all = help->pages_shown();
    help->search()->setText(QStringLiteral("scoreboard legal"));
    const int some = help->pages_shown();
    CHECK(some > 0);
    CHECK(some < all);
    auto* text = help->findChild<QTextBrowser*>();
    CHECK(text->textCursor().selectedText().toLower() == QStringLiteral("scoreboard"));
    CHECK_FALSE(help->findChild<QListWidget*>()->currentItem()->isHidden());
    help->search()->setText(QStringLiteral("zzqqxx"));
    CHECK(help->pages_shown() == 0);
    auto* none = required(help->findChild<QLabel*>(QStringLiteral("help_none")));
    CHECK(none->isVisible());  // and the list says so
    help->search()->clear();
    CHECK_FALSE(none->isVisible());
    CHECK(help->pages_shown() == all);
}

TEST_CASE("the minimap lies over no node and the legend below the graph, wherever the graph is scrolled to") {
    OpenWindow open;
    auto* dock = open.window.findChild<QDockWidget*>(QStringLiteral("dock_graph"));
    MainWindow::bring_forward(dock);
    dock->setFloating(true);
    dock->resize(900, 700);
    open.window.selection().select(0x127);
    auto* canvas = dock->findChild<GraphCanvas*>();
    REQUIRE(wait_for([&] { return canvas->graph() != nullptr; }));
    const auto nodes = static_cast<std::uint32_t>(canvas->graph()->layout.nodes.size());
    int seen = 0;
    for (int i = 0; i < 40; ++i) {
        QTest::keyClick(canvas,
                        i < 10       ? Qt::Key_Plus
                        : i % 3 == 0 ? Qt::Key_Down
                                     : Qt::Key_Right,
                        i < 10 ? Qt::NoModifier : Qt::ShiftModifier);
        const QRectF map = canvas->minimap_rect();
        seen += !map.isEmpty();
        for (std::uint32_t node = 0; node < nodes; ++node) {
            if (map.intersects(canvas->node_rect(node)))
                FAIL_CHECK("node " << node << " is covered after " << i << " keys");
        }
    }
    CHECK(seen > 0);
    // A new layout, as each best of a running agent brings one, leaves the legend where it is.
    const auto* legend = required(open.window.findChild<GraphView*>())->toolbar()->legend();
    REQUIRE(legend->isVisible());
    CHECK(legend->geometry().top() > canvas->geometry().bottom());
    const QRect place = legend->geometry();
    open.window.selection().select(0x50);
    REQUIRE(wait_for([&] { return canvas->graph() != nullptr && !canvas->graph()->picture.legend.empty(); }));
    CHECK(legend->geometry() == place);
}

TEST_CASE("the timeline's legend shows whole entries at every width") {
    OpenWindow open;
    auto* dock = open.window.findChild<QDockWidget*>(QStringLiteral("dock_timeline"));
    dock->show();
    dock->raise();
    QLabel* legend = nullptr;
    for (QLabel* label : dock->findChildren<QLabel*>())
        if (label->accessibleName() == QStringLiteral("Colours")) legend = label;
    REQUIRE(legend != nullptr);
    REQUIRE(wait_for([&] { return !legend->text().isEmpty(); }));
    dock->setFloating(true);
    for (const int width : {1200, 700, 420}) {
        dock->resize(width, 400);
        settle();
        INFO(width);
        CHECK(legend->height() >= legend->heightForWidth(legend->width()));
    }
}
