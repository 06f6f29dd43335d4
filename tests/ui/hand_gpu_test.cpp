// SPDX-License-Identifier: GPL-3.0-or-later
// F8 and Shift+F8 on a GPU, by key, with a scripted worker in the GPU's place: what is said, what is kept in
// the session, and what happens when the worker is absent, dies or hangs.
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>

#include "tests/ui/scripted_gpu.h"
#include "ui/hand/hand_tools.h"
#include "ui/hand/place_trial.h"
#include "ui/listing/gutter.h"
#include "ui/run/mutation_log.h"
#include "ui/run/reward_chart.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

// A window whose hand schedule differs from the original by one stall cycle, logged in s.db or in `log`.
struct EditedWindow : OpenWindow {
    ScriptedGpu gpu{path("gpu")};

    std::string log_at;

    explicit EditedWindow(const QString& log = {})
        : log_at((log.isEmpty() ? path("s.db") : log).toStdString()) {
        window.controller().set_session_path(session());
        InstrId id = 0;
        while (document().pair().schedule(ScheduleSlot::Hand)->control(id).stall < 1 ||
               document().pair().schedule(ScheduleSlot::Hand)->control(id).stall > 9)
            ++id;
        window.selection().select(id);
        key(Qt::Key_Up, Qt::ControlModifier);
        REQUIRE(*document().pair().schedule(ScheduleSlot::Hand) !=
                *document().pair().schedule(ScheduleSlot::Original));
    }
    Document& document() { return window.document(); }
    std::string session() const { return log_at; }
    QString said() { return window.messages().newest_text(); }
    void measure() {
        QSignalSpy over(&window.actions(), &ScheduleActions::measuring_changed);
        key(Qt::Key_F8);
        CHECK(window.actions().measuring());
        REQUIRE(wait_for([&] { return over.count() == 2; }));
    }
    std::vector<MeasurementRecord> measurements() {
        std::vector<MeasurementRecord> found;
        wait_for(
            [&] {
                auto reader = SessionReader::open(session());
                if (!reader) return false;
                auto records = (*reader)->measurements(0);
                if (records) found = *records;
                return !found.empty();
            },
            5);
        return found;
    }
};

// An instruction with some, but not many, legal places.
InstrId movable(const Document& document, SlotRange* range) {
    const Schedule& hand = *document.pair().schedule(ScheduleSlot::Hand);
    for (InstrId id = 0x1000 / kWordBytes; id < hand.size(); ++id) {
        if (document.kernel()->pinned(id)) continue;
        *range = document.checker()->slots(hand, id);
        if (range->count() >= 5 && range->count() < 30) return id;
    }
    return kNone;
}

std::vector<Position> others(const SlotRange& range, Position now) {
    std::vector<Position> places;
    for (Position p = range.lowest; p <= range.highest; ++p)
        if (range.contains(p) && p != now) places.push_back(p);
    return places;
}

}  // namespace

QUIET_CASE("F8 measures the hand schedule on the GPU: a verdict with its interval, said, shown and kept") {
    EditedWindow open;
    open.gpu.script["compare"] = {{"do", "ok"}, {"log_speedup", 0.02}};
    open.gpu.use_in(open.window);
    open.measure();
    CHECK(open.said().contains(QStringLiteral("FASTER")));
    CHECK(open.said().contains(QStringLiteral("1.0202x")));  // e^0.02
    CHECK(open.said().contains(QStringLiteral("12 fresh loads of each, outputs bitwise equal")));
    CHECK(open.said().contains(QStringLiteral("Scripted GPU")));
    const HandNode& node = open.document().hand().tree().nodes().back();
    REQUIRE(node.measured);
    CHECK(node.measured->verdict == Verdict::Faster);
    CHECK(node.measured->speedup.low > 0);
    CHECK(node.measured->speedup.low < 0.02);
    CHECK(node.measured->speedup.high > 0.02);
    // Each worker was sent this very schedule.
    REQUIRE_FALSE(open.gpu.log().empty());
    for (const std::string& line : open.gpu.log())
        CHECK(line ==
              "compare " + ScriptedGpu::image_of(*open.document().pair().schedule(ScheduleSlot::Hand)));
    // It stands in the session at the step of this edit, with its raw samples.
    const auto records = open.measurements();
    REQUIRE(records.size() == 1);
    CHECK(records[0].step == 1);
    CHECK(records[0].purpose == "measure");
    CHECK(records[0].outcome.speedup.log == Approx(0.02).margin(1e-4));
    CHECK(records[0].details.by_load.size() == open.gpu.log().size());
    // And an export of it is stamped with that measurement.
    QSignalSpy exported(&open.window.actions(), &ScheduleActions::exported);
    open.window.actions().export_to(ScheduleSlot::Hand, open.path("out.cubin"));
    REQUIRE(wait_for([&] { return exported.count() == 1; }));
    CHECK(exported[0][1].toString().contains(QStringLiteral("measured: 1.0202x")));
}

QUIET_CASE("a measurement reaches history, log and chart alike, and again when the session is opened") {
    const auto told_everywhere = [](MainWindow& window, const QString& verdict) {
        auto* log = window.findChild<MutationLog*>();
        auto* chart = window.findChild<RewardChart*>();
        REQUIRE(wait_for([&] { return log->model()->has_measurements(); }));
        CHECK_FALSE(log->table()->isColumnHidden(MutationModel::Measured));
        REQUIRE(wait_for([&] { return log->model()->rowCount() >= 2; }));
        const auto cell = [&](int row) {
            return log->model()->index(row, MutationModel::Measured).data().toString();
        };
        CHECK(cell(0).isEmpty());  // step 1 was not measured
        CHECK(cell(1) == verdict);
        CHECK(log->model()
                  ->index(1, MutationModel::Measured)
                  .data(Qt::ToolTipRole)
                  .toString()
                  .contains(QStringLiteral("against the original on Scripted GPU")));
        chart->set_cursor(2);
        CHECK(chart->readout().contains(QStringLiteral("measured against the original +2.02 %")));
        CHECK(chart->readout().contains(QStringLiteral("FASTER")));
        chart->set_cursor(1);
        CHECK_FALSE(chart->readout().contains(QStringLiteral("measured against")));
    };
    QTemporaryDir kept;
    const QString session = kept.filePath(QStringLiteral("kept.db"));
    {
        EditedWindow open(session);
        open.gpu.script["compare"] = {{"do", "ok"}, {"log_speedup", 0.02}};
        open.gpu.use_in(open.window);
        open.key(Qt::Key_Up, Qt::ControlModifier);
        open.measure();
        REQUIRE(open.document().hand().tree().nodes().back().measured);
        told_everywhere(open.window, QStringLiteral("+2.02 % FASTER"));
        open.measure();  // again: the two are judged together
        REQUIRE(open.measurements().size() >= 1);
        REQUIRE(wait_for([&] { return open.measurements().size() == 2; }));
        told_everywhere(open.window, QStringLiteral("+2.02 % FASTER"));
    }
    OpenWindow again("");
    again.window.open_path(session);
    told_everywhere(again.window, QStringLiteral("+2.02 % FASTER"));
}

QUIET_CASE("F8 right after an edit is kept at that edit's step, not at the one before") {
    EditedWindow open;
    open.gpu.script["compare"] = {{"do", "ok"}, {"log_speedup", -0.03}};
    open.gpu.use_in(open.window);
    open.key(Qt::Key_Up, Qt::ControlModifier);
    open.measure();
    CHECK(open.said().contains(QStringLiteral("SLOWER")));
    const auto records = open.measurements();
    REQUIRE(records.size() == 1);
    CHECK(records[0].step == 2);
}

QUIET_CASE("a schedule that gives wrong results on the GPU is told as an error, kept, and not exported") {
    EditedWindow open;
    open.gpu.script["compare"] = {{"do", "wrong"}};
    open.gpu.use_in(open.window);
    open.measure();
    CHECK(open.said().contains(QStringLiteral("wrong-result")));
    REQUIRE(open.document().hand().tree().nodes().back().measured);
    CHECK(open.document().hand().tree().nodes().back().measured->outcome == OutcomeKind::WrongResult);
    REQUIRE(open.measurements().size() == 1);
    QSignalSpy refused(&open.window.actions(), &ScheduleActions::export_failed);
    open.window.actions().export_to(ScheduleSlot::Hand, open.path("out.cubin"));
    REQUIRE(wait_for([&] { return refused.count() == 1; }));
    CHECK(refused[0][0].toString().contains(QStringLiteral("wrong-result")));
    CHECK_FALSE(QFile::exists(open.path("out.cubin")));
}

QUIET_CASE("a worker that faults, hangs or dies while measuring is told, the next measurement works") {
    struct {
        const char *what, *told;
    } const cases[] = {
        {"fault", "fault"}, {"stuck", "hang"}, {"reported-hang", "hang"}, {"exit", "Not measured"}};
    for (const auto& c : cases) {
        INFO(c.what);
        EditedWindow open;
        open.gpu.script["compare"] = {{"do", c.what}};
        open.gpu.use_in(open.window);
        open.measure();
        CHECK(open.said().contains(QLatin1String(c.told)));
        CHECK_FALSE(open.said().contains(QStringLiteral("FASTER")));
        open.gpu.script["compare"] = {{"do", "ok"}, {"log_speedup", 0.01}};
        open.gpu.use_in(open.window);
        open.measure();
        CHECK(open.said().contains(QStringLiteral("FASTER")));
    }
}

QUIET_CASE("without a worker F8 compares by the model and says so, a worker that vanished is an error") {
    EditedWindow open;
    open.gpu.use_in(open.window);
    // It was there a moment ago, and is not any more.
    GpuSettings gone = open.gpu.settings();
    gone.worker_command = "no-such-worker-at-all";
    open.window.controller().set_gpu_settings(gone);
    open.measure();
    CHECK(open.said().contains(QStringLiteral("Not measured")));
    CHECK(open.said().contains(QStringLiteral("no-such-worker-at-all")));
    open.window.controller().probe_gpu_now();
    REQUIRE(wait_for([&] { return !open.window.controller().gpu()->present; }));
    QSignalSpy compared(&open.window.actions(), &ScheduleActions::compared);
    open.key(Qt::Key_F8);
    REQUIRE(wait_for([&] { return compared.count() == 1; }));
    CHECK(open.said().contains(QStringLiteral("Modelled, unmeasured")));
}

QUIET_CASE("a measurement can be stopped, and nothing else has the GPU meanwhile") {
    EditedWindow open;
    open.gpu.script["compare"] = {{"do", "slow"}, {"ms", 20000}};
    open.gpu.use_in(open.window);
    open.key(Qt::Key_F8);
    REQUIRE(wait_for([&] { return !open.gpu.log().empty(); }));
    QSignalSpy refused(&open.window.controller(), &RunController::failed);
    RunRequest request;
    request.only_reschedules = true;
    request.budget = QStringLiteral("10steps");
    open.window.start_agent(request);
    REQUIRE(refused.count() == 1);
    CHECK_FALSE(open.window.controller().active());
    open.key(Qt::Key_F8, Qt::ShiftModifier);
    CHECK_FALSE(open.window.hand_tools().trial()->running());
    CHECK(open.said().contains(QStringLiteral("is using the GPU")));
    open.window.actions().stop_measuring();
    CHECK_FALSE(open.window.actions().measuring());
    REQUIRE(wait_for([&] { return !open.window.actions().busy(); }));
    CHECK_FALSE(open.document().hand().tree().nodes().back().measured);
}

QUIET_CASE("a measurement whose kernel was closed meanwhile still reaches the session it is of") {
    EditedWindow open;
    open.gpu.script["compare"] = {{"do", "slow"}, {"ms", 300}};
    open.gpu.use_in(open.window);
    QSignalSpy over(&open.window.actions(), &ScheduleActions::measuring_changed);
    open.key(Qt::Key_F8);
    REQUIRE(wait_for([&] { return !open.gpu.log().empty(); }));
    open.window.open_path(QString::fromStdString(sample("softmax.cubin")));
    REQUIRE(wait_for([&] { return over.count() == 2; }));
    CHECK(open.said().contains(QStringLiteral("against its original")));
    REQUIRE(open.measurements().size() == 1);
}

QUIET_CASE("Shift+F8 fills the strip with what the GPU measured at every legal place") {
    EditedWindow open;
    SlotRange range;
    const InstrId id = movable(open.document(), &range);
    REQUIRE(id != kNone);
    const Schedule hand = *open.document().pair().schedule(ScheduleSlot::Hand);
    const std::vector<Position> places = others(range, hand.position_of(id));
    // Known figures: the second place is the best, and a fault is one place's own.
    const auto moved = [&](Position p) {
        Schedule schedule(hand);
        schedule.move(id, p);
        return ScriptedGpu::image_of(schedule);
    };
    open.gpu.script["default"] = {{"do", "ok"}, {"log_speedup", -0.01}};
    open.gpu.script["candidates"][moved(places[1])] = {{"do", "ok"}, {"log_speedup", 0.04}};
    open.gpu.script["candidates"][moved(places[2])] = {{"do", "fault"}};
    open.gpu.use_in(open.window);
    open.window.selection().select(id);
    PlaceTrial* trial = open.window.hand_tools().trial();
    QSignalSpy finished(trial, &PlaceTrial::finished);
    open.key(Qt::Key_F8, Qt::ShiftModifier);
    REQUIRE(wait_for([&] { return finished.count() == 1; }));
    const PlaceHeat& heat = *trial->heat();
    CHECK(heat.evaluator.kind == EvaluatorKind::Gpu);
    CHECK(heat.done == places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        INFO("place " << i);
        REQUIRE(heat.at(places[i]) != nullptr);
        const Outcome& o = *heat.at(places[i]);
        if (i == 2) {
            CHECK(o.kind == OutcomeKind::Fault);
            continue;
        }
        REQUIRE(o.ok());
        CHECK(o.speedup.log == Approx(i == 1 ? 0.04 : -0.01));
    }
    CHECK(heat.best() == places[1]);
    CHECK(open.said().contains(QStringLiteral("measured on Scripted GPU")));
    CHECK(open.said().contains(
        QStringLiteral("fault at 0x%1").arg(places[2] * kWordBytes, 4, 16, QLatin1Char('0'))));
    const Gutter* gutter = open.window.compare_view().pane(Side::Right)->gutter();
    bool named = false;
    for (const auto& [x, caption] : gutter->captions())
        named = named || caption == QStringLiteral("GPU: here");
    CHECK(named);
    // The button of the message moves it to the best place.
    for (QPushButton* button : open.window.messages().findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("Move here")) QTest::mouseClick(button, Qt::LeftButton);
    CHECK(open.document().pair().schedule(ScheduleSlot::Hand)->position_of(id) == places[1]);
}

QUIET_CASE("a GPU that cannot be prepared or is lost ends the trial with its reason") {
    EditedWindow open;
    SlotRange range;
    open.window.selection().select(movable(open.document(), &range));
    PlaceTrial* trial = open.window.hand_tools().trial();
    QSignalSpy failed(trial, &PlaceTrial::failed);
    open.gpu.script["refuse"] = "the workload makes no sense";
    open.gpu.use_in(open.window);
    open.key(Qt::Key_F8, Qt::ShiftModifier);
    REQUIRE(wait_for([&] { return failed.count() == 1; }));
    CHECK(open.said().contains(QStringLiteral("the workload makes no sense")));
    CHECK_FALSE(trial->running());
    open.gpu.script.erase("refuse");
    open.gpu.script["die_after"] = 0;  // gone without a word at each candidate
    open.gpu.use_in(open.window);
    QSignalSpy finished(trial, &PlaceTrial::finished);
    open.key(Qt::Key_F8, Qt::ShiftModifier);
    REQUIRE(wait_for([&] { return failed.count() + finished.count() == 2; }));
    CHECK((open.said().contains(QStringLiteral("not tried")) ||
           open.said().contains(QStringLiteral("worker-lost"))));
}
