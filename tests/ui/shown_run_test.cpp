// SPDX-License-Identifier: GPL-3.0-or-later
// What a window shows of a run is all that its log holds, whenever the file happens to be read.
#include <QSignalSpy>
#include <QThread>
#include <QTimer>
#include <algorithm>

#include "core/store/session.h"
#include "tests/ui/window_support.h"
#include "ui/base/job_runner.h"
#include "ui/run/run_controller.h"

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

TEST_CASE("steps that are logged between the reading of the file and the end of the run are shown") {
    const NoQtWarnings quiet;
    OpenWindow open;
    RunController& runs = open.window.controller();
    runs.set_session_path(open.path("s.db").toStdString());
    run_steps(open.window, "150steps");
    const RunId run = runs.shown_run()->id;

    // The run waits while the file is read; what was read stays undelivered until the run has ended.
    bool started = false;
    QObject::connect(&runs, &RunController::state_changed, &runs, [&](RunState state) {
        if (state != RunState::Running || started) return;
        started = true;
        runs.pause();
    });
    JobRunner& jobs = open.window.jobs();
    QSignalSpy finished(&runs, &RunController::finished);
    std::uint64_t shown_at_end = 0;
    bool ended = false;
    QObject::connect(&jobs, &JobRunner::busy_changed, &runs, [&] {
        if (ended || !started || !jobs.busy(QStringLiteral("load-run"))) return;
        ended = true;
        CHECK(wait_deaf([&] { return !jobs.busy(QStringLiteral("load-run")); }));
        runs.resume();
        CHECK(wait_deaf([&] {
            tick(runs);
            return finished.count() == 1;
        }));
        shown_at_end = runs.progress().steps;
    });
    runs.continue_run(run, QStringLiteral("150steps"));
    REQUIRE(wait_for([&] { return ended; }));
    CHECK(shown_at_end < 300);  // else this test shows nothing
    REQUIRE(steps_in_file(open.path("s.db"), run) == 300);
    CHECK(wait_for([&] { return runs.progress().steps == 300; }, 20));
}

TEST_CASE("a run that goes on shows the agent's curves from its beginning") {
    const NoQtWarnings quiet;
    OpenWindow open;
    RunController& runs = open.window.controller();
    runs.set_session_path(open.path("s.db").toStdString());
    std::vector<MetricPoint> live, again;
    const auto collect = [&](std::vector<MetricPoint>& into) {
        return QObject::connect(&runs, &RunController::metrics_added, &runs, [&](const MetricBatch& batch) {
            into.insert(into.end(), batch->begin(), batch->end());
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
}
