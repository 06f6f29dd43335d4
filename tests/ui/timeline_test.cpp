// SPDX-License-Identifier: GPL-3.0-or-later
// The issue timeline: loops whose cycles are worked out by hand stand where they should, and mouse and keys
// read and choose them.
#include "ui/timeline/timeline.h"

#include <QApplication>
#include <QComboBox>
#include <QHelpEvent>
#include <QImage>
#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <QWheelEvent>

#include "tests/core/model/hand_loops.h"
#include "tests/core/schedule/test_kernels.h"
#include "tests/ui/panels_warnings.h"
#include "ui/base/theme.h"
#include "ui/document/limits.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_view.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::test;

namespace {

// FADD first: 0, MUFU 4, the second FADD 27, BRA 31, 36 in all. With FADD behind the MUFU: MUFU 0, FADD 2 (the
// MUFU's stall count), the second FADD 23, BRA 27, 32 in all (tests/core/model/explanation_test.cpp).
struct HandLoop {
    KernelPtr kernel = loop_of({word_of("FADD", 4), word_of("MUFU", 2, 3), word_of("FADD", 4, -1, 1u << 3)});
    std::shared_ptr<Timeline> timeline = std::make_shared<Timeline>();

    explicit HandLoop(bool pair, int warps = 1) {
        SmModelSettings settings;
        settings.warps_per_subcore = warps;
        const Explainer explainer(kernel, settings);
        Schedule after(kernel);
        after.move(0, 1);
        timeline->kernel = kernel;
        timeline->starts = {0};
        timeline->sides.resize(pair ? 2 : 1);
        timeline->sides[0].title = QStringLiteral("Original");
        timeline->sides[0].schedule = std::make_shared<const Schedule>(kernel);
        timeline->sides[0].trace = explainer.trace(Schedule(kernel), 0);
        if (pair) {
            timeline->sides[1].title = QStringLiteral("Hand");
            timeline->sides[1].schedule = std::make_shared<const Schedule>(after);
            timeline->sides[1].trace = explainer.trace(after, 0);
        }
        timeline->finish();
    }
    // The issue of this instruction in the first counted pass of a warp.
    IssuePlace place(std::size_t side, InstrId instr, std::size_t lane = 0) const {
        const IssueTrace& trace = timeline->sides[side].trace;
        for (std::size_t i = 0; i < trace.lanes[lane].issues.size(); ++i)
            if (trace.lanes[lane].issues[i].instr == instr &&
                trace.lanes[lane].issues[i].pass == trace.first_counted)
                return {side, lane, i};
        FAIL("not issued");
        return {};
    }
};

struct Shown {
    TimelineView view;
    TimelineCanvas& canvas;

    explicit Shown(const HandLoop& loop) : canvas(*view.canvas()) {
        view.resize(900, 300);
        view.show();
        REQUIRE(QTest::qWaitForWindowExposed(&view));
        view.set_timeline(loop.timeline);
    }
    QPoint middle(const IssuePlace& place) const { return canvas.rect_of(place).center().toPoint(); }
};

}  // namespace

QUIET_CASE("bars stand where the cycles are: a wait of 22 before its issue, both schedules from the same 0") {
    const HandLoop loop(true);
    CHECK(loop.timeline->sides[0].pass == 36);
    CHECK(loop.timeline->sides[1].pass == 32);
    const Shown shown(loop);
    const double scale = shown.canvas.scale();
    CHECK(scale > 1);
    // 1 cycle of the MUFU's stall count, 21 for its scoreboard, and the issue.
    const QRectF waits = shown.canvas.rect_of(loop.place(0, 2));
    CHECK(waits.width() == Approx(23 * scale));
    // The first issue of the pass begins at 0 in both, and the second FADD comes at 27 and at 23.
    const QRectF first = shown.canvas.rect_of(loop.place(0, 0)),
                 moved = shown.canvas.rect_of(loop.place(1, 1));
    CHECK(first.right() == Approx(moved.right()));
    CHECK(waits.right() - first.right() == Approx(27 * scale));
    CHECK(shown.canvas.rect_of(loop.place(1, 2)).right() - first.right() == Approx(23 * scale));
    // One below the other, and no lane covers another.
    CHECK(shown.canvas.lane_rect(0, 0).bottom() < shown.canvas.lane_rect(1, 0).top());
}

TEST_CASE("an instruction is named by its place in the schedule that the issue is of") {
    const HandLoop loop(true);
    const QString before = issue_text(*loop.timeline, loop.place(0, 0));
    const QString after = issue_text(*loop.timeline, loop.place(1, 0));
    CHECK(before.startsWith(QStringLiteral("0x0000 FADD")));
    CHECK(after.startsWith(QStringLiteral("0x0010 FADD")));
    // What held it: the MUFU, which stands first there.
    CHECK(after.contains(QStringLiteral("the stall count of MUFU 0x0000")));
    CHECK(issue_text(*loop.timeline, loop.place(0, 1)).contains(QStringLiteral("FADD 0x0000")));
}

QUIET_CASE("the pointer reads an issue and what it waited for, a click chooses its instruction") {
    const HandLoop loop(true);
    Shown shown(loop);
    QSignalSpy chosen(&shown.canvas, &TimelineCanvas::instr_chosen);
    const QPoint at = shown.middle(loop.place(0, 2));
    CHECK(shown.canvas.place_at(at) == loop.place(0, 2));
    QTest::mouseMove(shown.canvas.viewport(), at);
    CHECK(shown.view.told().contains(QStringLiteral("0x0020 FADD")));
    CHECK(shown.view.told().contains(QStringLiteral("Original, warp 0, iteration 1, cycle 27")));
    CHECK(shown.view.told().contains(
        QStringLiteral("waited 22: 1 for the stall count of MUFU 0x0010; 21 for SB3, "
                       "set by MUFU 0x0010")));
    CHECK(shown.canvas.accessibleDescription() == shown.view.told());
    QHelpEvent help(QEvent::ToolTip, at, shown.canvas.viewport()->mapToGlobal(at));
    QApplication::sendEvent(shown.canvas.viewport(), &help);
    CHECK(QToolTip::text().contains(QStringLiteral("21 for SB3, set by MUFU 0x0010")));
    g_qt_warnings.removeAll(
        QStringLiteral("This plugin does not support raise()"));  // the tooltip's, offscreen
    QTest::mouseClick(shown.canvas.viewport(), Qt::LeftButton, {}, at);
    REQUIRE(chosen.count() == 1);
    CHECK(chosen[0][0].toUInt() == 2);
    // Beside the lanes there is nothing.
    CHECK_FALSE(shown.canvas.place_at(QPointF(2, at.y())));
    QTest::mouseClick(shown.canvas.viewport(), Qt::LeftButton, {}, QPoint(400, 2));
    CHECK(chosen.count() == 1);
}

QUIET_CASE("the keys walk along a warp, to its long waits, to the other warps and to the other schedule") {
    const HandLoop loop(true, 2);
    Shown shown(loop);
    TimelineCanvas& canvas = shown.canvas;
    QSignalSpy chosen(&canvas, &TimelineCanvas::instr_chosen);
    const auto press = [&](Qt::Key key, Qt::KeyboardModifiers with = {}) {
        QTest::keyClick(&canvas, key, with);
    };
    const auto here = [&] { return issue_at(*loop.timeline, *canvas.cursor()); };
    press(Qt::Key_Home);  // the candidate's first issue that is counted: its MUFU
    REQUIRE(canvas.cursor());
    CHECK(canvas.cursor()->side == 1);
    CHECK(here().instr == 1);
    press(Qt::Key_Right);
    CHECK(here().instr == 0);
    press(Qt::Key_Left);
    CHECK(here().instr == 1);
    press(Qt::Key_Right, Qt::ControlModifier);  // the FADD that waits for it
    CHECK(here().instr == 2);
    CHECK(canvas.cursor()->lane == 0);
    press(Qt::Key_Down);
    CHECK(canvas.cursor()->lane == 1);
    press(Qt::Key_Down);  // below the last lane there is nothing
    CHECK(canvas.cursor()->lane == 1);
    press(Qt::Key_Up);
    press(Qt::Key_Up);
    CHECK(*canvas.cursor() == IssuePlace{0, 1, canvas.cursor()->issue});
    press(Qt::Key_End);
    CHECK(here().instr == 3);  // BRA ends a pass
    CHECK(here().pass ==
          loop.timeline->sides[0].trace.first_counted + loop.timeline->sides[0].trace.counted - 1);
    CHECK(chosen.count() == 8);  // the one key that led nowhere chose nothing
    // Zoomed in about the cursor it stays in view.
    const double before = canvas.scale();
    press(Qt::Key_Minus);
    CHECK(canvas.scale() < before);
    for (int i = 0; i < 12; ++i)
        press(Qt::Key_Plus);
    CHECK(canvas.scale() > before);
    const QRectF at = canvas.rect_of(*canvas.cursor());
    CHECK(at.right() > 0);
    CHECK(at.right() <= canvas.viewport()->width());
    press(Qt::Key_F);
    CHECK(canvas.scale() == Approx(before));
}

QUIET_CASE(
    "an instruction that is selected elsewhere is brought into view and marked in each of its issues") {
    const HandLoop loop(true);
    Shown shown(loop);
    TimelineCanvas& canvas = shown.canvas;
    for (int i = 0; i < 20; ++i)
        canvas.zoom_in();
    canvas.horizontalScrollBar()->setValue(0);
    QSignalSpy chosen(&canvas, &TimelineCanvas::instr_chosen);
    canvas.set_selected(2);
    CHECK(chosen.count() == 0);  // it was told, it does not tell
    REQUIRE(canvas.cursor());
    const QRectF at = canvas.rect_of(*canvas.cursor());
    CHECK(at.right() > 0);
    CHECK(at.right() < canvas.viewport()->width());
    CHECK(issue_at(*loop.timeline, *canvas.cursor()).instr == 2);
    canvas.set_selected(4);  // the EXIT
    CHECK_FALSE(canvas.cursor());
    CHECK(shown.view.told().contains(QStringLiteral("not in the hot loop")));
}

QUIET_CASE("the cycles above a side's lanes are never cut: where there is less room they say less") {
    const HandLoop loop(true);
    Shown shown(loop);
    for (const std::size_t side : {0, 1}) {
        const QString whole = shown.canvas.head_text(side, 10'000);
        CHECK(whole.contains(QStringLiteral("modelled cycles per iteration")));
        for (const int room : {600, 300, 200, 120, 60}) {
            const QString text = shown.canvas.head_text(side, room);
            CHECK(shown.canvas.fontMetrics().horizontalAdvance(text) <= room);
            CHECK(text.size() <= whole.size());
        }
    }
}

QUIET_CASE("wheel and drag change the view, a double click shows the counted passes again") {
    const HandLoop loop(false);
    Shown shown(loop);
    TimelineCanvas& canvas = shown.canvas;
    const double fitted = canvas.scale();
    const QPointF at = canvas.lane_rect(0, 0).center();
    const auto under = canvas.place_at(at);
    for (int i = 0; i < 3; ++i) {
        QWheelEvent wheel(at, canvas.viewport()->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(canvas.viewport(), &wheel);
    }
    CHECK(canvas.scale() > fitted);
    CHECK(canvas.place_at(at) == under);  // what is under the pointer stays there
    const int before = canvas.horizontalScrollBar()->value();
    QSignalSpy chosen(&canvas, &TimelineCanvas::instr_chosen);
    QTest::mousePress(canvas.viewport(), Qt::LeftButton, {}, at.toPoint());
    QMouseEvent move(QEvent::MouseMove, at + QPointF(-60, 0),
                     canvas.viewport()->mapToGlobal(at + QPointF(-60, 0)), Qt::NoButton, Qt::LeftButton,
                     Qt::NoModifier);
    QApplication::sendEvent(canvas.viewport(), &move);
    QTest::mouseRelease(canvas.viewport(), Qt::LeftButton, {}, at.toPoint() + QPoint(-60, 0));
    CHECK(canvas.horizontalScrollBar()->value() == before + 60);
    CHECK(chosen.count() == 0);
    QTest::mouseDClick(canvas.viewport(), Qt::LeftButton, {}, at.toPoint());
    CHECK(canvas.scale() == Approx(fitted));
}

QUIET_CASE("only what is in view is looked at, near and far, dark and light, empty too") {
    const HandLoop loop(true);
    Shown shown(loop);
    TimelineCanvas& canvas = shown.canvas;
    const auto picture = [&] { return canvas.viewport()->grab().toImage(); };
    std::size_t all = 0;
    for (const TimelineSide& side : loop.timeline->sides)
        all += side.trace.lanes[0].issues.size();
    for (int i = 0; i < 20; ++i)
        canvas.zoom_out();
    const QImage far = picture();
    CHECK(canvas.looked_at() == all);
    for (int i = 0; i < 20; ++i)
        canvas.zoom_in();
    const QImage near = picture();
    CHECK(canvas.looked_at() < all / 2);
    CHECK(near != far);
    const ThemeMode mode = Theme::instance().mode();
    Theme::instance().set_mode(mode == ThemeMode::Dark ? ThemeMode::Light : ThemeMode::Dark);
    const QImage other_theme = picture();
    CHECK(other_theme != near);
    Theme::instance().set_mode(mode);
    CHECK(picture() != other_theme);
    canvas.set_message(QStringLiteral("nothing is open"));
    shown.view.set_timeline(nullptr);
    const QImage empty = picture();
    CHECK(canvas.looked_at() == 0);
    CHECK(empty != near);
    for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Plus, Qt::Key_Home, Qt::Key_F, Qt::Key_Return})
        QTest::keyClick(&canvas, key);
    CHECK_FALSE(canvas.cursor());
}

QUIET_CASE("from far out a column of pixels is divided by what its cycles went into") {
    const HandLoop loop(false);  // of 36 cycles 4 issue, 21 wait for the scoreboard
    Shown shown(loop);
    TimelineCanvas& canvas = shown.canvas;
    shown.view.resize(160, 300);
    for (int i = 0; i < 20; ++i)
        canvas.zoom_out();
    REQUIRE(canvas.scale() < 1);
    const QImage image = canvas.viewport()->grab().toImage();
    const QRect lane = canvas.lane_rect(0, 0);
    const IssueTrace& trace = loop.timeline->sides[0].trace;
    const QRectF from = canvas.rect_of(loop.place(0, 0));
    int issue = 0, scoreboard = 0, pixels = 0;
    const int pass = static_cast<int>(canvas.scale() * 36 * trace.counted);
    for (int x = static_cast<int>(from.right()) + 1; x < static_cast<int>(from.right()) + pass; ++x)
        for (int y = lane.top(); y <= lane.bottom(); ++y) {
            const QRgb at = image.pixel(x, y);
            issue += at == timeline_color(WaitReason::None).rgb();
            scoreboard += at == timeline_color(WaitReason::Scoreboard).rgb();
            ++pixels;
        }
    REQUIRE(pixels > 100);
    CHECK(std::abs(scoreboard / double(pixels) - 21.0 / 36) < 0.12);
    CHECK(std::abs(issue / double(pixels) - 4.0 / 36) < 0.08);
}

QUIET_CASE("in a low dock two warps are in sight, the legend gives way") {
    const HandLoop loop(false, 2);
    Shown shown(loop);
    const auto seen = [&](int height) {
        shown.view.resize(380, height);
        QCoreApplication::processEvents();
        QCoreApplication::processEvents();
        const auto* legend = required(shown.view.findChild<QLabel*>());
        const QRect second = shown.canvas.lane_rect(0, 1);
        return std::pair(legend->isVisible(), second.bottom() <= shown.canvas.viewport()->height());
    };
    CHECK(seen(300) == std::pair(true, true));
    CHECK(seen(124) == std::pair(false, true));
    const QPoint at = shown.middle(loop.place(0, 2));
    QTest::mouseMove(shown.canvas.viewport(), at);  // what is under the pointer is still told
    CHECK(shown.view.told().contains(QStringLiteral("0x0020 FADD")));
    CHECK(seen(300) == std::pair(true, true));
}

QUIET_CASE("a path without a loop is drawn to the end of its last stall count") {
    const KernelPtr kernel = path_of({word_of("FADD", 4)});
    KernelExplainer explainers;
    const auto schedule = std::make_shared<const Schedule>(kernel);
    const std::shared_ptr<Timeline> timeline = make_timeline(explainers, schedule, schedule, {}, 0, {});
    REQUIRE(timeline);
    CHECK(timeline->sides[0].pass >= 9);  // FADD at 0, EXIT at 4 with a stall count of 5
    CHECK(after_last(timeline->sides[0].trace.lanes[0]) == 4);
    CHECK(timeline->reasons.count(WaitReason::Stall) == 1);
    CHECK(timeline->last >= 9);
}

// What is drawn is one distance between the starts of warps; the figure over all of them is the mean of the drawings.
TEST_CASE("a timeline says what a pass takes over all starts of warps, beside what it takes in the drawing") {
    const KernelPtr kernel = load_kernel(sample("flash_attn_mma"));
    auto candidate = std::make_shared<Schedule>(kernel);
    candidate->move(0, 1);
    KernelExplainer explainers;
    const auto original = std::make_shared<const Schedule>(kernel);
    double drawn[2] = {};
    std::shared_ptr<Timeline> timeline;
    std::size_t starts = 1;
    for (std::size_t start = 0; start < starts; ++start) {
        timeline = make_timeline(explainers, original, candidate, {}, start, {});
        REQUIRE(timeline);
        starts = timeline->starts.size();
        for (int side = 0; side < 2; ++side)
            drawn[side] += timeline->sides[static_cast<std::size_t>(side)].pass;
    }
    REQUIRE(starts > 1);
    for (int side = 0; side < 2; ++side)
        CHECK(timeline->sides[static_cast<std::size_t>(side)].over_starts ==
              Approx(drawn[side] / static_cast<double>(starts)).epsilon(0.001));
}
