// SPDX-License-Identifier: GPL-3.0-or-later
// Mixed use in one window, as a person does it in an afternoon: the longest time in which the window did not
// answer, and what held it up.
#include <QAction>
#include <QDialog>
#include <QDockWidget>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>
#include <cstdio>

#include "tests/ui/gui_bench.h"
#include "tests/ui/heartbeat.h"
#include "tests/ui/stall_watch.h"
#include "ui/base/theme.h"
#include "ui/listing/compare_view.h"
#include "ui/replay/replay_panel.h"
#include "ui/run/replay_timeline.h"
#include "ui/run/step_panel.h"
#include "ui/shell/exports.h"
#include "ui/shell/main_window.h"

namespace cubinlab::ui::bench {
namespace {

constexpr int kLimitMs = 30;  // of CPU time; what is sampled

struct Script {
    WatchedApplication& app;
    const BenchOptions& options;
    const QTemporaryDir& home;
    MainWindow window{};

    bool wait(const std::function<bool()>& done, int seconds = 120) {
        return QTest::qWaitFor(done, seconds * 1000);
    }
    void idle(int ms = 150) { QTest::qWait(ms); }
    // Through the event loop, so that the watch sees it as one event.
    void act(const std::function<void()>& what) {
        bool over = false;
        QMetaObject::invokeMethod(
            &window,
            [&] {
                what();
                over = true;
            },
            Qt::QueuedConnection);
        wait([&] { return over; });
        idle(30);
    }
    void command(const char* id) {
        app.mark(id);
        act([&] { window.commands()[QString::fromLatin1(id)]->trigger(); });
    }
    void open(const QString& path) {
        app.mark("open " + path.section(QLatin1Char('/'), -1).toStdString());
        const KernelPtr before = window.document().kernel();
        act([&] { window.open_path(path); });
        wait([&] { return window.document().kernel() != before && window.document().hand().can_edit(); });
        idle();
    }
    void start_run(const char* budget) {
        app.mark("start a run");
        RunRequest request;
        request.only_reschedules = true;
        request.agent = QStringLiteral("random");
        request.evaluator = EvaluatorPolicy::Model;
        request.budget = QString::fromLatin1(budget);
        act([&] { window.start_agent(request); });
        wait([&] { return window.controller().progress().steps > 100; });
    }
    void raise(const char* dock) {
        app.mark(std::string("raise ") + dock);
        act([&] {
            auto* found = window.findChild<QDockWidget*>(QString::fromLatin1(dock));
            found->show();
            found->raise();
        });
        idle();
    }
    void use_listing() {
        command("view.fold_all");
        command("view.unfold_all");
        auto* find = window.findChild<QLineEdit*>(QStringLiteral("find"));
        for (const char* text : {"R", "R4", "HMMA", ""}) {
            app.mark(std::string("find ") + text);
            act([&] { find->setText(QString::fromLatin1(text)); });
        }
        app.mark("select along the listing");
        for (InstrId id = 0; id < window.document().kernel()->size(); id += 97)
            act([&] { window.selection().select(id); });
    }
    void resize() {
        app.mark("resize");
        for (const QSize size : {QSize(1024, 700), QSize(1920, 1150), QSize(1280, 800), QSize(1600, 1000)})
            act([&] { window.resize(size); });
    }
    void edit_and_undo() {
        app.mark("200 edits");
        Document& document = window.document();
        document.pair().show_right(ScheduleSlot::Hand);
        const std::size_t size = document.kernel()->size();
        for (InstrId id = 0; id < size && document.hand().tree().line().size() < 200; ++id) {
            ControlCode control = document.pair().schedule(ScheduleSlot::Hand)->control(id);
            if (control.stall >= 11 || document.kernel()->pinned(id)) continue;
            ++control.stall;
            act([&] { document.hand().set_control(id, control); });
        }
        app.mark("undo 200");
        while (document.hand().tree().can_undo())
            act([&] { document.hand().undo(); });
        app.mark("move as far as it goes");
        for (InstrId id = 5; id < size; id += size / 12) {
            act([&] { document.hand().move_furthest(id, -1); });
            act([&] { document.hand().move_furthest(id, +1); });
        }
    }
    void scrub() {
        app.mark("scrub");
        auto* line = window.findChild<ReplayPanel*>()->steps()->timeline();
        for (int i = 0; i < 60; ++i)
            act([&] { line->setSliderPosition(line->maximum() * (i * 37 % 60) / 60); });
    }
    void report() {
        app.mark("report");
        act([&] { window.exports().export_to(ExportKind::Report, home.filePath(QStringLiteral("r.html"))); });
        wait([&] { return window.jobs().idle(); });
    }
};

}  // namespace

Figures bench_mixed(const BenchOptions& options) {
    auto* app = dynamic_cast<WatchedApplication*>(qApp);
    if (app == nullptr) return {};
    const QTemporaryDir home;
    Script use{*app, options, home};
    use.window.resize(1600, 1000);
    use.window.show();
    use.idle(500);
    app->watch(kLimitMs);
    app->forget();
    Heartbeat heartbeat;
    use.open(options.large);
    use.use_listing();
    use.start_run("1000000steps");
    use.resize();
    for (const char* dock : {"dock_flow", "dock_kernel", "dock_graph", "dock_replay", "dock_history",
                             "dock_problems", "dock_mutations"})
        use.raise(dock);
    use.open(options.samples + QStringLiteral("/flash_attn.cubin"));  // the run is stopped by it
    use.start_run("20000steps");
    use.wait([&] { return !use.window.controller().active(); });
    use.raise("dock_replay");
    use.scrub();
    use.command("replay.minimise");
    use.report();
    use.edit_and_undo();
    use.command("view.theme_dark");
    use.command("view.theme_light");
    use.open(options.large);
    use.edit_and_undo();
    use.command("view.palette");
    use.command("file.sessions");
    use.idle(500);
    for (QWidget* top : QApplication::topLevelWidgets())
        if (auto* dialog = qobject_cast<QDialog*>(top)) dialog->close();
    use.open(options.samples + QStringLiteral("/rmsnorm.cubin"));
    for (const Stall& s : app->stalls()) {
        std::fprintf(stderr, "%.0f ms of CPU, %.0f ms in all, in \"%s\": event %d of %s\n", s.cpu_ms,
                     s.wall_ms, s.step.c_str(), s.event, s.receiver.c_str());
        for (const std::string& frame : s.frames)
            if (frame.find("cubinlab") != std::string::npos) std::fprintf(stderr, "    %s\n", frame.c_str());
    }
    const HeartbeatSummary beat = heartbeat.summary();
    return {{"mixed use: longest event, CPU", app->longest_cpu_ms(), 100, false, "ms",
             "one event of the GUI thread, its own CPU time"},
            {"mixed use: longest event, wall", app->longest_wall_ms(), 0, false, "ms",
             "with what other work on the machine took"},
            {"mixed use: heartbeat late, p99", beat.p99_ms, 50, false, "ms", "of a 10 ms timer"},
            {"mixed use: heartbeat late, most", beat.max_ms, 200, false, "ms", ""}};
}

}  // namespace cubinlab::ui::bench
