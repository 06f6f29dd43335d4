// SPDX-License-Identifier: GPL-3.0-or-later
// Starts in the window: a tuning with them, their view, and runs of other compilations. With the installed ptxas (skipped
// where there is none); what is read from the session needs none.
#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QDockWidget>
#include <QFile>
#include <QPushButton>
#include <QTabBar>
#include <QTableView>
#include <algorithm>
#include <cmath>

#include "core/search/engine/default_agent.h"
#include "core/start/ptxas.h"
#include "tests/core/evidence/claims_fixture.h"
#include "tests/ui/window_support.h"
#include "ui/base/message_bar.h"
#include "ui/run/agent_bar.h"
#include "ui/run/mutation_log.h"
#include "ui/run/session_hub.h"
#include "ui/run/step_panel.h"
#include "ui/starts/start_comparison.h"
#include "ui/starts/start_table.h"
#include "ui/starts/starts_chart.h"
#include "ui/starts/starts_panel.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

bool no_ptxas() {
    if (!installed_ptxas().empty()) return false;
    WARN("SKIPPED, no ptxas is installed");
    return true;
}

struct StartsWindow : OpenWindow {
    StartsPanel* panel = required(window.findChild<StartsPanel*>());

    explicit StartsWindow(const std::string& file = "softmax.cubin") : OpenWindow(file) {}
    RunController& runs() { return window.controller(); }
    void tune(const QString& session, const char* budget = "160steps") {
        window.controller().set_session_path(session.toStdString());
        RunRequest request = model_run(QString::fromLatin1(budget), QString::fromLatin1(kDefaultAgent));
        request.only_reschedules = false;
        QSignalSpy finished(&runs(), &RunController::finished);
        window.start_agent(request);
        REQUIRE(wait_for([&] { return finished.count() == 1; }));
        show_panel();
    }
    void show_panel() {
        MainWindow::bring_forward(window.dock(QStringLiteral("dock_starts")));
        REQUIRE(wait_for([&] { return panel->table().rows().size() > 4; }));
    }
    const RunInfo& over_starts() {
        const auto& all = runs().runs();
        return *std::ranges::find(all, kStartsAgent, &RunInfo::agent);
    }
};

// A tuning on a kernel of which the model prefers another compilation: closed, and so whole in its file.
const QString& tuned_session() {
    static QTemporaryDir folder;
    static const QString file = [] {
        QString path = folder.filePath(QStringLiteral("tuned.db"));
        StartsWindow open("flash_attn_mma.cubin");
        open.tune(path, "240steps");
        return path;
    }();
    return file;
}

// A copy of it in a window.
struct TunedWindow : StartsWindow {
    TunedWindow() : StartsWindow("") {
        const QString file = path("s.db");
        REQUIRE(QFile::copy(tuned_session(), file));
        window.open_path(file);
        REQUIRE(wait_for([&] {
            return runs().shown_run().has_value() && runs().progress().steps == runs().shown_run()->steps;
        }));
        REQUIRE(wait_for([&] { return window.document().hand().can_edit(); }));
    }
};

// The document shows the code of the run whose steps the log lists.
bool agrees(MainWindow& window) {
    const auto& shown = window.controller().shown_run();
    if (!shown || shown->agent == kStartsAgent) return true;
    const Hash128 code = shown->code == Hash128() ? window.document().original()->hash() : shown->code;
    return window.document().kernel()->hash() == code;
}

}  // namespace

QUIET_CASE("auto searches starts of a kernel that has PTX, and the view shows what became of each") {
    if (no_ptxas()) return;
    StartsWindow open;
    auto* box = required(open.window.findChild<QCheckBox*>(QStringLiteral("only-reschedules")));
    CHECK(box->isEnabled());
    CHECK(box->toolTip().contains(QStringLiteral("softmax.ptx")));
    open.tune(open.path("s.db"));
    const auto& runs = open.runs().runs();
    REQUIRE(runs.size() > 2);
    CHECK(runs.front().agent == kStartsAgent);
    CHECK(std::all_of(runs.begin(), runs.end(),
                      [&](const RunInfo& run) { return run.tuning == runs.front().id; }));
    CHECK(open.window.dock(QStringLiteral("dock_starts"))->isVisible());

    const auto& rows = open.panel->table().rows();
    CHECK(rows.front().step == 0);
    CHECK(rows.front().registers == open.window.document().original()->info().registers);
    CHECK(std::all_of(rows.begin() + 1, rows.end(), [](const TunedStart& row) {
        return row.registers > 0 && row.instructions > 0 && !row.start.ptxas.empty() && row.step > 0;
    }));
    // The log has the same steps, each with the figure that the table has of a start that was measured once.
    std::uint64_t tuned = 0, logged = 0;
    for (const TunedStart& row : rows)
        tuned += row.tuned_steps;
    for (const RunInfo& run : runs)
        if (run.agent != kStartsAgent) logged += run.steps;
    CHECK(wait_for([&] {
        tuned = 0;
        for (const TunedStart& row : open.panel->table().rows())
            tuned += row.tuned_steps;
        logged = 0;
        for (const RunInfo& run : open.runs().runs())
            if (run.agent != kStartsAgent) logged += run.steps;
        return tuned == logged && tuned > 0;
    }));
    for (const TunedStart& row : open.panel->table().rows()) {
        if (row.step == 0 || row.measured != 1) continue;
        const auto step = required(open.runs().session()->steps(open.over_starts().id, row.step - 1, 1));
        CHECK(step->front().schedule_hash == row.code);
        CHECK(step->front().outcome.speedup.log == Approx(row.log_speedup));
    }
    CHECK(agrees(open.window));
}

QUIET_CASE("only reschedules: no other compilation is made") {
    StartsWindow open;
    open.runs().set_session_path(open.path("s.db").toStdString());
    run_steps(open.window, "60steps", kDefaultAgent);
    CHECK(std::ranges::none_of(open.runs().runs(),
                               [](const RunInfo& run) { return run.agent == kStartsAgent; }));
}

QUIET_CASE(
    "a session of starts shows every run with its own code, without a compiler, and hand edits of each "
    "stay") {
    if (no_ptxas()) return;
    TunedWindow open;
    RunController& runs = open.window.controller();
    Document& document = open.window.document();
    CHECK(open.runs().shown_run()->chosen);
    CHECK(agrees(open.window));
    const std::vector<RunInfo> all = runs.runs();
    const auto of_start = std::ranges::find_if(all, [](const RunInfo& run) { return run.code != Hash128(); });
    const auto of_original = std::ranges::find_if(
        all, [](const RunInfo& run) { return run.code == Hash128() && run.agent != kStartsAgent; });
    REQUIRE(of_start != all.end());
    REQUIRE(of_original != all.end());
    for (const RunInfo& run : all) {
        runs.show_run(run.id);
        REQUIRE(
            wait_for([&] { return runs.shown_run()->id == run.id && runs.progress().steps == run.steps; }));
        CHECK(agrees(open.window));
        runs.view_step(run.id, static_cast<qint64>(run.steps));
        REQUIRE(wait_for([&] {
            return document.pair().viewed_step() == StepRef{run.id, static_cast<StepId>(run.steps)};
        }));
        const auto logged = required(runs.session()->schedule_at(run.id, static_cast<StepId>(run.steps)));
        CHECK(document.pair().schedule(ScheduleSlot::Viewed)->hash() == logged->hash());
        CHECK(document.text_of(0) != QString());
    }

    // An edit of the start is logged as a run that begins there, and returns with it.
    runs.show_run(of_start->id);
    REQUIRE(wait_for([&] { return runs.shown_run()->id == of_start->id && document.shows_start(); }));
    REQUIRE(wait_for([&] { return document.hand().can_edit(); }));
    bool edited = false;
    for (InstrId id = 0; id < document.kernel()->size() && !edited; ++id) {
        ControlCode control = document.pair().schedule(ScheduleSlot::Hand)->control(id);
        if (control.stall >= 14) continue;
        ++control.stall;
        edited = document.hand().set_control(id, control);
    }
    REQUIRE(edited);
    REQUIRE(wait_for([&] { return runs.hand_step().step == 1; }));
    const RunId hand = runs.hand_step().run;
    const Hash128 edit = document.pair().schedule(ScheduleSlot::Hand)->hash();
    CHECK(required(runs.session()->schedule_at(hand, 1))->hash() == edit);

    runs.show_run(of_original->id);
    REQUIRE(wait_for([&] { return runs.shown_run()->id == of_original->id && !document.shows_start(); }));
    CHECK(document.pair().schedule(ScheduleSlot::Hand)->hash() == document.original()->hash());
    CHECK(runs.hand_step().run == 0);
    runs.show_run(of_start->id);
    REQUIRE(wait_for([&] { return document.shows_start(); }));
    CHECK(document.pair().schedule(ScheduleSlot::Hand)->hash() == edit);
    CHECK(runs.hand_step().run == hand);
}

QUIET_CASE("replay goes from one run of a tuning to the next, and the bar names the start") {
    if (no_ptxas()) return;
    TunedWindow open;
    MainWindow::bring_forward(open.window.dock(QStringLiteral("dock_replay")));
    auto* steps = required(open.window.findChild<StepPanel*>());
    const std::vector<ReplayPart> parts = replay_parts(open.runs());
    REQUIRE(parts.size() > 2);
    REQUIRE(steps->parts()->count() == static_cast<int>(parts.size()));
    CHECK(steps->parts()->tabText(0) == QStringLiteral("starts"));
    CHECK(steps->parts()->tabText(1).startsWith(QStringLiteral("start ")));
    open.runs().show_run(parts[0].run);
    REQUIRE(wait_for(
        [&] { return open.runs().shown_run()->id == parts[0].run && open.runs().progress().steps > 0; }));
    steps->go_to(static_cast<qint64>(open.runs().progress().steps));
    REQUIRE(wait_for([&] {
        return open.window.document().pair().viewed_step() ==
               StepRef{parts[0].run, static_cast<StepId>(open.runs().progress().steps)};
    }));
    steps->jump(+1, false, false);
    REQUIRE(wait_for([&] {
        return open.window.document().pair().viewed_step() == StepRef{parts[1].run, 1};
    }));
    CHECK(steps->parts()->currentIndex() == 1);
    CHECK(agrees(open.window));
    steps->jump(-1, false, false);  // the start of the run
    steps->jump(-1, false, false);
    REQUIRE(wait_for([&] { return open.window.document().pair().viewed_step().run == parts[0].run; }));
}

QUIET_CASE("the view of starts has what fresh processes measured of a start in each cache state") {
    if (no_ptxas()) return;
    TunedWindow open;
    open.show_panel();
    CHECK(open.panel->view()->isColumnHidden(StartTable::Fresh));  // nothing was measured
    const auto& rows = open.panel->table().rows();
    const auto tuned = std::ranges::find_if(rows, [](const TunedStart& row) { return row.best_step != 0; });
    const TunedStart chosen = tuned != rows.end() ? *tuned : rows[1];
    const RunId run = chosen.best_step != 0 ? chosen.best_run : open.over_starts().id;
    const StepId step = chosen.best_step != 0 ? chosen.best_step : chosen.step;
    auto& writer = **required(open.runs().session()->writer());
    writer.add_measurement(measurement_record(measured_around(0.25), run, step, "measure", Cache::Hot));
    writer.add_measurement(measurement_record(measured_around(0.1), run, step, "measure", Cache::Cold));
    Q_EMIT open.runs().runs_changed();
    const auto measured = [&]() -> const TunedStart* {
        for (const TunedStart& row : open.panel->table().rows())
            if (row.fresh.size() == 2) return &row;
        return nullptr;
    };
    REQUIRE(wait_for([&] { return measured() != nullptr; }));
    CHECK(measured()->code == chosen.code);
    CHECK(fresh_text(*measured()).startsWith(QStringLiteral("hot +28.4")));   // exp(0.25)
    CHECK(fresh_text(*measured()).contains(QStringLiteral(", cold +10.5")));  // exp(0.1)
    CHECK_FALSE(open.panel->view()->isColumnHidden(StartTable::Fresh));
}

QUIET_CASE("one start is compared with the original, two with each other") {
    if (no_ptxas()) return;
    TunedWindow open;
    open.show_panel();
    const auto& rows = open.panel->table().rows();
    QTableView* view = open.panel->view();
    const auto select = [&](const TunedStart& start, QItemSelectionModel::SelectionFlags how) {
        for (int at = 0; at < view->model()->rowCount(); ++at)
            if (view->model()->index(at, StartTable::Name).data().toString() == start_name(start.step))
                view->selectionModel()->select(view->model()->index(at, 0), how | QItemSelectionModel::Rows);
    };
    const TunedStart first = rows[1], second = rows[2];
    select(first, QItemSelectionModel::ClearAndSelect);
    REQUIRE(wait_for([&] { return open.panel->comparison()->shown() != nullptr; }));
    CHECK(open.panel->comparison()->shown()->left == QStringLiteral("original"));
    CHECK(open.panel->comparison()->shown()->right == start_name(first.step));
    select(second, QItemSelectionModel::Select);
    REQUIRE(wait_for([&] { return open.panel->comparison()->shown()->left == start_name(first.step); }));
    CHECK(open.panel->comparison()->shown()->right == start_name(second.step));
    const KernelAlignment& found = open.panel->comparison()->shown()->alignment;
    CHECK(found.same + found.renamed > 0);
    QAbstractItemModelTester tester(open.panel->comparison()->model(),
                                    QAbstractItemModelTester::FailureReportingMode::Warning);
}

QUIET_CASE("without PTX it is said once what is missed, and a file of another kernel is refused") {
    QTemporaryDir folder;
    const QString cubin = folder.filePath(QStringLiteral("alone.cubin"));
    REQUIRE(QFile::copy(QString::fromStdString(sample("softmax.cubin")), cubin));
    OpenWindow open("");
    open.window.open_path(cubin);
    REQUIRE(wait_for(
        [&] { return open.window.document().is_open() && open.window.document().hand().can_edit(); }));
    CHECK_FALSE(open.window.document().ptx());
    CHECK_FALSE(required(open.window.findChild<QCheckBox*>(QStringLiteral("only-reschedules")))->isEnabled());
    open.window.controller().set_session_path(folder.filePath(QStringLiteral("s.db")).toStdString());
    RunRequest request = model_run(QStringLiteral("40steps"), QString::fromLatin1(kDefaultAgent));
    request.only_reschedules = false;
    QSignalSpy finished(&open.window.controller(), &RunController::finished);
    const auto said = [&] {
        int count = 0;
        for (const QPushButton* button : open.window.messages().findChildren<QPushButton*>())
            count += button->text() == QStringLiteral("PTX file...");
        return count;
    };
    open.window.start_agent(request);
    CHECK(said() == 1);
    REQUIRE(wait_for([&] { return finished.count() == 1; }));
    open.window.messages().clear_all_but({});
    open.window.start_agent(request);
    CHECK(said() == 0);
    REQUIRE(wait_for([&] { return finished.count() == 2; }));
    const auto wrong = ptx_from(open.window.document().original(), sample("bmm_mma.ptx"));
    CHECK(wrong.error().code == ErrorCode::BadInput);
    const auto right = required(ptx_from(open.window.document().original(), sample("softmax.ptx")));
    open.window.document().set_ptx(*right);
    CHECK(required(open.window.findChild<QCheckBox*>(QStringLiteral("only-reschedules")))->isEnabled());
}

TEST_CASE("a thinned curve keeps the extremes of each column, in order") {
    std::vector<TuningPart::Point> points;
    for (int i = 0; i < 5000; ++i)
        points.push_back({i + 1, i * 0.01, std::sin(i * 0.7) * (i % 97), false});
    const auto thin = thinned(points, 0, 50, 100);
    CHECK(thin.size() <= 202);
    CHECK(std::ranges::is_sorted(thin, {}, &TuningPart::Point::seconds));
    const auto highest = [](const auto& all) {
        return std::ranges::max(all, {}, &TuningPart::Point::log_speedup).step;
    };
    CHECK(highest(thin) == highest(points));
    CHECK(thinned(points, 10, 20, 50).front().seconds >= 10);
    CHECK(thinned({}, 0, 1, 10).empty());
}
