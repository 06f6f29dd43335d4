// SPDX-License-Identifier: GPL-3.0-or-later
// The source beside the listings: a cubin of nvcc -lineinfo whose lines readelf decoded (tests/core/binary/cubin_test.cpp),
// line and instruction choose each other, and a file that is not there is named and may be chosen.
#include "ui/source/source_view.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QToolButton>

#include "core/isa/word.h"
#include "tests/ui/panels_warnings.h"
#include "tests/ui/settle.h"
#include "ui/base/commands.h"
#include "ui/base/fitting_label.h"
#include "ui/base/job_runner.h"
#include "ui/base/settings.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/run/opener.h"
#include "ui/source/source_edit.h"
#include "ui/source/source_text.h"

using namespace cubinlab;
using namespace cubinlab::ui;

namespace {

constexpr char kCubin[] = CUBINLAB_TEST_DATA "/cubins/variants.90.cubin";

bool come(const std::function<bool()>& done) {
    QElapsedTimer clock;
    for (clock.start(); clock.elapsed() < 120000;) {
        if (done()) return true;
        QTest::qWait(5);
    }
    return done();
}

struct OpenedSource {
    JobRunner jobs;
    Document document{jobs};
    Selection selection;
    SourceView view{&document, &selection, &jobs};

    OpenedSource(const QString& file, const char* kernel) {
        QObject::connect(&document, &Document::opened, &selection,
                         [this] { selection.begin(document.kernel()->size()); });
        QObject::connect(view.edit(), &SourceEdit::open_asked, &selection,
                         [this](const QString& made, const QString& of) { open(made, of.toStdString()); });
        view.resize(700, 400);
        view.show();
        open(file, kernel);
    }
    void open(const QString& file, const std::string& kernel) {
        auto found = required(open_kernel_of(file.toStdString(), {kernel, {}, {}}, {}));
        document.adopt(std::move(*found->kernel));
    }
    bool shows(const QString& part) {
        return come([&] { return view.told().contains(part); });
    }
};

}  // namespace

QUIET_CASE("the line of the selected instruction is shown, and a line chooses its instructions", "[source]") {
    OpenedSource open(QString::fromLatin1(kCubin), "k_lines");
    REQUIRE(open.shows(QStringLiteral("variants.cu")));
    REQUIRE(come([&] { return open.view.text()->document()->blockCount() > 10; }));
    const SourceText& text = *open.view.text();
    QFile source(QStringLiteral(CUBINLAB_TEST_DATA "/cubins/variants.cu"));
    REQUIRE(source.open(QIODevice::ReadOnly));
    const QStringList lines = QString::fromUtf8(source.readAll()).split(QLatin1Char('\n'));
    CHECK(text.document()->findBlockByNumber(10).text() == lines[10]);

    // As readelf has them: 0x210 line 14, 0x310 line 13, 0x380 line 8, of an inlined function.
    for (const auto& [offset, line] :
         {std::pair(0x0, 11), {0x210, 14}, {0x310, 13}, {0x380, 8}, {0x390, 14}}) {
        open.selection.select(static_cast<quint32>(offset / 16));
        INFO(offset);
        CHECK(text.chosen_line() == line);
    }
    // With the mouse: the first of line 8's, all of them as a range.
    const SourceMap& map = *open.view.map();
    const std::vector<InstrId>& of_8 = map.of(0, 8);
    REQUIRE_FALSE(of_8.empty());
    const QTextBlock block = text.document()->findBlockByNumber(7);
    QTextCursor cursor(block);
    const QRect place = text.cursorRect(cursor);
    QTest::mouseClick(text.viewport(), Qt::LeftButton, {}, place.center() + QPoint(2, 0));
    CHECK(open.selection.instr() == of_8.front());
    CHECK(text.chosen_line() == 8);
    if (of_8.size() > 1) CHECK(open.selection.range() == of_8);
    // By keys: the next line that instructions came from.
    const auto next = map.by_line[0].upper_bound(8);
    REQUIRE(next != map.by_line[0].end());
    QTest::keyClick(open.view.text(), Qt::Key_Down, Qt::ControlModifier);
    CHECK(text.chosen_line() == next->first);
    CHECK(open.selection.instr() == next->second.front());
    QTest::keyClick(open.view.text(), Qt::Key_Up, Qt::ControlModifier);
    CHECK(open.selection.instr() == of_8.front());
    open.document.close();
    REQUIRE(come([&] { return open.view.map() == nullptr; }));
    CHECK(text.document()->isEmpty());
}

QUIET_CASE("a source that is not there is named, and another place is taken", "[source]") {
    QTemporaryDir folder;
    const QString cubin = folder.filePath(QStringLiteral("alone.cubin"));
    REQUIRE(QFile::copy(QString::fromLatin1(kCubin), cubin));
    OpenedSource open(cubin, "k_lines");
    REQUIRE(open.shows(QStringLiteral("Not found: ")));
    CHECK(open.view.told().contains(QStringLiteral("variants.cu")));
    CHECK(open.view.text()->document()->isEmpty());
    const auto buttons = open.view.findChildren<QToolButton*>();
    CHECK(std::any_of(buttons.begin(), buttons.end(), [](const QToolButton* b) { return b->isVisible(); }));
    open.view.take_file(QStringLiteral(CUBINLAB_TEST_DATA "/cubins/variants.cu"));
    REQUIRE(come([&] { return !open.view.text()->document()->isEmpty(); }));
    CHECK_FALSE(open.view.told().contains(QStringLiteral("Not found")));
    open.selection.select(0x380 / 16);
    CHECK(open.view.text()->chosen_line() == 8);
}

QUIET_CASE("a kernel without a line table says how to get one", "[source]") {
    OpenedSource open(QStringLiteral(CUBINLAB_SAMPLES "/softmax.cubin"), "");
    REQUIRE(open.shows(QStringLiteral("-lineinfo")));
    CHECK(open.view.map() == nullptr);
    auto* note = required(open.view.findChild<EmptyNote*>());
    open.view.resize(200, 400);  // a narrow dock has all of it, too
    REQUIRE(come([&] { return note->width() < 200; }));
    CHECK(note->shown() == note->text());
}

namespace {

// A stand-in for nvcc: it copies a cubin to where -o says, or fails with what is in "words" beside it; what it was asked is
// in "asked", the text that it was given in "given". It waits while there is a file "hold".
struct StandIn {
    QTemporaryDir folder;
    QString nvcc = folder.filePath(QStringLiteral("nvcc"));

    StandIn() {
        // Its line table names variants.cu; the source that is opened has that name.
        REQUIRE(QFile::copy(QString::fromLatin1(kCubin), folder.filePath(QStringLiteral("made.cubin"))));
        REQUIRE(QFile::copy(QStringLiteral(CUBINLAB_TEST_DATA "/cubins/variants.cu"), source()));
        QFile(source()).setPermissions(QFile::ReadOwner | QFile::WriteOwner);
        QFile script(nvcc);
        REQUIRE(script.open(QIODevice::WriteOnly));
        script.write(R"(#!/bin/sh
here=$(dirname "$0")
echo "$@" >"$here/asked"
for last; do :; done
cp "$last" "$here/given"
while [ -f "$here/hold" ]; do sleep 0.05; done
if [ -f "$here/words" ]; then cat "$here/words" >&2; exit 2; fi
while [ $# -gt 0 ]; do
  if [ "$1" = -o ]; then cp "$here/made.cubin" "$2"; fi
  shift
done
)");
        script.close();
        script.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
        Settings().nvcc.set(nvcc);
        qputenv("XDG_CACHE_HOME", folder.filePath(QStringLiteral("cache")).toUtf8());
    }
    ~StandIn() { Settings().nvcc.set({}); }
    QString source() const { return folder.filePath(QStringLiteral("variants.cu")); }
    QString read(const QString& name) const {
        QFile file(folder.filePath(name));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }
    void fail_with(const QByteArray& words) const {
        QFile file(folder.filePath(QStringLiteral("words")));
        REQUIRE(file.open(QIODevice::WriteOnly));
        file.write(words);
    }
    void succeed() const { QFile::remove(folder.filePath(QStringLiteral("words"))); }
};

// The window compiled the source beside the cubin, and opened what came out.
struct Editing : OpenedSource {
    explicit Editing(const StandIn& with)
        : OpenedSource(with.folder.filePath(QStringLiteral("made.cubin")), "k_lines") {
        view.edit()->set_compiled(with.source(), QStringLiteral("sm_90"));
        REQUIRE(shows(QStringLiteral("variants.cu")));
        view.take_file(with.source());
        REQUIRE(come([&] { return view.edit()->why_not_edit().isEmpty(); }));
        commands = std::make_unique<Commands>(&view);
        add_source_commands(*commands, &view, &dock, {});
        commands->update();
    }
    QAction* command(const char* id) { return (*commands)[QString::fromLatin1(id)]; }
    bool idle() {
        return come([&] {
            return view.edit()->why_not_compile().isEmpty() && jobs.idle() && !view.edit()->replacing();
        });
    }
    QToolButton* button(const QString& text) const {
        for (QToolButton* b : view.edit()->findChildren<QToolButton*>())
            if (b->text() == text) return b;
        return nullptr;
    }

    QDockWidget dock;
    std::unique_ptr<Commands> commands;
};

}  // namespace

QUIET_CASE("in a narrow dock the tools of the source stand under each other, none cut", "[source]") {
    const StandIn stand_in;
    Editing open(stand_in);
    for (const int width : {700, 300, 250}) {
        INFO(width);
        open.view.resize(width, 400);
        REQUIRE(come([&] { return open.view.edit()->width() == width; }));
        QWidget& tools = *open.view.edit();
        settle();
        QList<QWidget*> parts;
        for (QToolButton* button : tools.findChildren<QToolButton*>())
            if (!button->text().isEmpty()) parts << button;
        parts << tools.findChild<QLineEdit*>();
        REQUIRE(parts.size() == 4);
        for (const QWidget* part : parts) {
            CHECK(part->width() >= part->sizeHint().width());
            CHECK(tools.rect().contains(part->geometry()));
        }
    }
}

QUIET_CASE("a source that the window compiled is edited, compiled and saved in place, by keys and commands",
           "[source]") {
    const StandIn stand_in;
    Editing open(stand_in);
    const QString before = stand_in.read(QStringLiteral("variants.cu"));
    SourceText& text = *open.view.text();
    CHECK(text.isReadOnly());
    CHECK_FALSE(open.command("source.save")->isEnabled());
    open.selection.select(0x380 / 16);  // line 8
    open.command("source.edit")->trigger();
    CHECK_FALSE(text.isReadOnly());
    // Typed, at the end of line 8.
    text.go_to_line(8);
    QTest::keyClick(&text, Qt::Key_End);
    QTest::keyClicks(&text, QStringLiteral(" // typed"));
    CHECK(text.document()->findBlockByNumber(7).text().endsWith(QStringLiteral("// typed")));
    CHECK(open.command("source.save")->isEnabled());
    CHECK(stand_in.read(QStringLiteral("variants.cu")) == before);  // not saved
    // Its lines are not the cubin's any more: no instruction is chosen by a line that may be another one.
    const InstrId selected = open.selection.instr();
    Q_EMIT text.line_chosen(14);
    CHECK(open.selection.instr() == selected);
    const KernelPtr old = open.document.kernel();
    open.view.edit()->flags()->setText(QStringLiteral("-O3 \"-DNAME=a b\""));
    open.command("source.compile")->trigger();
    REQUIRE(open.idle());
    REQUIRE(open.document.is_open());
    CHECK(open.document.kernel() != old);
    CHECK(open.document.kernel()->name() == old->name());
    const QString asked = stand_in.read(QStringLiteral("asked"));
    CHECK(asked.contains(QStringLiteral("-arch=sm_90 ")));
    CHECK(asked.contains(QStringLiteral("-O3 -DNAME=a b")));
    CHECK(asked.contains(QStringLiteral("-I") + stand_in.folder.path()));
    const QString given = stand_in.read(QStringLiteral("given"));
    CHECK(given.startsWith(QStringLiteral("#line 1 \"") + stand_in.source()));
    CHECK(given.contains(QStringLiteral("// typed")));
    // The text, the cursor's line and the instruction of that line are still there; the file is not written.
    CHECK(text.toPlainText().contains(QStringLiteral("// typed")));
    CHECK(text.textCursor().blockNumber() == 7);
    CHECK(open.view.map()->places[open.selection.instr()].line == 8);
    CHECK(stand_in.read(QStringLiteral("variants.cu")) == before);
    CHECK_FALSE(open.view.edit()->changed());
    open.command("source.save")->trigger();
    REQUIRE(come([&] { return !open.view.edit()->unsaved(); }));
    CHECK(stand_in.read(QStringLiteral("variants.cu")).contains(QStringLiteral("// typed")));
    CHECK_FALSE(open.command("source.save")->isEnabled());
}

QUIET_CASE("what the compiler says stands at its lines, and the open cubin stays", "[source]") {
    const StandIn stand_in;
    Editing open(stand_in);
    const KernelPtr old = open.document.kernel();
    stand_in.fail_with(
        "/elsewhere/other.h(3): error: not of this file\n" + stand_in.source().toUtf8() +
        "(14): error: identifier \"nope\" is undefined\n" + stand_in.source().toUtf8() +
        "(14): error: expected a \";\"\n" + stand_in.source().toUtf8() +
        "(20): warning #177-D: variable \"x\" was declared but never referenced\n\n1 error detected\n");
    QTest::mouseClick(open.button(QStringLiteral("Edit")), Qt::LeftButton);
    CHECK_FALSE(open.view.text()->isReadOnly());
    QTest::mouseClick(open.button(QStringLiteral("Compile")), Qt::LeftButton);
    REQUIRE(open.idle());
    CHECK(open.document.kernel() == old);
    QListWidget* messages = open.view.edit()->messages();
    REQUIRE(messages->count() == 3);
    CHECK(messages->item(0)->text() == QStringLiteral("line 14: identifier \"nope\" is undefined"));
    CHECK(open.view.text()->problems().size() == 1);
    CHECK(open.view.text()->problems().at(14).contains(QStringLiteral("nope")));
    CHECK(open.view.text()->problems().at(14).contains(QStringLiteral("expected")));
    CHECK(open.view.text()->textCursor().blockNumber() == 13);
    CHECK(open.view.told().contains(QStringLiteral("2 error(s), the first in line 14")));
    // To the warning by mouse.
    QTest::mouseClick(messages->viewport(), Qt::LeftButton, {},
                      messages->visualItemRect(messages->item(2)).center());
    CHECK(open.view.text()->textCursor().blockNumber() == 19);
    stand_in.succeed();
    QTest::mouseClick(open.button(QStringLiteral("Compile")), Qt::LeftButton);
    REQUIRE(open.idle());
    CHECK(open.document.kernel() != old);
    CHECK(open.view.text()->problems().empty());
    CHECK_FALSE(messages->isVisible());
    // No compiler: one line that says what to do.
    Settings().nvcc.set(stand_in.folder.filePath(QStringLiteral("no-nvcc")));
    open.command("source.compile")->trigger();
    REQUIRE(open.idle());
    REQUIRE(messages->count() == 1);
    CHECK(messages->item(0)->text().contains(QStringLiteral("is not executable")));
}

QUIET_CASE("hand edits are not dropped by a compilation without being asked for", "[source]") {
    const StandIn stand_in;
    Editing open(stand_in);
    REQUIRE(come([&] { return open.document.hand().can_edit(); }));
    ControlCode control = open.document.pair().right()->control(4);
    control.stall = 15;
    control.yield = true;
    REQUIRE(open.document.hand().set_control(4, control));
    const KernelPtr old = open.document.kernel();
    const auto asked = [&] {
        return open.view.edit()->findChild<QMessageBox*>(QStringLiteral("replace_hand_edits"));
    };
    open.command("source.compile")->trigger();
    REQUIRE(asked() != nullptr);
    CHECK(asked()->text().contains(QStringLiteral("1 hand edit")));
    QTest::keyClick(asked(), Qt::Key_Escape);
    REQUIRE(come([&] { return asked() == nullptr; }));
    CHECK(stand_in.read(QStringLiteral("asked")).isEmpty());
    CHECK(open.document.kernel() == old);
    CHECK(open.document.hand().tree().nodes().size() == 2);
    open.command("source.compile")->trigger();
    REQUIRE(asked() != nullptr);
    for (QAbstractButton* button : asked()->buttons())
        if (asked()->buttonRole(button) == QMessageBox::AcceptRole) {
            QTest::mouseClick(button, Qt::LeftButton);
            break;
        }
    REQUIRE(open.idle());
    CHECK(open.document.kernel() != old);
    CHECK(open.document.hand().tree().nodes().size() == 1);
}

QUIET_CASE("a kernel that is opened while the source is compiled stays", "[source]") {
    const StandIn stand_in;
    Editing open(stand_in);
    const QString hold = stand_in.folder.filePath(QStringLiteral("hold"));
    QFile file(hold);
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.close();
    open.command("source.compile")->trigger();
    REQUIRE(come([&] { return !stand_in.read(QStringLiteral("asked")).isEmpty(); }));
    const KernelPtr before = open.document.kernel();
    open.open(stand_in.folder.filePath(QStringLiteral("made.cubin")), {});
    REQUIRE(open.document.kernel() != before);
    const KernelPtr meanwhile = open.document.kernel();
    QFile::remove(hold);
    REQUIRE(come([&] { return open.jobs.idle(); }));
    CHECK(open.document.kernel() == meanwhile);
    CHECK_FALSE(open.view.edit()->replacing());
}

QUIET_CASE("a source that another program changed meanwhile is not written over at once", "[source]") {
    const StandIn stand_in;
    Editing open(stand_in);
    open.command("source.edit")->trigger();
    open.view.text()->go_to_line(1);
    QTest::keyClicks(open.view.text(), QStringLiteral("// mine"));
    QTest::keyClick(open.view.text(), Qt::Key_Return);
    QFile other(stand_in.source());
    REQUIRE(other.open(QIODevice::WriteOnly | QIODevice::Append));
    other.write("// theirs\n");
    other.close();
    open.command("source.save")->trigger();
    REQUIRE(come([&] { return open.view.told().contains(QStringLiteral("another program")); }));
    CHECK(stand_in.read(QStringLiteral("variants.cu")).contains(QStringLiteral("// theirs")));
    CHECK(open.view.edit()->unsaved());
    open.command("source.save")->trigger();
    REQUIRE(come([&] { return !open.view.edit()->unsaved(); }));
    CHECK(stand_in.read(QStringLiteral("variants.cu")).startsWith(QStringLiteral("// mine")));
}

QUIET_CASE("only what the window compiled can be edited", "[source]") {
    OpenedSource open(QString::fromLatin1(kCubin), "k_lines");
    REQUIRE(open.shows(QStringLiteral("variants.cu")));
    CHECK(open.view.edit()->why_not_edit().contains(QStringLiteral("opened in this window")));
    CHECK_FALSE(open.view.edit()->isVisible());
    open.view.edit()->set_editing(true);
    CHECK(open.view.text()->isReadOnly());
}
