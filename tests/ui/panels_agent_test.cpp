// SPDX-License-Identifier: GPL-3.0-or-later
// The agent dock's figures and the replay timeline, fed with made-up runs.
#include <QCheckBox>
#include <QComboBox>
#include <QMenu>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <cmath>

#include "tests/support/catch.h"
#include "tests/ui/panels_synthetic.h"
#include "tests/ui/panels_warnings.h"
#include "tests/ui/shown.h"
#include "ui/base/fitting_label.h"
#include "ui/base/qcp.h"
#include "ui/base/theme.h"
#include "ui/run/replay_timeline.h"
#include "ui/run/reward_chart.h"
#include "ui/run/run_strip.h"
#include "ui/run/step_panel.h"

using namespace cubinlab;
using namespace cubinlab::ui;

namespace {

StepRecord measured(StepId id, std::vector<GpuReading> states) {
    StepRecord r = synthetic::step(id);
    r.outcome.kind = OutcomeKind::Ok;
    r.outcome.states = std::move(states);
    return r;
}

}  // namespace

TEST_CASE("buckets of a timeline lose no step when they are merged", "[timeline]") {
    TimelineBuckets buckets;
    StepIndex index;
    std::uint32_t accepted = 0, best = 0;
    const StepId last = 30000;
    for (StepId s = 1; s <= last; ++s) {
        index.add(synthetic::step(s));
        const StepBrief brief = index.at(s);
        accepted += brief.accepted;
        best += brief.best;
        buckets.add(s, brief, brief.accepted);
    }
    CHECK(buckets.size() <= TimelineBuckets::kBuckets);
    CHECK(buckets.width() == 8);  // 30,000 / 4,096, up to a power of two
    const TimelineBucket all = buckets.sum(1, last);
    CHECK(all.steps == last);
    CHECK(all.accepted == accepted);
    CHECK(all.admitted == accepted);
    CHECK(all.best == best);
    CHECK(buckets.sum(1, 8).steps == 8);
    CHECK(buckets.sum(9, 9).steps == 8);  // the whole bucket that it touches
    CHECK(buckets.sum(last + 1, last + 5).steps == 0);
}

QUIET_CASE(
    "the timeline is scrubbed by mouse, wheel and keys, and passes over what the filter does not admit",
    "[timeline]") {
    MutationModel model;
    Shown<StepPanel> panel({700, 120}, &model);
    model.begin_run({});
    model.append(synthetic::steps(1, 200));
    ReplayTimeline* line = panel.timeline();
    QSignalSpy chosen(&panel, &StepPanel::step_chosen);
    const auto at = [&](StepId step) { return QPoint(static_cast<int>(std::lround(line->x_of(step))), 30); };
    QTest::mousePress(line, Qt::LeftButton, {}, at(20));
    CHECK(line->isSliderDown());
    QTest::mouseMove(line, at(100));
    QTest::mouseRelease(line, Qt::LeftButton, {}, at(100));
    CHECK_FALSE(line->isSliderDown());
    CHECK(std::abs(line->value() - 100) <= 1);
    CHECK(chosen.count() >= 2);
    // Within four pixels of an improvement the improvement is meant.
    const StepId best = 3 * synthetic::kBestEvery;
    QTest::mouseClick(line, Qt::LeftButton, {}, at(best) + QPoint(2, 0));
    CHECK(panel.step() == best);
    StepFilter filter;
    filter.best_only = true;
    panel.set_filter(filter);
    line->setFocus();
    QTest::keyClick(line, Qt::Key_Right);
    CHECK(panel.step() == 4 * synthetic::kBestEvery);
    QTest::keyClick(line, Qt::Key_Left);
    CHECK(panel.step() == best);
    QTest::mouseClick(panel.findChild<QToolButton*>(QStringLiteral("replay-next")), Qt::LeftButton);
    CHECK(panel.step() == 4 * synthetic::kBestEvery);
    QTest::keyClick(line, Qt::Key_Home);
    CHECK(panel.step() == 0);
    QTest::keyClick(line, Qt::Key_End);
    CHECK(panel.step() == 200);
    CHECK(line->text_at(line->x_of(best)).contains(QStringLiteral("step 111")));
    line->set_carrying({best});
    CHECK(line->text_at(line->x_of(best)).contains(QStringLiteral("essential")));
    model.begin_run({});
    CHECK(line->carrying().empty());  // another run
    CHECK(line->maximum() == 0);
    CHECK(line->text_at(50).isEmpty());
}

QUIET_CASE("the timeline is painted in every state, dark and light", "[timeline]") {
    MutationModel model;
    Shown<StepPanel> panel({500, 120}, &model);
    for (const StepId count : {StepId{0}, StepId{3}, StepId{200}, StepId{20000}}) {
        model.begin_run({});
        if (count > 0) model.append(synthetic::steps(1, count));
        panel.timeline()->set_carrying({1});
        CHECK_FALSE(panel.grab().isNull());
    }
}

QUIET_CASE("marking the winner's whole descent hides nothing of the timeline", "[timeline]") {
    MutationModel model;
    Shown<StepPanel> panel({900, 120}, &model);
    model.begin_run({});
    model.append(synthetic::steps(1, 20000));
    ReplayTimeline* line = panel.timeline();
    const QColor best = Theme::instance().colors().good, marked = Theme::instance().colors().warn;
    const auto painted = [&](const QImage& image, const QColor& color, int from, int to) {
        int n = 0;
        for (int y = from; y < to; ++y)
            for (int x = 0; x < image.width(); ++x)
                n += image.pixelColor(x, y) == color ? 1 : 0;
        return n;
    };
    const QImage before = line->grab().toImage();
    const int height = before.height();
    const int diamonds = painted(before, best, 0, height);
    REQUIRE(diamonds > 20);
    std::vector<StepId> descent;
    for (StepId s = 1; s <= 20000; s += 3)
        descent.push_back(s);
    line->set_carrying(descent);
    const QImage after = line->grab().toImage();
    REQUIRE(after.size() == before.size());
    CHECK(painted(after, best, 0, height) == diamonds);
    CHECK(painted(after, marked, 0, height) > painted(before, marked, 0, height));
    int first = height;  // the first row that is another: below the track
    for (int y = 0; y < height && first == height; ++y)
        for (int x = 0; x < after.width(); ++x)
            if (after.pixel(x, y) != before.pixel(x, y)) first = y;
    CHECK(height - first <= 12);
}

QUIET_CASE("a strip counts outcomes, tells the rate and the time left", "[run-strip]") {
    Shown<RunStrip> strip({900, 120});
    CHECK(strip.budget_text() == QStringLiteral("No run"));
    std::vector<StepRecord> steps = synthetic::steps(1, 400);  // one every 1.8 ms
    steps[9].outcome.kind = OutcomeKind::WrongResult;
    std::uint64_t failed = 0;
    for (const StepRecord& r : steps)
        failed += !r.outcome.ok();
    strip.add_steps(steps);
    CHECK(strip.monitor().steps() == 400);
    CHECK(strip.monitor().failed() == failed);
    CHECK(strip.monitor().of(OutcomeKind::WrongResult) == 1);
    CHECK(strip.monitor().rate() == Approx(1e6 / 1800).epsilon(0.01));
    strip.set_budget(QStringLiteral("Running"), 0.25, seconds_left(0.25, 15), true);
    CHECK(strip.budget_text().contains(QStringLiteral("25 %")));
    CHECK(strip.budget_text().contains(QStringLiteral("45.0 s left")));
    REQUIRE(QTest::qWaitFor([&] { return !strip.findChild<OutcomeBar*>()->shares().empty(); }, 3000));
    CHECK(seconds_left(0, 10) < 0);
    CHECK(seconds_left(1, 10) == 0);
}

TEST_CASE("the rate of a run that went on is that of its newest part", "[run-strip]") {
    RunMonitor monitor;
    const auto part = [](StepId first, int count, std::int64_t us_each) {
        std::vector<StepRecord> steps(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < steps.size(); ++i) {
            steps[i].step = first + static_cast<StepId>(i);
            steps[i].time_us = static_cast<std::int64_t>(i + 1) * us_each;
        }
        return steps;
    };
    monitor.add(part(1, 600, 100'000));  // a minute at ten a second, then a kill
    CHECK(monitor.rate() == Approx(10));
    monitor.add(part(601, 50, 20'000));  // a second at fifty a second
    CHECK(monitor.rate() == Approx(50));
    monitor.add(part(651, 100, 5'000));  // and half a second at two hundred
    CHECK(monitor.rate() == Approx(200));
    CHECK(monitor.steps() == 750);

    RunMonitor at_once;  // as a session file gives them: all three in one page
    std::vector<StepRecord> all = part(1, 600, 100'000);
    for (const auto& later : {part(601, 50, 20'000), part(651, 100, 5'000)})
        all.insert(all.end(), later.begin(), later.end());
    at_once.add(all);
    CHECK(at_once.rate() == Approx(200));
}

QUIET_CASE("the strip tells what is better from what is accepted, and fits a narrow dock", "[strip]") {
    Shown<RunStrip> strip({330, 120});
    strip.set_evaluator(
        {}, {QStringLiteral("No GPU: using SM model, unmeasured"), QStringLiteral("No GPU: using SM model")});
    strip.begin_run(2638);  // of a file that is being read
    const auto told = [&](const QString& part) {
        for (const FittingLabel* label : strip.findChildren<FittingLabel*>())
            if (label->text().contains(part)) return true;
        return false;
    };
    CHECK(told(QStringLiteral("Reading")));
    const auto steps = [](bool accepted, bool best) {
        std::vector<StepRecord> out(20);
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i].step = static_cast<StepId>(i + 1);
            out[i].accepted = accepted;
            out[i].best = best && i == 3;
            out[i].outcome.kind = OutcomeKind::Ok;
        }
        return out;
    };
    strip.add_steps(steps(false, true));
    CHECK(QTest::qWaitFor([&] { return told(QStringLiteral("0 accepted of 20  \u00b7  1 improvement")); }));
    strip.begin_run();
    strip.add_steps(steps(true, false));
    CHECK(QTest::qWaitFor([&] { return told(QStringLiteral("20 accepted of 20  \u00b7  no improvement")); }));
    for (const FittingLabel* label : strip.findChildren<FittingLabel*>())
        if (label->isVisible()) CHECK_FALSE(label->shown_text().contains(QChar(0x2026)));
}

QUIET_CASE("a strip tells what the agent says that it does, and takes no room for it otherwise",
           "[run-strip]") {
    Shown<RunStrip> strip({900, 120});
    const int without = strip.sizeHint().height();
    strip.set_doing(QStringLiteral("after race 1: climb from +4.1 %; best believed +4.1 %"));
    CHECK(strip.doing_text().contains(QStringLiteral("climb from +4.1 %")));
    CHECK(strip.sizeHint().height() > without);
    strip.begin_run();
    CHECK(strip.doing_text().isEmpty());
    CHECK(strip.sizeHint().height() == without);
}

QUIET_CASE("readings of the GPU are shown, and a slowdown is said, without readings the strip says so",
           "[run-strip]") {
    Shown<RunStrip> strip({900, 120});
    EvaluatorInfo gpu;
    gpu.kind = EvaluatorKind::Gpu;
    gpu.device = "NVIDIA H200";
    gpu.timer_step_us = 0.032;
    gpu.aa_spread = 0.004;
    gpu.detectable = 0.002;
    strip.set_evaluator(gpu, {});
    CHECK(strip.gpu_text().contains(QStringLiteral("no reading")));
    CHECK(strip.calibration_text().contains(QStringLiteral("NVIDIA H200")));
    CHECK(strip.calibration_text().contains(QStringLiteral("detects gains from 0.20 %")));
    strip.add_steps({measured(1, {{1980, 41, 310, 0}, {1965, 42, 315, 1}})});  // 1: GPU idle, no slowdown
    REQUIRE(QTest::qWaitFor([&] { return strip.gpu_text() == QStringLiteral("not throttled"); }, 3000));
    CHECK(strip.monitor().gpu().size() == 2);
    CHECK(strip.findChildren<Sparkline*>().front()->text().contains(QStringLiteral("965 MHz")));
    strip.add_steps({measured(2, {{1500, 84, 700, 0x4}})});  // power cap
    REQUIRE(
        QTest::qWaitFor([&] { return strip.gpu_text().contains(QStringLiteral("slowed down in 1")); }, 3000));
    strip.add_steps({measured(3, {{-1, -1, -1, -1}})});
    CHECK(strip.monitor().throttled() == 1);
    CHECK_FALSE(strip.grab().isNull());
    EvaluatorInfo model;
    model.device = "SM model sm_90";
    strip.begin_run();
    strip.set_evaluator(model, {});
    CHECK(strip.calibration_text().contains(QStringLiteral("unmeasured")));
    CHECK(strip.monitor().gpu().empty());
}

TEST_CASE("a slowdown is what slows the GPU, not what names its state", "[run-strip]") {
    CHECK(slowdown_reasons(0x1) == 0);            // idle
    CHECK(slowdown_reasons(0x2) == 0);            // application clocks
    CHECK(slowdown_reasons(0x4) == 0x4);          // software power cap
    CHECK(slowdown_reasons(0x40 | 0x1) == 0x40);  // thermal
}

QUIET_CASE("every run has a curve of its rate, GPU readings become curves, CSV has them all", "[chart]") {
    Shown<RewardChart> chart({700, 400});
    std::vector<StepRecord> steps = synthetic::steps(1, 200);
    steps[99].outcome.kind = OutcomeKind::Ok;
    steps[99].outcome.states = {{1980, 40, 300, 0}};
    chart.add_steps(steps);
    REQUIRE(chart.curves()->metrics.count(kRateMetric) == 1);
    CHECK(chart.curves()->metrics.at(kRateMetric).value_at(0) == Approx(1e6F / 1800).epsilon(0.01));
    REQUIRE(chart.curves()->metrics.count(kGpuMetrics[0]) == 1);
    CHECK(chart.curves()->metrics.at(kGpuMetrics[0]).step_at(0) == 100);
    CHECK_FALSE(chart.curves()->agent_metrics());
    const QTemporaryDir folder;
    REQUIRE(chart.export_to(folder.filePath(QStringLiteral("run.csv"))));
    QFile file(folder.filePath(QStringLiteral("run.csv")));
    REQUIRE(file.open(QIODevice::ReadOnly));
    const QStringList lines = QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    REQUIRE(lines.size() == 201);
    CHECK(lines[0].contains(QStringLiteral("\"GPU power, W\"")));
    CHECK(lines[100].contains(QStringLiteral(",1980")));
    CHECK(lines[100].count(QLatin1Char(',')) == lines[1].count(QLatin1Char(',')));
}

QUIET_CASE("the agent's curves are called in words, and the one asked for stays when others come",
           "[chart]") {
    Shown<RewardChart> chart({900, 400});
    chart.add_steps(synthetic::steps(1, 200));
    auto* metric = chart.findChild<QComboBox*>();
    // Only the rate is there, and nobody asked for it.
    CHECK(metric->currentText() == QStringLiteral("candidates/s"));
    chart.add_metrics({{100, "brought_climb", 0.01}, {100, "not_known_here", 1}});
    CHECK(metric->currentText() == QStringLiteral("log gain, hill climbing"));
    CHECK(metric->findText(QStringLiteral("not known here")) >= 0);
    metric->setCurrentIndex(metric->findText(QStringLiteral("candidates/s")));
    Q_EMIT metric->activated(metric->currentIndex());
    chart.add_metrics({{100, "a", 1}});
    CHECK(metric->currentText() == QStringLiteral("candidates/s"));
}

QUIET_CASE("in a narrow chart the tools are one line, and More has the agent's curves", "[chart]") {
    RewardChart chart;
    chart.resize(290, 60);
    chart.add_steps(synthetic::steps(1, 200));
    chart.add_metrics({{100, "brought_group", 0.01}, {100, "entropy", 1}});
    chart.show();
    auto* metric = chart.findChild<QComboBox*>();
    CHECK_FALSE(metric->isVisible());
    for (auto* box : chart.findChildren<QCheckBox*>())
        if (box->isVisible()) CHECK(box->y() < 12);
    QAction* wanted = nullptr;
    for (QMenu* menu : chart.findChildren<QMenu*>()) {
        Q_EMIT menu->aboutToShow();
        for (QAction* action : menu->actions())
            if (action->text() == QStringLiteral("entropy")) wanted = action;
    }
    REQUIRE(wanted != nullptr);
    wanted->trigger();
    CHECK(metric->currentText() == QStringLiteral("entropy"));
}

QUIET_CASE("steps on a logarithmic axis keep the early ones apart", "[chart]") {
    Shown<RewardChart> chart({700, 400});
    chart.add_steps(synthetic::steps(1, 20000));
    QTest::mouseClick(chart.findChild<QToolButton*>(QStringLiteral("chart-log")), Qt::LeftButton);
    QCPAxis* x = chart.plot()->axisRect(0)->axis(QCPAxis::atBottom);
    CHECK(x->scaleType() == QCPAxis::stLogarithmic);
    CHECK(x->range().lower > 0);
    CHECK(x->coordToPixel(10) - x->coordToPixel(1) > 40);
    int early = 0;  // points of the candidates below step 100
    for (const auto& point : *chart.plot()->graph(0)->data())
        early += point.key < 100;
    CHECK(early > 50);
    QTest::keyClick(chart.plot(), Qt::Key_Plus);
    CHECK(x->range().lower > 0);
    QTest::mouseClick(chart.findChild<QToolButton*>(QStringLiteral("chart-log")), Qt::LeftButton);
    CHECK(x->scaleType() == QCPAxis::stLinear);
}
