// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/starts/starts_chart.h"

#include <QMouseEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/base/fitting_label.h"
#include "ui/base/format.h"
#include "ui/base/qcp.h"
#include "ui/base/theme.h"
#include "ui/run/axis_tickers.h"

namespace cubinlab::ui {
namespace {

constexpr double kReachPixels = 8;
constexpr double kZoomStep = 0.85;

double percent(double log_speedup) {
    return 100 * std::expm1(log_speedup);
}

}  // namespace

std::vector<TuningPart::Point> thinned(const std::vector<TuningPart::Point>& points, double from, double to, int columns) {
    std::vector<TuningPart::Point> out;
    const double width = (to - from) / std::max(1, columns);
    if (width <= 0) return out;
    const auto column = [&](const TuningPart::Point& p) { return std::floor((p.seconds - from) / width); };
    auto at = std::ranges::lower_bound(points, from, {}, &TuningPart::Point::seconds);
    while (at != points.end() && at->seconds <= to) {
        auto low = at, high = at;
        const double here = column(*at);
        for (; at != points.end() && at->seconds <= to && column(*at) == here; ++at) {
            if (at->log_speedup < low->log_speedup) low = at;
            if (at->log_speedup > high->log_speedup) high = at;
        }
        out.push_back(std::min(low, high) == low ? *low : *high);
        if (low != high) out.push_back(std::max(low, high) == low ? *low : *high);
    }
    return out;
}

StartsChart::StartsChart(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Gains of starts and schedules over time"));
    build();
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        apply_theme();
        draw();
    });
    apply_theme();
    draw();
}

void StartsChart::build() {
    readout_ = new FittingLabel(this);
    readout_->setContentsMargins(8, 2, 8, 2);
    readout_->setAccessibleName(tr("Values at the pointer"));
    plot_ = new QCustomPlot(this);
    plot_->setAccessibleName(tr("Curves over time"));
    plot_->setLocale(QLocale::c());
    plot_->setFocusPolicy(Qt::StrongFocus);
    plot_->setInteractions(QCP::iRangeDrag);
    plot_->axisRect()->setRangeDrag(Qt::Horizontal);
    plot_->axisRect()->setMinimumMargins(QMargins(48, fontMetrics().height() / 2, 12, 4));
    plot_->setMinimumSize(160, 2 * fontMetrics().height());
    plot_->yAxis->setTicker(QSharedPointer<FigureTicker>::create());
    plot_->yAxis->setNumberFormat(QStringLiteral("g"));
    plot_->yAxis->setNumberPrecision(4);
    plot_->yAxis->ticker()->setTickCount(4);
    plot_->installEventFilter(this);
    setFocusProxy(plot_);
    starts_ = plot_->addGraph();
    schedules_ = plot_->addGraph();
    best_ = plot_->addGraph();
    for (QCPGraph* graph : {starts_, schedules_})
        graph->setLineStyle(QCPGraph::lsNone);
    best_->setLineStyle(QCPGraph::lsStepLeft);
    connect(plot_->xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, [this](const QCPRange& range) {
        const double all = std::max(1.0, total());
        const QSignalBlocker quiet(plot_->xAxis);
        plot_->xAxis->setRange(range.bounded(-0.02 * all, 1.05 * all));
        draw();
    });
    connect(plot_, &QCustomPlot::mouseMove, this, [this](QMouseEvent* e) {
        if (e->buttons() & Qt::LeftButton && (e->position() - press_at_).manhattanLength() > 4) follow_ = false;
    });
    empty_ = new EmptyNote(plot_);
    empty_->setText(tr("No start was measured yet."));
    empty_->setContentsMargins(16, 0, 16, 0);
    empty_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    auto* over = new QVBoxLayout(plot_);
    over->setContentsMargins(0, 0, 0, 0);
    over->addWidget(empty_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(readout_);
    column->addWidget(plot_, 1);
}

void StartsChart::apply_theme() {
    const ThemeColors& c = Theme::instance().colors();
    const QFont small = Theme::instance().small_font();
    plot_->setBackground(c.surface);
    for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis}) {
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
    const auto dots = [](QCPScatterStyle::ScatterShape shape, const QColor& color) {
        return QCPScatterStyle(shape, QPen(color, 1), QBrush(with_alpha(color, 110)), 4);
    };
    starts_->setScatterStyle(dots(QCPScatterStyle::ssDiamond, c.series[1]));
    schedules_->setScatterStyle(dots(QCPScatterStyle::ssCircle, c.series[0]));
    best_->setPen(QPen(c.good, 2));
    empty_->setStyleSheet(
        QStringLiteral("color: %1; background: %2").arg(c.text_dim.name(), c.surface.name()));
}

void StartsChart::show_tuning(std::vector<TuningPart> parts, std::vector<QString> names, bool modelled, bool live) {
    const bool other = parts.empty() || parts_.empty() || parts.front().run.id != parts_.front().run.id;
    parts_ = std::move(parts);
    names_ = std::move(names);
    modelled_ = modelled;
    live_ = live;
    follow_ = follow_ || other;
    if (follow_)
        show_all();
    else
        draw();
}

void StartsChart::show_all() {
    follow_ = true;
    {
        const QSignalBlocker quiet(plot_->xAxis);
        plot_->xAxis->setRange(0, std::max(1.0, 1.02 * total()));
    }
    draw();
}

// A shade and a name for each part. A name that its band has no room for is left out; the readout has it.
void StartsChart::draw_bands() {
    const ThemeColors& c = Theme::instance().colors();
    for (QCPItemRect* band : bands_)
        plot_->removeItem(band);
    for (QCPItemText* name : names_of_bands_)
        plot_->removeItem(name);
    bands_.clear();
    names_of_bands_.clear();
    const QFontMetrics small(Theme::instance().small_font());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const TuningPart& part = parts_[i];
        const bool active = live_ && i + 1 == parts_.size();
        if (i % 2 == 1 || active) {
            auto* band = new QCPItemRect(plot_);
            band->setLayer(QStringLiteral("background"));
            band->topLeft->setTypeY(QCPItemPosition::ptAxisRectRatio);
            band->bottomRight->setTypeY(QCPItemPosition::ptAxisRectRatio);
            band->topLeft->setCoords(part.begins, 0);
            band->bottomRight->setCoords(part.ends, 1);
            band->setPen(Qt::NoPen);
            band->setBrush(active ? c.accent_soft : c.surface_alt);
            bands_.push_back(band);
        }
        const double left = plot_->xAxis->coordToPixel(part.begins), right = plot_->xAxis->coordToPixel(part.ends);
        const QString name = i < names_.size() ? names_[i] : QString();
        if (right - left < small.horizontalAdvance(name) + 8) continue;
        auto* label = new QCPItemText(plot_);
        label->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
        label->position->setCoords((part.begins + part.ends) / 2, 0);
        label->setPositionAlignment(Qt::AlignHCenter | Qt::AlignTop);
        label->setText(name);
        label->setFont(Theme::instance().small_font());
        label->setColor(active ? c.text : c.text_dim);
        names_of_bands_.push_back(label);
    }
}

void StartsChart::draw() {
    const QCPRange range = plot_->xAxis->range();
    const int columns = std::max(80, plot_->axisRect()->width());
    QVector<QCPGraphData> starts, schedules, best;
    double so_far = 0, low = 0, high = 0.01;
    best.push_back({0, 0});
    for (const TuningPart& part : parts_) {
        for (const TuningPart::Point& p : thinned(part.points, range.lower, range.upper, columns)) {
            (part.over_starts ? starts : schedules).push_back({p.seconds, percent(p.log_speedup)});
            low = std::min(low, percent(p.log_speedup));
            high = std::max(high, percent(p.log_speedup));
        }
        for (const TuningPart::Point& p : part.points) {
            if (!p.best || p.log_speedup <= so_far) continue;
            so_far = p.log_speedup;
            best.push_back({p.seconds, percent(so_far)});
        }
    }
    if (!parts_.empty()) best.push_back({total(), percent(so_far)});
    starts_->data()->set(starts, true);
    schedules_->data()->set(schedules, true);
    best_->data()->set(best, true);
    // The best sets the scale: what is much slower than the original lies below the picture.
    high = std::max(high, percent(so_far));
    low = std::max(low, -std::max(1.0, high));
    const double room = 0.18 * (high - low);
    plot_->yAxis->setRange(low - 0.05 * (high - low), high + room);
    plot_->yAxis->setLabel(modelled_ ? tr("Modelled gain, %") : tr("Gain, %"));
    plot_->xAxis->setLabel(tr("Working time, s"));
    const bool low_view = plot_->height() < 9 * fontMetrics().height();
    if (low_view) plot_->xAxis->setLabel(QString());
    draw_bands();
    const bool any = !starts.isEmpty() || !schedules.isEmpty();
    empty_->setVisible(!any);
    readout_->setVisible(any);
    read_at(-1);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

// -1: at the end.
void StartsChart::read_at(double pixel_x) {
    if (parts_.empty()) return readout_->set_texts({});
    const double at = pixel_x < 0 ? total() : std::clamp(plot_->xAxis->pixelToCoord(pixel_x), 0.0, total());
    std::size_t i = 0;
    double best = 0;
    std::size_t starts = 0, schedules = 0;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
        if (parts_[k].begins <= at) i = k;
        for (const TuningPart::Point& p : parts_[k].points) {
            if (p.seconds > at) break;
            ++(parts_[k].over_starts ? starts : schedules);
            if (p.best) best = std::max(best, p.log_speedup);
        }
    }
    const QString name = i < names_.size() ? names_[i] : QString();
    const QString what = parts_[i].over_starts ? tr("searches starts") : tr("schedules %1").arg(name);
    const QString figure = modelled_ ? tr("best %1, modelled").arg(percent_text(best)) : tr("best %1").arg(percent_text(best));
    readout_->set_texts({tr("%1: %2   \u25C6 %3 starts   \u25CF %4 schedules   %5")
                             .arg(duration_text(at), what, grouped(static_cast<qint64>(starts)),
                                  grouped(static_cast<qint64>(schedules)), figure),
                         tr("%1: %2   %3").arg(duration_text(at), what, figure), figure});
}

void StartsChart::choose(const QPointF& at) {
    const TuningPart* of = nullptr;
    const TuningPart::Point* nearest = nullptr;
    double away = kReachPixels;
    for (const TuningPart& part : parts_)
        for (const TuningPart::Point& p : part.points) {
            const double dx = plot_->xAxis->coordToPixel(p.seconds) - at.x();
            if (std::abs(dx) > kReachPixels) continue;
            const double d = std::hypot(dx, plot_->yAxis->coordToPixel(percent(p.log_speedup)) - at.y());
            if (d >= away) continue;
            away = d;
            nearest = &p;
            of = &part;
        }
    if (nearest != nullptr) Q_EMIT step_chosen(of->run.id, nearest->step);
}

void StartsChart::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    draw();
}

bool StartsChart::eventFilter(QObject* watched, QEvent* event) {
    if (watched != plot_) return QWidget::eventFilter(watched, event);
    switch (event->type()) {
        case QEvent::MouseButtonPress:
            press_at_ = static_cast<QMouseEvent*>(event)->position();
            break;
        case QEvent::MouseButtonRelease: {
            auto* e = static_cast<QMouseEvent*>(event);
            if (e->button() == Qt::LeftButton && (e->position() - press_at_).manhattanLength() <= 4) choose(e->position());
            break;
        }
        case QEvent::MouseMove:
            if (static_cast<QMouseEvent*>(event)->buttons() == Qt::NoButton)
                read_at(static_cast<QMouseEvent*>(event)->position().x());
            break;
        case QEvent::Leave:
            read_at(-1);
            break;
        case QEvent::MouseButtonDblClick:
            show_all();
            return true;
        case QEvent::Wheel: {
            auto* e = static_cast<QWheelEvent*>(event);
            if (e->angleDelta().y() == 0) break;
            follow_ = false;
            plot_->xAxis->scaleRange(std::pow(kZoomStep, e->angleDelta().y() / 120.0),
                                     plot_->xAxis->pixelToCoord(e->position().x()));
            e->accept();
            return true;
        }
        default:
            break;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace cubinlab::ui
