// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions in a browser, several windows, exports as text, runs that go on, and closing while an agent works.
#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QDir>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

#include "core/base/file.h"
#include "core/evidence/text_export.h"
#include "core/tuning/session_summary.h"
#include "tests/ui/window_support.h"
#include "ui/document/kernel_notes.h"
#include "ui/hand/hand_tools.h"
#include "ui/run/agent_bar.h"
#include "ui/sessions/session_browser.h"
#include "ui/shell/exports.h"
#include "ui/shell/file_watch.h"
#include "ui/shell/windows.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

QAbstractButton* button_of(const QWidget& widget, const QString& text) {
    for (auto* each : widget.findChildren<QAbstractButton*>())
        if (each->text() == text) return each;
    return nullptr;
}

QString text_of(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QPushButton* button(QWidget* root, const char* text) {
    for (auto* each : root->findChildren<QPushButton*>())
        if (each->text() == QString::fromLatin1(text)) return each;
    return nullptr;
}

}  // namespace

QUIET_CASE("a run goes on where it stopped: the same steps as one run of the whole budget") {
    OpenWindow open;
    MainWindow& window = open.window;
    window.controller().set_session_path(open.path("parts.db").toStdString());
    CHECK_FALSE(window.commands()[QStringLiteral("agent.continue")]->isEnabled());
    run_steps(window, "150steps");
    const RunId run = window.controller().shown_run()->id;
    QSignalSpy finished(&window.controller(), &RunController::finished);
    window.controller().continue_run(run, QStringLiteral("150steps"));
    REQUIRE(wait_for([&] { return finished.count() == 1; }));
    REQUIRE(wait_for([&] { return window.controller().progress().steps == 300; }));
    CHECK(window.controller().runs().size() == 1);

    OpenWindow whole;
    whole.window.controller().set_session_path(open.path("whole.db").toStdString());
    run_steps(whole.window, "300steps");
    auto parts = SessionReader::open(open.path("parts.db").toStdString());
    auto one = SessionReader::open(open.path("whole.db").toStdString());
    REQUIRE((parts && one));
    const auto a = (*parts)->steps(run), b = (*one)->steps(0 + whole.window.controller().shown_run()->id);
    REQUIRE((a && b));
    REQUIRE(a->size() == 300);
    REQUIRE(b->size() == 300);
    for (std::size_t i = 0; i < 300; ++i)
        CHECK((*a)[i].schedule_hash == (*b)[i].schedule_hash);
    CHECK(*(*parts)->verify(open.window.document().kernel(), run) == 300);
}

QUIET_CASE(
    "a run goes on with the scope it was started with, says so where another is set, and is told in lists") {
    OpenWindow open;
    MainWindow& window = open.window;
    const std::string path = open.path("s.db").toStdString();
    window.controller().set_session_path(path);
    KernelNotes& notes = *window.hand_tools().notes();
    notes.clear_locks();
    const InstrId id = 0x1270 / kWordBytes;
    window.selection().select(id);
    window.commands()[QStringLiteral("agent.scope_block")]->trigger();
    const BlockId block = window.document().kernel()->block_of(id);
    const std::vector<InstrId> closed = window.hand_tools().closed_to_agents();
    REQUIRE_FALSE(closed.empty());
    run_steps(window, "60steps");
    notes.clear_locks();
    RunRequest more = window.agent_bar().request();
    more.budget = QStringLiteral("60steps");
    window.agent_bar().set_request(more);
    QSignalSpy finished(&window.controller(), &RunController::finished);
    open.key(Qt::Key_F5, Qt::ControlModifier);
    CHECK(window.messages().newest_text().contains(QStringLiteral("keeps its own locks")));
    REQUIRE(wait_for([&] { return finished.count() == 1; }));
    auto reader = required(SessionReader::open(path));
    // Its message tells this part from all of it.
    CHECK(open.window.messages().newest_text().contains(
        QStringLiteral("%1 in all").arg((*reader)->run(0)->steps)));
    CHECK(open.window.messages().newest_text().contains(QStringLiteral("more steps")));
    CHECK((*reader)->run(0)->locked == closed);
    const auto steps = required((*reader)->steps(1));
    CHECK(steps->size() > 60);
    for (const StepRecord& step : *steps)
        for (const Edit& edit : step.mutation.edits)
            CHECK(window.document().kernel()->block_of(edit.instr) == block);
    SessionModel model;
    model.set_sessions({summarise_session(path)});
    const QModelIndex agents = model.index(0, SessionModel::AgentColumn);
    CHECK(agents.data().toString().contains(QStringLiteral("locks")));
    CHECK(agents.data(Qt::ToolTipRole)
              .toString()
              .contains(QStringLiteral("%1 instructions locked or out of scope").arg(closed.size())));
    // Of a file that cannot be read it is not known how many steps it holds.
    std::ofstream(open.path("broken.db").toStdString()) << "no session";
    model.set_sessions({summarise_session(open.path("broken.db").toStdString()), summarise_session(path)});
    CHECK(model.index(0, SessionModel::StepsColumn).data().toString().isEmpty());
    CHECK(model.index(1, SessionModel::StepsColumn).data().toInt() >= 120);
    // A name that was given here: its time is shorter, and what is found is the name that the file has.
    SessionSummary named = summarise_session(path);
    named.path = "bmm_mma-2026-11-27T02-16-27.cubinlab.db";
    model.set_sessions({named});
    const QModelIndex file = model.index(0, SessionModel::FileColumn);
    CHECK(file.data().toString() == QStringLiteral("bmm_mma, 11-27 02:16:27"));
    CHECK(file.data(SessionModel::kFilterRole).toString() ==
          QStringLiteral("bmm_mma-2026-11-27T02-16-27.cubinlab.db"));
    CHECK(model.index(0, SessionModel::AgentColumn).data(SessionModel::kFilterRole) ==
          model.index(0, SessionModel::AgentColumn).data());
}

// Root may write to every file; nobody writes to a session of two names.
QUIET_CASE(
    "a session that cannot be written opens for reading and goes on in a copy, with what was edited by "
    "hand") {
    OpenWindow open;
    MainWindow& window = open.window;
    RunController& controller = window.controller();
    controller.set_session_path(open.path("s.db").toStdString());
    run_steps(window, "60steps");
    window.open_path(QString::fromStdString(sample("softmax.cubin")));  // lets the session go
    REQUIRE(wait_for([&] { return window.document().is_open() && controller.runs().empty(); }));
    // Its writer is another thread, and what it had in the -wal file is in the session when that is gone.
    REQUIRE(wait_for([&] { return !QFileInfo::exists(open.path("s.db-wal")); }));
    std::filesystem::create_hard_link(open.path("s.db").toStdString(), open.path("other.db").toStdString());
    const std::string before = bytes_of(open.path("s.db").toStdString());

    window.open_path(open.path("s.db"));
    REQUIRE(wait_for([&] { return controller.read_only() && window.document().hand().can_edit(); }));
    REQUIRE(wait_for([&] { return controller.progress().steps == 60; }));
    CHECK(window.messages().newest_text().contains(QStringLiteral("read-only")));
    window.document().pair().show_right(ScheduleSlot::Hand);
    window.selection().select(0x1270 / kWordBytes);
    open.key(Qt::Key_Up, Qt::AltModifier);
    REQUIRE(window.document().hand().tree().can_undo());
    QSignalSpy failed(&controller, &RunController::failed);
    window.start_agent(window.agent_bar().request());
    CHECK(failed.count() == 1);
    CHECK_FALSE(controller.active());

    // Hand edits that no log keeps are not left without a word.
    window.open_path(QString::fromStdString(sample("rmsnorm.cubin")));
    CHECK(window.messages().newest_text().contains(QStringLiteral("Hand edits would be lost")));
    REQUIRE(button_of(window.messages(), QStringLiteral("Discard")) != nullptr);
    CHECK_FALSE(window.close());
    CHECK(window.document().hand().tree().can_undo());

    auto* copy = required(button_of(window.messages(), QStringLiteral("Continue in a copy")));
    QTest::mouseClick(copy, Qt::LeftButton);
    REQUIRE(wait_for([&] { return controller.hand_step().step == 1; }));
    CHECK_FALSE(controller.read_only());
    CHECK(controller.session_path() != open.path("s.db").toStdString());
    CHECK(controller.runs().size() == 2);
    run_steps(window, "30steps");
    CHECK(controller.runs().size() == 3);
    CHECK(bytes_of(open.path("s.db").toStdString()) == before);
}

QUIET_CASE("a file that is built anew while it is open is told, and opened on a click") {
    OpenWindow open("");
    const auto replaced_by =
        [&](const std::string& with) {  // as a linker or an editor does: by another file of the name
            const auto beside = open.path("new").toStdString(),
                       there = open.path("kernel.cubin").toStdString();
            std::filesystem::copy_file(with, beside);
            std::filesystem::rename(beside, there);
        };
    replaced_by(sample("flash_attn_mma.cubin"));
    open.window.open_path(open.path("kernel.cubin"));
    Document& document = open.window.document();
    REQUIRE(wait_for([&] { return document.hand().can_edit(); }));
    const Hash128 before = document.kernel()->hash();
    auto* watch = required(open.window.findChild<FileWatch*>());
    QSignalSpy looked(watch, &FileWatch::looked);

    replaced_by(sample("flash_attn_mma.cubin"));  // the same code again
    REQUIRE(wait_for([&] { return looked.count() == 1; }));
    CHECK_FALSE(open.window.messages().newest_text().contains(QStringLiteral("changed on disk")));

    replaced_by(sample("hillclimbed/flash_attn_mma.hillclimb.cubin"));
    REQUIRE(wait_for(
        [&] { return open.window.messages().newest_text().contains(QStringLiteral("changed on disk")); }));
    CHECK(document.kernel()->hash() == before);
    const auto offered = [&] {
        return button_of(open.window.messages(), QStringLiteral("Reload file")) != nullptr;
    };
    replaced_by(sample("flash_attn_mma.cubin"));  // and built as it was: nothing to open
    REQUIRE(wait_for([&] { return !offered(); }));
    replaced_by(sample("hillclimbed/flash_attn_mma.hillclimb.cubin"));
    REQUIRE(wait_for(offered));
    // It is told once: what a run and an export say does not take its place.
    run_steps(open.window, "20steps");
    Exports& exports = open.window.exports();
    QSignalSpy exported(&exports, &Exports::exported);
    exports.export_to(ExportKind::Csv, open.path("run.csv"));
    REQUIRE(wait_for([&] { return exported.count() == 1; }));
    CHECK(offered());
    QTest::mouseClick(button_of(open.window.messages(), QStringLiteral("Reload file")), Qt::LeftButton);
    REQUIRE(wait_for([&] { return document.kernel()->hash() != before; }));
}

QUIET_CASE("edits are carried over to a kernel that is built anew, as far as its blocks are the same") {
    OpenWindow open("");
    const std::string builds = sample("../tests/data/patch/patch_"),
                      there = open.path("kernel.cubin").toStdString();
    std::filesystem::copy_file(builds + "original.cubin", there);
    open.window.open_path(open.path("kernel.cubin"));
    Document& document = open.window.document();
    REQUIRE(wait_for([&] { return document.hand().can_edit(); }));
    const SchedulePtr original = document.pair().schedule(ScheduleSlot::Original);
    for (InstrId id = 0; id < original->size() && !document.hand().tree().can_undo(); ++id)
        document.hand().move_by(id, 1);
    REQUIRE(wait_for([&] { return *document.pair().schedule(ScheduleSlot::Hand) != *original; }));
    const auto moved = [&](const Schedule& from, const Schedule& to) {
        std::vector<std::string> names;
        for (const Edit& edit : difference(from, to).edits)
            names.emplace_back(from.kernel()->instruction(edit.instr).mnemonic);
        return names;
    };
    const std::vector<std::string> edited = moved(*original, *document.pair().schedule(ScheduleSlot::Hand));

    std::filesystem::copy_file(builds + "changed.cubin", there,
                               std::filesystem::copy_options::overwrite_existing);
    QAbstractButton* carry = nullptr;
    REQUIRE(wait_for([&] {
        carry = button_of(open.window.messages(), QStringLiteral("Reload file, transfer: Hand"));
        return carry != nullptr;
    }));
    QTest::mouseClick(carry, Qt::LeftButton);
    REQUIRE(wait_for(
        [&] { return document.kernel() != original->kernel() && document.hand().tree().can_undo(); }));
    // The block of the move is one that the change of the source left as it was.
    CHECK(moved(*document.pair().schedule(ScheduleSlot::Original),
                *document.pair().schedule(ScheduleSlot::Hand)) == edited);
    CHECK(document.pair().right_slot() == ScheduleSlot::Hand);
    CHECK(open.window.messages().newest_text().contains(QStringLiteral("1 of its 1 blocks fit")));
    document.hand().undo();
    CHECK(*document.pair().schedule(ScheduleSlot::Hand) == *document.pair().schedule(ScheduleSlot::Original));
}

QUIET_CASE(
    "the session browser lists kernel, agents, steps, best and state, opens, deletes only after asking") {
    OpenWindow open;
    const QDir folder(open.folder.path());
    Settings().set_sessions_folder(folder.path());
    open.window.controller().set_session_path(open.path("good.db").toStdString());
    run_steps(open.window, "120steps");
    open.window.opener().close();
    REQUIRE(wait_for([&] {
        return summarise_session(open.path("good.db").toStdString()).state == SessionState::Complete;
    }));
    QFile bad(open.path("bad.db"));
    REQUIRE(bad.open(QIODevice::WriteOnly));
    bad.write("no session");
    bad.close();
    QFile nothing(open.path("nothing.db"));  // as a writer that was stopped at once leaves it
    REQUIRE(nothing.open(QIODevice::WriteOnly));
    nothing.close();

    QPointer<SessionBrowser> browser = open.window.show_sessions();  // closing deletes it
    QSignalSpy looked(browser, &SessionBrowser::looked);
    const QAbstractItemModelTester tester(const_cast<SessionModel*>(&browser->model()));
    REQUIRE(wait_for([&] { return browser->model().rowCount() == 3; }));
    auto* table = browser->findChild<QTableView*>();
    // The arrows of the search field go through the rows.
    auto* search = required(browser->findChild<QLineEdit*>());
    table->selectRow(0);
    for (const int row : {1, 2}) {
        QTest::keyClick(search, Qt::Key_Down);
        CHECK(table->currentIndex().row() == row);
    }
    const auto row_with = [&](const char* file) {
        for (int row = 0; row < table->model()->rowCount(); ++row)
            if (table->model()->index(row, SessionModel::FileColumn).data().toString() ==
                QString::fromLatin1(file))
                return row;
        return -1;
    };
    const auto cell = [&](const char* file, int column) {
        return table->model()->index(row_with(file), column).data().toString();
    };
    CHECK(cell("good.db", SessionModel::KernelColumn).startsWith(QStringLiteral("bmm ")));
    CHECK(cell("good.db", SessionModel::AgentColumn) == QStringLiteral("greedy"));
    CHECK(cell("good.db", SessionModel::StepsColumn) == QStringLiteral("120"));
    CHECK(cell("good.db", SessionModel::BestColumn).contains(QStringLiteral("modelled")));
    CHECK(cell("good.db", SessionModel::StateColumn) == QStringLiteral("complete"));
    CHECK(cell("bad.db", SessionModel::StateColumn) == QStringLiteral("unreadable"));
    CHECK(cell("nothing.db", SessionModel::StateColumn) == QStringLiteral("empty"));
    CHECK(cell("good.db", SessionModel::DateColumn)
              .startsWith(QDate::currentDate().toString(QStringLiteral("yyyy-MM-"))));
    browser->resize(752, 540);  // the file's name is in sight there, whole figures are, and nothing scrolls
    CHECK(wait_for([&] { return table->horizontalScrollBar()->maximum() == 0; }));
    CHECK(table->columnWidth(SessionModel::SizeColumn) >
          static_cast<QAbstractItemView*>(table)->sizeHintForColumn(SessionModel::SizeColumn));
    CHECK_FALSE(browser->grab().isNull());

    // Arrows in the filter move the selection.
    auto* filter = browser->findChild<QLineEdit*>();
    table->selectRow(0);
    filter->setFocus();
    QTest::keyClick(filter, Qt::Key_Down);
    QTest::keyClick(filter, Qt::Key_Down);
    CHECK(table->currentIndex().row() == 2);
    table->selectRow(row_with("bad.db"));
    CHECK_FALSE(button(browser, "Open")->isEnabled());
    table->selectRow(row_with("good.db"));
    QTest::mouseClick(button(browser, "Delete..."), Qt::LeftButton);
    auto* box = required(browser->findChild<QMessageBox*>(QStringLiteral("delete_session")));
    QTest::mouseClick(button(box, "Cancel") ? button(box, "Cancel") : button(box, "&Cancel"), Qt::LeftButton);
    CHECK(QFile::exists(open.path("good.db")));
    QTest::keyClick(table, Qt::Key_Return);
    REQUIRE(wait_for([&] { return open.window.document().is_open(); }));
    CHECK((browser.isNull() || !browser->isVisible()));
    open.window.opener().close();

    browser = open.window.show_sessions();
    table = browser->findChild<QTableView*>();
    REQUIRE(wait_for([&] { return browser->model().rowCount() == 3; }));
    table->selectRow(row_with("bad.db"));
    browser->ask_and_delete();
    box = browser->findChild<QMessageBox*>(QStringLiteral("delete_session"));
    REQUIRE(box != nullptr);
    QTest::mouseClick(button(box, "Delete"), Qt::LeftButton);
    REQUIRE(wait_for([&] { return !QFile::exists(open.path("bad.db")); }));
    REQUIRE(wait_for([&] { return browser->model().rowCount() == 2; }));
    CHECK(QFile::exists(open.path("good.db")));
    const QDir trash(qEnvironmentVariable("XDG_DATA_HOME") + QStringLiteral("/Trash/files"));
    CHECK_FALSE(trash.entryList({QStringLiteral("bad*")}).isEmpty());
    browser->close();
    Settings().set_sessions_folder({});
}

QUIET_CASE("a folder without sessions says so") {
    OpenWindow open("");
    Settings().set_sessions_folder(open.path("nowhere"));
    SessionBrowser* browser = open.window.show_sessions();
    QSignalSpy looked(browser, &SessionBrowser::looked);
    REQUIRE(wait_for([&] { return looked.count() >= 1; }));
    bool said = false;
    for (const QLabel* label : browser->findChildren<QLabel*>())
        said = said || label->text().contains(QStringLiteral("No sessions yet"));
    CHECK(said);
    CHECK_FALSE(button(browser, "Delete...")->isEnabled());
    Settings().set_sessions_folder({});
}

QUIET_CASE("listing, differences, log and report as files, what cannot be written is told") {
    OpenWindow open;
    Exports& exports = open.window.exports();
    CHECK_FALSE(exports.can_export(ExportKind::Csv));
    open.window.controller().set_session_path(open.path("s.db").toStdString());
    run_steps(open.window, "90steps");
    QSignalSpy done(&exports, &Exports::exported), failed(&exports, &Exports::failed);
    const auto write = [&](ExportKind kind, const QString& path) {
        const auto before = done.count() + failed.count();
        exports.export_to(kind, path);
        REQUIRE(wait_for([&] { return done.count() + failed.count() > before; }));
    };
    write(ExportKind::Listing, open.path("l.txt"));
    write(ExportKind::Diff, open.path("d.txt"));
    write(ExportKind::Csv, open.path("m.csv"));
    write(ExportKind::Report, open.path("r.html"));
    CHECK(failed.isEmpty());
    const Document& document = open.window.document();
    const QString listing = text_of(open.path("l.txt"));
    CHECK(listing.count(QStringLiteral("\n  ")) == static_cast<qsizetype>(document.kernel()->size()));
    CHECK(listing.contains(document.text_of(5)));
    CHECK(text_of(open.path("d.txt")).contains(QStringLiteral("+++ Agent's best")));
    const QString csv = text_of(open.path("m.csv"));
    CHECK(csv.count(QStringLiteral("\r\n")) == 91);
    CHECK(csv.startsWith(QStringLiteral("step,parent,")));
    CHECK(text_of(open.path("r.html")).contains(QStringLiteral("unmeasured")));
    write(ExportKind::Csv, open.path("no/such/folder.csv"));
    CHECK(failed.count() == 1);
    CHECK(open.window.messages().newest_text().contains(QStringLiteral("Not exported")));
}

TEST_CASE("the diff names every change once, by what became of it") {
    const auto cubin = Cubin::open(sample("bmm_mma.cubin"));
    const auto kernel = Kernel::load(*cubin, "");
    const Schedule original(*kernel);
    Schedule other = original;
    InstrId id = kNone;  // some instruction that is not the first of its block
    for (const Block& block : (*kernel)->flow().blocks)
        if (block.end() - block.first > 8) {
            id = original.at(block.first + 4);
            other.move(id, block.first + 6);
            break;
        }
    REQUIRE(id != kNone);
    ControlCode control = other.control(id + 20);
    control.yield = !control.yield;
    other.set_control(id + 20, control);
    std::vector<std::string> lines((*kernel)->size(), "TEXT");
    CHECK(diff_text(original, original, lines, "a", "b").find("\n@@") == std::string::npos);
    const std::string text = diff_text(original, other, lines, "a", "b");
    const auto count = [&](const char* part) {
        std::size_t n = 0;
        for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
            ++n;
        return n;
    };
    CHECK(count("\n- ") == 1);
    CHECK(count("\n+ ") == 1);
    CHECK(count("\n~ ") == 1);
    CHECK(count("(was ") == 1);
}

QUIET_CASE("a second window has its own kernel, a session is opened once, both dropped files open") {
    OpenWindow open;
    open.key(Qt::Key_N, Qt::ControlModifier);
    REQUIRE(Windows::instance().all().size() == 2);
    MainWindow* second = Windows::instance().all().back();
    second->open_path(QString::fromStdString(sample("softmax.cubin")));
    REQUIRE(wait_for([&] { return second->document().is_open(); }));
    CHECK(second->document().kernel() != open.window.document().kernel());
    CHECK(open.window.commands()[QStringLiteral("view.next_window")]->isEnabled());

    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QString::fromStdString(sample("bmm.cubin"))),
                  QUrl::fromLocalFile(QString::fromStdString(sample("softmax.cubin")))});
    QDragEnterEvent enter(QPoint(40, 40), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&open.window, &enter);
    QDropEvent drop(QPointF(40, 40), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&open.window, &drop);
    REQUIRE(Windows::instance().all().size() == 3);
    MainWindow* third = Windows::instance().all().back();
    REQUIRE(wait_for([&] {
        return third->document().is_open() && third->document().hand().can_edit() &&
               open.window.document().path().filename() == "bmm.cubin" &&
               open.window.document().hand().can_edit();
    }));
    open.window.controller().set_session_path(open.path("one.db").toStdString());
    run_steps(open.window, "20steps");
    CHECK(Windows::instance().showing(open.path("one.db")) == &open.window);
    CHECK(Windows::instance().showing(open.path("two.db")) == nullptr);
    second->close();
    third->close();
    REQUIRE(wait_for([&] { return Windows::instance().all().size() == 1; }));

    // A folder's files by mistake: no window for each of a hundred.
    data.setUrls(QList<QUrl>(100, QUrl::fromLocalFile(QString::fromStdString(sample("softmax.cubin")))));
    QDragEnterEvent again(QPoint(40, 40), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&open.window, &again);
    QDropEvent many(QPointF(40, 40), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&open.window, &many);
    CHECK(Windows::instance().all().size() == 8);
    CHECK(open.window.messages().newest_text().contains(QStringLiteral("Some files were not opened")));
    const auto opened = Windows::instance().all();
    for (MainWindow* window : opened)
        if (window != &open.window) window->close();
    REQUIRE(wait_for([&] { return Windows::instance().all().size() == 1; }));
}

QUIET_CASE(
    "closing while an agent works does not freeze: the window says so, answers, and goes when it is done") {
    OpenWindow open("");
    MainWindow* window = Windows::instance().open_new(QString::fromStdString(sample("bmm_mma.cubin")));
    const QPointer<MainWindow> alive(window);
    REQUIRE(wait_for([&] { return window->document().hand().can_edit(); }));
    window->controller().set_session_path(open.path("closing.db").toStdString());
    RunRequest request;
    request.only_reschedules = true;
    request.evaluator = EvaluatorPolicy::Model;
    request.budget = QStringLiteral("1000000steps");
    window->start_agent(request);
    REQUIRE(wait_for([&] { return window->controller().progress().steps > 10; }));
    QElapsedTimer timer;
    timer.start();
    window->close();
    CHECK(timer.elapsed() < 5000);
    REQUIRE(!alive.isNull());
    CHECK(window->messages().newest_text().contains(QStringLiteral("Closing")));
    REQUIRE(wait_for([&] { return alive.isNull(); }));
    const SessionSummary summary = summarise_session(open.path("closing.db").toStdString());
    REQUIRE(summary.runs.size() == 1);
    CHECK(summary.runs.front().end == "stopped");
}
