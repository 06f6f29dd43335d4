// SPDX-License-Identifier: GPL-3.0-or-later
// Trouble from outside while the window is in use: the session file taken away, a worker that never answers,
// another kernel opened in the middle of a run.
#include <QAbstractButton>
#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QProcess>
#include <QSignalSpy>
#include <algorithm>
#include <chrono>

#include "tests/ui/window_support.h"
#include "ui/base/fitting_label.h"
#include "ui/base/settings.h"
#include "ui/run/agent_bar.h"
#include "ui/shell/windows.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

InstrId raisable(const Document& document) {
    const Schedule& hand = *document.pair().schedule(ScheduleSlot::Hand);
    InstrId id = 0;
    while (hand.control(id).stall < 1 || hand.control(id).stall > 5)
        ++id;
    return id;
}

// The schedule with which the newest run of hand edits in the file ends.
std::optional<Hash128> end_of_hand_log(const std::string& path) {
    auto reader = SessionReader::open(path);
    if (!reader) return {};
    auto runs = (*reader)->runs();
    if (!runs || runs->empty() || runs->back().agent != "hand" || runs->back().steps == 0) return {};
    auto steps = (*reader)->steps(runs->back().id, static_cast<StepId>(runs->back().steps) - 1, 1);
    if (!steps || steps->empty()) return {};
    return steps->front().schedule_hash;
}

}  // namespace

QUIET_CASE("a session file that is deleted under hand edits is told, and the log goes on in a new one") {
    OpenWindow open;
    const std::string path = open.path("s.db").toStdString();
    open.window.controller().set_session_path(path);
    Document& document = open.window.document();
    open.window.selection().select(raisable(document));
    const auto edit = [&] { open.key(Qt::Key_Up, Qt::ControlModifier); };
    edit();
    REQUIRE(wait_for(
        [&] { return end_of_hand_log(path) == document.pair().schedule(ScheduleSlot::Hand)->hash(); }));
    for (const char* file : {"s.db", "s.db-wal", "s.db-shm"})
        QFile::remove(open.path(file));
    QSignalSpy failed(&open.window.controller(), &RunController::hand_unlogged);
    const Hash128 before = document.pair().schedule(ScheduleSlot::Hand)->hash();
    edit();
    REQUIRE(wait_for([&] { return failed.count() == 1; }));
    // The edit is made all the same, and what is said does not deny it.
    CHECK(document.pair().schedule(ScheduleSlot::Hand)->hash() != before);
    CHECK(open.window.messages().newest_text().startsWith(QStringLiteral("Hand edits are not logged: ")));
    CHECK(open.window.messages().newest_text().contains(QStringLiteral("removed or replaced")));
    edit();  // carries what was lost
    REQUIRE(wait_for(
        [&] { return end_of_hand_log(path) == document.pair().schedule(ScheduleSlot::Hand)->hash(); }));
    CHECK(failed.count() == 1);
    edit();
    REQUIRE(wait_for(
        [&] { return end_of_hand_log(path) == document.pair().schedule(ScheduleSlot::Hand)->hash(); }));
    auto reader = required(SessionReader::open(path));
    CHECK((*reader)->verify(document.kernel(), 0).value() == 2);
    // An agent may log there, too.
    QSignalSpy finished(&open.window.controller(), &RunController::finished);
    RunRequest request;
    request.only_reschedules = true;
    request.evaluator = EvaluatorPolicy::Model;
    request.budget = QStringLiteral("50steps");
    open.window.start_agent(request);
    REQUIRE(wait_for([&] { return finished.count() == 1; }));
    CHECK((*SessionReader::open(path))->run(0)->steps == 50);
}

QUIET_CASE("a run whose session file is deleted ended early, and is in no list any more") {
    OpenWindow open;
    RunController& controller = open.window.controller();
    controller.set_session_path(open.path("s.db").toStdString());
    QSignalSpy failed(&controller, &RunController::failed);
    const RunRequest request = model_run(QStringLiteral("10m"), QStringLiteral("random"));
    open.window.start_agent(request);
    REQUIRE(wait_for([&] { return controller.progress().steps > 0; }));
    for (const char* file : {"s.db", "s.db-wal", "s.db-shm"})
        QFile::remove(open.path(file));
    REQUIRE(wait_for([&] { return failed.count() > 0 && controller.runs().empty(); }));
    CHECK(failed.count() == 1);
    CHECK(open.window.messages().newest_text().startsWith(QStringLiteral("The run ended early: ")));
}

QUIET_CASE(
    "hand edits that no log could take are not left unasked, and are logged once there is a place for them") {
    OpenWindow open;
    MainWindow& window = open.window;
    RunController& controller = window.controller();
    std::ofstream(open.path("file").toStdString()) << "no folder";
    Settings().set_sessions_folder(open.path("file/sessions"));
    QSignalSpy failed(&controller, &RunController::hand_unlogged);
    window.selection().select(raisable(window.document()));
    for (int edits = 1; edits <= 2; ++edits) {
        open.key(Qt::Key_Up, Qt::ControlModifier);
        REQUIRE(wait_for([&] { return failed.count() == edits; }));
    }
    const auto asked = [&] {
        return window.messages().newest_text().contains(QStringLiteral("2 hand edits of "));
    };
    window.open_path(QString::fromStdString(sample("rmsnorm.cubin")));
    CHECK(asked());
    CHECK_FALSE(window.close());
    CHECK(window.document().hand().tree().can_undo());

    // Who would leave them, but is still here, is asked again.
    const auto press = [&](const char* text) {
        QAbstractButton* newest = nullptr;
        for (auto* each : window.messages().findChildren<QAbstractButton*>())
            if (each->text() == QLatin1String(text)) newest = each;
        REQUIRE(newest != nullptr);
        newest->click();
    };
    window.open_path(open.path("file"));
    press("Discard");
    REQUIRE(
        wait_for([&] { return window.messages().newest_text().startsWith(QStringLiteral("Cannot open")); }));
    CHECK_FALSE(window.close());
    CHECK(asked());

    Settings().set_sessions_folder(open.path("sessions"));
    press("Save now");
    REQUIRE(wait_for([&] { return controller.hand_step().step == 1; }));
    CHECK(end_of_hand_log(controller.session_path()) ==
          window.document().pair().schedule(ScheduleSlot::Hand)->hash());
    CHECK(window.close());
    Settings().set_sessions_folder({});
}

QUIET_CASE("a session that another process writes says so, is only read, and is writable when that is over") {
    OpenWindow open("");
    MainWindow& window = open.window;
    QProcess tune;
    tune.start(
        QStringLiteral(CUBINLAB_BINARY_DIR "/bin/cubinlab"),
        {"tune", QString::fromStdString(sample("bmm_mma.cubin")), "--agent", "random", "--evaluator", "model",
         "--budget", "10m", "--session", open.path("s.db"), "--out", open.path("best.cubin")});
    REQUIRE(wait_for([&] {
        auto reader = SessionReader::open(open.path("s.db").toStdString());
        return reader && (*reader)->writer_process() && (*reader)->run(0) && (*reader)->run(0)->steps > 100;
    }));
    window.open_path(open.path("s.db"));
    REQUIRE(wait_for([&] { return window.controller().read_only() && window.document().hand().can_edit(); }));
    CHECK(window.messages().newest_text().contains(
        QStringLiteral("Process %1 is writing this session").arg(tune.processId())));
    const auto told = [&](const QString& part) {
        for (const FittingLabel* label : window.findChildren<FittingLabel*>())
            if (label->text().contains(part)) return true;
        return false;
    };
    CHECK(
        wait_for([&] { return told(QStringLiteral("s.db, written by process %1").arg(tune.processId())); }));
    CHECK(wait_for([&] { return told(QStringLiteral("active in another process")); }));
    CHECK_FALSE(told(QStringLiteral("took")));
    CHECK(wait_for([&] { return told(QStringLiteral("accepted of")); }));
    QSignalSpy failed(&window.controller(), &RunController::failed);
    window.start_agent(window.agent_bar().request());
    CHECK(failed.count() == 1);
    CHECK(window.messages().newest_text().contains(QStringLiteral("process %1").arg(tune.processId())));
    CHECK_FALSE(window.controller().active());

    tune.terminate();
    REQUIRE(tune.waitForFinished());
    window.document().pair().show_right(ScheduleSlot::Hand);
    const auto buttons = window.messages().findChildren<QAbstractButton*>();
    const auto again = std::find_if(buttons.rbegin(), buttons.rend(), [](const QAbstractButton* each) {
        return each->text() == QStringLiteral("Reload");
    });
    REQUIRE(again != buttons.rend());
    QSignalSpy opened(&window.document(), &Document::opened);
    (*again)->click();
    REQUIRE(wait_for([&] { return opened.count() == 1; }));
    CHECK_FALSE(window.controller().read_only());
}

QUIET_CASE("a worker that never answers holds nothing up: neither opening, nor closing, nor other settings") {
    const auto start = std::chrono::steady_clock::now();
    {
        OpenWindow open("");
        GpuSettings silent;
        silent.worker_command = "sleep 600";
        for (int i = 0; i < 3; ++i) {
            open.window.controller().set_gpu_settings(silent);
            open.window.controller().probe_gpu_now();
        }
        open.window.open_path(QString::fromStdString(sample("bmm_mma.cubin")));
        REQUIRE(wait_for([&] { return open.window.document().pair().right_liveness() != nullptr; }, 40));
        GpuSettings none;
        none.worker_command = "no-such-worker";
        open.window.controller().set_gpu_settings(none);
        open.window.controller().probe_gpu_now();
        REQUIRE(wait_for(
            [&] {
                const auto& gpu = open.window.controller().gpu();
                return gpu && gpu->reason.find("no-such-worker") != std::string::npos;
            },
            40));
        open.window.controller().set_gpu_settings(silent);
        open.window.controller().probe_gpu_now();
    }
    // Less than what the probe alone would have waited.
    CHECK(std::chrono::steady_clock::now() - start < GpuSettings{}.start_within);
}

QUIET_CASE("another kernel opened in the middle of a run ends the run, its log is whole") {
    OpenWindow open;
    const std::string path = open.path("s.db").toStdString();
    open.window.controller().set_session_path(path);
    const KernelPtr first = open.window.document().kernel();
    RunRequest request;
    request.only_reschedules = true;
    request.evaluator = EvaluatorPolicy::Model;
    request.budget = QStringLiteral("1000000steps");
    open.window.start_agent(request);
    REQUIRE(wait_for([&] { return open.window.controller().progress().steps > 200; }));
    open.window.open_path(QString::fromStdString(sample("softmax.cubin")));
    REQUIRE(wait_for(
        [&] { return open.window.document().is_open() && open.window.document().kernel() != first; }));
    CHECK_FALSE(open.window.controller().active());
    REQUIRE(wait_for([&] {
        auto reader = SessionReader::open(path);
        return reader && !(*reader)->writer_process();
    }));
    auto reader = required(SessionReader::open(path));
    const auto run = required((*reader)->run(0));
    CHECK(run->end == "stopped");
    CHECK(run->steps > 200);
    CHECK((*reader)->verify(first, run->id).value() == run->steps);
}
