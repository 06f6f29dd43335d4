// SPDX-License-Identifier: GPL-3.0-or-later
// What a window shows of a run is all that its log holds, whenever the file happens to be read.
#include <QPushButton>
#include <QSignalSpy>
#include <QThread>
#include <QTimer>
#include <algorithm>
#include <atomic>
#include <memory>

#include "core/store/session.h"
#include "core/store/sqlite.h"
#include "tests/ui/window_support.h"
#include "ui/base/job_runner.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_strip.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

// Without an event loop: what threads post meanwhile stays where it is.
bool wait_deaf(const std::function<bool()>& done) {
    for (int i = 0; i < 12000; ++i) {
        if (done()) return true;
        QThread::msleep(10);
    }
    return done();
}

void tick(RunController& runs) {
    for (QTimer* timer : runs.findChildren<QTimer*>())
        if (timer->isActive()) QMetaObject::invokeMethod(timer, "timeout", Qt::DirectConnection);
}

std::size_t steps_in_file(const QString& path, RunId run) {
    auto reader = SessionReader::open(path.toStdString());
    if (!reader) return 0;
    auto steps = (*reader)->steps(run);
    return steps ? steps->size() : 0;
}

}  // namespace

QUIET_CASE("steps that are logged between the reading of the file and the end of the run are shown") {
    OpenWindow open;
    RunController& runs = open.window.controller();
    runs.set_session_path(open.path("s.db").toStdString());
    run_steps(open.window, "150steps", "anneal");  // it has curves
    const RunId run = runs.shown_run()->id;

    // The run waits while the file is read; what was read stays undelivered until the run has ended. The reading of the
    // steps follows that of the curves, and waits behind jobs that hold every thread: else it could be over before this
    // test looks.
    JobRunner& jobs = open.window.jobs();
    const auto held = std::make_shared<std::atomic<bool>>(false);
    const auto let_go = [&] {
        held->store(false);
        held->notify_all();
    };
    bool started = false, ended = false;
    QObject::connect(&runs, &RunController::state_changed, &runs, [&](RunState state) {
        if (state != RunState::Running || started) return;
        started = true;
        runs.pause();
    });
    QObject::connect(&runs, &RunController::metrics_added, &runs, [&] {
        if (!started || ended || held->exchange(true)) return;
        for (int i = 0; i < 16; ++i)
            jobs.run_always([held](std::stop_token) { held->wait(true); }, {}, JobRunner::Scope::Window);
    });
    QSignalSpy finished(&runs, &RunController::finished);
    std::uint64_t shown_at_end = 0;
    QObject::connect(&jobs, &JobRunner::busy_changed, &runs, [&] {
        if (ended || !started || !jobs.busy(QStringLiteral("load-run"))) return;
        ended = true;
        let_go();
        CHECK(wait_deaf([&] { return !jobs.busy(QStringLiteral("load-run")); }));
        const std::size_t read = steps_in_file(open.path("s.db"), run);
        runs.resume();
        CHECK(wait_deaf([&] { return steps_in_file(open.path("s.db"), run) > read; }));
        runs.stop();
        CHECK(wait_deaf([&] {
            tick(runs);
            return finished.count() == 1;
        }));
        shown_at_end = runs.progress().steps;
    });
    runs.continue_run(run, QStringLiteral("10m"));
    const bool seen = wait_for([&] { return ended; });
    let_go();
    REQUIRE(seen);
    const std::size_t logged = steps_in_file(open.path("s.db"), run);
    CHECK(shown_at_end < logged);  // else this test shows nothing
    CHECK(wait_for([&] { return runs.progress().steps == logged; }, 20));
}

QUIET_CASE(
    "a run that was killed and goes on took the time of both parts, and its rate is the newest part's") {
    OpenWindow open;
    RunController& runs = open.window.controller();
    runs.set_session_path(open.path("s.db").toStdString());
    run_steps(open.window, "150steps", "random");
    const RunId run = runs.shown_run()->id;
    // As if its 150 steps had taken half a minute, a clock that the second part does not reach.
    {
        auto file =
            required(sqlite::Database::open(open.path("s.db").toStdString(), sqlite::Mode::ReadWrite));
        REQUIRE(file->exec("UPDATE mutations SET time_us = step * 200000"));
    }
    QSignalSpy finished(&runs, &RunController::finished);
    std::vector<double> used;
    QObject::connect(&runs, &RunController::progress_changed, &runs, [&] {
        if (runs.shows_live() && runs.state() == RunState::Running) used.push_back(runs.progress().fraction);
    });
    runs.continue_run(run, QStringLiteral("60steps"));
    REQUIRE(wait_for([&] { return finished.count() == 1; }));
    REQUIRE(wait_for([&] { return runs.progress().steps == 210; }));
    const RunProgress& p = runs.progress();
    CHECK(p.part_steps == 60);
    CHECK(p.part_seconds < 30);
    CHECK(p.seconds == Approx(30 + p.part_seconds));
    CHECK(std::is_sorted(used.begin(), used.end()));  // steps that are read from the file use nothing up
}

QUIET_CASE("a run that is looked at while another one works has no share in its budget and rate") {
    OpenWindow open;
    RunController& runs = open.window.controller();
    runs.set_session_path(open.path("s.db").toStdString());
    run_steps(open.window, "150steps", "random");
    const RunId first = runs.shown_run()->id;
    const RunRequest request = model_run(QStringLiteral("10m"), QStringLiteral("random"));
    runs.start(request);
    REQUIRE(wait_for([&] { return runs.shows_live() && runs.progress().steps > 0; }));
    const auto* strip = required(open.window.findChild<RunStrip*>());
    CHECK(strip->budget_text().contains(QStringLiteral("budget")));
    runs.show_run(first);
    REQUIRE(wait_for([&] { return runs.progress().steps == 150; }));
    CHECK(runs.active());
    CHECK_FALSE(runs.shows_live());
    CHECK_FALSE(strip->budget_text().contains(QStringLiteral("budget")));
    CHECK(strip->budget_text().contains(QStringLiteral("Run %1").arg(first)));
    runs.stop();
    REQUIRE(wait_for([&] { return !runs.active(); }, 20));
}

QUIET_CASE("to show the best is offered while something else is on the right") {
    OpenWindow open;
    open.window.controller().set_session_path(open.path("s.db").toStdString());
    run_steps(open.window, "400steps");
    Document& document = open.window.document();
    REQUIRE(document.pair().best_step().step != 0);
    REQUIRE(wait_for([&] { return document.pair().right_slot() == ScheduleSlot::Best; }));
    QPushButton* show = nullptr;
    for (auto* button : open.window.messages().findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("Show best")) show = button;
    REQUIRE(show != nullptr);
    CHECK_FALSE(show->isEnabled());
    CHECK(show->toolTip() == QStringLiteral("The right side shows it already."));
    document.pair().show_right(ScheduleSlot::Original);
    REQUIRE(wait_for([&] { return show->isEnabled(); }));
    QTest::mouseClick(show, Qt::LeftButton);
    CHECK(document.pair().right_slot() == ScheduleSlot::Best);
}

QUIET_CASE("a run that goes on shows the agent's curves from its beginning") {
    OpenWindow open;
    RunController& runs = open.window.controller();
    runs.set_session_path(open.path("s.db").toStdString());
    std::vector<MetricPoint> live, again;
    const auto collect = [&](std::vector<MetricPoint>& into) {
        return QObject::connect(&runs, &RunController::metrics_added, &runs, [&](const MetricBatch& batch) {
            into.insert(into.end(), batch.begin(), batch.end());
        });
    };
    const auto first = collect(live);
    run_steps(open.window, "1200steps", "auto");
    QObject::disconnect(first);
    REQUIRE_FALSE(live.empty());

    collect(again);
    QSignalSpy finished(&runs, &RunController::finished);
    runs.continue_run(runs.shown_run()->id, QStringLiteral("1200steps"));
    REQUIRE(wait_for([&] { return finished.count() == 1; }));
    REQUIRE(wait_for([&] { return runs.progress().steps == 2400; }));
    const auto of = [](const std::vector<MetricPoint>& points, const std::string& name) {
        std::vector<StepId> steps;
        for (const MetricPoint& point : points)
            if (point.name == name) steps.push_back(point.step);
        return steps;
    };
    const std::vector<StepId> before = of(live, "estimate"), after = of(again, "estimate");
    REQUIRE_FALSE(before.empty());
    REQUIRE(after.size() > before.size());
    CHECK(std::equal(before.begin(), before.end(), after.begin()));
    CHECK(std::is_sorted(after.begin(), after.end()));
    CHECK(std::adjacent_find(after.begin(), after.end()) == after.end());
}
