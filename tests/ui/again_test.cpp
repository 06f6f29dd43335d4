// SPDX-License-Identifier: GPL-3.0-or-later
// What a run on a GPU ends with in the window: its best once more in fresh processes, with a scripted worker in the
// GPU's place.
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "core/store/sqlite.h"
#include "tests/ui/scripted_gpu.h"
#include "ui/base/fitting_label.h"
#include "ui/base/settings.h"
#include "ui/base/theme.h"
#include "ui/sessions/session_browser.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

// A window in which greedy has run on a GPU that gives every schedule another figure.
struct RunOnGpu : OpenWindow {
    ScriptedGpu gpu{path("gpu")};

    explicit RunOnGpu(const nlohmann::json& compare, const std::string& file = sample("bmm_mma.cubin"))
        : OpenWindow("") {
        window.open_path(QString::fromStdString(file));
        REQUIRE(wait_for([&] { return window.document().is_open() && window.document().hand().can_edit(); }));
        gpu.script["default"] = {{"do", "hashed"}};
        gpu.script["compare"] = compare;
        window.controller().set_session_path(path("s.db").toStdString());
        gpu.use_in(window);
    }
    void run() {
        run_steps_on_gpu("200steps");
        REQUIRE(summary.best_step > 0);
    }
    void run_steps_on_gpu(const char* budget) {
        RunRequest request;
        request.only_reschedules = true;
        request.agent = QStringLiteral("greedy");
        request.evaluator = EvaluatorPolicy::Gpu;
        request.budget = QLatin1String(budget);
        QSignalSpy over(&window.controller(), &RunController::finished);
        window.start_agent(request);
        REQUIRE(wait_for([&] { return over.count() == 1; }));
        summary = over[0][0].value<RunSummary>();
    }
    QString said() { return window.messages().newest_text(); }
    bool free() { return !window.actions().measuring() && !window.actions().busy(); }

    RunSummary summary;
};

// bmm_mma with a shape "short" beside it.
std::string with_a_shape(const QTemporaryDir& folder) {
    const QString cubin = folder.filePath(QStringLiteral("k.cubin"));
    QFile::copy(QString::fromStdString(sample("bmm_mma.cubin")), cubin);
    std::ifstream in(sample("bmm_mma.workload.json"));
    auto workload = nlohmann::json::parse(in, nullptr, true, true);
    workload["shapes"] = {{{"name", "short"}, {"about", "the same launch"}}};
    std::ofstream(folder.filePath(QStringLiteral("k.workload.json")).toStdString()) << workload;
    return cubin.toStdString();
}

FittingLabel* facts_beside_start(const MainWindow& window) {
    for (FittingLabel* label : window.findChildren<FittingLabel*>())
        if (label->accessibleName() == QStringLiteral("Progress of the run")) return label;
    return nullptr;
}

}  // namespace

QUIET_CASE("a run whose candidates all failed is told as that, and its log is one click away") {
    RunOnGpu open({});
    open.gpu.script["default"] = {{"do", "wrong"}};
    open.gpu.use_in(open.window);
    open.run_steps_on_gpu("20steps");
    REQUIRE(open.summary.failed == open.summary.steps);
    CHECK(open.said().contains(QStringLiteral("All candidates failed")));
    CHECK_FALSE(open.said().contains(QStringLiteral("No improvement")));
}

QUIET_CASE(
    "a run on a GPU ends with its best measured in fresh processes: said, kept, and what an export says") {
    RunOnGpu open(nlohmann::json{{"do", "ok"}, {"log_speedup", 0.01}});
    open.run();
    CHECK(open.window.actions().measuring());
    CHECK(open.said().contains(QStringLiteral("Re-measuring the best")));
    REQUIRE(wait_for([&] { return open.free(); }));
    CHECK(open.said().contains(QStringLiteral("The best of the run in fresh processes")));
    CHECK(open.said().contains(QStringLiteral("1.0101x")));  // e^0.01
    CHECK(open.said().contains(QStringLiteral("6 fresh loads of each")));
    // And no other figure stands beside Start.
    const FittingLabel* facts = required(facts_beside_start(open.window));
    REQUIRE(
        wait_for([&] { return facts->text().contains(QStringLiteral("best 1.0101x in fresh processes")); }));
    QSignalSpy exported(&open.window.actions(), &ScheduleActions::exported);
    open.window.actions().export_to(ScheduleSlot::Best, open.path("out.cubin"));
    REQUIRE(wait_for([&] { return exported.count() == 1; }));
    CHECK(exported[0][1].toString().contains(QStringLiteral("measured: 1.0101x")));
    auto reader = required(SessionReader::open(open.path("s.db").toStdString()));
    const auto records = required((*reader)->measurements(0));
    REQUIRE(records->size() == 1);
    CHECK(records->front().step == open.summary.best_step);
    CHECK(records->front().purpose == "again");
    // And so the list of sessions has it.
    SessionModel sessions;
    sessions.set_sessions({summarise_session(open.path("s.db").toStdString())});
    const QModelIndex best = sessions.index(0, SessionModel::BestColumn);
    CHECK(best.data().toString() == QStringLiteral("1.0101x re-measured"));
    CHECK(best.data(Qt::ToolTipRole).toString().contains(QStringLiteral("the run's own figure")));
}

QUIET_CASE("a best that does not run well in a fresh process is told as an error") {
    RunOnGpu open(nlohmann::json{{"do", "wrong"}});
    open.run();
    REQUIRE(wait_for([&] { return open.free(); }));
    CHECK(open.said().contains(QStringLiteral("wrong-result")));
    CHECK(open.window.messages().count() == 1);  // "Run finished. Best: ..." is not left next to it
    FittingLabel* facts = required(facts_beside_start(open.window));
    REQUIRE(wait_for([&] { return facts->text().contains(QStringLiteral("failed")); }));
    // Where a figure has room, that has too.
    facts->setContentsMargins({});
    facts->resize(facts->fontMetrics().horizontalAdvance(QStringLiteral("model 1.0000x MM")),
                  facts->height());
    CHECK(facts->shown_text().contains(QStringLiteral("failed")));
}

QUIET_CASE("a best that is slower in fresh processes is not told in green, nor beside the run's own figure") {
    RunOnGpu open(nlohmann::json{{"do", "ok"}, {"log_speedup", -0.02}});
    open.run();
    REQUIRE(wait_for([&] { return open.free(); }));
    CHECK(open.said().contains(QStringLiteral("SLOWER")));
    CHECK(open.window.messages().count() == 1);
    const auto* item = required(open.window.messages().findChild<QWidget*>(QStringLiteral("message_item")));
    CHECK_FALSE(item->styleSheet().contains(Theme::instance().colors().good.name()));
    CHECK(item->styleSheet().contains(Theme::instance().colors().warn.name()));
}

QUIET_CASE("measuring the best once more can be stopped, and switched off") {
    RunOnGpu open(nlohmann::json{{"do", "slow"}, {"ms", 20000}});
    open.run();
    REQUIRE(wait_for([&] { return !open.gpu.log().empty(); }));
    open.window.actions().stop_measuring();
    CHECK_FALSE(open.window.actions().measuring());
    REQUIRE(wait_for([&] { return open.free(); }));
    Settings().measure_again.set(false);
    open.run();
    CHECK_FALSE(open.window.actions().measuring());
    CHECK(open.said().contains(QStringLiteral("Measured by the search process only.")));
    Settings().measure_again.set(true);
}

QUIET_CASE("F8 measures no run of a session over another workload than the run's own") {
    const QTemporaryDir files;
    const std::string session = files.filePath(QStringLiteral("two.db")).toStdString();
    const nlohmann::json compare = {{"do", "ok"}, {"log_speedup", 0.03}};
    {
        RunOnGpu open(compare, with_a_shape(files));
        open.window.controller().set_session_path(session);
        open.run();
        REQUIRE(wait_for([&] { return open.free(); }));
    }
    {  // as a later run over an edited workload leaves it
        auto database = required(sqlite::Database::open(session, sqlite::Mode::ReadWrite));
        REQUIRE(
            database->exec("INSERT INTO workloads (kernel, json) SELECT kernel, replace(json, 'short', "
                           "'tiny') FROM workloads"));
    }
    RunOnGpu open(compare, session);
    REQUIRE(wait_for([&] { return open.window.document().pair().schedule(ScheduleSlot::Best) != nullptr; }));
    open.window.actions().measure(ScheduleSlot::Best);
    REQUIRE(wait_for([&] { return open.free() && open.said().contains(QStringLiteral("Not measured")); }));
    CHECK(open.said().contains(QStringLiteral("run 1 is of the launches first")));
    CHECK(open.said().contains(QStringLiteral("--run 1")));
    auto reader = required(SessionReader::open(session));
    CHECK((*reader)->measurements(0)->size() == 1);  // the end of the run
}

QUIET_CASE("a measurement goes on when another kernel is opened, says so, and can still be stopped") {
    const auto left_for_another = [](RunOnGpu& open) {
        GpuSettings patient = open.window.controller().gpu_settings();
        patient.silence = patient.hang_after = std::chrono::minutes(1);
        open.window.controller().set_gpu_settings(patient);
        open.run();
        REQUIRE(wait_for([&] { return !open.gpu.log().empty() && open.window.actions().outlives_kernel(); }));
        const QString next = QString::fromStdString(sample("softmax.cubin"));
        open.window.open_path(next);
        REQUIRE(wait_for([&] {
            return open.window.document().is_open() &&
                   QString::fromStdString(open.window.document().path().string()) == next;
        }));
        CHECK(open.window.actions().measuring());
        CHECK(open.window.messages().count() == 2);  // what was closed, and what is under way with its Stop
        CHECK(open.said().contains(QStringLiteral("The measurement continues")));
    };
    {
        RunOnGpu open(nlohmann::json{{"do", "slow"}, {"ms", 400}, {"log_speedup", 0.01}});
        left_for_another(open);
        REQUIRE(wait_for([&] { return open.free(); }));
        CHECK(open.said().contains(QStringLiteral("The best of the run of")));
        REQUIRE(wait_for([&] {  // it is written behind what is said
            auto reader = SessionReader::open(open.path("s.db").toStdString());
            if (!reader) return false;
            const auto records = (*reader)->measurements(0);
            return records && records->size() == 1;
        }));
    }
    RunOnGpu open(nlohmann::json{{"do", "slow"}, {"ms", 20000}});
    left_for_another(open);
    open.window.actions().stop_measuring();
    CHECK_FALSE(open.window.actions().measuring());
    CHECK(open.window.messages().count() == 1);
    REQUIRE(wait_for([&] { return open.free(); }));
}
