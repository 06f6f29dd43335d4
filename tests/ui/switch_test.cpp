// SPDX-License-Identifier: GPL-3.0-or-later
// One window, another kernel: whatever was selected, edited, folded, run, replayed or still at work, the
// window then knows nothing of the kernel before, and a file that cannot be opened changes nothing.
#include <QAbstractButton>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <atomic>
#include <semaphore>

#include "core/store/session.h"
#include "core/store/sqlite.h"
#include "tests/ui/window_support.h"
#include "ui/base/job_runner.h"
#include "ui/document/kernel_notes.h"
#include "ui/document/problems_panel.h"
#include "ui/graph/graph_canvas.h"
#include "ui/graph/graph_view.h"
#include "ui/hand/hand_tools.h"
#include "ui/hand/place_trial.h"
#include "ui/listing/gutter.h"
#include "ui/listing/listing_overlay.h"
#include "ui/replay/replay_panel.h"
#include "ui/run/mutation_log.h"
#include "ui/run/opener.h"
#include "ui/run/reward_chart.h"
#include "ui/run/session_hub.h"
#include "ui/run/step_panel.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

// What may stay behind of a kernel is what the next one has less of: instructions, blocks, loops. The longest and the
// shortest, with many blocks and with few come after each other in every order, the others after the longest and before
// the shortest. CUBINLAB_EVERY_PAIR=1: each after every other, three times the work.
const std::vector<std::string> kInEveryOrder = {"softmax", "ff_swiglu_mma", "bmm_mma", "gemm_leaky_large",
                                                "rmsnorm"};
const std::vector<std::string> kOthers = {
    "bmm",        "ff_swiglu",     "flash_attn", "flash_attn_d64", "flash_attn_d64_mma", "flash_attn_mma",
    "gemm_leaky", "gemm_leaky_mma"};

struct Switched : OpenWindow {
    Document& document = window.document();
    RunController& runs = window.controller();
    Selection& selection = window.selection();
    CompareView& compare = window.compare_view();

    Switched() : OpenWindow(std::string()) {}

    void ask_for(const std::string& path) { window.open_path(QString::fromStdString(path)); }

    // Opened: another kernel object than before, and its checker is there.
    // A session comes with its newest run.
    void open(const std::string& path, bool session = false) {
        QSignalSpy opened(&document, &Document::opened);
        ask_for(path);
        REQUIRE(wait_for([&] { return opened.count() == 1; }));
        knows_nothing_of_before(session);
        REQUIRE(wait_for([&] { return document.hand().can_edit(); }));
    }
    void open_sample(const std::string& name) { open(sample(name + ".cubin")); }

    void knows_nothing_of_before(bool session = false) {
        const std::size_t size = document.kernel()->size();
        CHECK(document.pair().left()->kernel() == document.kernel());
        CHECK(document.pair().right()->kernel() == document.kernel());
        CHECK(document.pair().diff()->change.size() == size);
        CHECK(document.pair().problems().empty());
        CHECK_FALSE(document.hand().tree().can_undo());
        CHECK_FALSE(document.hand().tree().can_redo());
        CHECK(document.hand().tree().nodes().size() == 1);
        CHECK(document.pair().schedule(ScheduleSlot::Viewed) == nullptr);
        CHECK(document.pair().schedule(ScheduleSlot::Other) == nullptr);
        if (!session) {
            CHECK(document.pair().best_step() == StepRef{});
            CHECK(*document.pair().schedule(ScheduleSlot::Best) ==
                  *document.pair().schedule(ScheduleSlot::Original));
            CHECK(window.findChild<RewardChart*>()->curves() == nullptr);
        }
        CHECK_FALSE(selection.has());
        CHECK(selection.range().empty());
        CHECK_FALSE(selection.can_go_back());
        CHECK_FALSE(selection.can_go_forward());
        selection.select(static_cast<InstrId>(size));  // there is no such one
        CHECK_FALSE(selection.has());
        CHECK(compare.rows().left_row.size() == size);
        for (const Block& block : document.kernel()->flow().blocks)
            CHECK_FALSE(compare.folded(document.kernel()->block_of(block.first)));
        CHECK_FALSE(compare.column(CompareView::Column::Profile));
        CHECK(compare.pane(Side::Right)->overlay()->labels().empty());
        CHECK(compare.pane(Side::Right)->overlay()->legal_rows().empty());
        CHECK_FALSE(compare.pane(Side::Right)->overlay()->drag().active());
        CHECK(window.findChild<QLineEdit*>(QStringLiteral("find"))->text().isEmpty());
        CHECK(window.hand_tools().trial()->heat() == nullptr);
        CHECK_FALSE(window.hand_tools().notes()->bookmarked(static_cast<InstrId>(size)));
        CHECK_FALSE(runs.active());
        CHECK(runs.progress().steps == 0);
        CHECK(runs.hand_step().run == 0);
        CHECK(window.findChild<MutationLog*>()->model()->total() == 0);
        auto* replay = window.findChild<ReplayPanel*>();
        CHECK(replay->steps()->step() == 0);
        CHECK_FALSE(replay->shown_details());
        CHECK_FALSE(replay->minimised());
    }

    // Everything a person does to a kernel, with a run and a trial of places at work in the end.
    void use() {
        const Kernel& kernel = *document.kernel();
        const auto last = static_cast<InstrId>(kernel.size() - 1);
        selection.select(0);
        selection.select(last);
        selection.set_range({last - 1, last});
        selection.select(last / 2);
        window.hand_tools().show_legal_places(true);
        auto* find = required(window.findChild<QLineEdit*>(QStringLiteral("find")));
        find->setText(QStringLiteral("R4"));
        compare.set_column(CompareView::Column::Cycle, true);
        document.pair().show_right(ScheduleSlot::Hand);
        int edits = 0;
        InstrId movable = 0;
        for (InstrId id = 0; id < kernel.size() && edits < 3; ++id) {
            if (kernel.pinned(id)) continue;
            const SlotRange range =
                document.checker()->slots(*document.pair().schedule(ScheduleSlot::Hand), id);
            for (Position p = range.lowest; p <= range.highest; ++p)
                if (range.contains(p) && p != document.pair().schedule(ScheduleSlot::Hand)->position_of(id)) {
                    edits += document.hand().move_to(id, p);
                    movable = id;
                    break;
                }
        }
        document.hand().undo();
        compare.set_folded({last_block()}, true);
        window.hand_tools().notes()->toggle_bookmark(last);
        RunRequest request;
        request.only_reschedules = true;
        request.evaluator = EvaluatorPolicy::Model;
        request.agent = QStringLiteral("greedy");  // begins at once
        request.budget = QStringLiteral("100000steps");
        window.start_agent(request);
        REQUIRE(wait_for([&] { return runs.progress().steps > 0; }));
        runs.view_step(1);
        REQUIRE(wait_for([&] { return document.pair().viewed_step().step == 1; }));
        document.pair().show_left(ScheduleSlot::Viewed);
        document.pair().show_right(ScheduleSlot::Hand);
        selection.select(movable);
        window.hand_tools().try_places();
        QCoreApplication::processEvents();
        CHECK(runs.active());
    }
    BlockId last_block() const { return static_cast<BlockId>(document.kernel()->flow().blocks.size() - 1); }
    void leave_no_bookmark() { window.hand_tools().notes()->clear_bookmarks(); }
};

// Each ordered pair of n things once, a thing after itself included: 0 0 1 0 2 ... 1 1 2 ... 0.
std::vector<std::size_t> every_ordered_pair(std::size_t n) {
    std::vector<std::vector<bool>> seen(n, std::vector<bool>(n, false));
    std::vector<std::size_t> path, stack{0};
    while (!stack.empty()) {  // an Euler tour of the complete graph with loops
        const std::size_t at = stack.back();
        std::size_t next = 0;
        while (next < n && seen[at][next])
            ++next;
        if (next == n) {
            path.push_back(at);
            stack.pop_back();
        } else {
            seen[at][next] = true;
            stack.push_back(next);
        }
    }
    return path;
}

std::string session_of(Switched& window, const char* name, const char* budget = "20steps") {
    window.runs.set_session_path(window.path(name).toStdString());
    RunRequest request;
    request.only_reschedules = true;
    request.evaluator = EvaluatorPolicy::Model;
    request.budget = QString::fromLatin1(budget);
    window.window.start_agent(request);
    REQUIRE(wait_for([&] { return window.runs.active(); }));
    REQUIRE(wait_for([&] { return !window.runs.active(); }));
    return window.path(name).toStdString();
}

}  // namespace

QUIET_CASE("opening reads a kernel, or a session with its runs and best schedule, as one value", "[switch]") {
    const auto of_file = required(read_opened({.path = sample("softmax.cubin")}, {}));
    REQUIRE(of_file->kernel);
    CHECK_FALSE(of_file->session);
    CHECK(of_file->kernel->original->kernel() == of_file->kernel->kernel);

    Switched w;
    w.open_sample("softmax");
    const std::string path = session_of(w, "one_value.db");
    w.window.opener().close();
    const auto of_session = required(read_opened({.path = path}, {}));
    REQUIRE(of_session->session);
    const OpenSession& session = *of_session->session;
    CHECK(session.hub->kernel() == of_session->kernel->kernel);
    CHECK_FALSE(session.read_only);
    REQUIRE(session.runs.runs.size() == 1);
    CHECK((session.runs.best != nullptr) == (session.runs.runs.front().best_step != 0));
    CHECK_FALSE(read_opened({.path = w.path("none.db").toStdString()}, {}));
}

QUIET_CASE("a second file with an instruction selected that it does not have", "[switch]") {
    Switched w;
    w.open_sample("bmm_mma");
    w.selection.select(0x1800 / 16);
    REQUIRE(w.selection.has());
    w.open_sample("rmsnorm");
    w.open_sample("gemm_leaky_large");
    w.open_sample("rmsnorm");  // nothing selected
    CHECK(w.compare.rows().size() > w.document.kernel()->size());
}

QUIET_CASE("one sample after another, in the middle of everything", "[switch]") {
    Switched w;
    std::vector<std::string> ordered = kInEveryOrder;
    const bool every_pair = qEnvironmentVariableIsSet("CUBINLAB_EVERY_PAIR");
    if (every_pair) ordered.insert(ordered.end(), kOthers.begin(), kOthers.end());
    std::vector<std::string> tour;
    for (const std::size_t at : every_ordered_pair(ordered.size()))
        tour.push_back(ordered[at]);
    REQUIRE(tour.size() == ordered.size() * ordered.size() + 1);
    if (!every_pair)
        for (const std::string& other : kOthers)
            tour.insert(tour.end(), {"ff_swiglu_mma", other, "softmax"});
    for (std::size_t i = 0; i < tour.size(); ++i) {
        INFO("at " << i << ": " << (i > 0 ? tour[i - 1] : "nothing") << " to " << tour[i]);
        w.open_sample(tour[i]);
        w.leave_no_bookmark();
        w.use();
        if (i % 13 == 0) (void)w.window.grab();  // painted with all of it, too
    }
    w.window.opener().close();
    CHECK_FALSE(w.document.is_open());
    CHECK_FALSE(w.selection.has());
    CHECK_FALSE(w.runs.active());
}

QUIET_CASE("a file that cannot be opened leaves the first one as it was, its run too", "[switch]") {
    Switched w;
    w.open_sample("bmm_mma");
    w.leave_no_bookmark();
    w.use();
    const KernelPtr kernel = w.document.kernel();
    const Hash128 hand = w.document.pair().schedule(ScheduleSlot::Hand)->hash();
    const InstrId selected = w.selection.instr();
    QSignalSpy failed(&w.window.opener(), &Opener::failed);
    const std::string broken = w.path("broken.cubin").toStdString();
    std::ofstream(broken, std::ios::binary) << "\x7f"
                                            << "ELF and no more";
    const auto told = [&] {
        return w.window.messages().newest_text().startsWith(QStringLiteral("Cannot open"));
    };
    w.ask_for(broken);
    REQUIRE(wait_for([&] { return failed.count() == 1; }));
    CHECK(told());
    const std::string damaged = w.path("damaged.db").toStdString();
    std::ofstream(damaged, std::ios::binary) << "SQLite format 3" << std::string(200, '\x5a');
    w.ask_for(damaged);
    REQUIRE(wait_for([&] { return failed.count() == 2; }));
    CHECK(told());
    // A session whose kernel can be read and whose runs cannot.
    const std::string unreadable = w.path("unreadable.db").toStdString();
    {
        const KernelPtr other = Kernel::load(*Cubin::open(sample("softmax.cubin"))).value();
        auto session = SessionWriter::open(unreadable, other, "", "").value();
        RunId run = 0;
        REQUIRE(session->begin_run(RunHeader{}, Schedule(other), &run));
        REQUIRE(session->close());
        auto database = sqlite::Database::open(unreadable, sqlite::Mode::ReadWrite).value();
        REQUIRE(database.exec("UPDATE runs SET start_hash = 'none'"));
    }
    w.ask_for(unreadable);
    REQUIRE(wait_for([&] { return failed.count() == 3; }));
    CHECK(told());
    w.ask_for(w.path("nowhere.cubin").toStdString());
    CHECK(told());
    CHECK(w.document.kernel() == kernel);
    CHECK(w.document.pair().schedule(ScheduleSlot::Hand)->hash() == hand);
    CHECK(w.document.hand().tree().can_undo());
    CHECK(w.selection.instr() == selected);
    CHECK(w.compare.folded(w.last_block()));
    CHECK(w.window.hand_tools().trial()->heat() != nullptr);
    CHECK(w.runs.active());
    const auto steps = w.runs.progress().steps;
    CHECK(wait_for([&] { return w.runs.progress().steps > steps; }));
}

QUIET_CASE(
    "what another file leaves behind is told: the run that was stopped, the hand edits, and their session",
    "[switch]") {
    Switched w;
    w.open_sample("bmm_mma");
    w.use();
    REQUIRE(wait_for([&] { return w.runs.active() && w.runs.hand_step().step > 0; }));
    const auto session = w.runs.session_path();
    const std::size_t edits = w.document.hand().tree().nodes().size() - 1;
    w.open_sample("rmsnorm");
    const QString told = w.window.messages().newest_text();
    INFO(told.toStdString());
    CHECK(told.startsWith(QStringLiteral("Closed bmm (bmm_mma.cubin)")));
    CHECK(told.contains(QStringLiteral("agent was stopped")));
    CHECK(told.contains(QStringLiteral("%1 hand edits").arg(edits)));
    CHECK(told.contains(QString::fromStdString(session.filename().string())));

    // The next file was only looked at: what is said stays, until there is something newer.
    w.open_sample("softmax");
    CHECK(w.window.messages().newest_text() == told);

    // Its button leads back, where the run can go on.
    QAbstractButton* back = nullptr;
    for (auto* each : w.window.messages().findChildren<QAbstractButton*>())
        if (each->text() == QStringLiteral("Open session")) back = each;
    REQUIRE(back != nullptr);
    QSignalSpy opened(&w.document, &Document::opened);
    back->click();
    REQUIRE(wait_for([&] { return opened.count() == 1; }));
    CHECK(w.runs.session_path() == session);
    CHECK_FALSE(w.runs.read_only());
    CHECK(wait_for([&] { return w.runs.run_to_continue() != nullptr; }));

    // Nothing was done to this one: nothing is said.
    w.open_sample("rmsnorm");
    w.open_sample("softmax");
    CHECK_FALSE(w.window.messages().newest_text().startsWith(QStringLiteral("Left")));

    // Closing the kernel leaves as much behind.
    w.use();
    w.window.commands()[QStringLiteral("file.close")]->trigger();
    CHECK_FALSE(w.document.is_open());
    CHECK(w.window.messages().newest_text().startsWith(QStringLiteral("Closed softmax")));
}

QUIET_CASE("files made to do harm are told or shown, and do no harm to the window", "[switch]") {
    Switched w;
    w.open_sample("bmm_mma");
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(CUBINLAB_TEST_DATA "/hostile/cubins")) {
        INFO(entry.path().string());
        QSignalSpy opened(&w.document, &Document::opened), failed(&w.window.opener(), &Opener::failed);
        w.ask_for(entry.path().string());
        REQUIRE(wait_for([&] { return opened.count() + failed.count() == 1; }));
        REQUIRE(wait_for([&] { return w.window.jobs().idle(); }));
        (void)w.window.grab();
        ++files;
    }
    CHECK(files >= 7);
    w.open_sample("rmsnorm");
}

QUIET_CASE("a session after a cubin, a cubin after a session, and whichever was asked for last", "[switch]") {
    Switched w;
    w.open_sample("softmax");
    const std::string softmax = session_of(w, "softmax.db");
    w.open_sample("bmm_mma");
    const std::string bmm = session_of(w, "bmm.db");
    w.use();
    w.open(softmax, true);
    REQUIRE(wait_for([&] { return w.runs.progress().steps == 20; }));
    CHECK(w.document.kernel()->name() == Kernel::load(*Cubin::open(sample("softmax.cubin"))).value()->name());
    CHECK(w.runs.session_path() == softmax);
    w.open_sample("rmsnorm");
    CHECK(w.runs.session_path().empty());
    CHECK(w.runs.runs().empty());

    // Two asked for in one breath: the later one, and never the log of one with the kernel of the other.
    QSignalSpy opened(&w.document, &Document::opened);
    w.ask_for(bmm);
    w.ask_for(sample("rmsnorm.cubin"));
    REQUIRE(wait_for([&] { return opened.count() == 1; }));
    CHECK(w.runs.session_path().empty());
    REQUIRE(wait_for([&] { return w.window.jobs().idle(); }));
    CHECK(opened.count() == 1);
    CHECK(w.document.path().filename() == "rmsnorm.cubin");
    w.ask_for(sample("softmax.cubin"));
    w.ask_for(bmm);
    REQUIRE(wait_for([&] { return w.runs.session_path() == bmm && w.runs.progress().steps > 0; }));
    CHECK(w.document.kernel()->name() == Kernel::load(*Cubin::open(sample("bmm_mma.cubin"))).value()->name());
    w.window.opener().close();
    CHECK(w.runs.session_path().empty());
}

TEST_CASE("a job of a kernel that was left is told to stop, and what it finds is nobody's", "[switch]") {
    JobRunner jobs;
    std::binary_semaphore begun(0), left(0);
    std::atomic<bool> told = false;
    bool delivered = false, other = false;
    jobs.run<int>(
        QStringLiteral("layout"),
        [&](std::stop_token stop) {
            begun.release();
            left.acquire();
            told = stop.stop_requested();
            return 1;
        },
        [&](int) { delivered = true; });
    begun.acquire();
    jobs.end_kernel();
    jobs.run<int>(
        QStringLiteral("check"), [](std::stop_token) { return 2; }, [&](int) { other = true; });
    left.release();
    REQUIRE(wait_for([&] { return jobs.idle(); }));
    CHECK(told);
    CHECK_FALSE(delivered);
    CHECK(other);
}

QUIET_CASE("the graph of a kernel that was left does not come late", "[switch]") {
    Switched w;
    w.open_sample("flash_attn");
    MainWindow::bring_forward(w.window.dock(QStringLiteral("dock_graph")));
    w.selection.select(static_cast<InstrId>(w.document.kernel()->size() / 2));  // its layout is on its way
    w.open_sample("softmax");
    auto* graph = w.window.findChild<GraphView*>();
    REQUIRE(wait_for([&] { return graph->canvas()->graph() != nullptr; }));
    REQUIRE(wait_for([&] { return w.window.jobs().idle(); }));
    for (const PictureNode& node : graph->canvas()->graph()->picture.nodes)
        CHECK(node.instr < w.document.kernel()->size());
}

QUIET_CASE("what acts on a kernel that was left is gone with it", "[switch]") {
    Switched w;
    w.open_sample("bmm_mma");
    const SchedulePtr old = w.document.pair().schedule(ScheduleSlot::Original);
    w.window.messages().post(MessageKind::Info, QStringLiteral("about bmm_mma"), {});
    w.open_sample("rmsnorm");
    CHECK_FALSE(w.window.messages().newest_text().contains(QStringLiteral("bmm_mma")));
    w.document.hand().reset_hand_to(old, QStringLiteral("a schedule of another kernel"));
    w.document.pair().set_other(old, "another kernel");
    w.document.pair().set_viewed(old, {1, 1});
    CHECK(w.document.pair().right()->kernel() == w.document.kernel());
    CHECK(w.document.pair().left()->kernel() == w.document.kernel());
    CHECK_FALSE(w.document.hand().tree().can_undo());
}
