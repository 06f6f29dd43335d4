// SPDX-License-Identifier: GPL-3.0-or-later
// The main job through the window, by keys and signals as a person would do it.
#include <sqlite3.h>

#include <QDir>
#include <QDockWidget>
#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QProcess>
#include <QProcessEnvironment>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTableView>
#include <QTemporaryDir>

#include "core/schedule/cubin_writer.h"
#include "core/store/session.h"
#include "tests/ui/window_support.h"
#include "ui/document/kernel_info.h"
#include "ui/run/mutation_log.h"
#include "ui/run/reward_chart.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

// An instruction that may move down by at least one place, and where it lands.
std::pair<InstrId, Position> movable_down(const Document& document) {
    const Schedule& hand = *document.pair().schedule(ScheduleSlot::Hand);
    for (Position p = 0; p + 1 < hand.size(); ++p) {
        const InstrId id = hand.at(p);
        const SlotRange range = document.checker()->slots(hand, id);
        for (Position to = p + 1; to <= range.highest; ++to)
            if (range.contains(to)) return {id, to};
    }
    return {kNone, 0};
}

RunRequest greedy(const char* budget) {
    RunRequest request;
    request.only_reschedules = true;
    request.evaluator = EvaluatorPolicy::Model;
    request.budget = QString::fromLatin1(budget);
    return request;
}

}  // namespace

QUIET_CASE(
    "open, run the agent, pause, look at a step, move by hand, undo, export: the bytes are the command "
    "line's") {
    OpenWindow open;
    MainWindow& window = open.window;
    Document& document = window.document();
    RunController& runs = window.controller();
    CHECK(window.compare_view().rows().size() > document.kernel()->size());

    runs.set_session_path(open.path("s.db").toStdString());
    QSignalSpy finished(&runs, &RunController::finished);
    window.start_agent(greedy("600steps"));
    REQUIRE(wait_for([&] { return runs.progress().steps >= 20 && runs.progress().best_step > 0; }));
    open.key(Qt::Key_F6);
    REQUIRE(runs.state() == RunState::Paused);
    CHECK(finished.isEmpty());
    QTest::qWait(300);  // what was in flight arrives
    const auto paused_at = runs.progress().steps;
    QTest::qWait(300);
    CHECK(runs.progress().steps == paused_at);
    CHECK(paused_at < 600);

    // A point of the chart shows its schedule, and the agent's best is left alone.
    const StepId step = runs.progress().best_step;
    Q_EMIT window.findChild<RewardChart*>()->step_chosen(runs.shown_run()->id, step);
    REQUIRE(wait_for([&] { return document.pair().viewed_step().step == step; }));
    CHECK(document.pair().right_slot() == ScheduleSlot::Viewed);
    CHECK_FALSE(document.pair().follow_live());
    // The log has it in sight.
    const auto* log = window.findChild<MutationLog*>();
    REQUIRE(wait_for([&] { return log->current() == step; }));
    const auto chosen = log->table()->selectionModel()->selectedRows();
    REQUIRE(chosen.size() == 1);
    CHECK(chosen[0].data(MutationModel::StepRole).toLongLong() == step);
    auto reader = required(SessionReader::open(open.path("s.db").toStdString()));
    CHECK(document.pair().right()->hash() ==
          (*reader)->steps(runs.shown_run()->id, step - 1, 1)->front().schedule_hash);

    // By hand: Alt+Down on the selected instruction, then undo.
    document.pair().show_right(ScheduleSlot::Hand);
    const auto [id, to] = movable_down(document);
    REQUIRE(id != kNone);
    window.selection().select(id);
    open.key(Qt::Key_Down, Qt::AltModifier);
    CHECK(document.pair().schedule(ScheduleSlot::Hand)->position_of(id) == to);
    CHECK(document.checker()->check(*document.pair().schedule(ScheduleSlot::Hand)).empty());
    CHECK(window.selection().instr() == id);
    const ListingRows& rows = window.compare_view().rows();
    CHECK(rows.instr(rows.row_of(id, Side::Right), Side::Right) == id);
    CHECK(rows.row_of(id, Side::Right) != -1);
    open.key(Qt::Key_Z, Qt::ControlModifier);
    CHECK(document.pair().schedule(ScheduleSlot::Hand)->hash() == document.kernel()->hash());

    open.key(Qt::Key_F6);  // resume
    REQUIRE(wait_for([&] { return finished.count() == 1; }));
    CHECK(runs.progress().steps == 600);
    CHECK(document.pair().schedule(ScheduleSlot::Hand)->hash() ==
          document.kernel()->hash());  // the agent never wrote it

    QSignalSpy exported(&window.actions(), &ScheduleActions::exported);
    QSignalSpy not_exported(&window.actions(), &ScheduleActions::export_failed);
    window.actions().export_to(ScheduleSlot::Best, open.path("best.cubin"));
    REQUIRE(wait_for([&] { return exported.count() + not_exported.count() == 1; }));
    REQUIRE(exported.count() == 1);
    CHECK(exported.front()[1].toString().contains(QStringLiteral("unmeasured")));

    const RunId run = runs.shown_run()->id;
    const auto best = required((*reader)->schedule_at(document.kernel(), run, *(*reader)->best_step(run)));
    const auto image = CubinWriter::create(document.kernel())->image(*best);
    const std::string written = bytes_of(open.path("best.cubin").toStdString());
    REQUIRE(written.size() == image.size());
    CHECK(std::memcmp(written.data(), image.data(), image.size()) == 0);

    const QString program = QStringLiteral(CUBINLAB_BINARY_DIR "/bin/cubinlab");
    if (QFile::exists(program)) {
        QProcess replay;
        replay.start(program, {QStringLiteral("replay"), open.path("s.db"), QStringLiteral("--run"),
                               QString::number(run), QStringLiteral("--out"), open.path("again.cubin")});
        REQUIRE(replay.waitForFinished(60000));
        INFO(replay.readAllStandardError().toStdString());
        CHECK(replay.exitCode() == 0);
        CHECK(bytes_of(open.path("again.cubin").toStdString()) == written);
    }

    // A figure that somebody wrote into the file is not claimed.
    sqlite3* database = nullptr;
    REQUIRE(sqlite3_open(open.path("s.db").toUtf8().constData(), &database) == SQLITE_OK);
    CHECK(sqlite3_exec(database, "UPDATE mutations SET log_speedup = 0.5 WHERE best = 1", nullptr, nullptr,
                       nullptr) == SQLITE_OK);
    sqlite3_close(database);
    window.actions().export_to(ScheduleSlot::Best, open.path("claimed.cubin"));
    REQUIRE(wait_for([&] { return exported.count() + not_exported.count() == 2; }));
    REQUIRE(not_exported.count() == 1);
    CHECK(not_exported.front()[0].toString().contains(QStringLiteral("says FASTER 1.6487x")));
    CHECK_FALSE(QFile::exists(open.path("claimed.cubin")));
}

TEST_CASE("a session of another kernel is not used for this one's runs, which get one of their own") {
    const QTemporaryDir home;
    QProcessEnvironment env = QProcessEnvironment::systemEnvironment();
    env.insert(QStringLiteral("XDG_DATA_HOME"), home.filePath(QStringLiteral("data")));
    env.insert(QStringLiteral("XDG_CONFIG_HOME"), home.filePath(QStringLiteral("config")));
    const QString session = home.filePath(QStringLiteral("other.db"));
    const auto run = [&](const char* name, const QStringList& words) {
        QProcess program;
        program.setProcessEnvironment(env);
        program.start(QStringLiteral(CUBINLAB_BINARY_DIR) + QString::fromLatin1(name),
                      words + QStringList{QStringLiteral("--session"), session, QStringLiteral("--agent"),
                                          QStringLiteral("random"), QStringLiteral("--evaluator"),
                                          QStringLiteral("model"), QStringLiteral("--budget"),
                                          QStringLiteral("40steps")});
        REQUIRE(program.waitForFinished(120000));
        INFO(program.readAllStandardError().toStdString());
        CHECK(program.exitCode() == 0);
    };
    run("/bin/cubinlab", {QStringLiteral("tune"), QString::fromStdString(sample("bmm_mma.cubin"))});
    run("/tests/window_scene",
        {QString::fromStdString(sample("softmax.cubin")), QStringLiteral("--quit-when-done")});
    auto other = required(SessionReader::open(session.toStdString()));
    CHECK((*other)->runs()->size() == 1);
    const QDir made(home.filePath(QStringLiteral("data/cubinlab/sessions")));
    const QStringList own = made.entryList({QStringLiteral("*.db")}, QDir::Files);
    REQUIRE(own.size() == 1);
    auto softmax = required(SessionReader::open(made.filePath(own.front()).toStdString()));
    CHECK((*(*softmax)->kernel())->name() == "softmax");
    CHECK((*softmax)->runs()->size() == 1);
    // What was asked for when the program was started is not done again with a kernel that is opened in that one's place.
    run("/tests/window_scene",
        {QString::fromStdString(sample("bmm_mma.cubin")), QStringLiteral("--do"),
         QStringLiteral("wait:2;open:%1;wait:2").arg(QString::fromStdString(sample("softmax.cubin"))),
         QStringLiteral("--after"), QStringLiteral("1"), QStringLiteral("--quit")});
    CHECK((*SessionReader::open(session.toStdString()))->runs()->size() == 2);
    CHECK(made.entryList({QStringLiteral("*.db")}, QDir::Files).size() == 1);
}

QUIET_CASE("hand edits are logged as a run of agent `hand`, undo included, and can be viewed again") {
    OpenWindow open;
    Document& document = open.window.document();
    open.window.controller().set_session_path(open.path("hand.db").toStdString());
    const auto [id, to] = movable_down(document);
    open.window.selection().select(id);
    open.key(Qt::Key_Down, Qt::AltModifier);
    open.key(Qt::Key_Z, Qt::ControlModifier);
    open.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    REQUIRE(wait_for([&] { return open.window.controller().hand_step().step == 3; }));
    const StepRef last = open.window.controller().hand_step();
    CHECK(open.window.controller().shown_run()->agent == "hand");
    open.window.controller().view_step(last.run, last.step);
    REQUIRE(wait_for([&] { return document.pair().viewed_step() == last; }));
    CHECK(*document.pair().schedule(ScheduleSlot::Viewed) == *document.pair().schedule(ScheduleSlot::Hand));
    CHECK(document.pair().schedule(ScheduleSlot::Hand)->position_of(id) == to);
}

QUIET_CASE("an edit while the agent's best is shown changes nothing and offers the hand schedule") {
    OpenWindow open;
    Document& document = open.window.document();
    const auto [id, to] = movable_down(document);
    Schedule other(document.kernel());
    other.move(id, to);
    document.pair().set_best(std::make_shared<const Schedule>(other), {1, 1});
    REQUIRE(document.pair().right_slot() == ScheduleSlot::Best);  // follows live
    open.window.selection().select(id);
    open.key(Qt::Key_Up, Qt::AltModifier);
    CHECK(document.hand().tree().depth() == 0);
    CHECK(open.window.messages().newest_text().contains(QStringLiteral("hand schedule")));
}

QUIET_CASE("what a message says goes with what it speaks of") {
    OpenWindow open;
    Document& document = open.window.document();
    MessageBar& messages = open.window.messages();
    const auto [id, to] = movable_down(document);
    Schedule other(document.kernel());
    other.move(id, to);
    document.pair().set_best(std::make_shared<const Schedule>(other), {1, 1});
    open.window.selection().select(id);
    open.key(Qt::Key_Up, Qt::AltModifier);
    REQUIRE(messages.newest_text().contains(QStringLiteral("The right side shows")));
    document.pair().show_right(ScheduleSlot::Hand);
    CHECK(messages.count() == 0);

    run_steps(open.window, "20steps");
    REQUIRE(messages.newest_text().contains(QStringLiteral("Run finished")));
    QSignalSpy finished(&open.window.controller(), &RunController::finished);
    open.window.commands()[QStringLiteral("agent.continue")]->trigger();
    REQUIRE(wait_for([&] { return open.window.controller().active() || finished.count() > 0; }));
    if (finished.count() == 0) CHECK(!messages.newest_text().contains(QStringLiteral("Run finished")));
    REQUIRE(wait_for([&] { return finished.count() > 0; }));

    // What cannot be opened leaves what was said of what is open.
    messages.clear_all();
    messages.post(MessageKind::Info, QStringLiteral("of the open kernel"), QString());
    open.window.open_path(open.path("absent.cubin"));
    REQUIRE(wait_for([&] { return messages.count() == 2; }));
    open.window.open_path(QString::fromStdString(sample("softmax.cubin")));
    REQUIRE(wait_for([&] { return document.kernel()->name() == "softmax"; }));
    CHECK_FALSE(messages.newest_text().contains(QStringLiteral("absent")));
}

QUIET_CASE("commands of a replay wait for a run") {
    OpenWindow open;
    const auto enabled = [&](const char* id) {
        return open.window.commands()[QString::fromLatin1(id)]->isEnabled();
    };
    for (const char* id : {"replay.play", "replay.next", "replay.next_best", "replay.minimise"})
        CHECK_FALSE(enabled(id));
    run_steps(open.window, "20steps");
    for (const char* id : {"replay.play", "replay.next", "replay.next_best", "replay.minimise"})
        CHECK(enabled(id));
}

QUIET_CASE("an answer in the status bar is there in a narrow window, too") {
    OpenWindow open;
    open.window.resize(840, 700);
    open.window.selection().select(1);
    QStatusBar* bar = open.window.statusBar();
    bar->showMessage(QStringLiteral("\"a text of some length\" is not in this listing"));
    int taken = 0;
    for (const QWidget* each : bar->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (each->isVisible()) taken += each->width();
    CHECK(bar->width() - taken >= bar->fontMetrics().horizontalAdvance(bar->currentMessage()));
    bar->clearMessage();
    for (const QWidget* each : bar->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        CHECK(each->isVisible());
}

QUIET_CASE("both listings show the same rows, scroll together and follow one selection") {
    OpenWindow open("ff_swiglu_mma.cubin");
    SassView* left = open.listing(Side::Left);
    SassView* right = open.listing(Side::Right);
    CHECK(left->texts().size() == open.window.compare_view().rows().size());
    CHECK(left->texts().size() == right->texts().size());
    right->set_first_visible_row(200);
    CHECK(left->first_visible_row() == right->first_visible_row());
    left->set_first_visible_row(20);
    CHECK(right->first_visible_row() == 20);

    open.window.selection().select(100);
    const ListingRows& rows = open.window.compare_view().rows();
    const int row = rows.row_of(100, Side::Right);
    CHECK(row >= right->first_visible_row());
    CHECK(row < right->first_visible_row() + right->visible_rows());
    CHECK((right->markersAtLine(row) & (1u << static_cast<int>(RowMark::Selected))) != 0);
    CHECK((left->markersAtLine(rows.row_of(100, Side::Left)) & (1u << static_cast<int>(RowMark::Selected))) !=
          0);
    open.key(Qt::Key_Down);
    CHECK(open.window.selection().instr() == 101);
    QTest::mouseClick(right->viewport(), Qt::LeftButton, Qt::NoModifier,
                      QPoint(60, right->row_height() * 3 + 4));
    CHECK(open.window.selection().instr() == rows.instr(right->first_visible_row() + 3, Side::Right));
}

QUIET_CASE("a dropped file opens, the theme switches live") {
    OpenWindow open("");
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QString::fromStdString(sample("softmax.cubin")))});
    QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&open.window, &enter);  // Qt delivers a drop only where it was let in
    CHECK(enter.isAccepted());
    QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&open.window, &drop);
    REQUIRE(wait_for([&] { return open.window.document().is_open(); }));
    CHECK(open.window.windowTitle().contains(QStringLiteral("softmax")));
    open.window.commands()[QStringLiteral("view.theme_dark")]->trigger();
    CHECK(Theme::instance().dark());
    CHECK_FALSE(open.window.grab().isNull());
    open.window.commands()[QStringLiteral("view.theme_light")]->trigger();
    CHECK_FALSE(Theme::instance().dark());
}

QUIET_CASE("a dock behind a tab rests: its view is hidden, asks for nothing, and is up to date in front") {
    OpenWindow w;
    const auto dock = [&](const char* name) {
        return w.window.findChild<QDockWidget*>(QString::fromLatin1(name), Qt::FindDirectChildrenOnly);
    };
    QDockWidget* kernel = dock("dock_kernel");
    auto* info = qobject_cast<KernelInfoPanel*>(kernel->widget());
    kernel->raise();
    REQUIRE(wait_for([&] { return info->isVisible() && info->limits() != nullptr; }));
    dock("dock_graph")->raise();
    REQUIRE(wait_for([&] { return dock("dock_graph")->widget()->isVisible() && !info->isVisible(); }));
    for (const char* behind : {"dock_flow", "dock_source", "dock_replay", "dock_timeline", "dock_history"})
        CHECK_FALSE(dock(behind)->widget()->isVisible());
    const LimitsPtr before = info->limits();
    w.window.selection().select(0x127);
    w.key(Qt::Key_Up, Qt::AltModifier);
    REQUIRE(w.window.document().hand().tree().can_undo());
    QTest::qWait(500);
    CHECK(info->limits() == before);
    const QSize size = w.window.size(), graph = dock("dock_graph")->size();
    kernel->raise();
    REQUIRE(wait_for([&] { return info->isVisible() && info->limits() != before; }));
    CHECK_FALSE(dock("dock_graph")->widget()->isVisible());
    CHECK(w.window.size() == size);
    CHECK(kernel->size() == graph);
    // The keyboard does not stay in what is no longer seen.
    info->setFocus();
    REQUIRE(info->hasFocus());
    dock("dock_graph")->raise();
    REQUIRE(wait_for([&] { return !info->isVisible(); }));
    CHECK(w.listing()->hasFocus());
}
