// SPDX-License-Identifier: GPL-3.0-or-later
// What leaves the window, and what goes wrong beside it: no export takes the place of a file that is open, a
// job that throws ends alone, and names are shown as they are, whatever is in them.
#include <unistd.h>
#include <QDir>
#include <QFile>
#include <QMessageBox>

#include <QSignalSpy>
#include <QTableView>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <semaphore>
#include <thread>

#include "core/store/session.h"
#include "tests/ui/window_support.h"
#include "ui/base/job_runner.h"
#include "ui/graph/graph_toolbar.h"
#include "ui/run/reward_chart.h"
#include "ui/sessions/session_browser.h"
#include "ui/shell/exports.h"
#include "ui/shell/recovery.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;
namespace fs = std::filesystem;

// Memory of exactly this many bytes is refused to every thread but the main one.
static std::atomic<std::size_t> g_refused_bytes{0};

void* operator new(std::size_t bytes) {
    const bool refused = bytes != 0 && bytes == g_refused_bytes.load() && ::gettid() != ::getpid();
    void* memory = refused ? nullptr : std::malloc(bytes);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace {

// A copy of a sample with all that lies beside it.
fs::path copied(const fs::path& folder, const std::string& sample_name, const std::string& name) {
    for (const char* ending : {".cubin", ".workload.json", ".listing"}) {
        const fs::path from = sample(sample_name + ending);
        if (fs::exists(from)) fs::copy_file(from, folder / (name + ending));
    }
    return folder / (name + ".cubin");
}

void run_to_the_end(MainWindow& window, const QString& steps) {
    QSignalSpy finished(&window.controller(), &RunController::finished);
    const RunRequest request = model_run(steps, QStringLiteral("random"));
    window.start_agent(request);
    REQUIRE(wait_for([&] { return finished.count() == 1 && window.jobs().idle(); }));
}

struct Ways {
    explicit Ways(MainWindow& main) : window(main) {}

    // Every way by which the window writes a file that the user names; true: it was written.
    std::vector<std::pair<std::string, std::function<bool(const fs::path&, Replace)>>> all() {
        using Kind = ExportKind;
        std::vector<std::pair<std::string, std::function<bool(const fs::path&, Replace)>>> ways;
        for (const auto& [name, slot] :
             {std::pair{"best", ScheduleSlot::Best}, std::pair{"hand", ScheduleSlot::Hand}})
            ways.emplace_back(name, [this, slot = slot](const fs::path& path, Replace replace) {
                QSignalSpy done(&window.actions(), &ScheduleActions::exported);
                QSignalSpy failed(&window.actions(), &ScheduleActions::export_failed);
                window.actions().export_to(slot, QString::fromStdString(path.string()), replace);
                REQUIRE(wait_for([&] { return done.count() + failed.count() == 1; }));
                return done.count() == 1;
            });
        for (const auto& [name, kind] : {std::pair{"listing", Kind::Listing}, std::pair{"diff", Kind::Diff},
                                         std::pair{"csv", Kind::Csv}, std::pair{"report", Kind::Report}})
            ways.emplace_back(name, [this, kind = kind](const fs::path& path, Replace replace) {
                Exports& exports = window.exports();
                QSignalSpy done(&exports, &Exports::exported), failed(&exports, &Exports::failed);
                exports.export_to(kind, QString::fromStdString(path.string()), replace);
                REQUIRE(wait_for([&] { return done.count() + failed.count() == 1; }));
                return done.count() == 1;
            });
        ways.emplace_back("curves", [this](const fs::path& path, Replace replace) {
            return closed_boxes(
                window.findChild<RewardChart*>()->export_to(QString::fromStdString(path.string()), replace));
        });
        ways.emplace_back("graph", [this](const fs::path& path, Replace replace) {
            return closed_boxes(
                window.findChild<GraphToolbar*>()->export_to(QString::fromStdString(path.string()), replace));
        });
        return ways;
    }
    static bool closed_boxes(bool answer) {
        for (QWidget* top : QApplication::topLevelWidgets())
            if (auto* box = qobject_cast<QMessageBox*>(top)) box->close();
        return answer;
    }

    MainWindow& window;
};

QStringList journals_in(const QString& folder) {
    return QDir(folder).entryList({QStringLiteral("window-*.json")}, QDir::Files);
}

}  // namespace

QUIET_CASE("no way out of the window takes the place of a file that is open", "[exports]") {
    OpenWindow open("");
    MainWindow& window = open.window;
    const fs::path folder = open.folder.path().toStdString();
    const fs::path cubin = copied(folder, "bmm_mma", "bmm");
    window.controller().set_session_path(folder / "s.db");
    window.open_path(QString::fromStdString(cubin.string()));
    REQUIRE(wait_for([&] { return window.document().is_open() && window.document().hand().can_edit(); }));
    run_to_the_end(window, QStringLiteral("60steps"));

    fs::create_hard_link(cubin, folder / "hard.cubin");
    fs::create_symlink(cubin, folder / "link.cubin");
    MainWindow other;  // what is open anywhere in the program
    const fs::path second = copied(folder, "rmsnorm", "second");
    other.open_path(QString::fromStdString(second.string()));
    REQUIRE(wait_for([&] { return other.document().is_open(); }));

    std::map<std::string, std::string> before;
    for (const auto& entry : fs::directory_iterator(folder))
        before[entry.path().filename().string()] = bytes_of(entry.path().string());
    REQUIRE(before.size() >= 8);
    Ways ways(window);
    for (const auto& [name, write] : ways.all())
        for (const char* file : {"bmm.cubin", "hard.cubin", "link.cubin", "bmm.workload.json", "bmm.listing",
                                 "s.db", "s.db-wal", "second.cubin", "second.workload.json"}) {
            INFO(name << " to " << file);
            CHECK_FALSE(write(folder / file, Replace::Confirmed));
        }
    for (const auto& [file, bytes] : before) {
        INFO(file);
        if (file.rfind("s.db", 0) != 0) CHECK(bytes_of((folder / file).string()) == bytes);
    }
    CHECK(SessionReader::open(folder / "s.db"));
    CHECK(fs::is_symlink(folder / "link.cubin"));
}

QUIET_CASE("of files that exist an export replaces its own, others when somebody said yes", "[exports]") {
    OpenWindow open;
    MainWindow& window = open.window;
    const fs::path folder = open.folder.path().toStdString();
    window.controller().set_session_path(folder / "s.db");
    run_to_the_end(window, QStringLiteral("60steps"));
    Ways ways(window);
    int number = 0;
    for (const auto& [name, write] : ways.all()) {
        INFO(name);
        const fs::path stranger = folder / ("letter" + std::to_string(++number));
        std::ofstream(stranger) << "Dear Sir or Madam";
        CHECK_FALSE(write(stranger, Replace::OwnOnly));
        CHECK(bytes_of(stranger.string()) == "Dear Sir or Madam");
        CHECK(write(stranger, Replace::Confirmed));
        CHECK(bytes_of(stranger.string()) != "Dear Sir or Madam");
        // Pictures and curves bear no mark; the others know their own.
        CHECK(write(stranger, Replace::OwnOnly) == (name != "curves" && name != "graph"));
        // A link is replaced, never the file behind it.
        const fs::path kept = folder / ("kept" + std::to_string(number)), link = kept.string() + ".link";
        std::ofstream(kept) << "kept";
        fs::create_symlink(kept, link);
        CHECK_FALSE(write(link, Replace::OwnOnly));
        CHECK(write(link, Replace::Confirmed));
        CHECK(bytes_of(kept.string()) == "kept");
        CHECK_FALSE(fs::is_symlink(link));
    }
}

TEST_CASE("a job that throws ends alone: its error is the answer, or is said", "[jobs]") {
    JobRunner jobs;
    QSignalSpy broke(&jobs, &JobRunner::broke);
    std::vector<std::string> answers;
    constexpr auto kScope = JobRunner::Scope::Kernel;
    constexpr auto kLane = JobRunner::Lane::Log;  // one thread: the answers have an order
    jobs.run<Result<int>>(
        QStringLiteral("answers"), [](std::stop_token) -> Result<int> { throw std::bad_alloc(); },
        [&](Result<int> answer) { answers.push_back(answer ? "" : answer.error().message()); }, kScope,
        kLane);
    jobs.run<int>(
        QStringLiteral("has none"), [](std::stop_token) -> int { throw std::runtime_error("stray"); },
        [&](int) { answers.emplace_back("of the second"); }, kScope, kLane);
    jobs.run_always([](std::stop_token) { throw std::runtime_error("stray"); },
                    [&] { answers.emplace_back("of the third"); }, kScope, kLane);
    jobs.run<int>(
        QStringLiteral("after them"), [](std::stop_token) { return 4; },
        [&](int four) { answers.push_back(std::to_string(four)); }, kScope, kLane);
    REQUIRE(wait_for([&] { return jobs.idle(); }));
    REQUIRE(answers.size() == 2);
    CHECK(answers[0].find("out of memory") != std::string::npos);
    CHECK(answers[1] == "4");
    REQUIRE(broke.count() == 3);
    CHECK(broke[0][2].toBool());
    CHECK_FALSE(broke[1][2].toBool());
    CHECK_FALSE(broke[2][2].toBool());
}

TEST_CASE("jobs that hold every other lane do not delay a fast job", "[jobs]") {
    using Lane = JobRunner::Lane;
    JobRunner jobs;
    std::atomic<bool> held = true;
    for (const Lane lane : {Lane::Log, Lane::Gpu, Lane::Slow, Lane::Dialog})
        for (int i = 0; i < 8; ++i)
            jobs.run_always([&](std::stop_token) { held.wait(true); }, {}, JobRunner::Scope::Window, lane);
    bool done = false;
    jobs.run<int>(
        QStringLiteral("short"), [](std::stop_token) { return 1; }, [&](int) { done = true; });
    CHECK(wait_for([&] { return done; }));
    for (const Lane lane : {Lane::Log, Lane::Gpu, Lane::Slow, Lane::Dialog})
        CHECK(jobs.busy(lane));
    CHECK_FALSE(jobs.busy(Lane::Fast));
    held = false;
    held.notify_all();
    REQUIRE(wait_for([&] { return jobs.idle(); }));
}

TEST_CASE("the GPU lane runs one job at a time", "[jobs]") {
    JobRunner jobs;
    std::atomic<int> together = 0, most = 0;
    for (int i = 0; i < 6; ++i)
        jobs.run<int>(
            i % 2 == 0 ? QStringLiteral("measure") : QStringLiteral("places"),
            [&](std::stop_token) {
                most = std::max(most.load(), ++together);
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
                return --together;
            },
            {}, JobRunner::Scope::Window, JobRunner::Lane::Gpu);
    REQUIRE(wait_for([&] { return jobs.idle(); }));
    CHECK(most == 1);
}

TEST_CASE("a dialog that is destroyed does not wait for its job, which is asked to stop", "[jobs]") {
    JobRunner jobs;
    std::binary_semaphore begun(0), let_go(0);
    std::atomic<bool> told = false;
    bool delivered = false;
    {
        DialogJob dialog(jobs, QStringLiteral("campaign"));
        dialog.start<int>(
            [&](std::stop_token stop) {
                begun.release();
                let_go.acquire();
                told = stop.stop_requested();
                return 1;
            },
            [&](int) { delivered = true; });
        begun.acquire();
    }
    CHECK(jobs.busy(JobRunner::Lane::Dialog));  // it still ends
    let_go.release();
    REQUIRE(wait_for([&] { return jobs.idle(); }));
    CHECK(told);
    CHECK_FALSE(delivered);
}

TEST_CASE("a dialog's job that was asked to stop still gives its answer", "[jobs]") {
    JobRunner jobs;
    const auto stopped = [](std::stop_token stop) {
        while (!stop.stop_requested())
            std::this_thread::yield();
        return 7;
    };
    for (const bool by_window : {false, true}) {
        DialogJob dialog(jobs, QStringLiteral("profile"));
        int answer = 0;
        dialog.start<int>(stopped, [&](int given) { answer = given; });
        CHECK(dialog.running());
        if (by_window)
            jobs.request_stop(JobRunner::Lane::Dialog);
        else
            dialog.stop();
        REQUIRE(wait_for([&] { return answer == 7; }));
        CHECK_FALSE(dialog.running());
    }
}

QUIET_CASE("a job of the window that throws: a message, a saved journal, and the window goes on", "[jobs]") {
    OpenWindow open;
    MainWindow& window = open.window;
    window.controller().set_session_path(open.path("s.db").toStdString());
    InstrId id = 0;
    while (window.document().pair().schedule(ScheduleSlot::Hand)->control(id).stall < 1 ||
           window.document().pair().schedule(ScheduleSlot::Hand)->control(id).stall > 5)
        ++id;
    window.selection().select(id);
    open.key(Qt::Key_Up, Qt::ControlModifier);
    REQUIRE(window.document().hand().tree().can_undo());
    window.jobs().run<int>(QStringLiteral("strays"),
                           [](std::stop_token) -> int { throw std::runtime_error("no such thing"); }, {});
    REQUIRE(
        wait_for([&] { return window.messages().newest_text().contains(QStringLiteral("no such thing")); }));
    CHECK(window.messages().newest_text().contains(QStringLiteral("out of date")));
    REQUIRE(wait_for([&] {
        for (const QString& name : journals_in(recovery_folder())) {
            QFile file(recovery_folder() + QLatin1Char('/') + name);
            WindowMemory memory;
            if (file.open(QIODevice::ReadOnly) && WindowMemory::from_json(file.readAll(), &memory) &&
                memory.edits.size() == 1 && memory.selected == static_cast<qint64>(id))
                return true;
        }
        return false;
    }));

    // The thread of a run: out of memory where it takes over its settings.
    QSignalSpy failed(&window.controller(), &RunController::failed);
    RunRequest request;
    request.only_reschedules = true;
    request.agent = QStringLiteral("random");
    request.evaluator = EvaluatorPolicy::Model;
    request.budget = QStringLiteral("50steps");
    request.agent_settings = QStringLiteral("{") + QString(1'234'567, QLatin1Char(' ')) + QStringLiteral("}");
    g_refused_bytes = static_cast<std::size_t>(request.agent_settings.size()) + 1;
    window.controller().start(request);
    REQUIRE(wait_for([&] { return failed.count() == 1; }));
    g_refused_bytes = 0;
    CHECK(window.controller().state() == RunState::Idle);
    CHECK(window.messages().newest_text().contains(QStringLiteral("out of memory")));

    run_to_the_end(window, QStringLiteral("50steps"));
    CHECK(window.controller().progress().steps == 50);
}

QUIET_CASE("names with %1 and %2 in them are shown as they are", "[names]") {
    const QTemporaryDir kept;
    const fs::path folder = kept.path().toStdString();
    const std::string name = "a%2b %1 %L3 %n[*]";
    {
        const QByteArray data = qgetenv("XDG_DATA_HOME");
        qputenv("XDG_DATA_HOME", (kept.path() + QStringLiteral("/data%2%3")).toLocal8Bit());
        const RecoveryJournal journal;
        CHECK(journal.path().startsWith(recovery_folder() + QStringLiteral("/window-")));
        qputenv("XDG_DATA_HOME", data);
    }
    fs::create_directory(folder / "sessions");
    {
        OpenWindow open("");
        MainWindow& window = open.window;
        const fs::path cubin = copied(folder, "bmm_mma", name);
        window.controller().set_session_path(folder / "sessions" / (name + ".db"));
        window.open_path(QString::fromStdString(cubin.string()));
        REQUIRE(wait_for([&] { return window.document().is_open() && window.document().hand().can_edit(); }));
        const KernelInfo& info = window.document().kernel()->info();
        const std::string title = "a%2b %1 %L3 %n[*][*].cubin - " + info.name + " (" +
                                  std::string(window.document().kernel()->arch().name()) + ", " +
                                  std::to_string(info.registers) + " registers) - CubinLab";
        CHECK(window.windowTitle().toStdString() == title);
        run_to_the_end(window, QStringLiteral("50steps"));
    }
    Settings().set_sessions_folder(QString::fromStdString((folder / "sessions").string()));
    OpenWindow browsing("");
    SessionBrowser* browser = browsing.window.show_sessions();
    REQUIRE(wait_for([&] { return browser->model().rowCount() == 1; }));
    browser->findChild<QTableView*>()->selectRow(0);
    browser->ask_and_delete();
    auto* box = required(browser->findChild<QMessageBox*>(QStringLiteral("delete_session")));
    CHECK(box->text().startsWith(QString::fromStdString(name + ".db\n")));
    CHECK(box->text().contains(QStringLiteral(", 50 steps, ")));
    box->close();
    browser->close();
    Settings().set_sessions_folder({});
}
