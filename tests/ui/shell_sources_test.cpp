// SPDX-License-Identifier: GPL-3.0-or-later
// Sources in the window: what the compiler says, PTX, stored text, a source built by the user's compiler.
#include <QAbstractButton>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QListWidget>

#include "core/base/file.h"
#include "tests/ui/window_support.h"
#include "ui/source/source_edit.h"
#include "ui/source/source_text.h"
#include "ui/source/source_view.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

QUIET_CASE("what the compiler says has its lines, and the message leads to the source") {
    OpenWindow open("");
    QFile nvcc(open.path("nvcc"));
    REQUIRE(nvcc.open(QIODevice::WriteOnly));
    nvcc.write(
        "#!/bin/sh\necho 'bad.cu(1): error: expected a \";\"' >&2\necho '  int i' >&2\necho '       ^' >&2\n"
        "exit 1\n");
    nvcc.close();
    nvcc.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    open.window.settings().nvcc.set(open.path("nvcc"));
    QFile source(open.path("bad.cu"));
    REQUIRE(source.open(QIODevice::WriteOnly));
    source.write("int i\n");
    source.close();
    open.window.open_path(open.path("bad.cu"));
    const auto told = [&] {
        return open.window.messages().newest_text().contains(QStringLiteral("expected a"));
    };
    REQUIRE(wait_for(told));
    bool in_lines = false;
    for (const QLabel* label : open.window.messages().findChildren<QLabel*>())
        in_lines =
            in_lines || label->text().contains(QStringLiteral("does not compile:<br>bad.cu(1): error"));
    CHECK(in_lines);
    QStringList ways;
    for (const QAbstractButton* each : open.window.messages().findChildren<QAbstractButton*>())
        ways << each->text();
    CHECK(ways.contains(QStringLiteral("Open source")));
    CHECK(ways.contains(QStringLiteral("Recompile")));
    open.window.settings().nvcc.set({});
}

QUIET_CASE(
    "two sources of one name are two, and recent files hold what was opened, not what was made of it") {
    OpenWindow open("");
    for (const char* folder : {"one", "two"}) {
        REQUIRE(QDir(open.folder.path()).mkdir(QString::fromLatin1(folder)));
        QFile source(open.folder.filePath(QString::fromLatin1(folder) + QStringLiteral("/k.cu")));
        REQUIRE(source.open(QIODevice::WriteOnly));
    }
    // A stand-in for nvcc that makes the same cubin of everything.
    QFile nvcc(open.path("nvcc"));
    REQUIRE(nvcc.open(QIODevice::WriteOnly));
    nvcc.write("#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" = -o ] && cp \"" +
               QByteArray::fromStdString(sample("softmax.cubin")) + "\" \"$2\"; shift; done\n");
    nvcc.close();
    nvcc.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
    Settings().nvcc.set(open.path("nvcc"));
    Settings().forget_recent();
    std::vector<std::filesystem::path> made;
    for (const char* source : {"one/k.cu", "two/k.cu"}) {
        open.window.open_path(open.path(source));
        REQUIRE(wait_for([&] {
            const auto& path = open.window.document().path();
            return !path.empty() && path.extension() == ".cubin" && (made.empty() || path != made.front());
        }));
        made.push_back(open.window.document().path());
    }
    CHECK(std::filesystem::exists(made.front()));
    CHECK(wait_for([&] { return Settings().recent().size() == 2; }));
    CHECK(Settings().recent() == QStringList{open.path("two/k.cu"), open.path("one/k.cu")});
    Settings().nvcc.set({});
}

QUIET_CASE(
    "what is opened while a source is compiled stays, and of what cannot be opened the source is named") {
    OpenWindow open("");
    const auto named = [&](const char* name) { return open.path(name).toStdString(); };
    REQUIRE(write_text(named("slow.cu"), "// one kernel\n"));
    REQUIRE(write_text(named("none.cu"), "// no kernel\n"));
    // A stand-in for nvcc that waits for a file, and one that makes what contains no kernel.
    const std::string into = "while [ $# -gt 0 ]; do [ \"$1\" = -o ] && cp '";
    REQUIRE(write_text(named("nvcc"), "#!/bin/sh\ntouch '" + named("begun") + "'\nwhile [ ! -e '" +
                                          named("go") + "' ]; do sleep 0.05; done\n" + into +
                                          sample("softmax.cubin") + "' \"$2\"; shift; done\n"));
    REQUIRE(
        write_text(named("nvcc-none"), "#!/bin/sh\n" + into + named("none.cu") + "' \"$2\"; shift; done\n"));
    for (const char* program : {"nvcc", "nvcc-none"})
        QFile(open.path(program)).setPermissions(QFile::ReadOwner | QFile::ExeOwner);
    Settings().nvcc.set(open.path("nvcc"));
    open.window.open_path(open.path("slow.cu"));
    REQUIRE(wait_for([&] { return QFile::exists(open.path("begun")); }));
    open.window.open_path(QString::fromStdString(sample("rmsnorm.cubin")));
    REQUIRE(wait_for(
        [&] { return open.window.document().is_open() && open.window.document().hand().can_edit(); }));
    REQUIRE(write_text(named("go"), ""));
    QTest::qWait(500);  // time enough for the copy
    CHECK(open.window.document().kernel()->name() == "rmsnorm");

    Settings().nvcc.set(open.path("nvcc-none"));
    open.window.open_path(open.path("none.cu"));
    const auto said = [&] { return open.window.messages().newest_text(); };
    REQUIRE(wait_for([&] { return said().startsWith(QStringLiteral("Cannot open")); }));
    CHECK(said().contains(open.path("none.cu")));
    CHECK_FALSE(said().contains(QStringLiteral("none.sm_")));
    Settings().nvcc.set({});
}

QUIET_CASE("PTX has no line of its own in a line table, and is read and edited all the same") {
    OpenWindow open("");
    REQUIRE(write_text(open.path("k.ptx").toStdString(), "// mine\n.version 8.0\n"));
    // A stand-in for nvcc: first a cubin without lines, then one with those of another file.
    REQUIRE(QFile::copy(QString::fromStdString(sample("softmax.cubin")), open.path("made.cubin")));
    QFile nvcc(open.path("nvcc"));
    REQUIRE(nvcc.open(QIODevice::WriteOnly));
    nvcc.write("#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" = -o ] && cp \"" +
               open.path("made.cubin").toUtf8() + "\" \"$2\"; shift; done\n");
    nvcc.close();
    nvcc.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
    Settings().nvcc.set(open.path("nvcc"));
    open.window.open_path(open.path("k.ptx"));
    REQUIRE(wait_for([&] { return open.window.document().is_open(); }));
    open.key(Qt::Key_O, Qt::AltModifier);
    auto* view = open.window.findChild<SourceView*>();
    REQUIRE(wait_for([&] { return view->isVisible() && view->edit()->why_not_edit().isEmpty(); }));
    CHECK(view->text()->toPlainText().startsWith(QStringLiteral("// mine")));
    CHECK(view->told().startsWith(QStringLiteral("No instruction refers to ")));
    open.key(Qt::Key_O, Qt::AltModifier | Qt::ShiftModifier);
    CHECK_FALSE(view->text()->isReadOnly());
    // Another cubin, which this window did not make, has no source here.
    open.window.open_path(QString::fromStdString(sample("rmsnorm.cubin")));
    REQUIRE(wait_for([&] { return open.window.document().kernel()->name() == "rmsnorm"; }));
    REQUIRE(wait_for([&] { return view->told().contains(QStringLiteral("-lineinfo")); }));
    CHECK_FALSE(view->edit()->why_not_edit().isEmpty());
    // Lines of what the PTX was made of: both are here, and the PTX is shown first.
    QFile::remove(open.path("made.cubin"));
    REQUIRE(
        QFile::copy(QStringLiteral(CUBINLAB_TEST_DATA "/cubins/variants.90.cubin"), open.path("made.cubin")));
    open.window.open_path(open.path("k.ptx"));
    REQUIRE(wait_for([&] { return view->files()->count() > 1 && view->edit()->why_not_edit().isEmpty(); }));
    CHECK(view->files()->currentText() == QStringLiteral("k.ptx"));
    Settings().nvcc.set({});
}

QUIET_CASE(
    "a file name as long as a file system allows has a session, and the next file is looked for beside it") {
    OpenWindow open("");
    Settings().set_sessions_folder(open.path("sessions"));
    const QString file =
        open.folder.filePath(QString::fromUtf8("\xc3\xbc").repeated(120) + QStringLiteral(".cubin"));
    REQUIRE(QFile::copy(QString::fromStdString(sample("softmax.cubin")), file));
    open.window.open_path(file);
    REQUIRE(wait_for(
        [&] { return open.window.document().is_open() && open.window.document().hand().can_edit(); }));
    CHECK(QDir(open.window.settings().last_folder()) == QDir(open.folder.path()));
    run_steps(open.window, "10steps");
    const std::string session = open.window.controller().session_path().string();
    CHECK((*SessionReader::open(session))->run(0)->steps == 10);
    CHECK(QString::fromStdString(session).contains(
        QString::fromUtf8("\xc3\xbc\xc3\xbc-")));  // cut between letters
    Settings().set_sessions_folder({});
    open.window.settings().last_folder.set({});
}

QUIET_CASE("text that no disassembler wrote is not called stored when its session is opened") {
    OpenWindow open("");
    Settings().nvdisasm.set(open.path("none"));
    REQUIRE(QFile::copy(QString::fromStdString(sample("softmax.cubin")), open.path("alone.cubin")));
    open.window.open_path(open.path("alone.cubin"));
    REQUIRE(wait_for(
        [&] { return open.window.document().is_open() && open.window.document().hand().can_edit(); }));
    REQUIRE(open.window.document().listing().source == ListingSource::BuiltIn);
    open.window.controller().set_session_path(open.path("alone.db").toStdString());
    run_steps(open.window, "10steps");
    open.window.opener().close();
    REQUIRE(wait_for([&] { return !open.window.document().is_open(); }));
    open.window.open_path(open.path("alone.db"));
    REQUIRE(wait_for([&] { return open.window.document().is_open(); }));
    CHECK(open.window.document().listing().source == ListingSource::BuiltIn);
    Settings().nvdisasm.set({});
}

QUIET_CASE("a CUDA source opens as what the user's own compiler makes of it") {
    OpenWindow open("");
    QFile source(open.path("twice.cu"));
    REQUIRE(source.open(QIODevice::WriteOnly));
    source.write("extern \"C\" __global__ void twice(float* x) { x[threadIdx.x] *= 2.0f; }\n");
    source.close();
    Settings().nvcc.set(open.path("no-nvcc"));
    open.window.open_path(open.path("twice.cu"));
    REQUIRE(wait_for([&] { return open.window.messages().count() == 1; }));
    CHECK(open.window.messages().newest_text().contains(QStringLiteral("no-nvcc")));
    Settings().nvcc.set({});
    if (!QFile::exists(QStringLiteral("/usr/local/cuda/bin/nvcc"))) {
        WARN("SKIPPED, no nvcc: only what is said without one was tested");
        return;
    }
    open.window.open_path(open.path("twice.cu"));
    REQUIRE(wait_for([&] { return open.window.document().is_open(); }));
    CHECK(open.window.document().kernel()->name() == "twice");
    // Edited in its pane and compiled in place: another constant, another cubin.
    open.key(Qt::Key_O, Qt::AltModifier);
    auto* view = open.window.findChild<SourceView*>();
    REQUIRE(wait_for([&] { return view->isVisible() && view->edit()->why_not_edit().isEmpty(); }));
    open.key(Qt::Key_O, Qt::AltModifier | Qt::ShiftModifier);
    REQUIRE_FALSE(view->text()->isReadOnly());
    const KernelPtr twice = open.window.document().kernel();
    view->text()->selectAll();
    QTest::keyClicks(
        view->text(),
        QStringLiteral("extern \"C\" __global__ void twice(float* x) { x[threadIdx.x] *= 3.0f; }"));
    open.key(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
    REQUIRE(wait_for([&] { return open.window.document().kernel() != twice && !view->edit()->replacing(); }));
    CHECK(open.window.document().kernel()->name() == "twice");
    CHECK(open.window.document().kernel()->hash() != twice->hash());
    CHECK(view->text()->toPlainText().contains(QStringLiteral("3.0f")));
    CHECK(view->edit()->unsaved());
    // Closing says that the text is not saved.
    CHECK_FALSE(open.window.close());
    CHECK(open.window.messages().newest_text().contains(QStringLiteral("exist only in this window")));
    QTest::keyClicks(view->text(), QStringLiteral(" nonsense"));
    open.key(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
    REQUIRE(wait_for([&] { return view->edit()->messages()->isVisible(); }));
    CHECK(view->text()->problems().count(1) == 1);
    open.key(Qt::Key_S, Qt::ControlModifier | Qt::AltModifier);
    REQUIRE(wait_for([&] { return !view->edit()->unsaved(); }));
}
