// SPDX-License-Identifier: GPL-3.0-or-later
// File > Tune all kernels in a folder, on kernels that were captured from small programs on the stand-in driver.
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QProcessEnvironment>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

#include "core/base/file.h"
#include "core/store/session.h"
#include "tests/ui/stand_in_driver.h"
#include "tests/ui/window_support.h"
#include "ui/sessions/campaign_window.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

struct OpenedCampaign {
    StandInDriver driver;
    OpenWindow open{""};
    CampaignWindow* campaign = nullptr;

    OpenedCampaign() {
        open.window.commands()[QStringLiteral("file.campaign")]->trigger();
        campaign = open.window.show_campaign();
        REQUIRE(campaign->isVisible());
        campaign->set_program(kProgram.toStdString());
    }
    // As the command line captures it.
    void capture(const char* scenario, const std::string& image, const char* kernel) const {
        QProcess made;
        made.start(
            kProgram,
            {QStringLiteral("capture"), QStringLiteral("-o"), folder(), QStringLiteral("--force"),
             QStringLiteral("--kernel"), QString::fromLatin1(kernel), QStringLiteral("--"),
             kTests + QStringLiteral("/inject_host"), QStringLiteral("getproc"),
             QString::fromLatin1(scenario), QString::fromStdString(image), QString::fromLatin1(kernel)});
        REQUIRE(wait_for([&] { return made.state() == QProcess::NotRunning; }));
        REQUIRE(made.exitCode() == 0);
    }
    QString folder() const { return open.path("captured"); }
    // The log of a kernel has a better schedule.
    bool has_a_best() const {
        const QDir sessions(folder() + QStringLiteral("/campaign"));
        for (const QString& name : sessions.entryList({QStringLiteral("*.db")})) {
            const auto reader = SessionReader::open(sessions.filePath(name).toStdString());
            const auto run = reader ? (*reader)->run(0) : Result<RunInfo>(fail(reader.error()));
            if (run && run->best_step != 0) return true;
        }
        return false;
    }
    template <class T>
    T* part(const char* name) const {
        return campaign->findChild<T*>(QString::fromLatin1(name));
    }
    QPushButton* button(const char* name) const { return part<QPushButton>(name); }
    QString cell(int row, int column) const { return campaign->model().index(row, column).data().toString(); }
    bool in_state(int row, const char* state) const {
        return cell(row, CampaignModel::State).startsWith(QString::fromLatin1(state));
    }
    void choose(const QString& folder, const QString& budget, int rows) const {
        part<QLineEdit>("campaign_budget")->setText(budget);
        campaign->set_folder(folder);
        REQUIRE(wait_for([&] { return campaign->model().rowCount() == rows; }));
    }
    void start_and_wait() const {
        QTest::mouseClick(button("campaign_start"), Qt::LeftButton);
        REQUIRE(campaign->running());
        REQUIRE(wait_for([&] { return !campaign->running(); }));
        // What it left is read once more.
        QSignalSpy looked(campaign, &CampaignWindow::looked);
        REQUIRE(wait_for([&] { return looked.count() > 0; }));
    }
};

const std::string kMma = std::string(CUBINLAB_TEST_DATA) + "/cubins/k2.90a.cubin";

}  // namespace

QUIET_CASE("a campaign's table grows from waiting to done, goes on with more, and its sessions open") {
    OpenedCampaign opened;
    opened.capture("many", sample("softmax.cubin"), "softmax");
    opened.capture("module", kMma, "k_mma");
    REQUIRE(write_text(opened.folder().toStdString() + "/broken.cubin", "no cubin"));
    REQUIRE(write_text(opened.folder().toStdString() + "/broken.workload.json", R"({"kernel": "broken"})"));
    opened.choose(opened.folder(), QStringLiteral("60steps"), 3);
    CHECK(opened.cell(0, CampaignModel::KernelName) == QStringLiteral("softmax"));
    CHECK(opened.cell(0, CampaignModel::Launches).remove(QChar(0x202F)) == QStringLiteral("3012"));
    for (int row = 0; row < 3; ++row)
        CHECK(opened.in_state(row, "waiting"));
    CHECK_FALSE(opened.button("campaign_open")->isEnabled());
    CHECK_FALSE(opened.button("campaign_report")->isEnabled());
    opened.start_and_wait();
    const std::vector<CampaignRow> rows = opened.campaign->model().rows();
    for (int row = 0; row < 3; ++row) {
        const CampaignRow& one = rows[static_cast<std::size_t>(row)];
        // The cell says what the core says, and claims a gain where the core does.
        CHECK(opened.cell(row, CampaignModel::Gain).toStdString() == gain_text(one));
        CHECK(opened.campaign->model().index(row, CampaignModel::Gain).data(Qt::ForegroundRole).isValid() ==
              one.gain);
        if (one.kernel.name == "broken") {
            CHECK(opened.cell(row, CampaignModel::State).startsWith(QStringLiteral("failed: ")));
        } else {
            CHECK(opened.in_state(row, "done"));
            CHECK(one.measured);
        }
    }
    CHECK(opened.part<QLabel>("campaign_note")
              ->text()
              .contains(QStringLiteral("2 of 3 kernels done, 1 failed")));
    CHECK(opened.button("campaign_start")->text() == QStringLiteral("&Resume"));
    CHECK(opened.button("campaign_report")->isEnabled());
    // More of the budget: the same sessions go on.
    const std::uint64_t before = rows[0].state.spent;
    opened.part<QLineEdit>("campaign_budget")->setText(QStringLiteral("90steps"));
    opened.start_and_wait();
    REQUIRE(wait_for([&] { return opened.campaign->model().rows()[0].state.spent > before; }));
    CHECK(opened.in_state(0, "done"));
    // It counts steps, whatever budget is typed before it is looked at.
    opened.part<QLineEdit>("campaign_budget")->setText(QStringLiteral("10m"));
    REQUIRE(wait_for(
        [&] { return opened.part<QLineEdit>("campaign_budget")->text().endsWith(QStringLiteral("steps")); }));
    CHECK(opened.cell(0, CampaignModel::Spent).endsWith(QStringLiteral("steps")));
    opened.part<QTableView>("campaign_table")->selectRow(0);
    REQUIRE(opened.button("campaign_open")->isEnabled());
    QTest::mouseClick(opened.button("campaign_open"), Qt::LeftButton);
    REQUIRE(wait_for([&] { return opened.open.window.document().is_open(); }));
    CHECK(opened.open.window.document().kernel()->name() == "softmax");
    opened.open.window.settings().forget_recent();
}

QUIET_CASE(
    "a campaign's folder opens again with the budget that it was given, and one runs there at a time") {
    OpenedCampaign opened;
    opened.capture("many", sample("softmax.cubin"), "softmax");
    REQUIRE(QFile::copy(opened.folder() + QStringLiteral("/softmax.cubin"),
                        opened.folder() + QStringLiteral("/softmax_again.cubin")));
    REQUIRE(QFile::copy(opened.folder() + QStringLiteral("/softmax.workload.json"),
                        opened.folder() + QStringLiteral("/softmax_again.workload.json")));
    auto* budget = opened.part<QLineEdit>("campaign_budget");
    opened.choose(opened.folder(), QStringLiteral("60m"), 2);
    QStringList names = {opened.cell(0, CampaignModel::KernelName),
                         opened.cell(1, CampaignModel::KernelName)};
    names.sort();
    CHECK(names ==
          QStringList{QStringLiteral("softmax (softmax)"), QStringLiteral("softmax (softmax_again)")});
    QTest::mouseClick(opened.button("campaign_start"), Qt::LeftButton);
    REQUIRE(wait_for([&] { return opened.in_state(0, "running") || opened.in_state(1, "running"); }));
    // From a terminal, meanwhile.
    QProcess second;
    second.start(kProgram, {QStringLiteral("campaign"), opened.folder(), QStringLiteral("--budget"),
                            QStringLiteral("3h"), QStringLiteral("--json")});
    REQUIRE(wait_for([&] { return second.state() == QProcess::NotRunning; }));
    CHECK(second.exitCode() == 2);
    CHECK(second.readAllStandardOutput().contains("wait until it ends, or stop it"));
    QTest::mouseClick(opened.button("campaign_stop"), Qt::LeftButton);
    REQUIRE(wait_for([&] { return !opened.campaign->running(); }));
    REQUIRE(wait_for([&] {
        return opened.part<QLabel>("campaign_note")
            ->text()
            .contains(QStringLiteral("0 of 2 kernels done, 1 interrupted, 1 waiting."));
    }));
    // As a new window that has another budget in its field.
    opened.choose(opened.open.path("elsewhere"), QStringLiteral("10m"), 0);
    opened.choose(opened.folder(), QStringLiteral("10m"), 2);
    REQUIRE(wait_for([&] { return budget->text() == QStringLiteral("1h"); }));
    // What is typed then holds.
    budget->selectAll();
    QTest::keyClicks(budget, QStringLiteral("2h"));
    QSignalSpy looked(opened.campaign, &CampaignWindow::looked);
    REQUIRE(wait_for([&] { return looked.count() > 0; }));
    CHECK(budget->text() == QStringLiteral("2h"));
}

QUIET_CASE("a campaign is stopped with its best written, and the window may be closed while one runs") {
    auto opened = std::make_unique<OpenedCampaign>();
    opened->capture("many", sample("softmax.cubin"), "softmax");
    opened->choose(opened->folder(), QStringLiteral("200000steps"), 1);
    QTest::mouseClick(opened->button("campaign_start"), Qt::LeftButton);
    REQUIRE(wait_for([&] { return opened->in_state(0, "running"); }));
    CHECK_FALSE(opened->button("campaign_start")->isEnabled());
    CHECK(opened->campaign->focusWidget() == opened->part<QTableView>("campaign_table"));
    // Closed and shown again, it is the same one.
    opened->campaign->close();
    opened->open.window.commands()[QStringLiteral("file.campaign")]->trigger();
    CHECK(opened->campaign->isVisible());
    CHECK(opened->campaign->running());
    REQUIRE(wait_for([&] { return opened->has_a_best(); }));
    QTest::mouseClick(opened->button("campaign_stop"), Qt::LeftButton);
    REQUIRE(wait_for([&] { return !opened->campaign->running(); }));
    REQUIRE(wait_for([&] { return opened->in_state(0, "interrupted"); }));
    CHECK(opened->campaign->messages().newest_text().contains(QStringLiteral("Stopped")));
    CHECK(QFile::exists(opened->folder() + QStringLiteral("/campaign/softmax.best.cubin")));
    QTest::mouseClick(opened->button("campaign_start"), Qt::LeftButton);
    CHECK(opened->campaign->running());
    REQUIRE(wait_for([&] { return opened->in_state(0, "running"); }));
    delete opened->campaign;  // asks it to stop, and does not wait
    REQUIRE(wait_for([&] { return opened->open.window.jobs().idle(); }));
    CHECK(QFile::exists(opened->folder() + QStringLiteral("/campaign/softmax.best.cubin")));
    opened.reset();
}

QUIET_CASE("a program that is quit while its campaign runs lets the campaign end with its best written") {
    OpenedCampaign opened;
    opened.capture("many", sample("softmax.cubin"), "softmax");
    QProcess program;
    QProcessEnvironment around = QProcessEnvironment::systemEnvironment();
    around.insert(QStringLiteral("XDG_CONFIG_HOME"), opened.open.path("config"));
    around.insert(QStringLiteral("XDG_DATA_HOME"), opened.open.path("data"));
    program.setProcessEnvironment(around);
    program.start(
        kTests + QStringLiteral("/window_scene"),
        {QStringLiteral("--do"),
         QStringLiteral("file.campaign;type:campaign_budget=200000steps;type:campaign_folder=%1;keys:Return;"
                        "click:campaign_start;wait:5;file.quit")
             .arg(opened.folder()),
         QStringLiteral("--after"), QStringLiteral("0")});
    REQUIRE(wait_for([&] { return program.state() == QProcess::NotRunning; }));
    CHECK(program.exitStatus() == QProcess::NormalExit);
    CHECK(program.readAllStandardError().toStdString().find("QProcess") == std::string::npos);
    opened.choose(opened.folder(), QStringLiteral("200000steps"), 1);
    REQUIRE(wait_for([&] {
        opened.campaign->look();
        QTest::qWait(100);
        return opened.in_state(0, "interrupted");
    }));
    CHECK(QFile::exists(opened.folder() + QStringLiteral("/campaign/softmax.best.cubin")));
}

QUIET_CASE("a campaign's window says what is missing") {
    OpenedCampaign opened;
    const auto said = [&] { return opened.part<QLabel>("campaign_empty")->text(); };
    CHECK(said().startsWith(QStringLiteral("Choose a folder of captured kernels")));
    CHECK_FALSE(opened.button("campaign_start")->isEnabled());
    opened.campaign->set_folder(opened.open.folder.path());
    REQUIRE(wait_for([&] { return said().contains(QStringLiteral("contains no captured kernel")); }));
    opened.campaign->set_folder(QStringLiteral("/no/such/folder"));
    REQUIRE(wait_for([&] { return said().contains(QStringLiteral("cannot be read")); }));
    CHECK_FALSE(opened.button("campaign_start")->isEnabled());
    const auto ink = [&] {
        return opened.part<QLabel>("campaign_empty")->palette().color(QPalette::WindowText);
    };
    CHECK(ink() == Theme::instance().colors().bad);
    opened.campaign->set_folder({});
    REQUIRE(wait_for([&] { return ink() == Theme::instance().colors().text_dim; }));
    // Cubins alone: why, in the row, and what to do, once it is tried.
    const QString cubins = opened.open.path("cubins");
    REQUIRE(QDir().mkpath(cubins));
    REQUIRE(QFile::copy(QString::fromStdString(sample("softmax.cubin")),
                        cubins + QStringLiteral("/softmax.cubin")));
    opened.choose(cubins, QStringLiteral("5steps"), 1);
    CHECK(opened.cell(0, CampaignModel::State) == QStringLiteral("skipped: no workload next to it"));
    auto* table = opened.part<QTableView>("campaign_table");
    const QRect room = table->visualRect(opened.campaign->model().index(0, CampaignModel::State));
    CHECK(table->fontMetrics().horizontalAdvance(opened.cell(0, CampaignModel::State)) < room.width());
    // In the window's words, not the command line's.
    opened.part<QLineEdit>("campaign_kernel")->setText(QStringLiteral("no_such_kernel"));
    REQUIRE(
        wait_for([&] { return said().startsWith(QStringLiteral("Kernels: no captured kernel is called")); }));
    opened.part<QLineEdit>("campaign_budget")->setText(QStringLiteral("banana"));
    REQUIRE(wait_for([&] { return said().startsWith(QStringLiteral("Budget: 'banana' is not a budget")); }));
    opened.part<QLineEdit>("campaign_budget")->setText(QStringLiteral("5steps"));
    opened.part<QLineEdit>("campaign_kernel")->clear();
    REQUIRE(wait_for([&] { return opened.campaign->model().rowCount() == 1; }));
    opened.start_and_wait();
    const QString told = opened.campaign->messages().newest_text();
    CHECK(told.contains(QStringLiteral("Cannot start the campaign")));
    CHECK(told.contains(QStringLiteral("cubinlab workload init")));

    opened.capture("many", sample("softmax.cubin"), "softmax");
    opened.choose(opened.folder(), QStringLiteral("5steps"), 1);
    REQUIRE(wait_for([&] { return opened.in_state(0, "waiting"); }));
    CHECK(opened.campaign->messages().count() == 0);
    CHECK(table->columnSpan(0, CampaignModel::State) == 1);
    opened.campaign->set_program("/no/such/program");
    opened.start_and_wait();
    REQUIRE(wait_for([&] { return opened.in_state(0, "failed: cannot be started"); }));
    CHECK(opened.button("campaign_start")->isEnabled());
}
