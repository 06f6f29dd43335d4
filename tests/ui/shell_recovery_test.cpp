// SPDX-License-Identifier: GPL-3.0-or-later
// What a killed window leaves behind is offered and brought back. The program is really killed.
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>

#include "tests/ui/window_support.h"
#include "ui/shell/recovery.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

const QString kProgram = QStringLiteral(CUBINLAB_BINARY_DIR "/tests/window_scene");

QStringList journals() {
    QStringList paths;
    for (const QString& name :
         QDir(recovery_folder()).entryList({QStringLiteral("window-*.json")}, QDir::Files))
        paths << recovery_folder() + QLatin1Char('/') + name;
    return paths;
}

WindowMemory memory_of(const QString& path) {
    WindowMemory memory;
    QFile file(path);
    if (file.open(QIODevice::ReadOnly)) WindowMemory::from_json(file.readAll(), &memory);
    return memory;
}

bool press(MainWindow& window, const char* text) {
    for (auto* button : window.messages().findChildren<QPushButton*>())
        if (button->text() == QString::fromLatin1(text) && button->isVisible()) {
            QTest::mouseClick(button, Qt::LeftButton);
            return true;
        }
    return false;
}

// The program with `edits` hand edits, killed once its journal holds them.
WindowMemory edit_and_kill(const QString& actions, qint64 edits, qint64 made) {
    QProcess program;
    program.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    program.start(kProgram, {QString::fromStdString(sample("bmm_mma.cubin")), QStringLiteral("--do"), actions,
                             QStringLiteral("--after"), QStringLiteral("0"), QStringLiteral("--size"),
                             QStringLiteral("1300x820")});
    REQUIRE(program.waitForStarted());
    WindowMemory memory;
    REQUIRE(wait_for([&] {
        const QStringList paths = journals();
        if (paths.isEmpty()) return false;
        memory = memory_of(paths.first());
        return memory.cursor == edits && static_cast<qint64>(memory.edits.size()) >= made &&
               memory.hand_run != 0 && memory.selected >= 0;
    }));
    QTest::qWait(400);  // the journal is written again with the selection; edits are logged within 20 ms
    CHECK(find_stale_journals().empty());  // it lives
    program.kill();                        // SIGKILL: nothing is tidied up
    program.waitForFinished();
    CHECK(find_stale_journals().size() == 1);
    return memory_of(journals().first());
}

// A hand edit as a journal keeps it: the first stall count from 1 to 5, one cycle longer.
auto raised_stall(const Schedule& original) {
    InstrId id = 0;
    while (original.control(id).stall < 1 || original.control(id).stall > 5)
        ++id;
    ControlCode control = original.control(id);
    ++control.stall;
    return decltype(WindowMemory::edits)::value_type{
        QString::fromStdString(Mutation::control(original, id, control).encode()), QStringLiteral("Stall")};
}

}  // namespace

QUIET_CASE("a killed window is offered at the next start and comes back: kernel, edits, undo, selection") {
    REQUIRE(QFile::exists(kProgram));
    REQUIRE(journals().isEmpty());
    const WindowMemory left = edit_and_kill(
        QStringLiteral("select:0x1270;edit.move_top;edit.stall_up;edit.stall_up;edit.undo"), 2, 3);
    REQUIRE(left.edits.size() == 3);
    CHECK(left.cursor == 2);

    OpenWindow open("");
    REQUIRE(wait_for([&] { return open.window.recovery().has_offer(); }));
    CHECK(open.window.messages().newest_text().contains(QStringLiteral("bmm_mma.cubin with 2 hand edits")));
    QSignalSpy restored(&open.window.recovery(), &Recovery::restored);
    REQUIRE(press(open.window, "Restore"));
    REQUIRE(wait_for([&] { return restored.count() == 1; }));
    Document& document = open.window.document();
    CHECK(document.kernel()->name() == "bmm");
    REQUIRE(document.hand().tree().line().size() == 3);
    CHECK(document.hand().tree().depth() == 2);
    Schedule expected(document.kernel());
    for (qint64 i = 0; i < left.cursor; ++i)
        REQUIRE(Mutation::decode(left.edits[static_cast<std::size_t>(i)].mutation.toStdString())
                    ->apply(expected));
    CHECK(*document.pair().schedule(ScheduleSlot::Hand) == expected);
    CHECK(document.pair().right_slot() == ScheduleSlot::Hand);
    CHECK(static_cast<qint64>(open.window.selection().instr()) == left.selected);
    CHECK(document.checker()->check(*document.pair().schedule(ScheduleSlot::Hand)).empty());
    document.hand().redo();
    CHECK(document.hand().tree().depth() == 3);

    // The log goes on where it ended, in the same session and run.
    REQUIRE(wait_for([&] { return open.window.controller().hand_step().step == 5; }));
    CHECK(open.window.controller().hand_step().run == left.hand_run);
    CHECK(QString::fromStdString(open.window.controller().session_path().string()) == left.session);
    auto reader = required(SessionReader::open(left.session.toStdString()));
    // The log is written on a thread of its own, at most 100 ms later.
    REQUIRE(
        wait_for([&] { return (*reader)->schedule_at(document.kernel(), left.hand_run, 5).has_value(); }));
    const auto logged = required((*reader)->schedule_at(document.kernel(), left.hand_run, 5));
    CHECK(*logged == *document.pair().schedule(ScheduleSlot::Hand));
    CHECK(*(*reader)->verify(document.kernel(), left.hand_run) == 5);
    // This window's own journal only; it goes when the window closes.
    CHECK(wait_for([&] { return journals().size() == 1; }));
    open.window.close();
}

QUIET_CASE("an offer can be declined, a window that closes as it should leaves nothing") {
    REQUIRE(QFile::exists(kProgram));
    CHECK(journals().isEmpty());
    edit_and_kill(QStringLiteral("select:0x1270;edit.move_top"), 1, 1);
    {
        OpenWindow open("");
        REQUIRE(wait_for([&] { return open.window.recovery().has_offer(); }));
        CHECK(open.window.commands()[QStringLiteral("file.restore")]->isEnabled());
        REQUIRE(press(open.window, "Discard"));
        CHECK_FALSE(open.window.recovery().has_offer());
    }
    CHECK(journals().isEmpty());
    {
        OpenWindow open;
        CHECK(wait_for([&] { return journals().size() == 1; }));
        CHECK_FALSE(open.window.recovery().has_offer());  // a journal in use is no crash
    }
    CHECK(journals().isEmpty());
}

QUIET_CASE("SIGTERM ends the program as Quit does: nothing is offered at the next start") {
    REQUIRE(QFile::exists(kProgram));
    QProcess program;
    program.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    program.start(kProgram,
                  {QString::fromStdString(sample("bmm_mma.cubin")), QStringLiteral("--do"),
                   QStringLiteral("run:greedy,60s"), QStringLiteral("--after"), QStringLiteral("0")});
    REQUIRE(program.waitForStarted());
    REQUIRE(
        wait_for([&] { return !journals().isEmpty() && memory_of(journals().first()).agent_was_running; }));
    program.terminate();
    REQUIRE(program.waitForFinished(30000));
    CHECK(program.exitStatus() == QProcess::NormalExit);
    CHECK(program.exitCode() == 0);
    CHECK(find_stale_journals().empty());
}

QUIET_CASE("an offer gives way to another file, and stays in the menu") {
    edit_and_kill(QStringLiteral("select:0x1270;edit.move_top"), 1, 1);
    OpenWindow open("");
    REQUIRE(wait_for([&] { return open.window.recovery().has_offer(); }));
    open.window.open_path(QString::fromStdString(sample("softmax.cubin")));
    REQUIRE(wait_for([&] { return open.window.document().is_open(); }));
    CHECK_FALSE(press(open.window, "Restore"));
    CHECK(open.window.commands()[QStringLiteral("file.restore")]->isEnabled());
    open.window.recovery().discard_all();
}

QUIET_CASE("damaged, foreign and illegal journals lose nothing and apply nothing that is not proven") {
    REQUIRE(QDir().mkpath(recovery_folder()));
    const auto write = [](const char* name, const QByteArray& text) {
        QFile file(recovery_folder() + QLatin1Char('/') + QString::fromLatin1(name));
        REQUIRE(file.open(QIODevice::WriteOnly));
        file.write(text);
    };
    WindowMemory memory;
    memory.file = QString::fromStdString(sample("bmm_mma.cubin"));
    memory.kernel = QStringLiteral("bmm");
    {
        OpenWindow open;  // a legal edit, then one that is not
        Document& document = open.window.document();
        const Schedule& original = *document.pair().schedule(ScheduleSlot::Original);
        for (Position p = 0; p + 1 < original.size() && memory.edits.empty(); ++p) {
            const SlotRange range = document.checker()->slots(original, original.at(p));
            for (Position to = p + 1; to <= range.highest; ++to)
                if (range.contains(to)) {
                    memory.edits.push_back(
                        {QString::fromStdString(Mutation::move_to(original, original.at(p), to).encode()),
                         QStringLiteral("legal")});
                    break;
                }
        }
        REQUIRE(memory.edits.size() == 1);
        for (InstrId id = 0; id < original.size(); ++id) {
            ControlCode control = original.control(id);
            if (control.wait_mask == 0) continue;
            control.wait_mask = 0;  // waits for nothing any more
            const Mutation bad = Mutation::control(original, id, control);
            if (document.checker()->allows(original, bad)) continue;
            memory.edits.push_back({QString::fromStdString(bad.encode()), QStringLiteral("illegal")});
            break;
        }
        REQUIRE(memory.edits.size() == 2);
        memory.cursor = 2;
    }
    write("window-1-1.json", memory.to_json());
    write("window-2-1.json", "{ damaged");
    write("window-3-1.json", "{\"format\": \"something else\"}");
    OpenWindow open("");
    REQUIRE(wait_for([&] { return open.window.recovery().has_offer(); }));
    CHECK(journals().size() == 1);
    for (const auto& [name, text] :
         {std::pair("window-2-1.json.damaged", "{ damaged"),
          std::pair("window-3-1.json.damaged", "{\"format\": \"something else\"}")}) {
        QFile kept(recovery_folder() + QLatin1Char('/') + QString::fromLatin1(name));
        REQUIRE(kept.open(QIODevice::ReadOnly));
        CHECK(kept.readAll() == text);
    }
    QSignalSpy restored(&open.window.recovery(), &Recovery::restored);
    open.window.recovery().restore_all();
    REQUIRE(wait_for([&] { return restored.count() == 1; }));
    CHECK(restored.front()[0].toInt() == 1);
    CHECK(open.window.document().hand().tree().line().size() == 1);
    CHECK(open.window.messages().newest_text().contains(QStringLiteral("dropped")));
    CHECK(open.window.document()
              .checker()
              ->check(*open.window.document().pair().schedule(ScheduleSlot::Hand))
              .empty());
}

QUIET_CASE(
    "a journal is kept while its file is gone or holds another kernel, and goes once its edits are back") {
    REQUIRE(QDir().mkpath(recovery_folder()));
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("k.cubin"));
    const auto put = [&](const char* name) {
        QFile::remove(file);
        REQUIRE(QFile::copy(QString::fromStdString(sample(name)), file));
    };
    WindowMemory memory;
    {
        OpenWindow open;
        const Document& document = open.window.document();
        const Schedule& original = *document.pair().schedule(ScheduleSlot::Original);
        memory.edits = {raised_stall(original)};
        memory.hash = QString::fromStdString(document.kernel()->hash().hex());
        memory.cursor = 1;
        memory.file = file;
    }
    const QString journal = recovery_folder() + QStringLiteral("/window-1-1.json");
    {
        QFile text(journal);
        REQUIRE(text.open(QIODevice::WriteOnly));
        text.write(memory.to_json());
    }
    const auto restore = [&](OpenWindow& open) {
        REQUIRE(wait_for([&] { return open.window.recovery().has_offer(); }));
        open.window.recovery().restore_all();
    };
    {
        OpenWindow open("");
        restore(open);
        CHECK(open.window.messages().newest_text().contains(QStringLiteral("file is gone")));
    }
    REQUIRE(QFile::exists(journal));
    put("rmsnorm.cubin");
    {
        OpenWindow open("");
        restore(open);
        REQUIRE(wait_for(
            [&] { return open.window.messages().newest_text().contains(QStringLiteral("another kernel")); }));
        CHECK_FALSE(open.window.document().hand().tree().can_undo());
    }
    REQUIRE(QFile::exists(journal));
    put("bmm_mma.cubin");
    OpenWindow open("");
    QSignalSpy restored(&open.window.recovery(), &Recovery::restored);
    restore(open);
    REQUIRE(wait_for([&] { return restored.count() == 1; }));
    CHECK(restored.front()[0].toInt() == 1);
    CHECK_FALSE(QFile::exists(journal));
}

QUIET_CASE("hand edits come back where no session can take them, and stay kept") {
    REQUIRE(QDir().mkpath(recovery_folder()));
    QTemporaryDir folder;
    WindowMemory memory;
    {
        OpenWindow open;
        const Schedule& original = *open.window.document().pair().schedule(ScheduleSlot::Original);
        memory.edits = {raised_stall(original)};
        memory.cursor = 1;
        memory.file = QString::fromStdString(sample("bmm_mma.cubin"));
    }
    {
        QFile text(recovery_folder() + QStringLiteral("/window-1-1.json"));
        REQUIRE(text.open(QIODevice::WriteOnly));
        text.write(memory.to_json());
        QFile no_folder(folder.filePath(QStringLiteral("file")));
        REQUIRE(no_folder.open(QIODevice::WriteOnly));
    }
    Settings().set_sessions_folder(folder.filePath(QStringLiteral("file/sessions")));
    {
        OpenWindow open("");
        REQUIRE(wait_for([&] { return open.window.recovery().has_offer(); }));
        QSignalSpy restored(&open.window.recovery(), &Recovery::restored);
        QSignalSpy unlogged(&open.window.controller(), &RunController::hand_unlogged);
        open.window.recovery().restore_all();
        REQUIRE(wait_for([&] { return restored.count() == 1; }));
        CHECK(restored.front()[0].toInt() == 1);
        CHECK(unlogged.count() == 1);
        CHECK(open.window.document().hand().tree().can_undo());
        CHECK(wait_for([&] {
            const QStringList paths = journals();
            return paths.size() == 1 && memory_of(paths.first()).edits.size() == 1;
        }));
    }
    for (const QString& journal : journals())
        QFile::remove(journal);
    Settings().set_sessions_folder({});
}

TEST_CASE("a window that a script closes waits for no answer, says what it would ask, and keeps it") {
    REQUIRE(QFile::exists(kProgram));
    QTemporaryDir folder;
    REQUIRE(QDir(folder.path()).mkpath(QStringLiteral("cubinlab")));
    {
        QFile no_folder(folder.filePath(QStringLiteral("cubinlab/sessions")));
        REQUIRE(no_folder.open(QIODevice::WriteOnly));
    }
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* home : {"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"})
        environment.insert(QString::fromLatin1(home), folder.path());
    program.setProcessEnvironment(environment);
    program.start(kProgram, {QString::fromStdString(sample("bmm_mma.cubin")), QStringLiteral("--do"),
                             QStringLiteral("select:0x1270;edit.move_top;wait:3"), QStringLiteral("--after"),
                             QStringLiteral("0"), QStringLiteral("--quit")});
    REQUIRE(program.waitForFinished(120000));
    CHECK(program.exitStatus() == QProcess::NormalExit);
    CHECK(program.exitCode() == 1);
    CHECK(program.readAllStandardError().contains("not closed: Hand edits would be lost"));
    const QStringList kept = QDir(folder.filePath(QStringLiteral("cubinlab/recovery")))
                                 .entryList({QStringLiteral("*.json")}, QDir::Files);
    REQUIRE(kept.size() == 1);
    CHECK(memory_of(folder.filePath(QStringLiteral("cubinlab/recovery/")) + kept.front()).edits.size() == 1);
}

TEST_CASE("what a journal says comes back from its text, whatever was cut off or flipped in it") {
    WindowMemory memory;
    memory.file = QStringLiteral("/a/b \"c\".cubin");
    memory.session = QStringLiteral("/s.db");
    memory.edits = {{QStringLiteral("A1>2"), QStringLiteral("x \u00b7 y")}};
    memory.cursor = 1;
    memory.hand_run = 7;
    memory.geometry = QByteArray("\0\1\2", 3);
    const QByteArray text = memory.to_json();
    WindowMemory back;
    REQUIRE(WindowMemory::from_json(text, &back));
    CHECK(back.file == memory.file);
    CHECK(back.edits.front().label == memory.edits.front().label);
    CHECK(back.geometry == memory.geometry);
    CHECK(back.hand_run == 7);
    for (qsizetype cut = 0; cut < text.size(); cut += 7) {
        WindowMemory ignored;
        (void)WindowMemory::from_json(text.left(cut), &ignored);
        QByteArray flipped = text;
        flipped[cut] = static_cast<char>(flipped[cut] ^ 0x15);
        if (WindowMemory::from_json(flipped, &ignored))
            CHECK(ignored.cursor <= static_cast<qint64>(ignored.edits.size()));
    }
}
