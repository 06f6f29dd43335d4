// SPDX-License-Identifier: GPL-3.0-or-later
// Where things are in the window: what a kernel shows first, what a narrow window keeps, and that nothing moves under
// the pointer.
#include <QApplication>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QScreen>
#include <QSpinBox>
#include <QTabBar>
#include <QToolButton>
#include <algorithm>

#include "tests/ui/window_support.h"
#include "ui/base/settings.h"
#include "ui/document/kernel_info.h"
#include "ui/hand/control_editor.h"
#include "ui/listing/gutter.h"
#include "ui/run/reward_chart.h"
#include "ui/run/run_strip.h"
#include "ui/shell/layouts.h"
#include "ui/shell/windows.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

int open_docks(const MainWindow& window) {
    return static_cast<int>(
        std::ranges::count_if(window.docks(), [](const QDockWidget* dock) { return !dock->isHidden(); }));
}

// The block with the deepest loop, which in bmm_mma is the hot one.
BlockId deepest(const Kernel& kernel) {
    BlockId found = 0;
    const auto& blocks = kernel.flow().blocks;
    for (BlockId b = 0; b < blocks.size(); ++b)
        if (blocks[b].loop_depth > blocks[found].loop_depth) found = b;
    return found;
}

bool has_control_columns(OpenWindow& open) {
    for (const Side side : {Side::Left, Side::Right})
        if (!open.window.compare_view().pane(side)->gutter()->columns().control) return false;
    return true;
}

// Window coordinates of a row of the right listing.
int place_of(OpenWindow& open, InstrId id) {
    SassView* view = open.listing();
    const int row = open.window.compare_view().rows().row_of(id, Side::Right);
    return view->viewport()
        ->mapTo(&open.window, QPoint(0, (row - view->first_visible_row()) * view->row_height()))
        .y();
}

}  // namespace

TEST_CASE("a rectangle is moved into the screen, and cut only where it is larger", "[layout]") {
    const QRect screen(0, 0, 1440, 900);
    CHECK(inside({100, 100, 800, 600}, screen) == QRect(100, 100, 800, 600));
    CHECK(inside({700, 500, 800, 600}, screen) == QRect(640, 300, 800, 600));
    CHECK(inside({-50, -20, 800, 600}, screen) == QRect(0, 0, 800, 600));
    CHECK(inside({28, 28, 1430, 880}, screen) == QRect(10, 20, 1430, 880));
    CHECK(inside({0, 0, 3000, 600}, screen) == QRect(0, 0, 1440, 600));
    CHECK(inside({0, 0, 100, 100}, {1440, 0, 1000, 800}) == QRect(1440, 0, 100, 100));
}

QUIET_CASE("a kernel opens at its hot loop, with the Kernel view in front and at most six views",
           "[layout]") {
    OpenWindow open;
    settle();
    CHECK(open_docks(open.window) <= 6);
    CHECK_FALSE(open.window.dock(QStringLiteral("dock_kernel"))->visibleRegion().isEmpty());
    const BlockId hot = deepest(*open.window.document().kernel());
    const CompareView& compare = open.window.compare_view();
    for (const Side side : {Side::Left, Side::Right})
        CHECK(compare.pane(side)->view()->first_visible_row() == compare.rows().header_row[hot]);
    CHECK_FALSE(open.window.selection().has());
    // The others can be had.
    for (QDockWidget* dock : open.window.docks()) {
        MainWindow::bring_forward(dock);
        CHECK_FALSE(dock->isHidden());
    }
}

QUIET_CASE("the Kernel view is laid out twice a second at most while its schedule changes", "[layout]") {
    OpenWindow open;
    auto* info = required(open.window.findChild<KernelInfoPanel*>());
    REQUIRE(wait_for([&] { return info->limits() != nullptr; }));
    settle();
    Document& document = open.window.document();
    QSignalSpy shown(info, &KernelInfoPanel::limits_changed);
    QElapsedTimer clock;
    clock.start();
    const InstrId id = document.kernel()->flow().blocks[deepest(*document.kernel())].first;
    while (clock.elapsed() < 2000) {
        ControlCode control = document.pair().schedule(ScheduleSlot::Hand)->control(id);
        control.stall = control.stall == 14 ? 15 : 14;
        REQUIRE(document.hand().set_control(id, control));
        QTest::qWait(40);
    }
    CHECK(shown.count() <= 2 + clock.elapsed() / 500);
    // The last one is shown.
    REQUIRE(wait_for([&] { return open.window.jobs().idle(); }));
    CHECK(shown.count() > 0);
}

QUIET_CASE("comparing with another file is in the View menu", "[layout]") {
    OpenWindow open;
    const QAction* compare = open.window.commands()[QStringLiteral("view.compare_file")];
    QStringList menus;
    for (const QObject* object : compare->associatedObjects())
        for (const QObject* at = object; at != nullptr; at = at->parent())
            if (const auto* menu = qobject_cast<const QMenu*>(at))
                menus << menu->title().remove(QLatin1Char('&'));
    CHECK(menus.contains(QStringLiteral("View")));
    CHECK_FALSE(menus.contains(QStringLiteral("File")));
}

QUIET_CASE("Go > Hot loop and Next long wait select what the model names", "[layout]") {
    OpenWindow open;
    Document& document = open.window.document();
    open.window.commands()[QStringLiteral("go.hot_loop")]->trigger();
    CHECK(document.kernel()->block_of(open.window.selection().instr()) == deepest(*document.kernel()));
    const auto* info = required(open.window.findChild<KernelInfoPanel*>());
    REQUIRE(wait_for([&] { return info->limits() != nullptr; }));
    const auto& waits = info->limits()->right->waits;
    REQUIRE(waits.size() > 2);
    QAction* next = open.window.commands()[QStringLiteral("go.next_wait")];
    next->trigger();
    CHECK(open.window.selection().instr() == waits[0].instr);
    next->trigger();
    CHECK(open.window.selection().instr() == waits[1].instr);
    open.window.selection().select(waits.back().instr == waits[0].instr ? waits[1].instr : 0);
    next->trigger();
    CHECK(open.window.selection().has());
}

QUIET_CASE("a narrow window stacks the docks below the listings and keeps the control codes", "[layout]") {
    OpenWindow open;
    open.window.resize(1400, 900);
    settle();
    QDockWidget* kernel = open.window.dock(QStringLiteral("dock_kernel"));
    REQUIRE(open.window.dockWidgetArea(kernel) == Qt::RightDockWidgetArea);
    const int width = kernel->width();
    for (const QSize size : {QSize(1024, 700), QSize(800, 600)}) {
        open.window.resize(size);
        settle();
        INFO(size.width());
        CHECK(open.window.size() == size);
        CHECK(open.window.dockWidgetArea(kernel) == Qt::BottomDockWidgetArea);
        CHECK_FALSE(kernel->visibleRegion().isEmpty());
        CHECK(has_control_columns(open));
        CHECK(open.listing()->visible_rows() >= 8);
        CHECK(cut_tabs(open.window).toStdString() == "");
    }
    // What was opened stays open, and everything is where it was.
    MainWindow::bring_forward(open.window.dock(QStringLiteral("dock_problems")));
    open.window.resize(1400, 900);
    settle();
    CHECK(open.window.dockWidgetArea(kernel) == Qt::RightDockWidgetArea);
    CHECK(std::abs(kernel->width() - width) <= 2);
    CHECK_FALSE(open.window.dock(QStringLiteral("dock_problems"))->isHidden());
}

QUIET_CASE("a window becomes small at once, and no layout makes it larger", "[layout]") {
    OpenWindow open;
    open.window.resize(1440, 900);
    settle();
    const QSize small(800, 600);
    open.window.resize(small);
    settle();
    CHECK(open.window.size() == small);
    for (const QString& id : built_in_layouts()) {
        INFO(id.toStdString());
        open.window.commands()[QStringLiteral("layout.") + id]->trigger();
        settle();
        settle();
        CHECK(open.window.size() == small);
        CHECK(open.window.dockWidgetArea(open.window.dock(QStringLiteral("dock_kernel"))) ==
              Qt::BottomDockWidgetArea);
    }
}

QUIET_CASE("a window that opens small is small, with the layout of a wide one kept for later", "[layout]") {
    Settings().set_layout({}, {});
    {
        MainWindow window;
        window.resize(800, 600);
        window.show();
        window.open_path(QString::fromStdString(sample("bmm_mma.cubin")));
        REQUIRE(wait_for([&] { return window.document().hand().can_edit(); }));
        settle();
        CHECK(window.size() == QSize(800, 600));
        CHECK(window.dockWidgetArea(window.dock(QStringLiteral("dock_graph"))) == Qt::BottomDockWidgetArea);
        window.close();
    }
    OpenWindow wide;
    wide.window.resize(1500, 900);
    settle();
    CHECK(wide.window.dockWidgetArea(wide.window.dock(QStringLiteral("dock_graph"))) ==
          Qt::RightDockWidgetArea);
    Settings().set_layout({}, {});
}

QUIET_CASE("a message leaves every row where it is, and others wait behind a counter", "[layout]") {
    OpenWindow open;
    open.window.resize(1024, 700);
    settle();
    open.window.selection().select(0x127);
    settle();
    const int before = place_of(open, 0x127);
    MessageBar& messages = open.window.messages();
    messages.post(MessageKind::Warning, QStringLiteral("First"), QStringLiteral("text"));
    settle();
    CHECK(place_of(open, 0x127) == before);
    messages.post(MessageKind::Refused, QStringLiteral("Second"), QStringLiteral("text"));
    messages.post(MessageKind::Done, QStringLiteral("Third"), QStringLiteral("text"));
    settle();
    CHECK(place_of(open, 0x127) == before);
    const auto shown = [&] {
        return std::ranges::count_if(
            messages.findChildren<QWidget*>(QStringLiteral("message_item"), Qt::FindDirectChildrenOnly),
            [](const QWidget* item) { return item->isVisible(); });
    };
    CHECK(shown() == 1);
    QToolButton* more = nullptr;
    for (auto* button : messages.findChildren<QToolButton*>(QStringLiteral("message_more")))
        if (button->isVisible()) more = button;
    REQUIRE(more != nullptr);
    CHECK(more->text() == QStringLiteral("2 more"));
    QTest::mouseClick(more, Qt::LeftButton);
    settle();
    CHECK(shown() > 1);
    messages.clear_all();
    settle();
    CHECK(place_of(open, 0x127) == before);
}

QUIET_CASE("a double click on an instruction or its control code opens the editor", "[layout]") {
    OpenWindow open;
    open.window.selection().select(0x127);
    settle();
    auto* editor = required(open.window.findChild<ControlEditor*>());
    SassView* view = open.listing();
    const int row = open.window.compare_view().rows().row_of(0x127, Side::Right);
    const QPoint at(40, (row - view->first_visible_row()) * view->row_height() + view->row_height() / 2);
    QTest::mouseDClick(view->viewport(), Qt::LeftButton, {}, at);
    CHECK(editor->isVisible());
    CHECK_FALSE(view->hasSelectedText());
    QTest::keyClick(editor, Qt::Key_Escape);
    settle();
    // On a field of the control code: with that field ready to be changed.
    Gutter* gutter = open.window.compare_view().pane(Side::Right)->gutter();
    const auto column = [&](const char* name) {
        const auto captions = gutter->captions();
        const auto found =
            std::ranges::find(captions, QString::fromLatin1(name), &std::pair<int, QString>::second);
        REQUIRE(found != captions.end());
        return found->first + 2;
    };
    const auto focused_by = [&](const char* name) -> const QWidget* {
        QTest::keyClick(editor, Qt::Key_Escape);
        QTest::mouseDClick(gutter, Qt::LeftButton, {}, QPoint(column(name), at.y()));
        REQUIRE(editor->isVisible());
        return QApplication::focusWidget();
    };
    CHECK(focused_by("stall") == editor->stall_box());
    CHECK(focused_by("y") == editor->yield_switch());
    const QWidget* wait = focused_by("wait");
    bool chip = false;
    for (std::size_t i = 0; i < 6; ++i)
        chip = chip || wait == editor->wait_chip(i);
    CHECK(chip);
}

QUIET_CASE("a narrow window keeps the view in front that was used last", "[layout]") {
    OpenWindow open;
    settle();
    QDockWidget* timeline = open.window.dock(QStringLiteral("dock_timeline"));
    QTabBar* bar = nullptr;
    int tab = -1;
    for (auto* each : open.window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
        for (int i = 0; i < each->count(); ++i)
            if (each->tabText(i) == timeline->windowTitle()) bar = each, tab = i;
    REQUIRE(bar != nullptr);
    QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(tab).center());
    settle();
    REQUIRE_FALSE(timeline->visibleRegion().isEmpty());
    open.window.resize(1000, 700);
    settle();
    REQUIRE(open.window.dockWidgetArea(open.window.dock(QStringLiteral("dock_kernel"))) ==
            Qt::BottomDockWidgetArea);
    CHECK_FALSE(timeline->visibleRegion().isEmpty());
}

QUIET_CASE("the Agent view and the message of a run's end name one duration", "[layout]") {
    OpenWindow open;
    open.window.controller().set_session_path(open.path("s.db").toStdString());
    run_steps(open.window, "80steps");
    settle();
    const QString state = required(open.window.findChild<RunStrip*>())->budget_text();
    const QString took = state.section(QStringLiteral("took "), 1);
    REQUIRE_FALSE(took.isEmpty());
    CHECK(open.window.messages().newest_text().contains(QStringLiteral("80 steps in %1 (").arg(took)));
}

QUIET_CASE("the search field has the place among the matches, and is red without one", "[layout]") {
    OpenWindow open;
    auto* find = required(open.window.findChild<QLineEdit*>(QStringLiteral("find")));
    auto* count = required(open.window.findChild<QLabel*>(QStringLiteral("find_count")));
    find->setText(QStringLiteral("HMMA"));
    const QString all = count->text();
    CHECK(all.toInt() > 3);
    QTest::keyClick(find, Qt::Key_Return);
    CHECK(count->text().endsWith(QLatin1Char('/') + all));
    CHECK_FALSE(find->property("bad").toBool());
    find->setText(QStringLiteral("text:nothing of the kind"));
    CHECK(count->text() == QStringLiteral("0"));
    CHECK(find->property("bad").toBool());
    find->clear();
    CHECK(count->text().isEmpty());
    CHECK_FALSE(find->property("bad").toBool());
}

QUIET_CASE("a run gets room for its curves, once", "[layout]") {
    OpenWindow open;
    open.window.controller().set_session_path(open.path("s.db").toStdString());
    QDockWidget* curves = open.window.dock(QStringLiteral("dock_rewards"));
    settle();
    const int before = curves->height();
    run_steps(open.window, "60steps");
    settle();
    CHECK(curves->height() > before);
    CHECK(curves->height() >= open.window.height() * 2 / 5);
    CHECK(open.listing()->visible_rows() >= 12);
    const int now = curves->height() - 60;
    open.window.resizeDocks({curves}, {now}, Qt::Vertical);
    settle();
    const int chosen = curves->height();
    run_steps(open.window, "60steps");
    settle();
    CHECK(std::abs(curves->height() - chosen) <= 2);
}

QUIET_CASE("a start beside a hand schedule offers to follow the agent", "[layout]") {
    OpenWindow open;
    open.window.controller().set_session_path(open.path("s.db").toStdString());
    Document& document = open.window.document();
    for (InstrId id = 0; id < document.kernel()->size() && !document.hand().tree().can_undo(); ++id)
        document.hand().move_by(id, 1);
    document.pair().show_right(ScheduleSlot::Hand);
    open.window.start_agent(model_run(QStringLiteral("100000steps"), QStringLiteral("greedy")));
    QPushButton* follow = nullptr;
    for (auto* button : open.window.messages().findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("Show agent's best live")) follow = button;
    REQUIRE(follow != nullptr);
    QTest::mouseClick(follow, Qt::LeftButton);
    CHECK(document.pair().follow_live());
    open.window.controller().stop();
    REQUIRE(wait_for([&] { return !open.window.controller().active(); }));
}

QUIET_CASE("a block without a faster order is a note, not a rejection", "[layout]") {
    OpenWindow open;
    Document& document = open.window.document();
    const auto& blocks = document.kernel()->flow().blocks;
    BlockId small = 0;
    while (small < blocks.size() && blocks[small].count >= 3)
        ++small;
    REQUIRE(small < blocks.size());
    QSignalSpy refused(&document.hand(), &HandEditor::refused);
    open.window.selection().select(blocks[small].first);
    open.window.commands()[QStringLiteral("edit.reschedule")]->trigger();
    REQUIRE(wait_for([&] { return open.window.messages().count() > 0; }));
    CHECK(refused.count() == 0);
    CHECK(open.window.messages().newest_text().startsWith(QStringLiteral("Reschedule block:")));
}

QUIET_CASE("a stall edit is named by its two counts", "[layout]") {
    OpenWindow open;
    Document& document = open.window.document();
    InstrId id = 0;
    while (document.kernel()->pinned(id) || document.pair().right()->control(id).stall < 1 ||
           document.pair().right()->control(id).stall > 5)
        ++id;
    const int stall = document.pair().right()->control(id).stall;
    open.window.selection().select(id);
    open.window.commands()[QStringLiteral("edit.stall_up")]->trigger();
    REQUIRE(document.hand().tree().can_undo());
    const auto& tree = document.hand().tree();
    CHECK(tree.nodes()[tree.current()].label.endsWith(
        QStringLiteral("stall %1 \u2192 %2").arg(stall).arg(stall + 1)));
}

QUIET_CASE("a second window lies inside of the screen and closes by Ctrl+W while it is empty", "[layout]") {
    OpenWindow open("");
    MainWindow* second = Windows::instance().open_new();
    settle();
    const QRect screen = second->screen()->availableGeometry();
    CHECK(screen.contains(second->geometry()));
    QAction* close = second->commands()[QStringLiteral("file.close")];
    CHECK(close->isEnabled());
    QPointer<MainWindow> watched = second;
    close->trigger();
    CHECK(wait_for([&] { return watched.isNull() || !watched->isVisible(); }, 10));
}
