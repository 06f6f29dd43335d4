// SPDX-License-Identifier: GPL-3.0-or-later
// The replay dock in the window, by real input: scrub, filter, read a step, note it, minimise, count patterns.
#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QTabBar>
#include <QTableView>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextLayout>
#include <QToolButton>

#include "core/model/hot_loop.h"
#include "core/store/session.h"
#include "core/tuning/evaluator_choice.h"
#include "tests/ui/window_support.h"
#include "ui/base/fitting_label.h"
#include "ui/base/settings.h"
#include "ui/document/kernel_info.h"
#include "ui/document/selection.h"
#include "ui/graph/graph_canvas.h"
#include "ui/graph/graph_toolbar.h"
#include "ui/graph/graph_view.h"
#include "ui/listing/compare_view.h"
#include "ui/listing/pane.h"
#include "ui/replay/edits_page.h"
#include "ui/replay/patterns_page.h"
#include "ui/replay/replay_panel.h"
#include "ui/run/mutation_log.h"
#include "ui/run/replay_timeline.h"
#include "ui/run/session_hub.h"
#include "ui/run/step_panel.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_view.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

struct ReplayWindow : OpenWindow {
    ReplayPanel* replay = nullptr;

    explicit ReplayWindow(const char* agent = "greedy", const char* budget = "400steps") {
        window.controller().set_session_path(path("s.db").toStdString());
        const RunRequest request = model_run(QString::fromLatin1(budget), QString::fromLatin1(agent));
        window.start_agent(request);
        REQUIRE(wait_for([&] { return window.controller().active(); }));
        REQUIRE(wait_for([&] { return !window.controller().active(); }));
        auto* dock = required(window.findChild<QDockWidget*>(QStringLiteral("dock_replay")));
        dock->raise();
        replay = window.findChild<ReplayPanel*>();
        REQUIRE(wait_for([&] { return replay->isVisible(); }));
        REQUIRE(window.controller().progress().best_step > 0);
    }
    QToolButton* button(const char* name) {
        return replay->findChild<QToolButton*>(QString::fromLatin1(name));
    }
    void click_timeline(StepId step) {
        ReplayTimeline* line = replay->steps()->timeline();
        QTest::mouseClick(line, Qt::LeftButton, {},
                          {static_cast<int>(std::lround(line->x_of(step))), line->height() / 2});
    }
    bool tells(StepId step) {
        return wait_for(
            [&] { return replay->shown_details() && replay->shown_details()->record.step == step; });
    }
};

}  // namespace

QUIET_CASE("a step of auto tells in words what the agent did then", "[replay]") {
    ReplayWindow open("auto", "900steps");
    open.click_timeline(900);
    REQUIRE(wait_for(
        [&] { return open.replay->shown_details() && open.replay->shown_details()->record.step > 700; }));
    const QString said = open.replay->details()->toPlainText();
    INFO(said.toStdString());
    CHECK(said.contains(QStringLiteral("The agent: ")));
    CHECK(said.contains(QStringLiteral("; best estimate ")));
}

QUIET_CASE("a click in the timeline shows the step, what it did and what it was worth", "[replay]") {
    ReplayWindow open;
    const StepId best = open.window.controller().progress().best_step;
    CHECK(open.replay->details()->toPlainText().contains(QStringLiteral("Select a step")));
    open.click_timeline(best);
    REQUIRE(open.tells(best));
    CHECK(open.window.document().pair().right_slot() == ScheduleSlot::Viewed);
    CHECK(open.window.document().pair().viewed_step().step == best);
    const QString text = open.replay->details()->toPlainText();
    CHECK(text.contains(QStringLiteral("new best")));
    CHECK(text.contains(QStringLiteral("modelled cycles, unmeasured")));  // never shown as a measurement
    const auto& details = *open.replay->shown_details();
    REQUIRE_FALSE(details.described.empty());
    const EditDescription& edit = details.described.front();
    CHECK(text.contains(open.window.document().text_of(edit.instr)));
    if (edit.kind != EditKind::Control)
        CHECK(edit.past.size() ==
              static_cast<std::size_t>(std::abs(static_cast<int>(edit.to) - static_cast<int>(edit.from))));
    const auto effect = required(effect_of(details));
    CHECK(effect->log > 0);  // it became the best
}

QUIET_CASE("choosing a step anywhere selects its instruction, and its edit can be all that differs",
           "[replay]") {
    ReplayWindow open;
    Document& document = open.window.document();
    auto session = open.window.controller().session();
    const RunId run = open.window.controller().shown_run()->id;
    const auto record_of = [&](StepId step) {
        auto records = required(session->steps(run, step - 1, 1));
        REQUIRE(records->size() == 1);
        return records->front();
    };
    const auto selected = [&] { return open.window.selection().instr(); };
    // By mouse in the timeline, by keys in the log.
    open.click_timeline(7);
    REQUIRE(open.tells(7));
    CHECK(wait_for([&] { return selected() == record_of(7).mutation.instr(); }));
    auto* log = required(open.window.findChild<MutationLog*>());
    for (int i = 0; i < 4; ++i)
        QTest::keyClick(log->table(), Qt::Key_Down);
    const StepId chosen = log->current();
    REQUIRE(chosen > 7);
    CHECK(wait_for([&] { return document.pair().viewed_step().step == chosen; }));
    CHECK(wait_for([&] { return selected() == record_of(chosen).mutation.instr(); }));
    // The listing stands at it.
    CHECK(wait_for([&] {
        const int row = open.window.compare_view().rows().row_of(selected(), Side::Right);
        const int first = open.listing()->first_visible_row();
        return row >= first && row < first + open.listing()->visible_rows();
    }));
    // Against the step before, the edit of the step is all that differs.
    QAction* before = open.window.commands()[QStringLiteral("replay.step_before")];
    before->trigger();
    CHECK(wait_for([&] { return document.pair().left_slot() == ScheduleSlot::Other; }));
    const StepRecord record = record_of(chosen);
    auto parent = required(session->schedule_at(run, record.parent));
    CHECK(*document.pair().left() == *parent);
    CHECK(document.pair().other_name() == (record.parent == 0
                                               ? QStringLiteral("Start of the run")
                                               : QStringLiteral("Step %1").arg(record.parent)));
    CHECK(document.pair().diff()->moved + document.pair().diff()->control <=
          2 * record.mutation.edits.size());
    // The next one, likewise; off again, the original is back.
    QTest::keyClick(log->table(), Qt::Key_Down);
    const StepId next = log->current();
    CHECK(wait_for([&] {
        return document.pair().viewed_step().step == next &&
               *document.pair().left() == *session->schedule_at(run, record_of(next).parent);
    }));
    before->trigger();
    CHECK(document.pair().left_slot() == ScheduleSlot::Original);
}

QUIET_CASE("many moves give a compact comparison, and only what changed hides the rest", "[replay]") {
    OpenWindow open;
    CompareView& view = open.window.compare_view();
    Document& document = open.window.document();
    REQUIRE_FALSE(view.compact());
    const KernelPtr kernel = document.kernel();
    Schedule turned(kernel);  // not legal, as any file to compare with may be
    for (const Block& block : kernel->flow().blocks)
        for (Position at = block.first; block.count > 20 && at + 1 < block.end(); ++at)
            turned.move(turned.at(block.end() - 1), at);
    document.pair().set_other(std::make_shared<const Schedule>(turned), "turned.cubin");
    REQUIRE(document.pair().diff()->moved > kManyMoves);
    CHECK(wait_for([&] { return view.rows().compact; }));
    for (const ListingRow& row : view.rows().rows)
        CHECK((row.is_header() || (row.left != kNone && row.right != kNone)));
    QAction* compact = open.window.commands()[QStringLiteral("view.compact")];
    CHECK(compact->isChecked());
    compact->trigger();
    CHECK_FALSE(view.rows().compact);

    document.pair().show_left(ScheduleSlot::Original);
    CHECK(wait_for([&] { return document.pair().diff()->moved == 0; }));
    open.key(Qt::Key_C, Qt::AltModifier);
    CHECK(view.only_changed());
    CHECK(view.rows().size() == kernel->flow().blocks.size());
    open.window.selection().select(40);  // what is selected is shown
    CHECK(view.rows().row_of(40, Side::Right) >= 0);
    open.key(Qt::Key_C, Qt::AltModifier);
    CHECK(view.rows().size() == kernel->flow().blocks.size() + kernel->size());
}

QUIET_CASE("the Kernel dock says on open what limits the kernel, each name a link to its line",
           "[kernel-info]") {
    OpenWindow open;
    auto* dock = required(open.window.findChild<QDockWidget*>(QStringLiteral("dock_kernel")));
    dock->raise();
    auto* panel = required(open.window.findChild<KernelInfoPanel*>());
    REQUIRE(wait_for([&] { return panel->limits() != nullptr; }));
    const Explanation& e = *panel->limits()->right;
    const QString text = panel->toPlainText();
    for (const char* part :
         {"Bottleneck", "Limited by", "Hot loop from", "Where the cycles go", "stall counts", "Longest waits",
          "tensor pipe", "Occupancy", "limited by the grid", "32 iterations each time the loop is entered"}) {
        INFO(part);
        CHECK(text.contains(QString::fromUtf8(part)));
    }
    CHECK(panel->limits()->left == panel->limits()->right);  // nothing was edited yet
    CHECK(panel->horizontalScrollBar()->maximum() == 0);
    for (QTextBlock block = panel->document()->begin(); block.isValid(); block = block.next())
        if (block.text().endsWith(QStringLiteral("%"))) {
            INFO(block.text().toStdString());
            CHECK(block.layout()->lineCount() == 1);
        }
    REQUIRE(!e.waits.empty());
    CHECK(panel->toHtml().contains(QStringLiteral("instr:%1").arg(e.waits.front().instr)));
    Q_EMIT panel->anchorClicked(QUrl(QStringLiteral("instr:%1").arg(e.waits.front().instr)));
    CHECK(open.window.selection().instr() == e.waits.front().instr);
    // With another schedule on the right both are told.
    const InstrId slow = e.waits.front().instr;
    ControlCode control = open.window.document().pair().right()->control(slow);
    control.stall = 15;
    control.yield = true;
    REQUIRE(open.window.document().hand().set_control(slow, control));
    REQUIRE(wait_for([&] { return panel->limits()->left != panel->limits()->right; }));
    CHECK(panel->toPlainText().contains(QStringLiteral("Original, Hand")));
    CHECK(panel->limits()->right->cycles() > panel->limits()->left->cycles());
}

QUIET_CASE("Alt+I shows the timeline of what is left and right, and its instructions are the window's",
           "[timeline]") {
    OpenWindow open;
    auto* view = required(open.window.findChild<TimelineView*>());
    open.key(Qt::Key_I, Qt::AltModifier);
    REQUIRE(wait_for([&] { return view->isVisible() && view->canvas()->timeline() != nullptr; }));
    CHECK(view->canvas()->hasFocus());
    REQUIRE(view->canvas()->timeline()->sides.size() == 1);  // nothing was edited yet
    const std::size_t warps = view->canvas()->timeline()->sides[0].trace.lanes.size();
    CHECK(warps > 1);
    // By keys: the first issue of the loop is its header's first instruction, in every view.
    QTest::keyClick(view->canvas(), Qt::Key_Home);
    const Kernel& kernel = *open.window.document().kernel();
    const LoopNest nest = loops_of(kernel, 16);
    const CodeLoop* hot = required(nest.hot());
    CHECK(open.window.selection().instr() == kernel.flow().blocks[hot->header].first);
    QTest::keyClick(view->canvas(), Qt::Key_Right, Qt::ControlModifier);  // to a long wait
    const InstrId slow = open.window.selection().instr();
    CHECK(slow != kernel.flow().blocks[hot->header].first);
    CHECK(view->told().contains(QStringLiteral("waited")));
    // From another view.
    open.window.selection().select(kernel.flow().blocks[hot->header].first + 5);
    REQUIRE(view->canvas()->cursor());
    CHECK(issue_at(*view->canvas()->timeline(), *view->canvas()->cursor()).instr ==
          kernel.flow().blocks[hot->header].first + 5);
    // An edit: both schedules, one below the other, named as the listings are.
    ControlCode control = open.window.document().pair().right()->control(slow);
    control.stall = 15;
    control.yield = true;
    REQUIRE(open.window.document().hand().set_control(slow, control));
    REQUIRE(wait_for([&] { return view->canvas()->timeline()->sides.size() == 2; }));
    const TimelinePtr pair = view->canvas()->timeline();
    CHECK(pair->sides[0].title == QStringLiteral("Original"));
    CHECK(pair->sides[1].title == QStringLiteral("Hand"));
    CHECK(pair->sides[0].trace.lanes.size() == warps);
    CHECK(pair->sides[1].trace.lanes.size() == warps);
    // Another distance between the warps is another timeline.
    REQUIRE(view->starts()->count() == 3);
    QTest::keyClick(view->starts(), Qt::Key_Home);
    REQUIRE(wait_for([&] { return view->canvas()->timeline() != pair; }));
    CHECK(view->canvas()->timeline()->sides[0].trace.stagger == 0);
    open.window.opener().close();
    REQUIRE(wait_for([&] { return view->canvas()->timeline() == nullptr; }));
    CHECK_FALSE(open.window.commands()[QStringLiteral("view.timeline")]->isEnabled());
}

QUIET_CASE("the filter decides which steps are stepped through", "[replay]") {
    ReplayWindow open;
    open.click_timeline(1);
    REQUIRE(open.tells(1));
    QCheckBox* accepted = nullptr;
    for (auto* box : open.replay->findChildren<QCheckBox*>())
        if (box->text() == QStringLiteral("accepted")) accepted = box;
    REQUIRE(accepted != nullptr);
    QTest::mouseClick(accepted, Qt::LeftButton, {}, {6, accepted->height() / 2});
    StepId last = open.replay->steps()->step();
    for (int i = 0; i < 4; ++i) {
        QTest::mouseClick(open.button("replay-next"), Qt::LeftButton);
        const StepId now = open.replay->steps()->step();
        REQUIRE(now > last);
        REQUIRE(open.tells(now));
        CHECK(open.replay->shown_details()->record.accepted);
        last = now;
    }
}

QUIET_CASE("a note is kept in the session file", "[replay]") {
    ReplayWindow open;
    auto* note = open.replay->findChild<QLineEdit*>(QStringLiteral("replay-note"));
    CHECK_FALSE(note->isEnabled());  // no step is shown
    open.click_timeline(5);
    const StepId step = open.replay->steps()->step();
    REQUIRE(open.tells(step));
    REQUIRE(note->isEnabled());
    CHECK_FALSE(note->isVisible());  // the explanation has its room
    QTest::mouseClick(open.replay->findChild<QToolButton*>(QStringLiteral("replay-write-note")),
                      Qt::LeftButton);
    REQUIRE(note->isVisible());
    QTest::keyClicks(note, QStringLiteral("loads early: <check>"));
    QTest::keyClick(note, Qt::Key_Return);
    REQUIRE(
        wait_for([&] { return open.replay->details()->toPlainText().contains(QStringLiteral("<check>")); }));
    CHECK(note->text().isEmpty());
    auto reader = required(SessionReader::open(open.path("s.db").toStdString()));
    const auto notes = required((*reader)->notes(open.window.controller().shown_run()->id));
    REQUIRE(notes->size() == 1);
    CHECK(notes->front().text == "loads early: <check>");
    CHECK(notes->front().step == step);
}

QUIET_CASE("minimising marks the steps that carry the winner's gain", "[replay]") {
    ReplayWindow open;
    CHECK_FALSE(open.window.commands()[QStringLiteral("view.best_minimal")]->isEnabled());
    REQUIRE(open.button("replay-minimise")->isEnabled());
    QTest::mouseClick(open.button("replay-minimise"), Qt::LeftButton);
    CHECK_FALSE(open.button("replay-minimise")->isEnabled());
    REQUIRE(wait_for([&] { return open.replay->minimised().has_value(); }));
    const MinimisedRun& found = *open.replay->minimised();
    REQUIRE_FALSE(found.carrying.empty());
    CHECK(found.lineage.back() == open.window.controller().progress().best_step);
    CHECK(std::includes(found.lineage.begin(), found.lineage.end(), found.carrying.begin(),
                        found.carrying.end()));
    CHECK(found.minimised.outcome.speedup.log >= 0.95 * found.minimised.winner.speedup.log);
    CHECK(open.replay->steps()->timeline()->carrying() == found.carrying);
    const auto labels = open.replay->findChildren<FittingLabel*>();
    CHECK(std::ranges::any_of(labels, [](const FittingLabel* label) {
        return label->text().contains(QStringLiteral("(model)"));  // who judged is said with the figure
    }));
    const auto* tabs = open.replay->findChild<QTabBar*>();
    CHECK(tabs->width() >= tabs->sizeHint().width());  // the figure cuts no page's name
    // The minimal schedule is there to be shown and exported; it stands in no log, so it claims nothing.
    Document& document = open.window.document();
    QAction* minimal = open.window.commands()[QStringLiteral("view.best_minimal")];
    REQUIRE(wait_for([&] { return minimal->isEnabled(); }));
    minimal->trigger();
    CHECK(document.pair().right_slot() == ScheduleSlot::Minimal);
    CHECK(*document.pair().schedule(ScheduleSlot::Minimal) == found.minimised.schedule);
    CHECK(document.checker()->check(found.minimised.schedule).empty());
    CHECK(document.pair().minimal_about().contains(QStringLiteral("in the model")));
    // Where there is room its heading is whole, elsewhere it loses its tail.
    const auto* heading =
        static_cast<ElidingCombo*>(open.window.compare_view().pane(Side::Right)->slot_choice());
    open.window.resize(1900, 900);
    CHECK(wait_for([&] { return heading->shown_text().contains(document.pair().minimal_about()); }));
    open.window.resize(1024, 700);
    CHECK(wait_for([&] { return !heading->shown_text().contains(document.pair().minimal_about()); }));
    CHECK_FALSE(heading->shown_text().contains(QChar(0x2026)));
    QSignalSpy exported(&open.window.actions(), &ScheduleActions::exported);
    open.window.actions().export_to(ScheduleSlot::Minimal, open.path("small.cubin"));
    REQUIRE(wait_for([&] { return exported.count() == 1; }));
    CHECK(exported[0][1].toString().contains(QStringLiteral("unmeasured")));
    // In the narrow window the right docks are tabs in front of it.
    MainWindow::bring_forward(required(open.window.findChild<QDockWidget*>(QStringLiteral("dock_replay"))));
    REQUIRE(wait_for([&] { return open.replay->isVisible(); }));
    open.click_timeline(found.carrying.front());
    const StepId shown = open.replay->steps()->step();
    REQUIRE(open.tells(shown));
    if (std::binary_search(found.carrying.begin(), found.carrying.end(), shown))
        CHECK(open.replay->details()->toPlainText().contains(QStringLiteral("essential")));
    // The ranked table answers which edits matter: each row with its instruction, and the first of them can be had.
    EditsPage& page = *open.replay->edits();
    REQUIRE(page.ranking());
    const std::vector<EditGroup>& groups = page.ranking()->groups;
    REQUIRE(page.model()->rowCount() == static_cast<int>(groups.size()));
    std::size_t first_unknown = 0;
    while (first_unknown < groups.size() && groups[first_unknown].own)
        ++first_unknown;
    REQUIRE(first_unknown > 0);
    page.table()->selectRow(0);
    const InstrId edited = page.ranking()->edits_of(groups[0]).instr();
    if (edited != kNone) CHECK(open.window.selection().instr() == edited);
    CHECK(page.first()->value() == 1);
    page.first()->setValue(page.first()->maximum());
    QTest::mouseClick(open.button("show_first_edits"), Qt::LeftButton);
    CHECK(open.window.document().pair().right_slot() == ScheduleSlot::Minimal);
    CHECK(*open.window.document().pair().right() == required(page.ranking()->with_first(groups.size())));
}

QUIET_CASE("edit patterns lead to their steps", "[replay]") {
    ReplayWindow open;
    PatternsPage* page = open.replay->patterns();
    QAbstractItemModelTester source(page->model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    QAbstractItemModelTester sorted(page->table()->model(),
                                    QAbstractItemModelTester::FailureReportingMode::Fatal);
    auto* tabs = open.replay->findChild<QTabBar*>();
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
    REQUIRE(wait_for([&] { return page->model()->rowCount() > 0; }));
    const auto& patterns = page->model()->rows();
    std::size_t steps = 0;
    for (const Pattern& p : patterns)
        steps += p.steps.size();
    CHECK(steps > 0);
    // Where not all columns fit, the pattern does, with what the rows are sorted by and their steps beside it.
    open.window.resize(1000, 700);
    const QAbstractItemView* cells = page->table();
    const auto whole = [&] { return cells->sizeHintForColumn(PatternModel::Name); };
    CHECK(wait_for([&] {
        return page->table()->columnWidth(PatternModel::Name) >=
               std::min(whole(), page->table()->viewport()->width() -
                                     page->table()->columnWidth(PatternModel::Together) -
                                     page->table()->columnWidth(PatternModel::Steps));
    }));
    QTest::mouseClick(page->table()->viewport(), Qt::LeftButton, {},
                      page->table()->visualRect(page->table()->model()->index(0, 0)).center());
    QTest::keyClick(page->table(), Qt::Key_Return);
    const StepId first = patterns.front().steps.front();
    REQUIRE(wait_for([&] { return open.window.document().pair().viewed_step().step == first; }));
    page->table()->sortByColumn(PatternModel::Steps, Qt::DescendingOrder);
    CHECK(page->table()->model()->index(0, PatternModel::Steps).data(PatternModel::kSortRole).toULongLong() >=
          page->table()->model()->index(1, PatternModel::Steps).data(PatternModel::kSortRole).toULongLong());
}

TEST_CASE("edit patterns are counted over the run, the kernel or all sessions of the folder", "[replay]") {
    const NoQtWarnings quiet;
    ReplayWindow open;
    Settings().set_sessions_folder(open.folder.path());
    PatternsPage* page = open.replay->patterns();
    auto* tabs = open.replay->findChild<QTabBar*>();
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
    const auto choose = [&](PatternScope scope) {
        const int row = page->scope_chooser()->findData(static_cast<int>(scope));
        REQUIRE(row >= 0);
        page->scope_chooser()->setCurrentIndex(row);
        CHECK(page->scope() == scope);
    };
    const auto counted = [&](PatternScope scope) {
        PatternRequest request;
        request.scope = scope;
        request.session = open.path("s.db").toStdString();
        request.folder = open.folder.path().toStdString();
        request.kernel = open.window.document().kernel()->hash();
        return *count_patterns(request);
    };
    const auto shows = [&](const PatternReport& report) {
        return wait_for([&] {
            const std::vector<Pattern>& rows = page->model()->rows();
            return std::equal(rows.begin(), rows.end(), report.patterns.begin(), report.patterns.end(),
                              [](const Pattern& a, const Pattern& b) {
                                  return a.key == b.key && a.steps == b.steps && a.runs == b.runs &&
                                         a.kernels == b.kernels;
                              });
        });
    };
    const auto* label = page->findChild<QLabel*>(QStringLiteral("patterns_counted"));
    CHECK(page->scope() == PatternScope::Run);
    CHECK(shows(counted(PatternScope::Run)));
    CHECK(label->text().isEmpty());
    CHECK(page->table()->isColumnHidden(PatternModel::Runs));

    run_steps(open.window, "400steps");
    const PatternReport kernel = counted(PatternScope::Kernel);
    REQUIRE(kernel.runs == 2);
    choose(PatternScope::Kernel);
    CHECK(shows(kernel));
    CHECK_FALSE(page->table()->isColumnHidden(PatternModel::Runs));
    CHECK(page->table()->isColumnHidden(PatternModel::Carrying));
    CHECK(label->text().startsWith(QStringLiteral("2 runs")));

    open.window.open_path(QString::fromStdString(sample("softmax.cubin")));
    REQUIRE(wait_for([&] {
        return open.window.document().is_open() && open.window.document().kernel()->name() != "bmm" &&
               open.window.document().hand().can_edit();
    }));
    open.window.controller().set_session_path(open.path("t.db").toStdString());
    run_steps(open.window, "200steps");
    choose(PatternScope::All);
    const PatternReport all = counted(PatternScope::All);
    REQUIRE(all.runs == 3);
    CHECK(shows(all));
    CHECK_FALSE(page->table()->isColumnHidden(PatternModel::Kernels));
    // Steps of several runs have no common numbers: none is offered, and Enter goes nowhere.
    page->table()->selectRow(0);
    for (const QLabel* text : page->findChildren<QLabel*>())
        CHECK_FALSE(text->text().contains(QStringLiteral("href")));
    const StepId viewed = open.window.document().pair().viewed_step().step;
    QTest::keyClick(page->table(), Qt::Key_Return);
    CHECK(open.window.document().pair().viewed_step().step == viewed);

    Settings().set_sessions_folder({});
}

TEST_CASE("descent follows parents, and survives a log that names a later one") {
    //            0  1  2  3  4
    const std::vector<StepId> parent{0, 0, 1, 1, 3};
    const std::vector<bool> touches{false, true, true, false, true};
    const Descent d = descent_of(parent, touches, 4);
    CHECK(d.lineage == std::vector<StepId>{1, 3, 4});
    CHECK(d.carrying == std::vector<StepId>{1, 4});
    CHECK(descent_of({0, 2, 1}, {false, false, false}, 2).lineage.size() <= 2);
    CHECK(descent_of({}, {}, 7).lineage.empty());
}
