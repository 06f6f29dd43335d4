// SPDX-License-Identifier: GPL-3.0-or-later
// Agent > Profile, around stand-ins of the profiler: one that answers with pages made here, and others for what goes wrong.
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QTableView>

#include "tests/ui/panels_warnings.h"
#include "tests/ui/window_support.h"
#include "ui/listing/gutter.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/profile_dialog.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

constexpr InstrId kHot = 0x127;
// A source page of the profiler: one sample of stall_wait at each line, and `hot` of stall_long_sb at one.
std::string page_of(const Schedule& schedule, int hot) {
    const Kernel& kernel = *schedule.kernel();
    std::string text = "\"Kernel Name\",\"" + kernel.name() + "\"\n";
    text += "\"#\",\"Address\",\"Source\",\"# Samples\",\"stall_wait\",\"stall_long_sb\"\n";
    for (Position p = 0; p < schedule.size(); ++p) {
        const int there = schedule.at(p) == kHot ? hot : 0;
        text += "\"" + std::to_string(p) + "\",\"" + std::to_string(4096 + 16 * p) + "\",\"" +
                kernel.instruction(schedule.at(p)).mnemonic + " R1\",\"" + std::to_string(there + 1) +
                "\",\"1\",\"" + std::to_string(there) + "\"\n";
    }
    return text;
}

void write_script(const QString& path, const QByteArray& lines) {
    QFile file(path);
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write("#!/bin/sh\n" + lines);
    file.close();
    REQUIRE(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
}

// First in PATH.
struct StandInProfiler {
    QByteArray before = qgetenv("PATH");
    StandInProfiler(const QString& folder, const QByteArray& lines) {
        write_script(folder + QStringLiteral("/ncu"), lines);
        qputenv("PATH", folder.toUtf8() + ":" + before);
    }
    // Its report is the cubin's name, and its page the one of that name.
    explicit StandInProfiler(const QString& folder)
        : StandInProfiler(folder, "if [ \"$1\" = --import ]; then exec cat \"" + folder.toUtf8() +
                                      "/$(cat \"$2\").csv\"; fi\n"
                                      "while [ $# -gt 0 ]; do\n"
                                      "  case \"$1\" in\n"
                                      "    --export) report=$2 ;;\n"
                                      "    --profile) basename \"$2\" > \"$report\" ;;\n"
                                      "  esac\n"
                                      "  shift\n"
                                      "done\n") {}
    ~StandInProfiler() { qputenv("PATH", before); }
    StandInProfiler(const StandInProfiler&) = delete;
    StandInProfiler& operator=(const StandInProfiler&) = delete;
};

struct Profiled : OpenWindow {
    ProfileDialog* dialog = nullptr;

    QAction* command() { return window.commands()[QStringLiteral("agent.profile")]; }
    void edit_by_hand() {
        window.selection().select(kHot);
        key(Qt::Key_Up, Qt::AltModifier);
        REQUIRE(wait_for([&] { return window.document().hand().tree().can_undo(); }));
    }
    // Without starting it.
    void show() { dialog = window.show_profile(); }
    QTableView* table(const char* name) const {
        return dialog->findChild<QTableView*>(QString::fromLatin1(name));
    }
    QPushButton* button(const char* name) const {
        return dialog->findChild<QPushButton*>(QString::fromLatin1(name));
    }
    QString state() const { return dialog->findChild<QLabel*>(QStringLiteral("profile_state"))->text(); }
    QString cell(const char* of, int row, int column) const {
        return table(of)->model()->index(row, column).data().toString();
    }
    void run_and_wait() {
        command()->trigger();
        REQUIRE(dialog->running());
        CHECK_FALSE(command()->isEnabled());
        REQUIRE(wait_for([&] { return !dialog->running(); }));
        CHECK(command()->isEnabled());
        CHECK(window.controller().gpu_taken().isEmpty());
    }
};

}  // namespace

QUIET_CASE("the original and the right side are profiled, and a line of the table leads to the instruction") {
    Profiled open;
    open.edit_by_hand();
    const StandInProfiler profiler(open.folder.path());
    std::ofstream(open.path("original.cubin.csv").toStdString())
        << page_of(*open.window.document().pair().schedule(ScheduleSlot::Original), 900);
    std::ofstream(open.path("other.cubin.csv").toStdString())
        << page_of(*open.window.document().pair().right(), 100);
    open.show();
    // By the palette, as it is typed.
    CommandPalette& palette = open.window.command_palette();
    open.window.commands()[QStringLiteral("view.palette")]->trigger();
    QTest::keyClicks(palette.edit(), QStringLiteral("profile with nsight"));
    QTest::keyClick(palette.edit(), Qt::Key_Return);
    REQUIRE(open.dialog->running());
    REQUIRE(wait_for(
        [&] { return open.table("profile_lines")->model()->rowCount() > 0 || !open.dialog->running(); }));
    INFO(open.state().toStdString());
    const auto size = static_cast<int>(open.window.document().kernel()->size());
    CHECK(open.state().startsWith(
        QStringLiteral("Original: %1 samples, Hand: %2 samples").arg(size + 900).arg(size + 100)));

    QTableView* lines = open.table("profile_lines");
    REQUIRE(lines->model()->rowCount() > 2);
    CHECK(open.cell("profile_lines", 0, 0) == QStringLiteral("0x1270"));
    CHECK(open.cell("profile_lines", 0, 2) == QStringLiteral("901"));
    CHECK(open.cell("profile_lines", 0, 3) == QStringLiteral("101"));
    CHECK(open.cell("profile_lines", 0, 4) == QStringLiteral("-800"));
    CHECK(open.cell("profile_lines", 0, 5) == QStringLiteral("stall_long_sb"));
    CHECK(open.cell("profile_lines", 0, 6).contains(QStringLiteral("0x1270")));  // the edit at it
    double measured = 0;
    for (int row = 0; row < open.table("profile_reasons")->model()->rowCount(); ++row)
        measured += open.cell("profile_reasons", row, 1).section(QLatin1Char(' '), 0, 0).toDouble();
    CHECK(measured == Approx(100).margin(1));

    // Enter and a click each lead to their line.
    open.window.selection().select(0);
    lines->setFocus();
    lines->selectRow(0);
    QTest::keyClick(lines, Qt::Key_Return);
    CHECK(open.window.selection().instr() == kHot);
    CHECK(open.dialog->isVisible());
    const QModelIndex third = lines->model()->index(2, 1);
    QTest::mouseClick(lines->viewport(), Qt::LeftButton, {}, lines->visualRect(third).center());
    CHECK(open.window.selection().instr() ==
          open.cell("profile_lines", 2, 0).mid(2).toUInt(nullptr, 16) / kWordBytes);

    // The samples of the right side are a column of the listings.
    const Gutter* gutter = open.window.compare_view().pane(Side::Right)->gutter();
    bool shown = false;
    for (const auto& [x, caption] : gutter->captions())
        shown = shown || caption == QStringLiteral("samples");
    CHECK(shown);
    const int row = open.window.compare_view().rows().row_of(kHot, Side::Right);
    CHECK(gutter->tip_at(row, 30).contains(QStringLiteral("101 samples")));
    CHECK(open.table("profile_lines")->isVisible());
}

QUIET_CASE("where the right side is the original, it alone is profiled, hottest line first") {
    Profiled open;
    const StandInProfiler profiler(open.folder.path());
    std::ofstream(open.path("original.cubin.csv").toStdString())
        << page_of(*open.window.document().pair().schedule(ScheduleSlot::Original), 900);
    open.show();
    // It is in the menu of the agent.
    bool in_menu = false;
    for (QAction* menu : open.window.menuBar()->actions())
        in_menu = in_menu || (menu->menu() != nullptr && menu->menu()->actions().contains(open.command()));
    CHECK(in_menu);
    open.run_and_wait();
    INFO(open.state().toStdString());
    REQUIRE(open.table("profile_lines")->model()->rowCount() > 0);
    CHECK(open.table("profile_lines")->model()->columnCount() == 4);
    CHECK(open.cell("profile_lines", 0, 0) == QStringLiteral("0x1270"));
    CHECK(open.cell("profile_lines", 0, 2) == QStringLiteral("901"));
    CHECK(open.cell("profile_lines", 0, 3) == QStringLiteral("stall_long_sb"));
    CHECK(open.table("profile_reasons")->model()->columnCount() == 4);
}

QUIET_CASE("the profiler gets copies that are gone when it has ended, and the worker of the settings") {
    Profiled open;
    open.edit_by_hand();
    GpuSettings gpu = open.window.controller().gpu_settings();
    gpu.worker_command = "my-worker --here";
    gpu.device = 3;
    open.window.controller().set_gpu_settings(gpu);
    open.show();
    const StandInProfiler profiler(
        open.folder.path(), "cd \"" + open.folder.path().toUtf8() +
                                "\" && printf '%s\\n' \"$@\" > words && while [ \"$1\" != --profile ]; do "
                                "shift; done && cp \"$2\" a && cp \"$3\" w; echo no report >&2; exit 1\n");
    open.run_and_wait();
    CHECK(open.state().contains(QStringLiteral("no report")));
    QFile file(open.path("words"));
    REQUIRE(file.open(QIODevice::ReadOnly));
    const QStringList words = QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    REQUIRE(words.size() > 7);
    const QStringList last = words.last(7);
    CHECK(last.first(3) ==
          QStringList{QStringLiteral("my-worker"), QStringLiteral("--here"), QStringLiteral("--profile")});
    CHECK(last.last() == QStringLiteral("3"));
    CHECK(words.contains(QString::fromStdString(open.window.document().kernel()->name())));
    CHECK(bytes_of(open.path("a").toStdString()) == bytes_of(sample("bmm_mma.cubin")));
    CHECK(Workload::parse(bytes_of(open.path("w").toStdString())));
    CHECK_FALSE(QFile::exists(last[3]));
    CHECK_FALSE(QFile::exists(last[4]));
}

QUIET_CASE("what goes wrong is one line, and profiling can be tried again") {
    Profiled open;
    open.show();
    {
        const StandInProfiler profiler(open.folder.path(), "echo ERR_NVGPUCTRPERM; exit 1\n");
        open.run_and_wait();
    }
    CHECK(open.state().startsWith(QStringLiteral("Cannot profile: this user may not read")));
    CHECK_FALSE(open.table("profile_lines")->isVisible());  // nothing empty: what is said has the place
    CHECK(open.dialog->height() < 300);
    // A window has no options to give.
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", open.folder.path().toUtf8());
    REQUIRE(QFile::remove(open.path("ncu")));
    open.run_and_wait();
    qputenv("PATH", path);
    CHECK(open.state().contains(QStringLiteral("is not on PATH")));
    CHECK(open.state().contains(QStringLiteral("File > Import profile")));
    CHECK_FALSE(open.state().contains(QStringLiteral("--")));
    const StandInProfiler killed(open.folder.path(), "echo killed by something >&2; exit 9\n");
    QTest::mouseClick(open.button("profile_again"), Qt::LeftButton);
    REQUIRE(wait_for([&] { return !open.dialog->running(); }));
    CHECK(open.state().contains(QStringLiteral("killed by something")));
    CHECK(open.table("profile_lines")->model()->rowCount() == 0);
}

QUIET_CASE("Stop ends the profiler, and so does closing the dialog, and another kernel") {
    Profiled open;
    open.show();
    const StandInProfiler profiler(open.folder.path(),
                                   "echo $$ > \"" + open.path("pid").toUtf8() + "\"; exec sleep 1000\n");
    const auto started = [&] {
        QFile::remove(open.path("pid"));
        open.command()->trigger();
        REQUIRE(wait_for([&] { return QFile(open.path("pid")).size() > 0; }));
        CHECK_FALSE(open.command()->isEnabled());
        CHECK(open.window.commands()
                  .why_disabled(open.command())
                  .contains(QStringLiteral("A profile is using the GPU")));
        QFile file(open.path("pid"));
        REQUIRE(file.open(QIODevice::ReadOnly));
        return QStringLiteral("/proc/%1").arg(QString::fromUtf8(file.readAll()).trimmed());
    };
    const auto ended = [&](const QString& profiler_process) {
        REQUIRE(wait_for([&] { return !open.dialog->running(); }));
        CHECK_FALSE(QFile::exists(profiler_process));
        CHECK(open.window.controller().gpu_taken().isEmpty());
    };
    QString process = started();
    QTest::mouseClick(open.button("profile_stop"), Qt::LeftButton);
    ended(process);
    CHECK(open.state() == QStringLiteral("Stopped."));
    process = started();
    QTest::keyClick(open.dialog, Qt::Key_Escape);
    CHECK_FALSE(open.dialog->isVisible());
    ended(process);
    process = started();
    open.window.open_path(QString::fromStdString(sample("softmax.cubin")));
    ended(process);
    REQUIRE(wait_for(
        [&] { return open.window.document().is_open() && open.window.document().hand().can_edit(); }));
    CHECK(open.command()->isEnabled());
    process = started();  // and the window is closed with it
}

QUIET_CASE("the command says why it cannot be done") {
    OpenWindow empty("");
    QAction* command = empty.window.commands()[QStringLiteral("agent.profile")];
    CHECK_FALSE(command->isEnabled());
    QFile::copy(QString::fromStdString(sample("softmax.cubin")), empty.path("alone.cubin"));
    empty.window.open_path(empty.path("alone.cubin"));
    REQUIRE(wait_for(
        [&] { return empty.window.document().is_open() && empty.window.document().hand().can_edit(); }));
    CHECK_FALSE(command->isEnabled());
    CHECK(empty.window.commands().why_disabled(command).contains(QStringLiteral("workload")));
}
