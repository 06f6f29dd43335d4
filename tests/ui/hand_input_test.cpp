// SPDX-License-Identifier: GPL-3.0-or-later
// The row's menu by right click and mouse, the mark of the next occupancy step, the wheel sideways, and what
// the headers of blocks say of the agent's scope: by real events only.
#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QWindow>

#include "core/legality/move_along.h"
#include "core/legality/stall_repair.h"
#include "core/model/sm_model.h"
#include "core/tuning/evaluator_choice.h"
#include "tests/ui/window_support.h"
#include "ui/base/theme.h"
#include "ui/document/kernel_info.h"
#include "ui/document/kernel_notes.h"
#include "ui/document/limits.h"
#include "ui/graph/graph_canvas.h"
#include "ui/hand/hand_tools.h"
#include "ui/listing/gutter.h"
#include "ui/timeline/timeline_canvas.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

// Right click on the instruction's row of the right listing, as the window system sends it; the menu that
// opens.
QMenu* menu_of_row(OpenWindow& open, InstrId id) {
    SassView* view = open.listing();
    const int row = open.window.compare_view().rows().row_of(id, Side::Right);
    REQUIRE(row >= 0);
    view->reveal_row(row);
    const QPoint at(40, (row - view->first_visible_row()) * view->row_height() + view->row_height() / 2);
    QTest::mouseClick(open.window.windowHandle(), Qt::RightButton, Qt::NoModifier,
                      view->viewport()->mapTo(&open.window, at));
    if (!wait_for([] { return QApplication::activePopupWidget() != nullptr; }, 10)) return nullptr;
    return qobject_cast<QMenu*>(QApplication::activePopupWidget());
}

void click(QMenu* menu, QAction* action) {
    QTest::mouseClick(menu, Qt::LeftButton, Qt::NoModifier, menu->actionGeometry(action).center());
}

QAction* action_of(const QMenu* menu, const QString& text) {
    for (QAction* action : menu->actions())
        if (action->text().remove(QLatin1Char('&')).startsWith(text)) return action;
    return nullptr;
}

// Menus grab the keyboard and raise themselves, which the offscreen platform cannot do and says each time.
void forget_warnings_of_menus() {
    for (const char* what : {"grabbing the keyboard", "support raise()"})
        g_qt_warnings.removeIf([what](const QString& text) { return text.contains(QLatin1String(what)); });
}

void close_menus() {
    while (QWidget* popup = QApplication::activePopupWidget())
        popup->close();
}

}  // namespace

QUIET_CASE("the row's menu: move up and pay, by right click and click") {
    OpenWindow open;
    Document& document = open.window.document();
    QSignalSpy edited(&document.hand(), &HandEditor::edited);
    QSignalSpy refused(&document.hand(), &HandEditor::refused);
    int done = 0;
    for (InstrId id = 0x1000 / kWordBytes; id < 0x1300 / kWordBytes && done == 0; ++id) {
        if (document.kernel()->pinned(id)) continue;
        QMenu* menu = required(menu_of_row(open, id));
        CHECK(open.window.selection().instr() == id);  // the click selected it
        QAction* pay = required(action_of(menu, QStringLiteral("Move up, adjust stalls")));
        REQUIRE(pay->isEnabled());
        const auto before = edited.count() + refused.count();
        click(menu, pay);
        REQUIRE(wait_for([&] { return edited.count() + refused.count() > before; }));
        done = static_cast<int>(edited.count());
    }
    CHECK(done == 1);
    CHECK(QApplication::activePopupWidget() == nullptr);
    CHECK(document.checker()->check(*document.pair().schedule(ScheduleSlot::Hand)).empty());
    forget_warnings_of_menus();
}

QUIET_CASE("the first Down behind opening a file selects the first instruction of the hot loop") {
    OpenWindow open;
    REQUIRE_FALSE(open.window.selection().has());
    open.key(Qt::Key_Down);
    const InstrId first = hot_loop_start(*open.window.document().kernel(), open.window.document().workload());
    REQUIRE(first != kNone);
    CHECK(open.window.selection().instr() == first);
    open.window.selection().select(0);
    open.key(Qt::Key_Up);  // the header above it is no instruction
    CHECK(open.window.selection().instr() == 0);
}

QUIET_CASE("Alt+Ctrl+Shift+Up takes along what an instruction reads, in one edit that one undo takes back") {
    OpenWindow open;
    Document& document = open.window.document();
    const Schedule original = *document.pair().schedule(ScheduleSlot::Original);
    QSignalSpy edited(&document.hand(), &HandEditor::edited);
    QSignalSpy refused(&document.hand(), &HandEditor::refused);
    // Held by the one in front of it, whose result it reads: alone it has nowhere to go.
    InstrId id = kNone;
    for (InstrId i = 0x1000 / kWordBytes; i < 0x1300 / kWordBytes && id == kNone; ++i) {
        const auto moves = move_along(*document.checker(), original, i, i - 2);
        if (moves && moves->edits.size() == 2 && add_required_stalls(*document.checker(), original, *moves))
            id = i;
    }
    REQUIRE(id != kNone);
    open.window.selection().select(id);
    open.key(Qt::Key_Up, Qt::AltModifier | Qt::ControlModifier | Qt::ShiftModifier);
    REQUIRE(wait_for([&] { return edited.count() + refused.count() > 0; }));
    REQUIRE(edited.count() == 1);
    const Schedule after = *document.pair().schedule(ScheduleSlot::Hand);
    CHECK(after.position_of(id) < original.position_of(id));
    CHECK(after.position_of(id - 1) < original.position_of(id - 1));
    CHECK(document.checker()->check(after).empty());
    document.hand().undo();
    CHECK(*document.pair().schedule(ScheduleSlot::Hand) == original);
}

QUIET_CASE("the row's menu: a wait moved later, to the last instruction that may have it") {
    OpenWindow open;
    Document& document = open.window.document();
    const Schedule original = *document.pair().schedule(ScheduleSlot::Original);
    QSignalSpy edited(&document.hand(), &HandEditor::edited);
    QSignalSpy refused(&document.hand(), &HandEditor::refused);
    int moved = 0;
    // The compiler waits where the result is needed at once: a wait two places too early can be moved.
    for (InstrId needs = 0; needs < original.size() && moved == 0; ++needs) {
        const std::uint8_t waits = original.control(needs).wait_mask;
        const Block& block = document.kernel()->flow().blocks[document.kernel()->block_of(needs)];
        if (waits == 0 || original.position_of(needs) < block.first + 2) continue;
        const InstrId id = original.at(original.position_of(needs) - 2);
        ControlCode early = original.control(id);
        if (early.wait_mask != 0) continue;
        early.wait_mask = static_cast<std::uint8_t>(waits & -waits);
        const Mutation added = Mutation::control(original, id, early);
        if (!document.checker()->allows(original, added)) continue;
        document.hand().apply(added, QStringLiteral("a wait too early"));
        const Schedule base = *document.pair().schedule(ScheduleSlot::Hand);
        edited.clear();
        refused.clear();
        QMenu* menu = required(menu_of_row(open, id));
        QAction* sub = required(action_of(menu, QStringLiteral("Scoreboards")));
        REQUIRE(sub->isEnabled());
        click(menu, sub);  // opens it
        QAction* later = required(action_of(sub->menu(), QStringLiteral("Move the wait for SB")));
        REQUIRE(wait_for([&] { return sub->menu()->isVisible(); }, 10));
        const int scoreboard = later->text().mid(later->text().indexOf(QStringLiteral("SB")) + 2, 1).toInt();
        const auto before = edited.count() + refused.count();
        click(sub->menu(), later);
        REQUIRE(wait_for([&] { return edited.count() + refused.count() > before; }));
        close_menus();
        if (edited.count() == 0) {  // someone needs it at once
            open.key(Qt::Key_Z, Qt::ControlModifier);
            continue;
        }
        moved = 1;
        const Schedule& hand = *document.pair().schedule(ScheduleSlot::Hand);
        CHECK(((hand.control(id).wait_mask >> scoreboard) & 1) == 0);
        CHECK(document.checker()->check(hand).empty());
        // One other instruction, further down in the block, waits instead: all else is as it was.
        std::vector<InstrId> changed;
        for (InstrId other = 0; other < hand.size(); ++other)
            if (!(hand.control(other) == base.control(other))) changed.push_back(other);
        REQUIRE(changed.size() == 2);
        const InstrId there = changed[0] == id ? changed[1] : changed[0];
        CHECK(((hand.control(there).wait_mask >> scoreboard) & 1) == 1);
        CHECK(hand.position_of(there) > hand.position_of(id));
        CHECK(document.kernel()->block_of(there) == document.kernel()->block_of(id));
        open.key(Qt::Key_Z, Qt::ControlModifier);
        CHECK(*document.pair().schedule(ScheduleSlot::Hand) == base);
    }
    CHECK(moved == 1);
    forget_warnings_of_menus();
}

QUIET_CASE("the live register bar marks the next register count at which more warps fit") {
    OpenWindow open;
    Document& document = open.window.document();
    REQUIRE(wait_for([&] { return document.pair().right_liveness() != nullptr; }));
    const int registers = document.kernel()->info().registers;
    // As the occupancy table says it: 64K registers an SM, given out to warps in units of 256.
    const int threads = static_cast<int>(document.workload()->threads());
    const auto blocks = [&](int r) {
        const int warps = (threads + 31) / 32;
        const int of_block = ((r * 32 + 255) / 256) * 256 * warps;
        return std::min({65536 / of_block, 32, 64 / warps});
    };
    int step = registers;
    while (step > 0 && blocks(step) == blocks(registers))
        --step;
    REQUIRE(step > 0);
    Gutter* gutter = open.window.compare_view().pane(Side::Right)->gutter();
    if (!gutter->columns().live) open.window.commands()[QStringLiteral("view.live")]->trigger();
    REQUIRE(wait_for([&] { return gutter->columns().live; }, 10));
    const InstrId id = 0x600 / kWordBytes;
    open.window.selection().select(id);
    const int row = open.window.compare_view().rows().row_of(id, Side::Right);
    SassView* view = open.listing();
    CHECK(gutter->tip_at(row, 30).contains(QStringLiteral("with %1 or fewer registers").arg(step)));
    // The mark stands above and below the bar at its share of the kernel's registers.
    int left = -1;
    for (const auto& [x, caption] : gutter->captions())
        if (caption == QStringLiteral("live regs")) left = x;
    REQUIRE(left >= 0);
    const QImage picture = gutter->grab().toImage().convertToFormat(QImage::Format_RGB32);
    const int middle = (row - view->first_visible_row()) * view->row_height() + view->row_height() / 2;
    const ThemeColors& c = Theme::instance().colors();
    const int live = document.pair().right_liveness()->gpr_count[document.pair().right()->position_of(id)];
    const QRgb mark = (live > step ? c.text_dim : c.good).rgb();
    std::vector<int> above;
    for (int x = left; x < left + 90 && x < picture.width(); ++x)
        if (picture.pixel(x, middle - 4) == mark && picture.pixel(x, middle + 4) == mark) above.push_back(x);
    REQUIRE(above.size() == 1);
    // Where the bar begins: the first pixel of its ground left of the mark, in the bar's own rows.
    int begin = above[0];
    while (begin > left && picture.pixel(begin - 1, middle) != picture.pixel(begin - 1, middle - 6))
        --begin;
    CHECK(above[0] - begin == Approx(static_cast<double>(step) / registers * 26).margin(1.01));
}

QUIET_CASE("Shift and the wheel scroll both listings sideways, the wheel alone down") {
    OpenWindow open;
    open.window.resize(900, 700);
    SassView* view = open.listing();
    REQUIRE(wait_for([&] { return view->horizontalScrollBar()->maximum() > 0; }, 10));
    const int row = view->first_visible_row();
    const auto wheel = [&](int delta, Qt::KeyboardModifiers modifiers) {
        const QPoint at = view->viewport()->mapTo(&open.window, QPoint(30, 60));
        QTest::qWait(0);
        QWheelEvent event(at, open.window.mapToGlobal(at), {}, {0, delta}, Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(view->viewport(), &event);
    };
    wheel(-120, Qt::ShiftModifier);
    CHECK(view->horizontalScrollBar()->value() > 0);
    CHECK(view->first_visible_row() == row);
    SassView* other = open.listing(Side::Left);
    CHECK(other->horizontalScrollBar()->value() ==
          std::min(view->horizontalScrollBar()->value(), other->horizontalScrollBar()->maximum()));
    wheel(120, Qt::ShiftModifier);
    CHECK(view->horizontalScrollBar()->value() == 0);
    wheel(-120, Qt::NoModifier);
    CHECK(view->first_visible_row() > row);
    CHECK(open.listing(Side::Left)->first_visible_row() == view->first_visible_row());
}

QUIET_CASE("the rows of the listing are as high as its own text, whatever the interface's text size is") {
    Theme& theme = Theme::instance();
    const int before = theme.ui_points();
    OpenWindow open;
    const int height = open.listing()->row_height();
    theme.set_ui_points(20);
    CHECK(open.listing()->row_height() == height);
    OpenWindow later;  // made with the large text
    CHECK(later.listing()->row_height() == height);
    const int mono = theme.mono_points();
    theme.set_mono_points(2 * mono);
    CHECK(open.listing()->row_height() > height + height / 2);
    CHECK(later.listing()->row_height() == open.listing()->row_height());
    theme.set_mono_points(mono);
    theme.set_ui_points(before);
    CHECK(open.listing()->row_height() == height);
}

QUIET_CASE("a kernel that can only be viewed says so at once, not that something is being prepared") {
    OpenWindow open("");
    open.window.open_path(QString::fromStdString(sample("../tests/data/cubins/k1.88.cubin")));
    REQUIRE(wait_for([&] { return open.window.document().is_open(); }));
    CHECK(open.window.messages().newest_text().contains(QStringLiteral("sm_88 kernels can be viewed")));
    CHECK(open.window.document().hand().why_not_editable().contains(QStringLiteral("sm_88")));
    REQUIRE(wait_for([&] { return open.window.jobs().idle(); }));
    // The model has no figures for it, and gives no cycles of it.
    for (const char* name : {"dock_kernel", "dock_timeline"})
        open.window.findChild<QDockWidget*>(QString::fromLatin1(name))->raise();
    auto* info = open.window.findChild<KernelInfoPanel*>();
    auto* canvas = open.window.findChild<TimelineCanvas*>();
    REQUIRE(wait_for([&] { return info->isVisible() && canvas->isVisible(); }));
    QTest::qWait(500);
    CHECK(info->limits() == nullptr);
    CHECK(canvas->timeline() == nullptr);
    // Registers, branches and what depends on what are decoded.
    CHECK(info->toPlainText().contains(QStringLiteral("loops")));
    CHECK(open.window.document().pair().left_liveness() != nullptr);
}

QUIET_CASE("headers of blocks say what is open to agents, once anything is closed") {
    OpenWindow open;
    Document& document = open.window.document();
    KernelNotes& notes = *open.window.hand_tools().notes();
    notes.clear_locks();
    const auto header = [&](BlockId block) {
        const int row = open.window.compare_view().rows().header_row[block];
        return open.listing()->text(row).trimmed();
    };
    const InstrId id = 0x1270 / kWordBytes;
    const BlockId block = document.kernel()->block_of(id);
    CHECK_FALSE(header(block).contains(QStringLiteral("agents")));
    open.window.selection().select(id);
    open.window.commands()[QStringLiteral("agent.scope_block")]->trigger();
    CHECK(wait_for([&] { return header(block).endsWith(QStringLiteral("editable by agents")); }, 10));
    CHECK(header(0).endsWith(QStringLiteral("locked")));
    open.key(Qt::Key_K, Qt::ControlModifier);
    const auto count = document.kernel()->flow().blocks[block].count;
    const QString most = QStringLiteral("%1 of %2 editable by agents").arg(count - 1).arg(count);
    CHECK(wait_for([&] { return header(block).endsWith(most); }, 10));
    notes.clear_locks();
    CHECK(wait_for([&] { return !header(block).contains(QStringLiteral("agents")); }, 10));
}

TEST_CASE("a block is rescheduled to fewer cycles of the launch that the window goes by, or not at all") {
    for (const auto& [file, offset] : {std::pair("bmm_mma.cubin", 0x1390), {"softmax.cubin", 0x300}}) {
        INFO(file);
        OpenWindow open(file);
        Document& document = open.window.document();
        REQUIRE(document.workload());
        const SchedulePtr before = document.pair().schedule(ScheduleSlot::Hand);
        const SmModel model(before->kernel(), model_settings(*document.kernel(), document.workload()));
        open.window.selection().select(static_cast<InstrId>(offset / kWordBytes));
        open.window.commands()[QStringLiteral("edit.reschedule")]->trigger();
        const auto noted = [&] {  // no order is faster
            return open.window.messages().newest_text().startsWith(QStringLiteral("Reschedule block"));
        };
        REQUIRE(wait_for([&] { return noted() || document.pair().schedule(ScheduleSlot::Hand) != before; }));
        if (document.pair().schedule(ScheduleSlot::Hand) == before) continue;
        CHECK(model.cycles(*document.pair().schedule(ScheduleSlot::Hand)) < model.cycles(*before));
    }
}
