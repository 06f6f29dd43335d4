// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <QCheckBox>
#include <QFile>
#include <QSignalSpy>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "tests/support/catch.h"
#include "tests/ui/panels_synthetic.h"
#include "tests/ui/panels_warnings.h"
#include "tests/ui/settle.h"
#include "tests/ui/shown.h"
#include "ui/base/format.h"
#include "ui/base/qcp.h"
#include "ui/run/reward_chart.h"

using namespace cubinlab;
using namespace cubinlab::ui;

namespace {

void begin(RewardChart& chart, RunId id, EvaluatorKind kind) {
    RunInfo info;
    info.id = id;
    info.evaluator.kind = kind;
    chart.begin_run(info);
}

void fill(RewardChart& chart, RunId id, EvaluatorKind kind, StepId count) {
    begin(chart, id, kind);
    chart.add_steps(synthetic::steps(1, count));
    for (StepId s = 50; s <= count; s += 50) {
        chart.add_metrics({{s, "entropy", 2.0 - 0.001 * static_cast<double>(s)}});
        chart.add_episode(s, 0.01 * static_cast<double>(s));
    }
    chart.refresh_now();
    chart.plot()->replot(QCustomPlot::rpImmediateRefresh);
}

QPoint pixel(RewardChart& chart, StepId step, double percent) {
    QCPAxisRect* rect = chart.plot()->axisRect(0);
    return {static_cast<int>(rect->axis(QCPAxis::atBottom)->coordToPixel(static_cast<double>(step))),
            static_cast<int>(rect->axis(QCPAxis::atLeft)->coordToPixel(percent))};
}

}  // namespace

QUIET_CASE("steps are counted in whole ticks, each once, and figures are written out", "[chart]") {
    for (const StepId last : {1, 7, 11, 12, 13, 23, 110, 1300, 26000}) {
        Shown<RewardChart> chart({900, 500});
        fill(chart, 7, EvaluatorKind::Gpu, last);
        INFO("steps: " << last);
        const QCPAxis* x = nullptr;  // the curves share the one that is lowest
        for (const QCPAxisRect* rect : chart.plot()->axisRects())
            if (rect->visible() && rect->axis(QCPAxis::atBottom)->tickLabels())
                x = rect->axis(QCPAxis::atBottom);
        REQUIRE(x != nullptr);
        for (const double tick : x->tickVector())
            CHECK(tick == std::floor(tick));
        QVector<QString> labels = x->tickVectorLabels();
        CHECK(labels.size() >= 3);
        const auto shown = labels.size();
        labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
        CHECK(labels.size() == shown);
    }
    Shown<RewardChart> chart({900, 500});
    fill(chart, 7, EvaluatorKind::Gpu, 400);
    QCPAxis* y = chart.plot()->axisRect(0)->axis(QCPAxis::atLeft);
    y->setRange(0, 60000);  // candidates a second
    chart.plot()->replot(QCustomPlot::rpImmediateRefresh);
    for (const QString& label : y->tickVectorLabels())
        CHECK_FALSE(label.contains(QLatin1Char('e')));
}

QUIET_CASE("the best and the median set the scale of gains, worse candidates are marks", "[chart]") {
    Shown<RewardChart> chart({900, 500});
    begin(chart, 7, EvaluatorKind::Gpu);
    std::vector<StepRecord> steps = synthetic::steps(1, 400);
    constexpr double kTerrible = -0.5;  // -39 %
    for (std::size_t i = 40; i < steps.size(); i += 40)
        steps[i].outcome.speedup = Speedup::exactly(kTerrible);
    double best = 0, least = 0;
    for (const StepRecord& step : steps)
        if (step.outcome.ok()) {
            best = std::max(best, percent_of(step.outcome.speedup.log));
            least = std::min(least, percent_of(step.outcome.speedup.log));
        }
    chart.add_steps(steps);
    chart.refresh_now();
    chart.plot()->replot(QCustomPlot::rpImmediateRefresh);
    const QCPRange shown = chart.plot()->axisRect(0)->axis(QCPAxis::atLeft)->range();
    CHECK(shown.upper >= best);
    CHECK(shown.lower > least / 2);
    // A mark at the lower edge where a candidate is below it.
    int marks = 0;
    for (int g = 0; g < chart.plot()->graphCount(); ++g)
        if (chart.plot()->graph(g)->scatterStyle().shape() == QCPScatterStyle::ssTriangleInverted)
            marks += chart.plot()->graph(g)->data()->size();
    CHECK(marks >= 9);
}

QUIET_CASE("moving over the chart reads the values of the step there", "[chart]") {
    Shown<RewardChart> chart({900, 500});
    fill(chart, 7, EvaluatorKind::Gpu, 100);
    QTest::mouseMove(chart.plot(), pixel(chart, 74, 1));
    CHECK(chart.cursor() == 74);
    CHECK(chart.readout().contains(QStringLiteral("Step 74")));
    CHECK(chart.readout().contains(ui::percent_text(synthetic::step(74).outcome.speedup.log)));
    CHECK(chart.readout().contains(QStringLiteral("measured")));
}

QUIET_CASE("keys move the cursor, to improvements with Ctrl, and Enter shows the step", "[chart]") {
    Shown<RewardChart> chart({900, 500});
    fill(chart, 7, EvaluatorKind::Gpu, 200);
    QTest::keyClick(chart.plot(), Qt::Key_Home);
    CHECK(chart.cursor() == 1);
    QTest::keyClick(chart.plot(), Qt::Key_Right, Qt::ControlModifier);
    CHECK(chart.cursor() == synthetic::kBestEvery);
    QTest::keyClick(chart.plot(), Qt::Key_Left);
    CHECK(chart.cursor() == synthetic::kBestEvery - 1);
    QSignalSpy chosen(&chart, &RewardChart::step_chosen);
    QTest::keyClick(chart.plot(), Qt::Key_Return);
    REQUIRE(chosen.count() == 1);
    CHECK(chosen[0][1].toLongLong() == synthetic::kBestEvery - 1);
}

QUIET_CASE("wheel zooms in and stops following, double click shows all again", "[chart]") {
    Shown<RewardChart> chart({900, 500});
    fill(chart, 7, EvaluatorKind::Gpu, 1000);
    QCPAxis* x = chart.plot()->axisRect(0)->axis(QCPAxis::atBottom);
    const double before = x->range().size();
    const QPointF at = pixel(chart, 500, 1);
    QWheelEvent wheel(at, chart.plot()->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(chart.plot(), &wheel);
    CHECK(x->range().size() < before);
    const QCPRange zoomed = x->range();
    chart.add_steps({synthetic::step(1001)});
    chart.refresh_now();
    CHECK(x->range().upper == Approx(zoomed.upper));
    CHECK(chart.plot()->axisRect(1)->axis(QCPAxis::atBottom)->range().upper ==
          Approx(zoomed.upper));  // shared
    QTest::mouseDClick(chart.plot(), Qt::LeftButton, {}, at.toPoint());
    CHECK(x->range().upper > 1000);
}

QUIET_CASE("the axis says who made the figures, and a model's are cycles", "[chart]") {
    Shown<RewardChart> chart({900, 500});
    const auto label = [&] { return chart.plot()->axisRect(0)->axis(QCPAxis::atLeft)->label(); };
    fill(chart, 1, EvaluatorKind::Gpu, 50);
    CHECK(label().contains(QStringLiteral("Measured")));
    fill(chart, 2, EvaluatorKind::Model, 50);
    CHECK(label().contains(QStringLiteral("Modelled")));
    CHECK_FALSE(label().contains(QStringLiteral("measured")));
    CHECK(chart.readout().contains(QStringLiteral("modelled gain")));
}

TEST_CASE("however low a chart is, its axis has two figures and says what they are", "[chart]") {
    RewardChart chart;
    fill(chart, 1, EvaluatorKind::Model, 500);
    chart.show();
    for (const int height : {500, 180, 130, 110, 90}) {
        chart.resize(330, height);
        QCoreApplication::processEvents();
        chart.plot()->replot(QCustomPlot::rpImmediateRefresh);
        chart.plot()->replot(QCustomPlot::rpImmediateRefresh);
        const QCPAxis* axis = chart.plot()->axisRect(0)->axis(QCPAxis::atLeft);
        if (chart.plot()->axisRectCount() == 0 || !axis->visible() || axis->axisRect()->height() < 20)
            continue;
        INFO(height << ", " << axis->label().toStdString());
        const QVector<QString> labels = axis->tickVectorLabels();
        int seen = 0;
        for (int i = 0; i < labels.size(); ++i)
            seen += axis->range().contains(axis->tickVector()[i]) ? 1 : 0;
        CHECK(seen >= 2);
        CHECK((axis->label().contains(QLatin1Char('%')) || labels.value(0).endsWith(QLatin1Char('%'))));
    }
}

QUIET_CASE("beside the best so far stands what fresh processes saw of it", "[chart]") {
    Shown<RewardChart> chart({1400, 500});
    begin(chart, 1, EvaluatorKind::Gpu);
    std::vector<StepRecord> steps = synthetic::steps(1, 20);
    for (StepRecord& step : steps)
        step.best = step.step == 7;
    steps[6].outcome = {
        OutcomeKind::Ok, Verdict::Faster, std::log(1.04), std::log(1.03), std::log(1.05), 9, 40, {}, {}};
    chart.add_steps(steps);
    chart.refresh_now();
    chart.set_cursor(20);
    CHECK(chart.readout().contains(QStringLiteral("best so far +4.00 %")));
    CHECK_FALSE(chart.readout().contains(QStringLiteral("re-measured")));
    StepMeasurement measured;
    measured.step = 7;
    measured.figure.outcome = OutcomeKind::Ok;
    measured.figure.speedup.log = std::log(1.0121);
    chart.set_measurements(std::make_shared<const std::vector<StepMeasurement>>(1, measured));
    chart.refresh_now();
    chart.set_cursor(20);
    CHECK(chart.readout().contains(QStringLiteral("best so far +4.00 %, re-measured +1.21 %")));
    // At the step itself it stands once.
    chart.set_cursor(7);
    CHECK(chart.readout().contains(QStringLiteral("measured against the original +1.21 %")));
    CHECK_FALSE(chart.readout().contains(QStringLiteral(", re-measured")));
}

QUIET_CASE("in a low chart the figures of an axis do not run into each other", "[chart]") {
    RewardChart chart;
    chart.show();
    fill(chart, 1, EvaluatorKind::Gpu, 200);
    StepMeasurement measured;
    measured.step = 200;
    measured.figure.outcome = OutcomeKind::Ok;
    measured.figure.speedup.log = std::log(1.0121);
    measured.figure.speedup.low = std::log(1.0113);
    measured.figure.speedup.high = std::log(1.0128);
    chart.set_measurements(std::make_shared<const std::vector<StepMeasurement>>(1, measured));
    for (const int height : {500, 300, 240, 200, 180, 160, 140, 120}) {
        chart.resize(370, height);
        settle();
        chart.plot()->replot(QCustomPlot::rpImmediateRefresh);
        for (QCPAxisRect* rect : chart.plot()->axisRects()) {
            if (!rect->visible()) continue;
            QCPAxis* axis = rect->axis(QCPAxis::atLeft);
            const int line = QFontMetrics(axis->tickLabelFont()).ascent();
            double last = -1e9;
            for (qsizetype i = axis->tickVector().size(); i-- > 0;) {
                if (axis->tickVectorLabels()[i].isEmpty()) continue;
                const double at = axis->coordToPixel(axis->tickVector()[i]);
                INFO(height << ": " << axis->tickVectorLabels()[i].toStdString());
                CHECK(at - last >= line);
                last = at;
            }
        }
    }
}

QUIET_CASE("in a low chart the curves have the line of the tools, and are not drawn as a line of pixels",
           "[chart]") {
    RewardChart chart;
    chart.show();
    fill(chart, 1, EvaluatorKind::Model, 50);
    const auto* tools = chart.findChild<QCheckBox*>();
    const auto shown = [&] {
        const auto rects = chart.plot()->axisRects();
        return std::any_of(rects.begin(), rects.end(), [](const QCPAxisRect* r) { return r->visible(); });
    };
    for (const int height : {20, 40, 60, 80, 100, 120, 150, 300}) {
        INFO(height);
        chart.resize(290, height);
        settle();
        CHECK(shown() == (chart.plot()->height() >= 30));
        if (tools->isVisible()) CHECK(chart.plot()->height() >= 60);
        if (height == 60) CHECK(shown());
    }
    CHECK(tools->isVisible());
}

QUIET_CASE("a run is kept for comparison when asked", "[chart]") {
    Shown<RewardChart> chart({900, 500});
    fill(chart, 1, EvaluatorKind::Model, 50);
    fill(chart, 2, EvaluatorKind::Model, 50);
    CHECK(chart.kept_runs() == 0);
    for (auto* button : chart.findChildren<QToolButton*>())
        if (button->text() == QStringLiteral("Compare")) QTest::mouseClick(button, Qt::LeftButton);
    for (RunId id = 3; id < 12; ++id)
        fill(chart, id, EvaluatorKind::Model, 50);
    CHECK(chart.kept_runs() == 5);  // the oldest go
}

QUIET_CASE("measured and modelled gains never share an axis", "[chart]") {
    Shown<RewardChart> chart({900, 500});
    for (auto* button : chart.findChildren<QToolButton*>())
        if (button->text() == QStringLiteral("Compare")) button->setChecked(true);
    fill(chart, 1, EvaluatorKind::Gpu, 400);
    fill(chart, 2, EvaluatorKind::Model, 20);
    REQUIRE(chart.kept_runs() == 1);
    CHECK(chart.readout().contains(QStringLiteral("gain not shown")));
    for (int g = 0; g < chart.plot()->graphCount(); ++g) {
        QCPGraph* graph = chart.plot()->graph(g);
        if (graph->keyAxis()->axisRect() != chart.plot()->axisRect(0) || graph->dataCount() == 0) continue;
        CHECK(graph->data()->at(graph->dataCount() - 1)->key <= 20);  // nothing of the 400 steps of run 1
    }
}

QUIET_CASE("what is handed to the plot does not grow with the run", "[chart]") {
    Shown<RewardChart> chart({900, 500});
    fill(chart, 1, EvaluatorKind::Gpu, 60000);
    int points = 0;
    for (int g = 0; g < chart.plot()->graphCount(); ++g)
        points += chart.plot()->graph(g)->dataCount();
    CHECK(points < 12000);
    CHECK(chart.bytes() < 60000 * 20);
}

QUIET_CASE("a lone extreme among 100,000 steps is drawn at every zoom, and a click finds it", "[chart]") {
    constexpr StepId kSteps = 100000, kHigh = 61234, kLow = 61900;
    Shown<RewardChart> chart({900, 500});
    begin(chart, 3, EvaluatorKind::Gpu);
    std::vector<StepRecord> steps;
    for (StepId s = 1; s <= kSteps; ++s) {
        StepRecord r = synthetic::step(s);
        r.best = false;
        r.outcome.kind = OutcomeKind::Ok;
        r.outcome.speedup.log = s == kHigh ? 0.5 : s == kLow ? -0.5 : 0.0001 * static_cast<double>(s % 97);
        steps.push_back(r);
    }
    chart.add_steps(steps);
    chart.refresh_now();
    QCPAxis* x = chart.plot()->axisRect(0)->axis(QCPAxis::atBottom);
    QCPGraph* candidates = chart.plot()->graph(0);
    for (int notch = 0; notch < 60; ++notch) {
        chart.plot()->replot(QCustomPlot::rpImmediateRefresh);
        for (const auto& [step, value] : {std::pair{kHigh, 0.5}, std::pair{kLow, -0.5}}) {
            if (!x->range().contains(static_cast<double>(step))) continue;
            bool drawn = false;
            for (const QCPGraphData& p : *candidates->data())
                drawn = drawn ||
                        (std::abs(p.value - percent_of(value)) < 1e-3 &&
                         std::abs(x->coordToPixel(p.key) - x->coordToPixel(static_cast<double>(step))) <= 1);
            CHECK(drawn);
        }
        QSignalSpy chosen(&chart, &RewardChart::step_chosen);
        QTest::mouseClick(chart.plot(), Qt::LeftButton, {}, pixel(chart, kHigh, 1));
        REQUIRE(chosen.count() == 1);
        CHECK(chosen[0][1].toLongLong() == kHigh);
        const QPointF at = pixel(chart, kHigh, 1);
        QWheelEvent wheel(at, chart.plot()->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(chart.plot(), &wheel);
    }
    CHECK(x->range().size() < 10);
}

QUIET_CASE("a turn of the wheel is one picture, and hovering draws no curve again", "[chart]") {
    Shown<RewardChart> chart({900, 500});
    fill(chart, 7, EvaluatorKind::Gpu, 1000);
    QTest::qWait(100);
    QSignalSpy pictures(chart.plot(), &QCustomPlot::afterReplot);
    const QPointF at = pixel(chart, 500, 1);
    for (int i = 0; i < 3; ++i) {  // faster than frames
        QWheelEvent wheel(at, chart.plot()->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(chart.plot(), &wheel);
    }
    QTest::qWait(100);
    CHECK(pictures.count() == 1);
    QTest::mouseMove(chart.plot(), at.toPoint() + QPoint(30, 0));
    QTest::mouseMove(chart.plot(), at.toPoint() + QPoint(60, 0));
    CHECK(chart.cursor() > 500);
    QTest::qWait(100);
    CHECK(pictures.count() == 1);
}

QUIET_CASE("values are exported as CSV, the picture as SVG and PNG", "[chart]") {
    RewardChart chart;
    chart.resize(900, 500);
    QTemporaryDir folder;
    CHECK_FALSE(chart.export_csv(folder.filePath(QStringLiteral("none.csv"))));  // no run
    fill(chart, 1, EvaluatorKind::Gpu, 40);
    const QString csv = folder.filePath(QStringLiteral("run.csv"));
    REQUIRE(chart.export_csv(csv));
    QFile file(csv);
    REQUIRE(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
    CHECK(lines.size() == 41);
    CHECK(lines[1].startsWith("1,gpu,"));
    CHECK(chart.export_image(folder.filePath(QStringLiteral("run.svg"))));
    CHECK(chart.export_image(folder.filePath(QStringLiteral("run.png"))));
    CHECK_FALSE(chart.export_csv(folder.filePath(QStringLiteral("no/such/run.csv"))));
}

QUIET_CASE("an empty chart takes keys, clicks and zoom without harm", "[chart]") {
    Shown<RewardChart> chart({600, 400});
    QTest::keyClick(chart.plot(), Qt::Key_Right);
    QTest::keyClick(chart.plot(), Qt::Key_Return);
    QTest::mouseClick(chart.plot(), Qt::LeftButton, {}, {300, 200});
    QTest::mouseMove(chart.plot(), {310, 210});
    CHECK(chart.readout().isEmpty());
    chart.grab();
}
