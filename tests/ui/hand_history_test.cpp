// SPDX-License-Identifier: GPL-3.0-or-later
// The dock of hand edits, locks that a run honours, places tried by an evaluator.
#include <QAbstractItemModelTester>
#include <QDockWidget>
#include <QSignalSpy>
#include <QTableView>

#include "core/tuning/evaluator_choice.h"
#include "tests/core/schedule/test_kernels.h"
#include "tests/ui/window_support.h"
#include "ui/document/kernel_notes.h"
#include "ui/hand/hand_tools.h"
#include "ui/hand/history_panel.h"
#include "ui/hand/place_trial.h"
#include "ui/listing/gutter.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

// Instructions whose stall count may be raised by one.
std::vector<InstrId> raisable(const Document& document, std::size_t count) {
    const Schedule& hand = *document.pair().schedule(ScheduleSlot::Hand);
    std::vector<InstrId> ids;
    for (InstrId id = 0; id < hand.size() && ids.size() < count; ++id)
        if (hand.control(id).stall >= 1 && hand.control(id).stall < 10) ids.push_back(id);
    return ids;
}

QString state(const QTableView* table, int row) {
    return table->model()->index(row, 0).data(HistoryModel::StateRole).toString();
}

void click_row(QTableView* table, int row) {
    const QModelIndex index = table->model()->index(row, HistoryModel::Edit);
    table->scrollTo(index);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, Qt::NoModifier, table->visualRect(index).center());
}

}  // namespace

TEST_CASE("the tree of edits keeps what undo leaves, and finds the way to any state") {
    HandTree tree{Schedule(cubinlab::test::load_kernel(cubinlab::test::sample("softmax")))};
    const auto edit = [&](const Mutation& mutation, const char* label) {
        REQUIRE(tree.edit(mutation, QString::fromLatin1(label)));
        return tree.current();
    };
    const std::size_t a = edit(Mutation::move_before(4, 1), "a");
    const std::size_t b = edit(Mutation::move_before(5, 1), "b");
    const Schedule at_b = tree.schedule();
    REQUIRE(tree.undo());
    CHECK(tree.line() == std::vector<std::size_t>{a, b});  // redo goes where undo came from
    const std::size_t c = edit(Mutation::move_after(6, 1), "c");
    CHECK_FALSE(tree.can_redo());
    CHECK(tree.nodes().size() == 4);
    CHECK(tree.path_to(b) == std::vector<std::size_t>{a, b});
    CHECK(tree.path_to(c) == std::vector<std::size_t>{a, c});
    CHECK(tree.depth() == 2);
    const Schedule at_c = tree.schedule();

    const auto way = tree.go_to(b);  // one mutation, from branch to branch
    REQUIRE(way);
    CHECK(way->applied(at_c).value() == at_b);
    CHECK(tree.schedule() == at_b);
    REQUIRE(tree.undo());
    CHECK(tree.line() ==
          std::vector<std::size_t>{a, b});  // not the newest branch, but the one that was left last
    CHECK(edit(Mutation::move_after(6, 1), "again") == c);  // not twice
    CHECK(tree.nodes().size() == 4);

    HandFigure figure;
    figure.speedup.log = 0.01;
    CHECK(tree.set_figure(tree.nodes()[b].hash, figure));
    CHECK(tree.nodes()[b].modelled->speedup.log == 0.01);
    CHECK_FALSE(tree.set_figure(Hash128{7, 7}, figure));
}

TEST_CASE("undo and redo walk the same schedules, over a thousand edits") {
    std::mt19937_64 random(5);
    HandTree tree{Schedule(cubinlab::test::load_kernel(cubinlab::test::sample("flash_attn")))};
    std::vector<Schedule> states{tree.schedule()};
    for (int i = 0; i < 1000; ++i) {
        REQUIRE(tree.edit(cubinlab::test::random_mutation(tree.schedule(), random, 1 + random() % 3),
                          QStringLiteral("edit")));
        states.push_back(tree.schedule());
    }
    const std::vector<std::size_t> line = tree.line();
    REQUIRE(line.size() == 1000);
    for (std::size_t i = 1000; i > 0; --i) {
        const auto done = required(tree.undo());
        CHECK(*done == tree.nodes()[line[i - 1]].backward);
        REQUIRE(tree.schedule() == states[i - 1]);
    }
    CHECK_FALSE(tree.can_undo());
    CHECK_FALSE(tree.undo());
    for (std::size_t i = 1; i <= 1000; ++i) {
        REQUIRE(tree.redo());
        REQUIRE(tree.schedule() == states[i]);
    }
    CHECK_FALSE(tree.can_redo());
    REQUIRE(tree.go_to(line[316]));
    CHECK(tree.schedule() == states[317]);
    CHECK(tree.line() == line);
    CHECK_FALSE(tree.go_to(tree.nodes().size()));
    CHECK(tree.schedule() == states[317]);
}

TEST_CASE("an edit without an effect has none, of either sign") {
    HandFigure figure;
    for (const double nothing : {0.0, -1e-9, 1e-9}) {
        figure.kind = EvaluatorKind::Model;
        figure.speedup = Speedup::exactly(nothing);
        CHECK(figure_text(figure) == QStringLiteral("0.00 %"));
        figure.kind = EvaluatorKind::Gpu;
        CHECK(figure_text(figure).startsWith(QStringLiteral("0.00 % [0.00, 0.00]")));
    }
    figure.speedup.log = 0.01;
    CHECK(figure_text(figure).startsWith(QStringLiteral("+1.01 %")));
}

TEST_CASE("an edit that cannot be applied leaves the tree as it was") {
    HandTree tree{Schedule(cubinlab::test::load_kernel(cubinlab::test::sample("softmax")))};
    REQUIRE(tree.edit(Mutation::move_before(4, 1), QStringLiteral("a")));
    REQUIRE(tree.edit(Mutation::move_before(5, 1), QStringLiteral("b")));
    REQUIRE(tree.undo());
    const Schedule before = tree.schedule();
    CHECK_FALSE(tree.edit(Mutation::move_before(4, 4), QStringLiteral("bad")));
    CHECK(tree.schedule() == before);
    CHECK(tree.can_redo());
    CHECK(tree.depth() == 1);
}

QUIET_CASE("a click on any hand edit goes there: forward, back, and to a branch that was left") {
    OpenWindow open;
    Document& document = open.window.document();
    auto* panel = required(open.window.findChild<HistoryPanel*>());
    const QAbstractItemModelTester tester(panel->table()->model(),
                                          QAbstractItemModelTester::FailureReportingMode::Warning);
    MainWindow::bring_forward(open.window.dock(QStringLiteral("dock_history")));
    const std::vector<InstrId> ids = raisable(document, 3);
    REQUIRE(ids.size() == 3);
    std::vector<Hash128> hashes{document.pair().schedule(ScheduleSlot::Hand)->hash()};
    const auto edit = [&](InstrId id) {
        open.window.selection().select(id);
        open.key(Qt::Key_Up, Qt::ControlModifier);
        hashes.push_back(document.pair().schedule(ScheduleSlot::Hand)->hash());
    };
    edit(ids[0]);
    edit(ids[1]);
    open.key(Qt::Key_Z, Qt::ControlModifier);
    CHECK(state(panel->table(), 2) == QStringLiteral("redo"));
    edit(ids[2]);  // another branch
    QTableView* table = panel->table();
    REQUIRE(table->model()->rowCount() == 4);
    CHECK(state(table, 0) == QStringLiteral("done"));
    CHECK(state(table, 1) == QStringLiteral("done"));
    CHECK(state(table, 2) == QStringLiteral("branch"));
    CHECK(state(table, 3) == QStringLiteral("current"));
    // The first edit has a figure of the model's, from the log.
    REQUIRE(wait_for(
        [&] { return !table->model()->index(1, HistoryModel::Modelled).data().toString().isEmpty(); }));
    REQUIRE(table->isVisible());
    for (const int row : {2, 0, 3, 1, 2}) {
        click_row(table, row);
        INFO("row " << row);
        CHECK(document.pair().schedule(ScheduleSlot::Hand)->hash() == hashes[static_cast<std::size_t>(row)]);
        CHECK(state(table, row) == QStringLiteral("current"));
        CHECK(document.checker()->check(*document.pair().schedule(ScheduleSlot::Hand)).empty());
    }
    // Undo and redo go on from there.
    document.hand().undo();
    CHECK(document.pair().schedule(ScheduleSlot::Hand)->hash() == hashes[1]);
    document.hand().redo();
    CHECK(document.pair().schedule(ScheduleSlot::Hand)->hash() == hashes[2]);
    click_row(table, 0);
    document.hand().redo();
    CHECK(document.pair().schedule(ScheduleSlot::Hand)->hash() == hashes[1]);
    // The keyboard goes there too.
    table->setFocus();
    table->setCurrentIndex(table->model()->index(3, 0));
    QTest::keyClick(table, Qt::Key_Return);
    CHECK(document.pair().schedule(ScheduleSlot::Hand)->hash() == hashes[3]);
}

TEST_CASE("in a narrow dock the table of hand edits still says what was done, under whole headings") {
    OpenWindow open;
    open.window.selection().select(raisable(open.window.document(), 1).front());
    open.window.commands()[QStringLiteral("edit.stall_up")]->trigger();
    REQUIRE(open.window.document().hand().tree().nodes().size() == 2);
    HistoryPanel panel(&open.window.document());
    panel.show();
    for (const int width : {290, 900}) {
        INFO(width);
        panel.resize(width, 200);
        settle();
        const QTableView& table = *panel.table();
        CHECK(table.columnWidth(HistoryModel::Edit) > table.fontMetrics().averageCharWidth() * 20);
        for (int column = 0; column < HistoryModel::Columns; ++column)
            CHECK(table.columnWidth(column) >=
                  table.fontMetrics().horizontalAdvance(
                      table.model()->headerData(column, Qt::Horizontal).toString()));
    }
}

QUIET_CASE("what is locked or out of scope is never the subject of an agent's edit") {
    for (const char* agent : {"random", "greedy", "anneal"}) {
        INFO(agent);
        OpenWindow open;
        open.window.controller().set_session_path(open.path("s.db").toStdString());
        Document& document = open.window.document();
        KernelNotes& notes = *open.window.hand_tools().notes();
        const InstrId id = 0x1270 / kWordBytes;
        open.window.selection().select(id);
        open.window.commands()[QStringLiteral("agent.scope_block")]->trigger();
        open.window.selection().select(id + 1);
        open.key(Qt::Key_K, Qt::ControlModifier);  // and in it, one is locked
        CHECK(notes.locked(id + 1));
        const BlockId block = document.kernel()->block_of(id);
        const RunRequest request = model_run(QStringLiteral("120steps"), QString::fromLatin1(agent));
        QSignalSpy finished(&open.window.controller(), &RunController::finished);
        open.window.start_agent(request);
        REQUIRE(wait_for([&] { return finished.count() == 1; }));
        auto reader = required(SessionReader::open(open.path("s.db").toStdString()));
        const auto steps = required((*reader)->steps(open.window.controller().shown_run()->id, 0, 1000));
        REQUIRE(steps->size() > 20);
        for (const StepRecord& step : *steps)
            for (const Edit& edit : step.mutation.edits) {
                CHECK(document.kernel()->block_of(edit.instr) == block);
                CHECK(edit.instr != id + 1);
            }
        notes.clear_locks();
    }
}

QUIET_CASE("with everything closed to agents a run does not start, and says so") {
    OpenWindow open;
    KernelNotes& notes = *open.window.hand_tools().notes();
    std::vector<InstrId> all;
    for (InstrId id = 0; id < open.window.document().kernel()->size(); ++id)
        all.push_back(id);
    notes.set_locked(all, true);
    open.window.start_agent({});
    CHECK_FALSE(open.window.controller().active());
    CHECK(open.window.messages().newest_text().contains(
        QStringLiteral("The agent cannot edit any instruction")));
    notes.clear_locks();
}

QUIET_CASE("every legal place is tried, named by who judged, and can be taken") {
    OpenWindow open;
    Document& document = open.window.document();
    const Schedule original = *document.pair().schedule(ScheduleSlot::Original);
    InstrId id = kNone;
    SlotRange range;
    for (InstrId i = 0x1000 / kWordBytes; i < original.size() && id == kNone; ++i) {
        if (document.kernel()->pinned(i)) continue;
        range = document.checker()->slots(original, i);
        if (range.count() >= 4 && range.count() < 30) id = i;
    }
    REQUIRE(id != kNone);
    open.window.selection().select(id);
    PlaceTrial* trial = open.window.hand_tools().trial();
    QSignalSpy finished(trial, &PlaceTrial::finished);
    open.key(Qt::Key_F8, Qt::ShiftModifier);
    REQUIRE(wait_for([&] { return finished.count() == 1; }));
    REQUIRE(trial->heat());
    const PlaceHeat& heat = *trial->heat();
    CHECK(heat.wanted == range.count() - 1);
    CHECK(heat.done == heat.wanted);
    for (Position p = 0; p < original.size(); ++p) {
        const bool other_place =
            range.contains(p) && p >= range.lowest && p <= range.highest && p != original.position_of(id);
        CHECK((heat.at(p) != nullptr) == other_place);
    }
    // The figures are the evaluator's own.
    const auto model =
        make_model_evaluator(document.kernel(), model_settings(*document.kernel(), document.workload()));
    for (Position p = range.lowest; p <= range.highest; ++p) {
        if (heat.at(p) == nullptr || heat.evaluator.kind != EvaluatorKind::Model) continue;
        Schedule moved(original);
        moved.move(id, p);
        const auto outcome = required(model->evaluate(std::span(&moved, 1), original, Effort::Refine, {}));
        CHECK(heat.at(p)->cost == outcome->front().cost);
    }
    const QString said = open.window.messages().newest_text();
    CHECK((said.contains(QStringLiteral("SM model")) || said.contains(QStringLiteral("measured on"))));
    const Gutter* gutter = open.window.compare_view().pane(Side::Right)->gutter();
    bool named = false;
    for (const auto& [x, caption] : gutter->captions())
        named = named || caption.endsWith(QStringLiteral(": here"));
    CHECK(named);
}

QUIET_CASE("trying places can be stopped and what was tried stays") {
    OpenWindow open;
    Document& document = open.window.document();
    const Schedule& original = *document.pair().schedule(ScheduleSlot::Original);
    InstrId id = kNone;
    std::size_t most = 0;
    for (InstrId i = 0; i < original.size(); i += 3)
        if (!document.kernel()->pinned(i))
            if (const std::size_t n = document.checker()->slots(original, i).count(); n > most) {
                most = n;
                id = i;
            }
    open.window.selection().select(id);
    PlaceTrial* trial = open.window.hand_tools().trial();
    QSignalSpy finished(trial, &PlaceTrial::finished);
    open.key(Qt::Key_F8, Qt::ShiftModifier);
    open.key(Qt::Key_F8, Qt::ShiftModifier);
    REQUIRE(finished.count() == 1);
    CHECK(finished.front()[0].toBool());
    CHECK_FALSE(trial->running());
    const auto done = [&] { return trial->heat() ? trial->heat()->done : 0; };
    const std::size_t before = done();
    QTest::qWait(200);
    CHECK(done() == before);
    CHECK_FALSE(open.window.messages().newest_text().contains(QStringLiteral("no other legal position")));
}

QUIET_CASE("an instruction that has no other legal place leaves no column of places") {
    OpenWindow open;
    Document& document = open.window.document();
    const Schedule& original = *document.pair().schedule(ScheduleSlot::Original);
    InstrId id = kNone;
    for (InstrId i = 0; i < original.size() && id == kNone; ++i)
        if (!document.kernel()->pinned(i) && document.checker()->slots(original, i).count() == 1) id = i;
    REQUIRE(id != kNone);
    open.window.selection().select(id);
    PlaceTrial* trial = open.window.hand_tools().trial();
    QSignalSpy finished(trial, &PlaceTrial::finished);
    open.key(Qt::Key_F8, Qt::ShiftModifier);
    REQUIRE(wait_for([&] { return finished.count() == 1; }));
    CHECK(open.window.messages().newest_text().contains(QStringLiteral("no other legal position")));
    CHECK(trial->heat() == nullptr);
    for (const auto& [x, caption] : open.window.compare_view().pane(Side::Right)->gutter()->captions())
        CHECK_FALSE(caption.endsWith(QStringLiteral(": here")));
}
