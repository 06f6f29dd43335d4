// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QElapsedTimer>
#include <QTest>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <chrono>
#include <cmath>
#include <ctime>
#include <random>

#include "tests/ui/gui_bench.h"
#include "tests/ui/heartbeat.h"
#include "tests/ui/panels_synthetic.h"
#include "ui/base/qcp.h"
#include "ui/graph/graph_canvas.h"
#include "ui/run/mutation_log.h"
#include "ui/run/reward_chart.h"
#include "ui/run/run_strip.h"
#include "ui/run/step_panel.h"
#include "ui/timeline/timeline_canvas.h"

namespace cubinlab::ui::bench {
namespace {

constexpr int kFrames = 120;

double ms_of(const QElapsedTimer& clock) {
    return static_cast<double>(clock.nsecsElapsed()) * 1e-6;
}

void wheel(QWidget* widget, QPointF at, int angle) {
    QWheelEvent event(at, widget->mapToGlobal(at), {}, {0, angle}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(widget, &event);
}

void drag(QWidget* widget, QPoint from, QPoint to, QEvent::Type type) {
    const QPoint at = type == QEvent::MouseButtonPress ? from : to;
    QMouseEvent event(type, at, widget->mapToGlobal(at),
                      type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton,
                      type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(widget, &event);
}

double wall_ms() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// CPU time of this thread: what a picture costs, whatever else the machine does.
double cpu_ms() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

// Input and the picture that answers it, frame by frame: half of them pan, half zoom.
std::vector<double> pan_and_zoom(QWidget* widget, const std::function<void()>& draw,
                                 double (*now)() = wall_ms) {
    std::vector<double> frames;
    const QPoint centre = widget->rect().center();
    for (int i = 0; i < kFrames; ++i) {
        const double start = now();
        wheel(widget, centre, (i / 15) % 2 == 0 ? 120 : -120);
        draw();
        frames.push_back(now() - start);
    }
    drag(widget, centre, centre, QEvent::MouseButtonPress);
    for (int i = 0; i < kFrames; ++i) {
        const double start = now();
        const double turn = i * 0.1;
        drag(widget, centre,
             centre + QPoint(static_cast<int>(120 * std::sin(turn)), static_cast<int>(90 * std::cos(turn))),
             QEvent::MouseMove);
        draw();
        frames.push_back(now() - start);
    }
    drag(widget, centre, centre, QEvent::MouseButtonRelease);
    return frames;
}

std::vector<StepRecord> steps(StepId first, StepId last) {
    std::vector<StepRecord> out;
    out.reserve(static_cast<std::size_t>(last - first + 1));
    for (StepId s = first; s <= last; ++s)
        out.push_back(synthetic::step(s));
    return out;
}

Figures frames_as(const std::string& name, const std::vector<double>& frames) {
    return {{name + ", p50", percentile(frames, 0.5), 17, false, "ms", "input to picture"},
            {name + ", p99", percentile(frames, 0.99), 50, false, "ms", ""}};
}

}  // namespace

Figures bench_chart() {
    RewardChart chart;
    chart.resize(900, 420);
    chart.show();
    chart.add_steps(steps(1, 100'000));
    chart.refresh_now();
    QApplication::processEvents();
    QCustomPlot* plot = chart.plot();
    // As for people: the picture comes by itself, and a frame ends when it is there.
    int pictures = 0;
    QObject::connect(plot, &QCustomPlot::afterReplot, plot, [&] { ++pictures; });
    return frames_as("100,000 chart points, pan and zoom", pan_and_zoom(plot, [&, seen = 0]() mutable {
                         while (pictures == seen)
                             QApplication::processEvents();
                         QApplication::processEvents();  // painted
                         seen = pictures;
                     }));
}

Figures bench_graph() {
    std::vector<NodeText> texts;
    const DependencyGraph graph = synthetic::dependency_graph(1500, texts);
    QElapsedTimer clock;
    clock.start();
    const PlacedGraphPtr placed = place(dependency_picture(graph, texts, QStringLiteral("1,500 nodes")));
    const double layout = ms_of(clock);
    GraphCanvas canvas;
    canvas.resize(900, 900);
    canvas.show();
    canvas.set_graph(placed);
    Figures out{{"1,500-node graph, layout", layout, 0, false, "ms", "off the GUI thread"}};
    for (const bool far_out : {false, true}) {
        far_out ? canvas.fit() : canvas.actual_size();
        const auto frames = pan_and_zoom(&canvas, [&] {
            canvas.repaint();
            QApplication::processEvents();
        });
        for (const Figure& f : frames_as(
                 far_out ? "1,500-node graph, from all of it" : "1,500-node graph, at text size", frames))
            out.push_back(f);
    }
    return out;
}

// Two schedules of a loop of 2,000 instructions, 4 warps each, seven passes as the model runs them; 16 ms are a
// frame of the screen.
Figures bench_timeline(const BenchOptions& options) {
    constexpr InstrId kInstructions = 2000;
    constexpr std::uint32_t kPasses = 7;
    auto cubin = Cubin::open(options.large.toStdString());
    auto kernel = cubin ? Kernel::load(*cubin) : Result<KernelPtr>(fail(cubin.error()));
    if (!kernel || (*kernel)->size() < kInstructions)
        return {{"timeline: no kernel", 1e9, 16, false, "ms", ""}};
    std::mt19937 random(3);
    auto timeline = std::make_shared<Timeline>();
    timeline->kernel = *kernel;
    timeline->starts = {0};
    timeline->sides.resize(2);
    for (TimelineSide& side : timeline->sides) {
        side.title = QStringLiteral("made up");
        side.trace.loop = true;
        side.trace.first_counted = 4;
        side.trace.counted = 2;
        side.trace.lanes.resize(4);
        for (IssueLane& lane : side.trace.lanes) {
            std::uint64_t now = 0;
            for (std::uint32_t pass = 0; pass < kPasses; ++pass)
                for (InstrId id = 0; id < kInstructions; ++id) {
                    Issue issue{id, pass, now, now, static_cast<std::uint32_t>(lane.waits.size()), 0};
                    for (std::uint32_t waits = random() % 3; issue.waits < waits; ++issue.waits) {
                        const auto reason = static_cast<WaitReason>(1 + random() % 7);
                        const std::uint32_t cycles = 1 + random() % (random() % 8 == 0 ? 40 : 4);
                        lane.waits.push_back({reason, static_cast<std::int8_t>(id % 6), id / 2, cycles});
                        issue.when += cycles;
                    }
                    now = issue.when + 1;
                    lane.issues.push_back(issue);
                }
        }
    }
    timeline->finish();
    TimelineCanvas canvas;
    canvas.resize(1600, 360);
    canvas.show();
    canvas.set_timeline(timeline);
    canvas.set_selected(77);
    Figures out;
    for (const char* what : {"counted passes", "each issue"}) {
        if (*what == 'e')
            while (canvas.scale() < 4)
                canvas.zoom_in();
        const auto frames = pan_and_zoom(
            canvas.viewport(),
            [&] {
                canvas.viewport()->repaint();
                QApplication::processEvents();
            },
            cpu_ms);
        const std::string name = std::string("timeline of 2 x 2,000 instructions x 4 warps, ") + what;
        out.push_back(
            {name + ", p50", percentile(frames, 0.5), 16, false, "ms", "CPU time, input to picture"});
        out.push_back({name + ", p99", percentile(frames, 0.99), 16, false, "ms", ""});
    }
    return out;
}

Figures bench_mutations(const BenchOptions& options) {
    constexpr StepId kBatch = 2000;  // what the window takes at once from a fast run
    QWidget window;
    auto* column = new QVBoxLayout(&window);
    auto* chart = new RewardChart(&window);
    auto* log = new MutationLog(&window);
    auto* replay = new StepPanel(log->model(), &window);
    auto* strip = new RunStrip(&window);
    for (QWidget* view : std::initializer_list<QWidget*>{strip, chart, replay, log})
        column->addWidget(view);
    window.resize(1000, 800);
    window.show();
    RunInfo run;
    run.id = 1;
    chart->begin_run(run);
    log->model()->begin_run(run);
    const auto push = [&](StepId from, StepId to) {
        for (StepId s = from; s <= to; s += kBatch) {
            const auto batch = steps(s, std::min(to, s + kBatch - 1));
            strip->add_steps(batch);
            chart->add_steps(batch);
            log->model()->append(batch);
            QApplication::processEvents();
        }
    };
    push(1, 40'000);  // buffers of the first screens are no growth
    QTest::qWait(200);
    const double before = resident_mb();
    QElapsedTimer clock;
    clock.start();
    push(40'001, options.mutations);
    const double seconds = ms_of(clock) / 1000;
    QTest::qWait(200);
    return {{"1,800,000 mutations through the views, growth", resident_mb() - before, 50, false, "MB",
             "strip, chart, log and timeline"},
            {"1,800,000 mutations through the views, rate",
             static_cast<double>(options.mutations - 40'000) / seconds, 0, true, "1/s", "made up and shown"}};
}

}  // namespace cubinlab::ui::bench
