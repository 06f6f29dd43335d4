// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "tests/support/catch.h"
#include "tests/ui/panels_synthetic.h"
#include "tests/ui/panels_warnings.h"
#include "tests/ui/settle.h"
#include "tests/ui/shown.h"
#include "ui/base/theme.h"
#include "ui/run/mutation_log.h"
#include "ui/run/replay_timeline.h"
#include "ui/run/step_panel.h"

using namespace cubinlab;
using namespace cubinlab::ui;

namespace {

QString cell(const MutationModel& model, int row, int column) {
    return model.index(row, column).data().toString();
}

RunInfo run_info(EvaluatorKind kind) {
    RunInfo info;
    info.id = 4;
    info.evaluator.kind = kind;
    return info;
}

void show_steps(MutationLog& log, StepId last) {
    log.resize(900, 300);
    log.show();
    log.model()->begin_run(run_info(EvaluatorKind::Gpu));
    log.model()->append(synthetic::steps(1, last));
}

}  // namespace

QUIET_CASE("the model keeps its promises to views while it grows, moves and is filtered", "[mutation-log]") {
    MutationModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.begin_run(run_info(EvaluatorKind::Gpu));
    model.set_window(0, 20);
    CHECK(model.rowCount() == 0);
    model.append(synthetic::steps(1, 5));
    CHECK(model.rowCount() == 5);
    model.append(synthetic::steps(6, 300));
    CHECK(model.rowCount() == 20);
    CHECK(model.total() == 300);
    model.set_window(290, 20);
    CHECK(model.first() == 280);
    StepFilter best;
    best.best_only = true;
    model.set_filter(best);
    CHECK(model.total() < 20);
    CHECK(model.rowCount() == model.total());
    model.append(synthetic::steps(301, 400));
    model.set_filter({});
    CHECK(model.total() == 400);
    model.begin_run({});
    CHECK(model.rowCount() == 0);
}

QUIET_CASE("a row says what happened, with the interval of a measurement", "[mutation-log]") {
    MutationModel model;
    model.begin_run(run_info(EvaluatorKind::Gpu));
    model.set_texts({QStringLiteral("LDG.E R4"), QStringLiteral("HMMA R8")},
                    [](const Mutation&) { return QStringLiteral("move LDG before HMMA"); });
    StepRecord r;
    r.step = 1;
    r.mutation.edits.push_back({EditKind::MoveBefore, 0, 1, {}, {}});
    r.outcome.kind = OutcomeKind::Ok;
    r.outcome.verdict = Verdict::Faster;
    r.outcome.speedup.log = std::log(1.05);
    r.outcome.speedup.low = std::log(1.04);
    r.outcome.speedup.high = std::log(1.06);
    r.best = r.accepted = true;
    r.time_us = 2500000;
    model.append({r});
    model.set_window(0, 5);
    CHECK(cell(model, 0, MutationModel::Step) == QStringLiteral("1"));
    CHECK(cell(model, 0, MutationModel::Instr) == QStringLiteral("LDG.E R4"));
    CHECK(cell(model, 0, MutationModel::Change) == QStringLiteral("move LDG before HMMA"));
    CHECK(cell(model, 0, MutationModel::Gain) == QStringLiteral("+5.00 %"));
    CHECK(cell(model, 0, MutationModel::Interval) == QStringLiteral("[+4.00, +6.00]"));
    CHECK(cell(model, 0, MutationModel::VerdictText) == QStringLiteral("FASTER"));
    CHECK(cell(model, 0, MutationModel::Mark) == QStringLiteral("best, accepted"));
    CHECK(cell(model, 0, MutationModel::Time) == QStringLiteral("2.50 s"));
}

TEST_CASE("a model's figure is never a verdict", "[mutation-log]") {
    MutationModel model;
    model.begin_run(run_info(EvaluatorKind::Model));
    std::vector<StepRecord> steps = synthetic::steps(1, 1);
    steps[0].outcome.kind = OutcomeKind::Ok;
    steps[0].outcome.verdict = Verdict::Faster;
    model.append(steps);
    model.set_window(0, 5);
    CHECK(cell(model, 0, MutationModel::VerdictText) == QStringLiteral("modelled"));
    CHECK(cell(model, 0, MutationModel::Interval) == QStringLiteral("-"));
    CHECK(model.headerData(MutationModel::Gain, Qt::Horizontal, Qt::DisplayRole)
              .toString()
              .contains(QStringLiteral("model")));
}

QUIET_CASE("what a step was worth and whether it was kept come first, and what was rejected is not green",
           "[mutation-log]") {
    for (const EvaluatorKind kind : {EvaluatorKind::Gpu, EvaluatorKind::Model}) {
        MutationModel model;
        model.begin_run(run_info(kind));
        std::vector<StepRecord> steps = synthetic::steps(1, 3);
        for (StepRecord& r : steps) {
            r.outcome.kind = OutcomeKind::Ok;
            r.outcome.verdict = Verdict::Faster;
            r.outcome.speedup.log = 0.01;
            r.best = r.accepted = r.repeated = false;
        }
        steps[1].accepted = true;
        steps[2].accepted = steps[2].best = true;
        model.append(steps);
        model.set_window(0, 5);
        const QColor good = Theme::instance().colors().good;
        const auto color = [&](int row, int column) {
            return model.data(model.index(row, column), Qt::ForegroundRole).value<QBrush>().color();
        };
        auto measured = std::make_shared<std::vector<StepMeasurement>>();
        for (StepId step = 1; step <= 3; ++step)
            measured->push_back(
                {step, {}, {EvaluatorKind::Gpu, OutcomeKind::Ok, Verdict::Faster, 0.01, 0.005, 0.015, {}}});
        model.set_measurements(measured);
        CHECK(color(0, MutationModel::Measured) != good);
        CHECK(color(1, MutationModel::Measured) == good);
        CHECK(cell(model, 1, MutationModel::Measured) == QStringLiteral("+1.01 % FASTER"));
        CHECK(cell(model, 0, MutationModel::Mark) == QStringLiteral("rejected"));
        for (const int column : {MutationModel::Gain, MutationModel::VerdictText, MutationModel::Mark})
            CHECK(color(0, column) != good);
        CHECK(color(1, MutationModel::Gain) == good);
        CHECK(color(2, MutationModel::Mark) == good);
    }
    MutationLog log;  // as wide as its dock is in a window of 1,920 pixels
    log.resize(860, 240);
    const QHeaderView* header = log.table()->horizontalHeader();
    CHECK(header->visualIndex(MutationModel::Gain) == 1);
    CHECK(header->visualIndex(MutationModel::Mark) == 2);
    for (const int column : {MutationModel::Gain, MutationModel::Mark, MutationModel::Instr})
        CHECK(header->sectionPosition(column) + header->sectionSize(column) < 860);
}

QUIET_CASE("old steps come back through the fetcher, and memory holds a few thousand", "[mutation-log]") {
    MutationModel model;
    std::vector<StepId> asked;
    model.set_fetcher([&](std::vector<StepId> steps) { asked = std::move(steps); });
    model.begin_run(run_info(EvaluatorKind::Gpu));
    model.set_window(0, 10);
    for (StepId s = 1; s <= 20000; s += 500)
        model.append(synthetic::steps(s, s + 499));
    model.set_window(100, 10);
    REQUIRE(asked.size() == 10);
    CHECK(asked.front() == 101);
    CHECK(cell(model, 0, MutationModel::Gain) == QStringLiteral("..."));
    model.deliver(synthetic::steps(101, 110));
    CHECK(cell(model, 0, MutationModel::Gain) != QStringLiteral("..."));
    asked.clear();
    model.set_window(19990, 10);
    CHECK(asked.empty());  // the newest are in memory
}

QUIET_CASE("the log follows the newest step until it is scrolled away", "[mutation-log]") {
    MutationLog log;
    show_steps(log, 500);
    CHECK(log.following());
    const auto last_row_step = [&] {
        return log.model()->step_of_row(log.model()->first() + log.model()->rowCount() - 1);
    };
    CHECK(last_row_step() == 500);
    log.model()->append(synthetic::steps(501, 510));
    CHECK(last_row_step() == 510);
    const QPointF at(50, 50);
    QWheelEvent up(at, log.table()->viewport()->mapToGlobal(at), {}, {0, 240}, Qt::NoButton, Qt::NoModifier,
                   Qt::NoScrollPhase, false);
    QApplication::sendEvent(log.table()->viewport(), &up);
    CHECK_FALSE(log.following());
    const qint64 first = log.model()->first();
    log.model()->append(synthetic::steps(511, 600));
    CHECK(log.model()->first() == first);
    log.set_following(true);
    CHECK(last_row_step() == 600);
}

QUIET_CASE("click and keys choose a step, keys move past the window", "[mutation-log]") {
    MutationLog log;
    show_steps(log, 500);
    QSignalSpy chosen(&log, &MutationLog::step_chosen);
    const QRect cell_rect = log.table()->visualRect(log.model()->index(2, 3));
    QTest::mouseClick(log.table()->viewport(), Qt::LeftButton, {}, cell_rect.center());
    REQUIRE(chosen.count() == 1);
    CHECK(chosen[0][0].toLongLong() == 4);
    CHECK(chosen[0][1].toLongLong() == log.model()->first() + 3);
    QTest::keyClick(log.table(), Qt::Key_Home);
    CHECK(log.current() == 1);
    CHECK(log.model()->first() == 0);
    for (int i = 0; i < 40; ++i)
        QTest::keyClick(log.table(), Qt::Key_Down);
    CHECK(log.current() == 41);
    CHECK(log.table()->currentIndex().data(MutationModel::StepRole).toLongLong() == 41);
    QTest::keyClick(log.table(), Qt::Key_End);
    CHECK(log.current() == 500);
}

QUIET_CASE("a step chosen elsewhere comes into sight, selected, and the log no longer follows",
           "[mutation-log]") {
    MutationLog log;
    show_steps(log, 500);
    const auto selected = [&] {
        const auto rows = log.table()->selectionModel()->selectedRows();
        return rows.size() == 1 ? rows[0].data(MutationModel::StepRole).toLongLong() : 0;
    };
    for (const StepId step : {StepId{120}, StepId{499}, StepId{1}, StepId{500}, StepId{250}}) {
        log.show_step(step);
        CHECK(log.current() == step);
        CHECK(selected() == step);
        CHECK(log.left_out_text().isEmpty());
    }
    CHECK_FALSE(log.following());
    // In sight already: nothing moves.
    const qint64 first = log.model()->first();
    log.show_step(251);
    CHECK(log.model()->first() == first);
    CHECK(selected() == 251);
}

QUIET_CASE("the log says that its filter leaves out the chosen step, and clears it", "[mutation-log]") {
    MutationLog log;
    show_steps(log, 500);
    StepId accepted = 0, refused = 0;
    for (StepId s = 100; s <= 400; ++s)
        (synthetic::step(s).accepted ? accepted : refused) = s;
    REQUIRE(accepted > 0);
    REQUIRE(refused > 0);
    log.findChildren<QCheckBox*>()[0]->setChecked(true);  // accepted
    auto* edit = log.findChild<QLineEdit*>();
    log.show_step(accepted);
    CHECK(log.left_out_text().isEmpty());
    log.show_step(refused);
    CHECK(log.left_out_text().contains(QString::number(refused)));
    CHECK(log.table()->selectionModel()->selectedRows().isEmpty());
    // Gone with another step, with no step, with another run; there again with a filter that is set later.
    log.show_step(accepted);
    CHECK(log.left_out_text().isEmpty());
    log.show_step(refused);
    log.set_current(0);
    CHECK(log.left_out_text().isEmpty());
    log.findChildren<QCheckBox*>()[0]->setChecked(false);
    log.show_step(refused);
    CHECK(log.left_out_text().isEmpty());
    edit->setText(QStringLiteral("no such instruction"));
    CHECK(log.left_out_text().contains(QString::number(refused)));

    QToolButton* clear = nullptr;
    for (QToolButton* button : log.findChildren<QToolButton*>())
        if (button->text() == QStringLiteral("Clear the filter")) clear = button;
    REQUIRE(clear);
    CHECK(clear->isVisible());
    QTest::mouseClick(clear, Qt::LeftButton);
    CHECK(log.left_out_text().isEmpty());
    CHECK_FALSE(clear->isVisible());
    CHECK(edit->text().isEmpty());
    CHECK(log.model()->total() == 500);
    const auto rows = log.table()->selectionModel()->selectedRows();
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].data(MutationModel::StepRole).toLongLong() == refused);
}

QUIET_CASE("filters by kind, outcome, accepted, best and instruction", "[mutation-log]") {
    Shown<MutationLog> log({900, 300});
    log.model()->begin_run(run_info(EvaluatorKind::Gpu));
    log.model()->set_texts({QStringLiteral("LDG R0"), QStringLiteral("HMMA R1"), QStringLiteral("STS R2")},
                           {});
    log.model()->append(synthetic::steps(1, 300));
    const auto count = [&](auto wanted) {
        qint64 n = 0;
        for (StepId s = 1; s <= 300; ++s)
            n += wanted(synthetic::step(s));
        return n;
    };
    const auto boxes = log.findChildren<QComboBox*>();
    REQUIRE(boxes.size() == 2);
    boxes[1]->setCurrentIndex(1);  // failed
    CHECK(log.model()->total() == count([](const StepRecord& r) { return !r.outcome.ok(); }));
    boxes[1]->setCurrentIndex(0);
    const auto checks = log.findChildren<QCheckBox*>();
    REQUIRE(checks.size() == 2);
    QTest::mouseClick(checks[0], Qt::LeftButton, {}, {6, checks[0]->height() / 2});
    CHECK(log.model()->total() == count([](const StepRecord& r) { return r.accepted; }));
    checks[0]->setChecked(false);
    auto* edit = log.findChild<QLineEdit*>();
    QTest::keyClicks(edit, QStringLiteral("hmma"));
    CHECK(log.model()->total() == count([](const StepRecord& r) { return r.mutation.instr() == 1; }));
    edit->clear();
    QTest::keyClicks(edit, QStringLiteral("0x20"));
    CHECK(log.model()->total() == count([](const StepRecord& r) { return r.mutation.instr() == 2; }));
    edit->clear();
    CHECK(log.model()->total() == 300);
}

QUIET_CASE("replay steps, jumps to accepted steps and improvements, and plays", "[replay]") {
    MutationModel model;
    StepPanel panel(&model);
    panel.show();
    CHECK_FALSE(panel.isEnabled());
    model.begin_run(run_info(EvaluatorKind::Gpu));
    model.append(synthetic::steps(1, 200));
    QSignalSpy chosen(&panel, &StepPanel::step_chosen);
    const auto press = [&](const char* name) {
        QTest::mouseClick(panel.findChild<QToolButton*>(QString::fromLatin1(name)), Qt::LeftButton);
    };
    press("replay-next");
    CHECK(panel.step() == 1);
    press("replay-next-best");
    CHECK(panel.step() == synthetic::kBestEvery);
    press("replay-next-best");
    CHECK(panel.step() == 2 * synthetic::kBestEvery);
    press("replay-prev-best");
    press("replay-prev-best");
    CHECK(panel.step() == 0);  // the run's start
    auto* box = panel.findChild<QSpinBox*>();
    box->setValue(150);
    CHECK(chosen.back()[1].toLongLong() == 150);
    panel.shown(150);
    panel.go_to(198);
    panel.shown(198);
    panel.findChildren<QComboBox*>().back()->setCurrentIndex(5);  // 60 a second
    press("replay-play");
    CHECK(panel.playing());
    REQUIRE(QTest::qWaitFor([&] { return panel.step() == 199; }, 3000));
    QTest::qWait(60);
    CHECK(panel.step() == 199);  // it waits until 199 is in view
    panel.shown(199);
    REQUIRE(QTest::qWaitFor([&] { return panel.step() == 200; }, 3000));
    panel.shown(200);
    REQUIRE(QTest::qWaitFor([&] { return !panel.playing(); }, 3000));
}

QUIET_CASE("in a low dock the steps come before the second line of the filters", "[mutation-log]") {
    MutationLog log;
    log.model()->begin_run(run_info(EvaluatorKind::Gpu));
    log.model()->append(synthetic::steps(1, 300));
    auto* instruction = required(log.findChild<QLineEdit*>());
    const auto rows = [&] {
        return log.table()->viewport()->height() / log.table()->verticalHeader()->defaultSectionSize();
    };
    log.resize(400, 500);
    log.show();
    settle();
    CHECK(instruction->y() < log.table()->mapTo(&log, QPoint()).y());
    const int before = instruction->y();
    CHECK(before > 0);
    // As low as a small window has it: with two lines of filters one or two steps would be left.
    const int line = log.table()->verticalHeader()->defaultSectionSize();
    log.resize(400, 500 - (rows() - 1) * line);
    settle();
    CHECK(rows() >= 2);
    CHECK(instruction->y() > before);  // out of sight
    const auto* kinds = log.findChild<QComboBox*>();
    CHECK(log.table()->mapTo(&log, QPoint()).y() - kinds->mapTo(&log, QPoint(0, kinds->height())).y() <= 8);
    // A filter that leaves steps out is never out of sight.
    instruction->setText(QStringLiteral("no such instruction"));
    settle();
    CHECK(instruction->y() == before);
    instruction->clear();
    log.resize(400, 500);
    settle();
    CHECK(instruction->y() == before);
}
