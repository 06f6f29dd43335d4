// SPDX-License-Identifier: GPL-3.0-or-later
// How RewardChart is built and drawn: three stacked axis rects that share their steps.
#include <QCheckBox>
#include <QComboBox>
#include <QFrame>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <optional>

#include "ui/base/fitting_label.h"
#include "ui/base/format.h"
#include "ui/base/qcp.h"
#include "ui/base/theme.h"
#include "ui/run/axis_tickers.h"
#include "ui/run/reward_chart.h"

namespace cubinlab::ui {
namespace {

// Graphs of one run in its slot: the current run has slot 0.
constexpr std::size_t kPerRun[] = {5, 1, 2, 2};
enum GainGraph { Candidates, BestLine, Plain, Confirmed, Clipped };

QPen with_alpha(QColor color, double alpha, double width) {
    color.setAlphaF(static_cast<float>(alpha));
    return QPen(color, width);
}

void set_points(QCPGraph* graph, const std::vector<CurvePoint>& points) {
    QVector<QCPGraphData> data;
    data.reserve(static_cast<int>(points.size()));
    for (const CurvePoint& p : points)
        data.push_back({p.x, p.y});
    graph->data()->set(data, true);
}

}  // namespace

void RewardChart::build_plot() {
    plot_ = new QCustomPlot(this);
    plot_->setAccessibleName(tr("Curves over steps"));
    plot_->setLocale(QLocale::c());  // like all numbers in the window
    plot_->setFocusPolicy(Qt::StrongFocus);
    plot_->setNoAntialiasingOnDrag(true);
    plot_->setInteractions(QCP::iRangeDrag);
    plot_->setPlottingHint(QCP::phFastPolylines, true);
    plot_->setPlottingHint(QCP::phImmediateRefresh, false);  // painted with the rest of the window
    plot_->plotLayout()->clear();
    plot_->plotLayout()->setRowSpacing(2);
    plot_->setMinimumSize(160, fontMetrics().height());  // a low plot shrinks instead of being cut
    // Pointer lines are on a separate layer, so hovering does not redraw the curves.
    plot_->addLayer(QStringLiteral("cursor"));
    plot_->layer(QStringLiteral("cursor"))->setMode(QCPLayer::lmBuffered);
    auto* margins = new QCPMarginGroup(plot_);
    for (int p = 0; p < kPanels; ++p) {
        rects_[p] = new QCPAxisRect(plot_);
        plot_->plotLayout()->addElement(p, 0, rects_[p]);
        rects_[p]->setMarginGroup(QCP::msLeft | QCP::msRight, margins);
        rects_[p]->setRangeDrag(Qt::Horizontal);
        // A label cut by the edge is not drawn: above the first curve there is room for half of one.
        rects_[p]->setMinimumMargins(QMargins(56, p == Gain ? fontMetrics().height() / 2 : 4, 12, 4));
        QCPAxis* x = rects_[p]->axis(QCPAxis::atBottom);
        x->setNumberFormat(QStringLiteral("f"));
        x->setNumberPrecision(0);
        x->setTicker(QSharedPointer<WholeTicker>::create());
        x->setRange(0, 100);
        rects_[p]->axis(QCPAxis::atLeft)->setTicker(QSharedPointer<FigureTicker>::create());
        rects_[p]->axis(QCPAxis::atLeft)->setNumberFormat(QStringLiteral("g"));
        rects_[p]->axis(QCPAxis::atLeft)->setNumberPrecision(4);
        rects_[p]->axis(QCPAxis::atLeft)->ticker()->setTickCount(4);
        for (auto** line : {&cursor_lines_[p], &mark_lines_[p]}) {
            *line = new QCPItemStraightLine(plot_);
            for (QCPItemPosition* position : {(*line)->point1, (*line)->point2}) {
                position->setAxes(x, rects_[p]->axis(QCPAxis::atLeft));
                position->setAxisRect(rects_[p]);
                position->setTypeX(QCPItemPosition::ptPlotCoords);
                position->setTypeY(QCPItemPosition::ptAxisRectRatio);
            }
            (*line)->setClipAxisRect(rects_[p]);
            (*line)->setVisible(false);
        }
        cursor_lines_[p]->setLayer(QStringLiteral("cursor"));
        // The three share one range of steps.
        connect(x, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, [this](const QCPRange& range) {
            QCPRange r = range;
            const double last =
                current_ ? std::max<double>(10, static_cast<double>(current_->last_step)) : 10;
            r = log_steps_ ? r.bounded(0.9, 1.5 * last) : r.bounded(-0.05 * last, 1.15 * last);
            if (!log_steps_ && r.size() < 4) r = QCPRange(r.center() - 2, r.center() + 2);
            for (QCPAxisRect* rect : rects_) {
                const QSignalBlocker block(rect->axis(QCPAxis::atBottom));
                rect->axis(QCPAxis::atBottom)->setRange(r);
            }
            stale_ = true;  // redrawn with the next frame
            plot_->replot(QCustomPlot::rpQueuedReplot);
        });
    }
    connect(plot_, &QCustomPlot::beforeReplot, this, [this] {
        if (stale_) draw_curves();
    });
    connect(plot_, &QCustomPlot::afterLayout, this, [this] {
        if (fit_axes()) plot_->replot(QCustomPlot::rpQueuedReplot);
    });
    connect(plot_, &QCustomPlot::mouseRelease, this,  // with smooth edges again
            [this] { plot_->replot(QCustomPlot::rpQueuedReplot); });
    connect(plot_, &QCustomPlot::mouseMove, this, [this](QMouseEvent* e) {
        if (e->buttons() & Qt::LeftButton && (e->position() - press_at_).manhattanLength() > 4)
            follow_ = false;
    });
    setFocusProxy(plot_);
    empty_ = new EmptyNote(plot_);
    empty_->setContentsMargins(16, 0, 16, 0);
    empty_->setText(tr("No run yet. Start an agent or open a session to see its curves."));
    empty_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    auto* over = new QVBoxLayout(plot_);  // instead of empty axes
    over->setContentsMargins(0, 0, 0, 0);
    over->addWidget(empty_);
    focus_ = new QFrame(plot_);
    focus_->setAttribute(Qt::WA_TransparentForMouseEvents);
    focus_->hide();
    plot_->installEventFilter(this);
}

// On a logarithmic axis each decade gets its own share of columns, or the early steps would be too coarse.
std::vector<CurvePoint> RewardChart::sampled(const CurveStore& curve, std::size_t columns,
                                             bool smooth) const {
    StepId from = 0, to = 0;
    visible_steps(from, to);
    const auto part = [&](StepId a, StepId b, std::size_t n) {
        return smooth ? curve.smoothed(a, b, n) : curve.extremes(a, b, n);
    };
    if (!log_steps_) return part(from, to, columns);
    std::vector<CurvePoint> out;
    const double decades = std::max(1.0, std::log10(static_cast<double>(to) / static_cast<double>(from)));
    for (StepId a = from; a <= to;) {
        const StepId b = std::min(to, 10 * a - 1);
        const auto points = part(a, b, static_cast<std::size_t>(static_cast<double>(columns) / decades) + 1);
        out.insert(out.end(), points.begin(), points.end());
        a = b + 1;
    }
    return out;
}

const CurveStore* RewardChart::chosen_metric(const RunCurves& run) const {
    const QString name = metric_->currentData().toString();
    if (name == QLatin1String(kEpisodeReturn)) return &run.episodes;
    const auto found = run.metrics.find(name.toStdString());
    return found == run.metrics.end() ? nullptr : &found->second;
}

int RewardChart::panels_that_fit() const {
    // Below half a panel's height no curve is drawn.
    return plot_->height() < kPanelHeight / 2 ? 0 : std::max(1, plot_->height() / kPanelHeight);
}

void RewardChart::update_panels() {
    panels_fit_ = panels_that_fit();
    low_ = plot_->height() < kPanelHeight;
    // Panels without curves leave their space to the others.
    const bool any_metric = current_ && current_->has_metrics();
    const double stretch[kPanels] = {3, 1.6, 2, 1.6};
    for (QCPAxisRect* rect : rects_)
        if (rect->layout() == plot_->plotLayout()) plot_->plotLayout()->take(rect);
    plot_->plotLayout()->simplify();
    int row = 0, last = -1;
    for (int p = 0; p < kPanels; ++p) {
        const bool on = show_[p] && show_[p]->isChecked() && (p != Metric || any_metric) &&
                        (p != Measured || measured_ != nullptr) && row < panels_fit_;
        rects_[p]->setVisible(on);
        for (QCPGraph* g : graphs_[p])
            g->setVisible(on);
        if (!on) continue;
        plot_->plotLayout()->addElement(row, 0, rects_[p]);
        plot_->plotLayout()->setRowStretchFactor(row++, stretch[p]);
        last = p;
    }
    for (int p = 0; p < kPanels; ++p) {
        QCPAxis* x = rects_[p]->axis(QCPAxis::atBottom);
        x->setTickLabels(p == last && !low_);
        x->setLabel(p == last && panels_fit_ > 1 ? tr("step") : QString());
    }
    refresh_now();
}

QCPGraph* RewardChart::graph(Panel panel, std::size_t index) {
    while (graphs_[panel].size() <= index) {
        QCPGraph* g =
            plot_->addGraph(rects_[panel]->axis(QCPAxis::atBottom), rects_[panel]->axis(QCPAxis::atLeft));
        g->setSelectable(QCP::stNone);
        g->setVisible(rects_[panel]->visible());
        graphs_[panel].push_back(g);
    }
    return graphs_[panel][index];
}

void RewardChart::apply_theme() {
    const ThemeColors& c = Theme::instance().colors();
    const QFont small = Theme::instance().small_font();
    plot_->setBackground(c.surface);
    for (int p = 0; p < kPanels; ++p) {
        for (QCPAxis* axis : rects_[p]->axes()) {
            axis->setBasePen(QPen(c.border));
            axis->setTickPen(QPen(c.border));
            axis->setSubTickPen(Qt::NoPen);
            axis->setTickLabelColor(c.text_dim);
            axis->setLabelColor(c.text_dim);
            axis->setTickLabelFont(small);
            axis->setLabelFont(small);
            axis->grid()->setPen(QPen(c.grid, 1));
            axis->grid()->setZeroLinePen(QPen(c.border, 1));
        }
        cursor_lines_[p]->setPen(QPen(rule_of(c), 1, Qt::DashLine));
        mark_lines_[p]->setPen(QPen(c.accent, 1.5));
    }
    focus_->setStyleSheet(QStringLiteral("QFrame { border: 1px solid %1; }").arg(c.accent.name()));
    empty_->setStyleSheet(
        QStringLiteral("color: %1; background: %2").arg(c.text_dim.name(), c.surface.name()));
    fit_axes();
}

// In a low dock a curve is lower than its axis' name is long: the name gets shorter, or goes when nothing
// fits, and there are fewer ticks. What a gain is made of stays as long as anything does.
bool RewardChart::fit_axes() {
    const EvaluatorKind kind = current_ ? current_->info.evaluator.kind : EvaluatorKind::Model;
    const QString gain = figure_name(kind);
    const QStringList wordings[kPanels] = {
        {gain + QStringLiteral(", %"), gain.section(QLatin1Char(' '), 0, 0)},
        {tr("Measured gain, %"), tr("Measured")},
        {tr("Reward")},
        {metric_ ? metric_->currentText() : QString()}};
    const QFontMetrics small(Theme::instance().small_font());
    bool changed = false;
    for (int p = 0; p < kPanels; ++p) {
        QCPAxis* axis = rects_[p]->axis(QCPAxis::atLeft);
        const int height = rects_[p]->height();
        QString label;
        for (const QString& wording : wordings[p])
            if (label.isEmpty() && small.horizontalAdvance(wording) <= height) label = wording;
        if (p == Metric)  // its name has no shorter form: as many of its words as fit
            for (QString words = wordings[p].front(); label.isEmpty() && words.contains(QLatin1Char(' '));) {
                words = words.section(QLatin1Char(' '), 0, -2);
                if (words.endsWith(QLatin1Char(','))) words.chop(1);
                if (small.horizontalAdvance(words) <= height) label = words;
            }
        const int ticks = std::clamp(height * 5 / (8 * small.height()), 2, 4);
        auto* ticker = static_cast<FigureTicker*>(axis->ticker().data());
        const QString unit = (p == Gain || p == Measured) && !label.endsWith(QLatin1Char('%'))
                                 ? QStringLiteral(" %")
                                 : QString();
        const int room = height / small.height();
        if (axis->label() == label && axis->ticker()->tickCount() == ticks && ticker->unit == unit &&
            ticker->room == room)
            continue;
        ticker->unit = unit;
        ticker->room = room;
        axis->setLabel(label);
        axis->ticker()->setTickCount(ticks);
        changed = true;
    }
    return changed;
}

// Steps that were measured again, against the original: a square with its interval. Where it failed there is
// none; the readout and the log say so.
void RewardChart::draw_measured() {
    if (!measured_ && intervals_ == nullptr) return;
    const ThemeColors& c = Theme::instance().colors();
    QCPGraph* squares = graph(Measured, 0);
    if (intervals_ == nullptr) {
        intervals_ = new QCPErrorBars(rects_[Measured]->axis(QCPAxis::atBottom),
                                      rects_[Measured]->axis(QCPAxis::atLeft));
        intervals_->setDataPlottable(squares);
        intervals_->setSelectable(QCP::stNone);
        intervals_->setWhiskerWidth(7);
    }
    std::vector<CurvePoint> points;
    QVector<double> below, above;
    if (measured_)
        for (const StepMeasurement& m : *measured_) {
            if (m.figure.outcome != OutcomeKind::Ok) continue;
            const double at = percent_of(m.figure.speedup.log);
            points.push_back({static_cast<double>(m.step), at});
            below.push_back(at - percent_of(m.figure.speedup.low));
            above.push_back(percent_of(m.figure.speedup.high) - at);
        }
    squares->setLineStyle(QCPGraph::lsNone);
    squares->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssSquare, QPen(c.series[2], 1.5), c.series[2], 6));
    intervals_->setPen(QPen(c.series[2], 1.5));
    intervals_->setVisible(rects_[Measured]->visible());
    set_points(squares, points);
    intervals_->setData(below, above);
}

void RewardChart::draw_metric(const RunCurves& run, QCPGraph* raw, QCPGraph* smooth) {
    const auto columns = static_cast<std::size_t>(std::max(50, rects_[Metric]->width()));
    const CurveStore* curve = chosen_metric(run);
    set_points(raw, curve ? sampled(*curve, columns, false) : std::vector<CurvePoint>{});
    set_points(smooth, curve ? sampled(*curve, columns, true) : std::vector<CurvePoint>{});
}

void RewardChart::draw_run(const RunCurves& run, std::size_t slot, bool kept) {
    const ThemeColors& c = Theme::instance().colors();
    const QColor color = c.series[slot % c.series.size()];
    StepId from = 0, to = 0;
    visible_steps(from, to);
    const auto columns = static_cast<std::size_t>(std::max(50, rects_[Gain]->width()));
    QCPGraph* candidates = graph(Gain, slot * kPerRun[Gain] + Candidates);
    const bool few = run.speed.index_of(to + 1) - run.speed.index_of(from) <= columns / 2;
    candidates->setPen(with_alpha(color, kept ? 0.12 : 0.18, 1));
    candidates->setLineStyle(few ? QCPGraph::lsNone : QCPGraph::lsLine);
    candidates->setScatterStyle(
        few ? QCPScatterStyle(QCPScatterStyle::ssDisc, with_alpha(color, 0.55, 1).color(), 3)
            : QCPScatterStyle(QCPScatterStyle::ssNone));
    set_points(candidates, kept ? std::vector<CurvePoint>{} : sampled(run.speed, columns, false));

    // Measured and modelled gains never share an axis.
    const bool comparable = !current_ || run.measured() == current_->measured();
    const double mark = run.best.size() > 60 ? 5 : 8;
    std::vector<CurvePoint> line{{log_steps_ ? 1.0 : 0.0, 0}}, plain, confirmed;
    const QCPAxis* x = rects_[Gain]->axis(QCPAxis::atBottom);
    const auto point_of = [](const BestPoint& p) {
        return CurvePoint{static_cast<double>(p.step), percent_of(p.log_speedup)};
    };
    const auto columns_of = [x](double pixels) {
        return [x, pixels](StepId s) {
            return static_cast<int>(std::floor(x->coordToPixel(static_cast<double>(s)) / pixels));
        };
    };
    if (comparable) {
        for (const BestPoint& p : thinned(run.best, from, to, columns_of(1)))
            line.push_back(point_of(p));
        for (const BestPoint& p : thinned(run.best, from, to, columns_of(mark)))
            (p.confirmed ? confirmed : plain).push_back(point_of(p));
    }
    line.push_back({static_cast<double>(std::min(run.last_step, to)), line.back().y});
    QCPGraph* best = graph(Gain, slot * kPerRun[Gain] + BestLine);
    best->setLineStyle(QCPGraph::lsStepLeft);
    best->setPen(QPen(color, 2, kept ? Qt::DashLine : Qt::SolidLine));
    set_points(best, comparable ? line : std::vector<CurvePoint>{});
    QCPGraph* open = graph(Gain, slot * kPerRun[Gain] + Plain);
    open->setLineStyle(QCPGraph::lsNone);
    open->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDiamond, QPen(color, 1.5), c.surface, mark));
    set_points(open, plain);
    QCPGraph* filled = graph(Gain, slot * kPerRun[Gain] + Confirmed);
    filled->setLineStyle(QCPGraph::lsNone);
    filled->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDiamond, QPen(color, 1.5), color, mark));
    set_points(filled, confirmed);

    const QColor line_color = kept ? color : c.series[(slot + 1) % c.series.size()];
    QCPGraph* raw = graph(Reward, slot * kPerRun[Reward]);
    raw->setPen(with_alpha(line_color, 0.15, 1));
    set_points(raw, kept ? std::vector<CurvePoint>{} : sampled(run.reward, columns, false));
    QCPGraph* smooth = graph(Reward, slot * kPerRun[Reward] + 1);
    smooth->setPen(QPen(line_color, 2));
    set_points(smooth, sampled(run.reward, columns, true));

    const QColor metric_color = kept ? color : c.series[(slot + 2) % c.series.size()];
    QCPGraph* metric_raw = graph(Metric, slot * kPerRun[Metric]);
    QCPGraph* metric_smooth = graph(Metric, slot * kPerRun[Metric] + 1);
    metric_raw->setPen(with_alpha(metric_color, 0.35, 1));
    metric_smooth->setPen(QPen(metric_color, 2));
    draw_metric(run, metric_raw, metric_smooth);
}

// The median candidate in view; at most kMost values are read, evenly spread.
std::optional<double> RewardChart::median_gain() const {
    constexpr std::size_t kMost = 2000;
    StepId from = 0, to = 0;
    visible_steps(from, to);
    const CurveStore& speed = current_->speed;
    const std::size_t first = speed.index_of(from), end = speed.index_of(to + 1);
    std::vector<float> values;
    for (std::size_t i = first; i < end; i += std::max<std::size_t>(1, (end - first) / kMost))
        if (std::isfinite(speed.value_at(i))) values.push_back(speed.value_at(i));
    if (values.empty()) return std::nullopt;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

// The best and the median candidate set the scale: the worst ones would press the curve of the best into a line.
// Candidates below it are marks at the edge, one in a few pixels.
void RewardChart::clip_gain(double* low, double high) {
    QCPGraph* clipped = graph(Gain, Clipped);
    clipped->data()->clear();
    const auto median = current_ && current_->last_step > 0 ? median_gain() : std::nullopt;
    if (!median) return;
    constexpr double kBelowMedian = 0.25;  // of the range above it
    const double least =
        std::min(*median, 0.0) - kBelowMedian * std::max(1e-3, high - std::min(*median, 0.0));
    if (*low >= least) return;
    *low = least;
    const QCPAxis* x = rects_[Gain]->axis(QCPAxis::atBottom);
    constexpr double kMarkEvery = 6;  // pixels
    double last = -kMarkEvery;
    const QCPGraphDataContainer& candidates = *graph(Gain, Candidates)->data();
    std::vector<CurvePoint> marks;
    for (auto point = candidates.constBegin(); point != candidates.constEnd(); ++point) {
        const double at = x->coordToPixel(point->key);
        if (point->value >= least || at - last < kMarkEvery) continue;
        marks.push_back({point->key, least});
        last = at;
    }
    const ThemeColors& c = Theme::instance().colors();
    clipped->setLineStyle(QCPGraph::lsNone);
    clipped->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssTriangleInverted, QPen(c.text_dim, 1), c.text_dim, 5));
    set_points(clipped, marks);
}

// Values are scaled to what is in view, with the best line always inside.
void RewardChart::scale_values() {
    for (int p = 0; p < kPanels; ++p) {
        double low = 0, high = 0;
        bool any = false;
        const QCPRange x = rects_[p]->axis(QCPAxis::atBottom)->range();
        for (QCPGraph* g : graphs_[p]) {
            bool found = false;
            const QCPRange r = g->getValueRange(found, QCP::sdBoth, x);
            if (!found) continue;
            low = any ? std::min(low, r.lower) : r.lower;
            high = any ? std::max(high, r.upper) : r.upper;
            any = true;
        }
        if (p == Measured && measured_)  // with their intervals
            for (const StepMeasurement& m : *measured_) {
                if (m.figure.outcome != OutcomeKind::Ok || !x.contains(static_cast<double>(m.step))) continue;
                low = std::min(low, percent_of(m.figure.speedup.low));
                high = std::max(high, percent_of(m.figure.speedup.high));
            }
        if (p == Gain && any) clip_gain(&low, high);
        const double room = std::max(1e-3, (high - low) * 0.08);
        rects_[p]->axis(QCPAxis::atLeft)->setRange(any ? low - room : 0, any ? high + room : 1);
    }
}

void RewardChart::refresh_now() {
    if (!smoothing_ || !plot_) return;
    timer_.stop();
    const bool empty = !current_ || current_->last_step == 0;
    empty_->setVisible(empty);
    empty_->setText(preparing_ ? tr("Preparing the run...")
                    : current_ && current_->info.id != 0
                        ? tr("This run has no step yet.")
                        : tr("No run yet. Start an agent or open a session to see its curves."));
    if (follow_ && !empty) {
        double last = static_cast<double>(current_->last_step);
        for (const auto& run : kept_)
            last = std::max(last, static_cast<double>(run->last_step));
        for (QCPAxisRect* rect : rects_) {
            const QSignalBlocker block(rect->axis(QCPAxis::atBottom));
            rect->axis(QCPAxis::atBottom)->setRange(log_steps_ ? 0.9 : 0, std::max(10.0, last * 1.02));
        }
    }
    draw_curves();
    fit_axes();
    for (QCPItemStraightLine* line : mark_lines_) {
        line->setVisible(marked_ > 0 && line->clipAxisRect()->visible());
        line->point1->setCoords(static_cast<double>(marked_), 0);
        line->point2->setCoords(static_cast<double>(marked_), 1);
    }
    update_readout();
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

// What is in view, at the resolution of the screen.
void RewardChart::draw_curves() {
    stale_ = false;
    for (auto& panel : graphs_)
        for (QCPGraph* g : panel)
            g->data()->clear();
    if (current_ && current_->last_step > 0) draw_run(*current_, 0, false);
    draw_measured();
    for (std::size_t k = 0; k < kept_.size(); ++k)
        draw_run(*kept_[k], k + 3, true);
    scale_values();
}

}  // namespace cubinlab::ui
