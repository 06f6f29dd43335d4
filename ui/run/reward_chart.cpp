// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/reward_chart.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFrame>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QSlider>
#include <QToolButton>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/base/fitting_label.h"
#include "ui/base/format.h"
#include "ui/base/qcp.h"
#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {
constexpr std::size_t kMaxKept = 5;
constexpr double kZoomStep = 0.85;  // of the range, a notch of the wheel
constexpr double kReachPixels = 4;  // a click takes the best candidate this near in x
}  // namespace

RewardChart::RewardChart(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Reward and speed-up curves"));
    build_plot();
    build_toolbar();
    timer_.setSingleShot(true);
    timer_.setInterval(50);
    connect(&timer_, &QTimer::timeout, this, &RewardChart::refresh_now);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        apply_theme();
        refresh_now();
    });
    apply_theme();
    update_panels();
    refresh_now();
}

RewardChart::~RewardChart() = default;

void RewardChart::clear() {
    current_.reset();
    measured_.reset();
    kept_.clear();
    cursor_ = marked_ = 0;
    update_metric_names();
    refresh_now();
}

void RewardChart::begin_run(const RunInfo& run) {
    // A run kept for comparison is drawn behind; showing it again replaces that copy.
    std::erase_if(kept_, [&](const auto& old) { return old->info.id == run.id && run.id != 0; });
    if (current_ && current_->last_step > 0 && keep_->isChecked() && current_->info.id != run.id)
        kept_.push_back(std::move(current_));
    if (kept_.size() > kMaxKept) kept_.erase(kept_.begin());
    current_ = std::make_unique<RunCurves>();
    current_->info = run;
    measured_.reset();
    current_->set_smoothing(smoothing_->value() / 1000.0);
    cursor_ = marked_ = 0;
    show_all();
    apply_theme();  // the axis names the evaluator
    update_metric_names();
    refresh_now();
}

void RewardChart::add_steps(const std::vector<StepRecord>& steps) {
    if (!current_) begin_run({});
    const std::size_t known = current_->metrics.size();
    current_->add(steps);
    if (current_->metrics.size() != known) update_metric_names();
    schedule_refresh();
}

void RewardChart::add_metrics(const std::vector<MetricPoint>& points) {
    if (!current_) begin_run({});
    const std::size_t known = current_->metrics.size();
    for (const MetricPoint& p : points)
        current_->add_metric(p);
    if (current_->metrics.size() != known) update_metric_names();
    schedule_refresh();
}

void RewardChart::add_episode(StepId step, double value) {
    if (!current_) begin_run({});
    const bool first = current_->episodes.empty();
    current_->episodes.append(step, static_cast<float>(value));
    if (first) update_metric_names();
    schedule_refresh();
}

void RewardChart::set_measurements(const StepMeasurements& measured) {
    const bool had = measured_ != nullptr;
    measured_ = measured && !measured->empty() ? measured : nullptr;
    if (had != (measured_ != nullptr)) update_metric_names();
    schedule_refresh();
}

void RewardChart::set_preparing(bool on) {
    if (preparing_ == on) return;
    preparing_ = on;
    refresh_now();
}

void RewardChart::set_marked_step(StepId step) {
    marked_ = step;
    schedule_refresh();
}

void RewardChart::set_cursor(StepId step) {
    if (!current_ || current_->last_step == 0) return;
    cursor_ = std::clamp<StepId>(step, 1, current_->last_step);
    move_cursor_lines(true);
    update_readout();
}

void RewardChart::move_cursor_lines(bool shown) {
    for (QCPItemStraightLine* line : cursor_lines_) {
        line->point1->setCoords(static_cast<double>(cursor_), 0);
        line->point2->setCoords(static_cast<double>(cursor_), 1);
        line->setVisible(shown && line->clipAxisRect()->visible());
    }
    plot_->layer(QStringLiteral("cursor"))->replot();
}

void RewardChart::zoom(double factor, double around) {
    follow_ = false;
    rects_[Gain]->axis(QCPAxis::atBottom)->scaleRange(factor, around);
}

bool RewardChart::wheel_turned(QWheelEvent* e) {
    const bool inside = std::any_of(std::begin(rects_), std::end(rects_), [&](QCPAxisRect* rect) {
        return rect->visible() && rect->rect().contains(e->position().toPoint());
    });
    if (!inside || e->angleDelta().y() == 0) return false;
    const QCPAxis* axis = rects_[Gain]->axis(QCPAxis::atBottom);
    zoom(std::pow(kZoomStep, e->angleDelta().y() / 120.0), axis->pixelToCoord(e->position().x()));
    e->accept();
    return true;
}

std::size_t RewardChart::bytes() const {
    std::size_t sum = current_ ? current_->bytes() : 0;
    for (const auto& run : kept_)
        sum += run->bytes();
    return sum;
}

void RewardChart::schedule_refresh() {
    if (isVisible() && !timer_.isActive()) timer_.start();
}

void RewardChart::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh_now();
}

void RewardChart::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit_toolbar();
}

void RewardChart::show_all() {
    follow_ = true;
    refresh_now();
}

void RewardChart::visible_steps(StepId& from, StepId& to) const {
    const QCPRange range = rects_[Gain]->axis(QCPAxis::atBottom)->range();
    from = std::max<StepId>(1, static_cast<StepId>(std::floor(range.lower)));
    to = std::max<StepId>(from, static_cast<StepId>(std::ceil(range.upper)));
}

QString RewardChart::readout() const {
    return readout_->text();
}

void RewardChart::update_readout() {
    if (!current_ || current_->last_step == 0) return readout_->set_texts({});
    const RunCurves& run = *current_;
    const StepId step = cursor_ > 0 ? cursor_ : marked_ > 0 ? marked_ : run.last_step;
    QString text = tr("Step %1").arg(grouped(step));
    QStringList wordings;  // longest last
    const auto value = [&](const CurveStore& c) {
        const std::size_t i = c.index_of(step);
        return i < c.size() && c.step_at(i) == step ? static_cast<double>(c.value_at(i)) : std::nan("");
    };
    const double gain = value(run.speed);
    text += QStringLiteral("   ") + (run.measured() ? tr("measured gain") : tr("modelled gain")) +
            QLatin1Char(' ') + (std::isnan(gain) ? tr("no value") : percent_text(std::log1p(gain / 100)));
    wordings << text;
    if (const StepMeasurement* measured = measured_at(measured_, step)) {
        const HandFigure* figure = &measured->figure;
        text += QStringLiteral("   ") + (figure->outcome == OutcomeKind::Ok
                                             ? tr("measured against the original %1 %2")
                                                   .arg(percent_interval_text(figure->speedup),
                                                        QLatin1String(to_string(figure->verdict)))
                                             : tr("measured: %1").arg(outcome_title(figure->outcome)));
        wordings << text;
    }
    text += QStringLiteral("   ") + tr("best so far %1").arg(percent_text(run.best_at(step)));
    wordings << text;
    // The run's own result comes from the searching process.
    const BestPoint* best = run.best_before(step);
    const StepMeasurement* again = best && best->step != step ? measured_at(measured_, best->step) : nullptr;
    if (again && again->like_run && again->figure.outcome == OutcomeKind::Ok) {
        text += QStringLiteral(", ") + tr("re-measured %1").arg(percent_text(again->figure.speedup.log));
        wordings << text;
    }
    const double reward = value(run.reward);
    if (!std::isnan(reward)) {
        text += QStringLiteral("   ") + tr("reward %1").arg(reward, 0, 'g', 4);
        wordings << text;
        const std::size_t i = run.reward.index_of(step);
        text += QStringLiteral("   ") + tr("smoothed %1").arg(run.reward.smoothed_at(i), 0, 'g', 4);
        wordings << text;
    }
    for (const auto& old : kept_) {
        text += QStringLiteral("   ") +
                tr("compared: run %1 %2").arg(old->info.id).arg(QString::fromStdString(old->info.agent));
        if (old->measured() != run.measured()) text += tr(" (other evaluator, gain not shown)");
    }
    wordings << text;
    std::reverse(wordings.begin(), wordings.end());
    readout_->set_texts(wordings);
    plot_->setAccessibleDescription(text);
}

StepId RewardChart::step_under(double pixel_x, bool exact) const {
    QCPAxis* axis = rects_[Gain]->axis(QCPAxis::atBottom);
    const double at = axis->pixelToCoord(pixel_x);
    const auto plain = static_cast<StepId>(std::llround(at));
    if (!current_ || current_->last_step == 0) return 0;
    const StepId nearest = std::clamp<StepId>(plain, 1, current_->last_step);
    if (exact) return nearest;
    // Several steps share a pixel: an improvement wins, else the highest candidate, which is the one that is
    // seen.
    const auto from = static_cast<StepId>(std::floor(axis->pixelToCoord(pixel_x - kReachPixels)));
    const auto to = static_cast<StepId>(std::ceil(axis->pixelToCoord(pixel_x + kReachPixels)));
    if (to - from < 2 * static_cast<StepId>(kReachPixels)) {
        for (const BestPoint& p : current_->best)
            if (std::abs(axis->coordToPixel(static_cast<double>(p.step)) - pixel_x) <= kReachPixels)
                return p.step;
        return nearest;
    }
    const BestPoint* found = nullptr;
    for (const BestPoint& p : current_->best)
        if (p.step >= from && p.step <= to) found = &p;
    if (found) return found->step;
    const StepId high = current_->speed.highest(from, to);
    return high > 0 ? high : nearest;
}

bool RewardChart::eventFilter(QObject* watched, QEvent* event) {
    if (watched != plot_) return QWidget::eventFilter(watched, event);
    switch (event->type()) {
        case QEvent::MouseButtonPress:
            press_at_ = static_cast<QMouseEvent*>(event)->position();
            break;
        case QEvent::MouseButtonRelease: {
            auto* e = static_cast<QMouseEvent*>(event);
            if (e->button() != Qt::LeftButton || (e->position() - press_at_).manhattanLength() > 4) break;
            const StepId step = step_under(e->position().x(), false);
            if (step <= 0) break;
            set_cursor(step);
            set_marked_step(step);
            Q_EMIT step_chosen(current_->info.id, step);
            break;
        }
        case QEvent::MouseMove: {
            auto* e = static_cast<QMouseEvent*>(event);
            if (e->buttons() == Qt::NoButton) set_cursor(step_under(e->position().x(), true));
            break;
        }
        case QEvent::FocusIn:
        case QEvent::FocusOut:
            focus_->setVisible(event->type() == QEvent::FocusIn);
            break;
        case QEvent::Leave:
            cursor_ = 0;
            move_cursor_lines(false);
            update_readout();
            break;
        case QEvent::Wheel:
            if (wheel_turned(static_cast<QWheelEvent*>(event))) return true;
            break;
        case QEvent::MouseButtonDblClick:
            show_all();
            return true;
        case QEvent::Resize:
            focus_->setGeometry(plot_->rect());
            if (panels_that_fit() != panels_fit_ || low_ != (plot_->height() < kPanelHeight)) update_panels();
            schedule_refresh();
            break;
        case QEvent::KeyPress:
            if (key_pressed(static_cast<QKeyEvent*>(event))) return true;
            break;
        default:
            break;
    }
    return QWidget::eventFilter(watched, event);
}

bool RewardChart::key_pressed(QKeyEvent* e) {
    if (!current_ || current_->last_step == 0) return false;
    const StepId here = cursor_ > 0 ? cursor_ : current_->last_step;
    const bool improvement = e->modifiers() & Qt::ControlModifier;
    const double middle =
        cursor_ > 0 ? static_cast<double>(cursor_) : rects_[Gain]->axis(QCPAxis::atBottom)->range().center();
    switch (e->key()) {
        case Qt::Key_Left:
        case Qt::Key_Right: {
            const bool right = e->key() == Qt::Key_Right;
            if (!improvement) {
                set_cursor(here + (right ? 1 : -1));
                return true;
            }
            StepId next = here;
            for (const BestPoint& p : current_->best) {
                if (right && p.step > here) {
                    next = p.step;
                    break;
                }
                if (!right && p.step < here) next = p.step;
            }
            set_cursor(next);
            return true;
        }
        case Qt::Key_Home:
            set_cursor(1);
            return true;
        case Qt::Key_End:
            set_cursor(current_->last_step);
            return true;
        case Qt::Key_F:
            show_all();
            return true;
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            zoom(0.7, middle);
            return true;
        case Qt::Key_Minus:
            zoom(1 / 0.7, middle);
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            set_marked_step(here);
            Q_EMIT step_chosen(current_->info.id, here);
            return true;
        default:
            return false;
    }
}

}  // namespace cubinlab::ui
