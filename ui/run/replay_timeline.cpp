// SPDX-License-Identifier: GPL-3.0-or-later
// The slider over the steps of a run: bars of accepted, filtered, failed steps by column, a diamond for each
// new best, a lane of essential steps below the track, and the playhead. A drag snaps to a new best. Also the
// buckets of step counts that the bars are drawn from.
#include "ui/run/replay_timeline.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/base/format.h"
#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {
// Margins of the track, pixels; the lane of essential steps is in the bottom one.
constexpr double kSide = 10, kTop = 14, kBottom = 14;
constexpr double kSnap = 4;  // pixels around a new best
}  // namespace

void TimelineBucket::add(const TimelineBucket& other) {
    steps += other.steps;
    admitted += other.admitted;
    accepted += other.accepted;
    best += other.best;
    failed += other.failed;
}

void TimelineBuckets::clear() {
    width_ = 1;
    last_ = 0;
    buckets_.clear();
}

void TimelineBuckets::add(StepId step, const StepBrief& brief, bool admitted) {
    if (step <= last_) return;
    last_ = step;
    while (bucket_of(step) >= kBuckets)
        halve();
    buckets_.resize(bucket_of(step) + 1);
    if (!brief.present) return;
    const bool failed = static_cast<OutcomeKind>(brief.outcome) != OutcomeKind::Ok;
    buckets_.back().add({1, admitted ? 1U : 0U, brief.accepted, brief.best, failed ? 1U : 0U});
}

void TimelineBuckets::halve() {
    for (std::size_t i = 0; i < buckets_.size(); i += 2) {
        TimelineBucket both = buckets_[i];
        if (i + 1 < buckets_.size()) both.add(buckets_[i + 1]);
        buckets_[i / 2] = both;
    }
    buckets_.resize((buckets_.size() + 1) / 2);
    width_ *= 2;
}

TimelineBucket TimelineBuckets::sum(StepId from, StepId to) const {
    TimelineBucket out;
    if (last_ == 0 || to < 1 || from > last_) return out;
    const std::size_t first = bucket_of(std::max<StepId>(1, from)), end = bucket_of(std::min(to, last_));
    for (std::size_t b = first; b <= end && b < buckets_.size(); ++b)
        out.add(buckets_[b]);
    return out;
}

ReplayTimeline::ReplayTimeline(const MutationModel* model, QWidget* parent)
    : QAbstractSlider(parent), model_(model) {
    setOrientation(Qt::Horizontal);
    setAccessibleName(tr("Step of the run"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
}

void ReplayTimeline::set_filter(const StepFilter& filter) {
    if (filter == filter_) return;
    filter_ = filter;
    buckets_.clear();
    bests_.clear();
    take_steps();
}

void ReplayTimeline::set_carrying(std::vector<StepId> steps) {
    carrying_ = std::move(steps);
    update();
}

void ReplayTimeline::take_steps() {
    const StepIndex& index = model_->steps();
    if (index.last() < buckets_.last()) {  // another run
        buckets_.clear();
        bests_.clear();
        carrying_.clear();
    }
    for (StepId s = buckets_.last() + 1; s <= index.last(); ++s) {
        const StepBrief brief = index.at(s);
        buckets_.add(s, brief, index.admits(s, filter_));
        if (brief.best) bests_.push_back(s);
    }
    update();
}

QRectF ReplayTimeline::track() const {
    return QRectF(rect()).adjusted(kSide, kTop, -kSide, -kBottom);
}

double ReplayTimeline::x_of(StepId step) const {
    const QRectF t = track();
    return t.left() + t.width() * static_cast<double>(step) / std::max(1, maximum());
}

StepId ReplayTimeline::step_at(double x) const {
    const QRectF t = track();
    const double share = std::clamp((x - t.left()) / std::max(1.0, t.width()), 0.0, 1.0);
    const auto plain = static_cast<StepId>(std::llround(share * maximum()));
    StepId best = plain;
    double nearest = kSnap;
    auto after = std::lower_bound(bests_.begin(), bests_.end(), plain);
    for (auto it = after == bests_.begin() ? after : std::prev(after); it != bests_.end() && it <= after;
         ++it) {
        const double away = std::abs(x_of(*it) - x);
        if (away > nearest) continue;
        nearest = away;
        best = *it;
    }
    return best;
}

QString ReplayTimeline::text_at(double x) const {
    if (maximum() == 0) return {};
    const StepId step = step_at(x);
    if (step == 0) return tr("start of the run");
    const double per_pixel = maximum() / std::max(1.0, track().width());
    const auto half = static_cast<StepId>(per_pixel / 2);
    const TimelineBucket here = buckets_.sum(step - half, step + half);
    QString text = tr("step %1").arg(grouped(step));
    if (here.steps > 1)
        text += tr("\n%1 steps here: %2 accepted, %3 improvements, %4 failed")
                    .arg(here.steps)
                    .arg(here.accepted)
                    .arg(here.best)
                    .arg(here.failed);
    if (std::binary_search(carrying_.begin(), carrying_.end(), step)) text += tr("\nessential");
    return text;
}

void ReplayTimeline::paint_columns(QPainter& painter) const {
    const ThemeColors& c = Theme::instance().colors();
    const QRectF t = track();
    const auto columns = static_cast<int>(t.width());
    if (columns <= 0 || maximum() == 0) return;
    const double per_column = static_cast<double>(maximum()) / columns;
    const int stride = per_column < 1 ? std::max(1, static_cast<int>(1 / per_column)) : 1;
    QColor accepted = c.series[0], admitted = rule_of(c), failed = c.bad;
    admitted.setAlphaF(0.45F);
    painter.setPen(Qt::NoPen);
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (int x = 0; x < columns; x += stride) {
        const auto from = static_cast<StepId>(std::floor(x * per_column)) + 1;
        const auto to = std::max(from, static_cast<StepId>(std::floor((x + stride) * per_column)));
        if (from > buckets_.last()) break;
        const TimelineBucket b = buckets_.sum(from, to);
        if (b.steps == 0) continue;
        const auto bar = [&](std::uint32_t count, double height, const QColor& color, bool foot) {
            if (count == 0) return;
            // A single step among thousands is visible; the bar grows with their share.
            const double share = static_cast<double>(count) / b.steps;
            const double h = height * (0.35 + 0.65 * share);
            painter.fillRect(
                QRectF(t.left() + x, foot ? t.bottom() - h : t.bottom() - 5 - h, std::max(1, stride - 1), h),
                color);
        };
        bar(b.admitted, t.height() - 8, admitted, false);
        if (b.admitted > 0) bar(b.accepted, t.height() - 8, accepted, false);
        bar(b.failed, 4, failed, true);
    }
}

void ReplayTimeline::paint_marks(QPainter& painter) const {
    const ThemeColors& c = Theme::instance().colors();
    const QRectF t = track();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(c.surface, 1));
    painter.setBrush(c.good);
    double last = -100;
    for (const StepId s : bests_) {
        const double x = x_of(s);
        if (x - last < 3) continue;  // one mark for bests that are closer than 3 pixels
        last = x;
        painter.drawPolygon(
            QPolygonF({{x, t.top() - 4}, {x + 4, t.top()}, {x, t.top() + 4}, {x - 4, t.top()}}));
    }
}

// A long run has up to thousands of essential steps. They have a lane below the track: a star for a
// single step, a band for steps that are closer than a star is wide.
void ReplayTimeline::paint_carrying(QPainter& painter) const {
    const QRectF t = track();
    const double y = t.bottom() + 8.5, apart = 9;
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::instance().colors().warn);
    for (auto it = carrying_.begin(); it != carrying_.end();) {
        const double from = x_of(*it);
        double to = from;
        for (++it; it != carrying_.end() && x_of(*it) - to < apart; ++it)
            to = x_of(*it);
        if (to > from) {
            painter.drawRoundedRect(QRectF(from - 2, y - 2, to - from + 4, 4), 2, 2);
            continue;
        }
        QPolygonF star;
        for (int i = 0; i < 10; ++i) {
            const double r = i % 2 == 0 ? 4.5 : 2, a = M_PI * (i / 5.0 - 0.5);
            star << QPointF(from + r * std::cos(a), y + r * std::sin(a));
        }
        painter.drawPolygon(star);
    }
}

void ReplayTimeline::paint_playhead(QPainter& painter) const {
    const ThemeColors& c = Theme::instance().colors();
    const QRectF t = track();
    const double x = x_of(sliderPosition());
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(c.accent, 2));
    painter.drawLine(QPointF(x, 3), QPointF(x, t.bottom() + 3));
    painter.setPen(Qt::NoPen);
    painter.setBrush(c.accent);
    painter.drawPolygon(QPolygonF({{x - 6, 1}, {x + 6, 1}, {x + 6, 5}, {x, 11}, {x - 6, 5}}));
}

void ReplayTimeline::paintEvent(QPaintEvent*) {
    const ThemeColors& c = Theme::instance().colors();
    QPainter painter(this);
    const QRectF t = track();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(c.border, 1));
    painter.setBrush(c.surface);
    painter.drawRoundedRect(t.adjusted(-4, -1, 4, 3), 4, 4);
    if (maximum() > 0) {
        paint_columns(painter);
        paint_carrying(painter);
        paint_marks(painter);
        paint_playhead(painter);
    }
    if (hasFocus()) {
        painter.setPen(QPen(c.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    }
}

void ReplayTimeline::scrub(double x) {
    setSliderPosition(static_cast<int>(step_at(x)));
}

void ReplayTimeline::mousePressEvent(QMouseEvent* e) {
    if (e->button() != Qt::LeftButton || maximum() == 0) return;
    setSliderDown(true);
    scrub(e->position().x());
}

void ReplayTimeline::mouseMoveEvent(QMouseEvent* e) {
    if (isSliderDown()) scrub(e->position().x());
}

void ReplayTimeline::mouseReleaseEvent(QMouseEvent* e) {
    if (e->button() == Qt::LeftButton) setSliderDown(false);
}

void ReplayTimeline::wheelEvent(QWheelEvent* e) {
    if (e->angleDelta().y() != 0) step_by(e->angleDelta().y() > 0 ? -1 : 1);
    e->accept();
}

void ReplayTimeline::step_by(int direction) {
    const StepId next = model_->steps().next(value(), direction, filter_);
    if (next > 0)
        setValue(static_cast<int>(next));
    else if (direction < 0)
        setValue(0);
}

void ReplayTimeline::keyPressEvent(QKeyEvent* e) {
    if (e->modifiers() & (Qt::AltModifier | Qt::ControlModifier)) return e->ignore();
    switch (e->key()) {
        case Qt::Key_Left:
        case Qt::Key_Up:
            return step_by(-1);
        case Qt::Key_Right:
        case Qt::Key_Down:
            return step_by(1);
        default:
            QAbstractSlider::keyPressEvent(e);  // Page keys, Home, End
    }
}

void ReplayTimeline::sliderChange(SliderChange change) {
    QAbstractSlider::sliderChange(change);
    update();
}

bool ReplayTimeline::event(QEvent* e) {
    if (e->type() != QEvent::ToolTip) return QAbstractSlider::event(e);
    auto* help = static_cast<QHelpEvent*>(e);
    const QString text = text_at(help->pos().x());
    text.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), text, this);
    return true;
}

}  // namespace cubinlab::ui
