// SPDX-License-Identifier: GPL-3.0-or-later
// What a person expects of the window, by mouse and keys: chart points, control edits, hover help, runs of a
// session, and strips that wrap instead of overlapping.
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QSignalSpy>
#include <QToolButton>

#include "core/sass/opcode_help.h"
#include "tests/ui/window_support.h"
#include "ui/base/fitting_label.h"
#include "ui/base/qcp.h"
#include "ui/run/agent_bar.h"
#include "ui/run/mutation_log.h"
#include "ui/run/reward_chart.h"
#include "ui/run/step_panel.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

void run_steps(OpenWindow& open, const char* agent, const char* budget) {
    const RunRequest request = model_run(QString::fromLatin1(budget), QString::fromLatin1(agent));
    QSignalSpy finished(&open.window.controller(), &RunController::finished);
    open.window.start_agent(request);
    REQUIRE(wait_for([&] { return finished.count() == 1; }));
}

}  // namespace

QUIET_CASE("a click on a point of the reward chart shows that step's schedule") {
    OpenWindow open;
    open.window.controller().set_session_path(open.path("s.db").toStdString());
    run_steps(open, "greedy", "400steps");
    auto* chart = open.window.findChild<RewardChart*>();
    const StepId best = open.window.controller().progress().best_step;
    REQUIRE(best > 0);
    chart->refresh_now();
    QCPAxisRect* rect = chart->plot()->axisRect(0);
    const QPoint at(
        static_cast<int>(rect->axis(QCPAxis::atBottom)->coordToPixel(static_cast<double>(best)) + 0.5),
        rect->center().y());
    QTest::mouseClick(chart->plot(), Qt::LeftButton, Qt::NoModifier, at);
    REQUIRE(wait_for([&] { return open.window.document().pair().right_slot() == ScheduleSlot::Viewed; }));
    // Within the reach of a click; several steps share these pixels.
    const StepId shown = open.window.document().pair().viewed_step().step;
    CHECK(std::abs(rect->axis(QCPAxis::atBottom)->coordToPixel(static_cast<double>(shown)) - at.x()) <= 6);
    auto reader = required(SessionReader::open(open.path("s.db").toStdString()));
    const RunId run = open.window.controller().shown_run()->id;
    CHECK(open.window.document().pair().right()->hash() ==
          (*reader)->steps(run, shown - 1, 1)->front().schedule_hash);
    // The log goes along.
    const auto* log = open.window.findChild<MutationLog*>();
    CHECK(log->current() == shown);
    const qint64 row = log->model()->row_of_step(shown);
    CHECK(row >= log->model()->first());
    CHECK(row < log->model()->first() + log->model()->rowCount());
}

QUIET_CASE("stall and yield by key: what is legal is done, what is not is refused in place") {
    OpenWindow open;
    Document& document = open.window.document();
    QSignalSpy refused(&document.hand(), &HandEditor::refused);
    const SchedulePtr original = document.pair().schedule(ScheduleSlot::Original);
    InstrId longer = kNone, tight = kNone;  // one more cycle is always legal; one less is not, for `tight`
    for (InstrId id = 0; id < original->size() && (longer == kNone || tight == kNone); ++id) {
        ControlCode c = original->control(id);
        if (c.stall >= 1 && c.stall < 10 && longer == kNone) longer = id;
        if (c.stall < 2 || tight != kNone) continue;
        --c.stall;
        Schedule less(*original);
        less.set_control(id, c);
        if (!document.checker()->check(less).empty()) tight = id;
    }
    REQUIRE(longer != kNone);
    REQUIRE(tight != kNone);

    open.window.selection().select(longer);
    open.key(Qt::Key_Up, Qt::ControlModifier);
    CHECK(document.pair().schedule(ScheduleSlot::Hand)->control(longer).stall ==
          original->control(longer).stall + 1);
    open.key(Qt::Key_Down, Qt::ControlModifier);
    CHECK(document.pair().schedule(ScheduleSlot::Hand)->hash() == original->hash());
    CHECK(refused.isEmpty());

    open.window.selection().select(tight);
    open.key(Qt::Key_Down, Qt::ControlModifier);
    CHECK(document.pair().schedule(ScheduleSlot::Hand)->control(tight).stall ==
          original->control(tight).stall);
    REQUIRE(refused.count() == 1);
    CHECK_FALSE(refused.front()[0].value<Refusal>().hazards.empty());
    CHECK(open.window.messages().newest_text().contains(QStringLiteral("Rejected")));

    const bool before = document.pair().schedule(ScheduleSlot::Hand)->control(longer).yield;
    open.window.selection().select(longer);
    open.key(Qt::Key_Y, Qt::AltModifier);
    const bool after = document.pair().schedule(ScheduleSlot::Hand)->control(longer).yield;
    CHECK((after != before || refused.count() == 2));  // done, or told why not
}

QUIET_CASE("resting on an opcode explains it") {
    OpenWindow open;
    SassView* view = open.listing();
    int rows = 0, explained = 0;
    for (int row = 0; row < view->visible_rows(); ++row) {
        const QString help = view->help_at({40, row * view->row_height() + 4});
        const int at = view->first_visible_row() + row;
        const OpcodeHelp* known = opcode_help(view->texts()[static_cast<std::size_t>(at)]);
        ++rows;
        if (known == nullptr) continue;
        ++explained;
        CHECK(help.contains(QString::fromStdString(std::string(known->name))));
    }
    CHECK(rows > 5);
    CHECK(explained > rows / 3);
    CHECK(view->help_at({40, 100000}).isEmpty());
}

QUIET_CASE("a session with several runs lets the engineer choose which one is shown") {
    OpenWindow open;
    open.window.controller().set_session_path(open.path("runs.db").toStdString());
    auto* chooser = required(open.window.findChild<RunChooser*>());
    run_steps(open, "greedy", "60steps");
    CHECK_FALSE(chooser->isEnabled());
    run_steps(open, "random", "40steps");
    REQUIRE(wait_for([&] { return chooser->isEnabled(); }, 20));
    CHECK(chooser->count() == 2);
    CHECK(chooser->currentIndex() == 1);
    chooser->setFocus();
    QTest::keyClick(chooser, Qt::Key_Up);
    REQUIRE(wait_for([&] {
        return open.window.controller().shown_run()->agent == "greedy" &&
               open.window.controller().progress().steps == 60;
    }));
    CHECK(chooser->currentIndex() == 0);
}

QUIET_CASE("the session named before a cubin is opened is where its runs are logged") {
    OpenWindow open("");
    open.window.controller().set_session_path(open.path("named.db").toStdString());
    open.window.open_path(QString::fromStdString(sample("bmm_mma.cubin")));
    REQUIRE(wait_for(
        [&] { return open.window.document().is_open() && open.window.document().hand().can_edit(); }));
    run_steps(open, "random", "20steps");
    CHECK(open.window.controller().session_path() == open.path("named.db").toStdString());
    auto reader = required(SessionReader::open(open.path("named.db").toStdString()));
    CHECK((*reader)->runs()->front().steps == 20);
}

QUIET_CASE("a message that goes by itself stays while the pointer is on the bar: nothing moves below it") {
    OpenWindow w("");
    MessageBar& bar = w.window.messages();
    bar.post(MessageKind::Info, QStringLiteral("Note"), QStringLiteral("goes soon"), 1);
    bar.post(MessageKind::Done, QStringLiteral("Over"), QStringLiteral("stays"));
    QTest::mouseMove(&bar, QPoint(20, bar.height() - 5));
    REQUIRE(wait_for([&] { return bar.underMouse(); }));
    QTest::qWait(1500);
    CHECK(bar.count() == 2);
    QTest::mouseMove(&w.window.start_page(), QPoint(20, 5));  // the bar is below
    CHECK(wait_for([&] { return bar.count() == 1; }));
}

QUIET_CASE("why a run did not start is no longer said of the one that did") {
    OpenWindow w;
    w.window.controller().set_session_path(w.path("run.db").toStdString());
    RunRequest request = model_run(QStringLiteral("sixty minutes"), QStringLiteral("greedy"));
    w.window.start_agent(request);
    REQUIRE(wait_for(
        [&] { return w.window.messages().newest_text().contains(QStringLiteral("is not a budget")); }));
    bool over = false;
    QObject::connect(&w.window.controller(), &RunController::finished, &w.window, [&] { over = true; });
    request.budget = QStringLiteral("50steps");
    w.window.start_agent(request);
    REQUIRE(wait_for([&] { return over; }));
    for (const QLabel* text : w.window.messages().findChildren<QLabel*>())
        CHECK_FALSE((text->isVisible() && text->text().contains(QStringLiteral("is not a budget"))));
}
