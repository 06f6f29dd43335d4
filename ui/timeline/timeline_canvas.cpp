// SPDX-License-Identifier: GPL-3.0-or-later
// TimelineCanvas: geometry.
#include "ui/timeline/timeline_canvas.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {

constexpr double kMostScale = 48;
constexpr int kLeastLane = 12, kMostLane = 34, kLaneGap = 2, kSideGap = 6, kEnd = 12;
constexpr double kMargin = 4;  // pixels before the first counted iteration

constexpr double kDragPixels = 4;
constexpr std::uint32_t kLongWait = 8;  // cycles, of another kind than a stall count

}  // namespace

TimelineCanvas::TimelineCanvas(QWidget* parent) : QAbstractScrollArea(parent) {
    setAccessibleName(tr("Issue timeline"));
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    measure_texts();
    viewport()->setMouseTracking(true);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        measure_texts();
        update_bars();
        viewport()->update();
    });
}

void TimelineCanvas::set_timeline(TimelinePtr timeline) {
    const bool same = timeline_ && timeline && timeline_->kernel == timeline->kernel;
    const double left = same ? time_at(gutter()) : 0;
    timeline_ = std::move(timeline);
    hovered_.reset();
    cursor_.reset();
    if (!same) fitted_ = true;
    if (!timeline_) selected_ = kNone;
    if (timeline_ && selected_ != kNone) cursor_ = issue_of(selected_);
    if (fitted_) {
        fit();
    } else {
        update_bars();
        pan_to(left);
    }
    tell(cursor_);
    viewport()->update();
}

void TimelineCanvas::set_message(const QString& message) {
    message_ = message;
    viewport()->update();
}

void TimelineCanvas::set_selected(InstrId instr) {
    selected_ = instr;
    if (timeline_ && (!cursor_ || issue_at(*timeline_, *cursor_).instr != instr)) {
        cursor_ = instr == kNone ? std::nullopt : issue_of(instr);
        if (cursor_) reveal(*cursor_);
        tell(cursor_);
    }
    viewport()->update();
}

void TimelineCanvas::measure_texts() {
    setFont(Theme::instance().small_font());
    gutter_ = fontMetrics().horizontalAdvance(tr("warp %1").arg(0)) + 18;
}

int TimelineCanvas::ruler() const {
    return fontMetrics().height() + 6;
}

int TimelineCanvas::head() const {
    return fontMetrics().height() + 6;
}

int TimelineCanvas::least_height() const {
    return ruler() + head() + 2 * (kLeastLane + kLaneGap) + horizontalScrollBar()->sizeHint().height();
}

std::size_t TimelineCanvas::lanes() const {
    std::size_t sum = 0;
    if (timeline_)
        for (const TimelineSide& side : timeline_->sides)
            sum += side.trace.lanes.size();
    return sum;
}

int TimelineCanvas::lane_height() const {
    if (!timeline_ || lanes() == 0) return kMostLane;
    const auto sides = static_cast<int>(timeline_->sides.size());
    const int room = viewport()->height() - ruler() - sides * (head() + kSideGap);
    return std::clamp(room / static_cast<int>(lanes()) - kLaneGap, kLeastLane, kMostLane);
}

int TimelineCanvas::side_top(std::size_t side) const {
    int top = ruler() - verticalScrollBar()->value();
    for (std::size_t s = 0; s < side; ++s)
        top += head() + kSideGap +
               static_cast<int>(timeline_->sides[s].trace.lanes.size()) * (lane_height() + kLaneGap);
    return top;
}

QRect TimelineCanvas::lane_rect(std::size_t side, std::size_t lane) const {
    return {gutter(), side_top(side) + head() + static_cast<int>(lane) * (lane_height() + kLaneGap),
            viewport()->width() - gutter(), lane_height()};
}

double TimelineCanvas::x_of(double time) const {
    const double first = timeline_ ? static_cast<double>(timeline_->first) : 0;
    return gutter() + (time - first) * scale_ - horizontalScrollBar()->value();
}

double TimelineCanvas::time_at(double x) const {
    const double first = timeline_ ? static_cast<double>(timeline_->first) : 0;
    return first + (x - gutter() + horizontalScrollBar()->value()) / scale_;
}

double TimelineCanvas::middle() const {
    if (cursor_) {
        const double x = rect_of(*cursor_).right();
        if (x > gutter() && x < viewport()->width()) return x;
    }
    return (gutter() + viewport()->width()) / 2.0;
}

QRectF TimelineCanvas::rect_of(const IssuePlace& place) const {
    const TimelineSide& side = timeline_->sides[place.side];
    const Issue& issue = issue_at(*timeline_, place);
    const QRect lane = lane_rect(place.side, place.lane);
    const double left = x_of(static_cast<double>(side.time_of(issue.from)));
    const double right = x_of(static_cast<double>(side.time_of(issue.when) + 1));
    return {left, static_cast<double>(lane.top()), right - left, static_cast<double>(lane.height())};
}

// Issues that begin before the right edge and end after the left one.
TimelineCanvas::Visible TimelineCanvas::visible(std::size_t side, std::size_t lane) const {
    const TimelineSide& s = timeline_->sides[side];
    const std::vector<Issue>& issues = s.trace.lanes[lane].issues;
    const double left = time_at(gutter()), right = time_at(viewport()->width());
    const auto begin = std::partition_point(issues.begin(), issues.end(), [&](const Issue& issue) {
        return static_cast<double>(s.time_of(issue.when) + 1) <= left;
    });
    const auto end = std::partition_point(begin, issues.end(), [&](const Issue& issue) {
        return static_cast<double>(s.time_of(issue.from)) < right;
    });
    return {static_cast<std::size_t>(begin - issues.begin()), static_cast<std::size_t>(end - issues.begin())};
}

void TimelineCanvas::update_bars() {
    if (!timeline_) {
        horizontalScrollBar()->setRange(0, 0);
        verticalScrollBar()->setRange(0, 0);
        return;
    }
    const int room = std::max(1, viewport()->width() - gutter());
    const double width = static_cast<double>(timeline_->last - timeline_->first) * scale_ + kEnd;
    horizontalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(width)) - room));
    horizontalScrollBar()->setPageStep(room);
    horizontalScrollBar()->setSingleStep(40);
    const auto sides = static_cast<int>(timeline_->sides.size());
    const int height =
        ruler() + sides * (head() + kSideGap) + static_cast<int>(lanes()) * (lane_height() + kLaneGap);
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(lane_height());
}

void TimelineCanvas::pan_to(double time_at_left) {
    const double first = timeline_ ? static_cast<double>(timeline_->first) : 0;
    horizontalScrollBar()->setValue(static_cast<int>(std::lround((time_at_left - first) * scale_)));
}

void TimelineCanvas::fit() {
    fitted_ = true;
    if (!timeline_) return update_bars();
    std::int64_t longest = 1;
    for (const TimelineSide& side : timeline_->sides)
        for (std::size_t lane = 0; lane < side.trace.lanes.size(); ++lane)
            longest = std::max(longest, side.counted_end(lane));
    const int room = std::max(50, viewport()->width() - gutter() - kEnd);
    scale_ = std::min(kMostScale, room / static_cast<double>(longest + 1));
    update_bars();
    pan_to(-kMargin / scale_);
    viewport()->update();
}

void TimelineCanvas::zoom(double factor, double x) {
    if (!timeline_) return;
    const double time = time_at(x);
    const int room = std::max(50, viewport()->width() - gutter() - kEnd);
    const double least =
        std::min(kMostScale,
                 room / static_cast<double>(std::max<std::int64_t>(1, timeline_->last - timeline_->first)));
    scale_ = std::clamp(scale_ * factor, least, kMostScale);
    fitted_ = false;
    update_bars();
    pan_to(time - (x - gutter()) / scale_);
    viewport()->update();
}

void TimelineCanvas::reveal(const IssuePlace& place) {
    const QRectF rect = rect_of(place);
    const int width = viewport()->width() - gutter();
    if (rect.right() <= gutter() || rect.right() > viewport()->width()) {
        const auto time =
            static_cast<double>(timeline_->sides[place.side].time_of(issue_at(*timeline_, place).when));
        pan_to(time - width / (2 * scale_));
        fitted_ = false;
    }
    if (rect.top() < ruler() || rect.bottom() > viewport()->height())
        verticalScrollBar()->setValue(verticalScrollBar()->value() + static_cast<int>(rect.top()) - ruler() -
                                      head());
}

void TimelineCanvas::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    if (fitted_)
        fit();
    else
        update_bars();
}

std::optional<IssuePlace> TimelineCanvas::place_at(QPointF at) const {
    if (!timeline_ || at.x() < gutter() || at.y() < ruler()) return std::nullopt;
    for (std::size_t side = 0; side < timeline_->sides.size(); ++side) {
        const TimelineSide& s = timeline_->sides[side];
        for (std::size_t lane = 0; lane < s.trace.lanes.size(); ++lane) {
            if (!lane_rect(side, lane).contains(at.toPoint())) continue;
            const std::vector<Issue>& issues = s.trace.lanes[lane].issues;
            const double time = time_at(at.x());
            const auto found = std::partition_point(issues.begin(), issues.end(), [&](const Issue& issue) {
                return static_cast<double>(s.time_of(issue.when) + 1) <= time;
            });
            if (found == issues.end() || static_cast<double>(s.time_of(found->from)) > time)
                return std::nullopt;
            return IssuePlace{side, lane, static_cast<std::size_t>(found - issues.begin())};
        }
    }
    return std::nullopt;
}

void TimelineCanvas::choose(const IssuePlace& place) {
    cursor_ = place;
    selected_ = issue_at(*timeline_, place).instr;
    reveal(place);
    tell(place);
    viewport()->update();
    Q_EMIT instr_chosen(selected_);
}

void TimelineCanvas::tell(const std::optional<IssuePlace>& place) {
    QString text;
    if (timeline_ && place)
        text = issue_text(*timeline_, *place);
    else if (timeline_ && selected_ != kNone)
        text = timeline_->sides.back().trace.loop ? tr("The selected instruction is not in the hot loop")
                                                  : tr("The selected instruction is not on the path");
    if (text == told_) return;
    told_ = text;
    setAccessibleDescription(text);
    Q_EMIT told_changed(text);
}

void TimelineCanvas::wheelEvent(QWheelEvent* event) {
    if (event->angleDelta().y() == 0 || event->modifiers() & Qt::ShiftModifier) {
        const int delta = event->angleDelta().x() != 0 ? event->angleDelta().x() : event->angleDelta().y();
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() - delta);
        fitted_ = false;
    } else if (event->modifiers() & Qt::ControlModifier) {
        verticalScrollBar()->setValue(verticalScrollBar()->value() - event->angleDelta().y());
    } else {
        zoom(std::pow(1.2, event->angleDelta().y() / 120.0), event->position().x());
    }
    event->accept();
}

void TimelineCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    press_at_ = event->position();
    press_time_ = time_at(event->position().x());
    dragged_ = false;
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (press_at_ && event->buttons() & Qt::LeftButton) {
        dragged_ = dragged_ || (event->position() - *press_at_).manhattanLength() > kDragPixels;
        if (!dragged_) return;
        viewport()->setCursor(Qt::ClosedHandCursor);
        pan_to(press_time_ - (event->position().x() - gutter()) / scale_);
        fitted_ = false;
        viewport()->update();
        return;
    }
    const auto at = place_at(event->position());
    if (at == hovered_) return;
    hovered_ = at;
    tell(hovered_ ? hovered_ : cursor_);
    viewport()->update();
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent* event) {
    viewport()->unsetCursor();
    if (event->button() != Qt::LeftButton || !press_at_) return;
    press_at_.reset();
    if (dragged_) return;
    if (const auto at = place_at(event->position())) choose(*at);
}

void TimelineCanvas::mouseDoubleClickEvent(QMouseEvent*) {
    fit();
}

void TimelineCanvas::leaveEvent(QEvent* event) {
    QAbstractScrollArea::leaveEvent(event);
    hovered_.reset();
    tell(cursor_);
    viewport()->update();
}

void TimelineCanvas::focusInEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void TimelineCanvas::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

bool TimelineCanvas::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        if (const auto at = place_at(help->pos()))
            QToolTip::showText(help->globalPos(), issue_html(*timeline_, *at), viewport());
        else
            QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::Leave) leaveEvent(event);
    return QAbstractScrollArea::viewportEvent(event);
}

// The first or last counted issue of the cursor's warp.
std::optional<IssuePlace> TimelineCanvas::home(bool end) const {
    if (!timeline_ || timeline_->sides.empty()) return std::nullopt;
    IssuePlace at = cursor_.value_or(IssuePlace{timeline_->sides.size() - 1, 0, 0});
    const IssueTrace& trace = timeline_->sides[at.side].trace;
    if (at.lane >= trace.lanes.size() || trace.lanes[at.lane].issues.empty()) return std::nullopt;
    const std::vector<Issue>& issues = trace.lanes[at.lane].issues;
    const std::uint32_t pass = trace.first_counted + (end ? trace.counted : 0);
    const auto found = std::partition_point(issues.begin(), issues.end(),
                                            [&](const Issue& issue) { return issue.pass < pass; });
    at.issue = static_cast<std::size_t>(found - issues.begin());
    if (end && at.issue > 0) --at.issue;
    at.issue = std::min(at.issue, issues.size() - 1);
    return at;
}

std::optional<IssuePlace> TimelineCanvas::walked(int direction, bool long_waits) const {
    if (!cursor_) return home(false);
    IssuePlace at = *cursor_;
    const IssueLane& lane = timeline_->sides[at.side].trace.lanes[at.lane];
    while (direction < 0 ? at.issue > 0 : at.issue + 1 < lane.issues.size()) {
        at.issue += direction < 0 ? ~std::size_t{0} : 1;
        if (!long_waits) return at;
        for (const IssueWait& wait : lane.waits_of(lane.issues[at.issue]))
            if (wait.reason != WaitReason::Stall && wait.cycles >= kLongWait) return at;
    }
    return std::nullopt;
}

// The issue nearest in time of the next warp; after the last warp, of the other schedule.
std::optional<IssuePlace> TimelineCanvas::other_lane(int direction) const {
    if (!cursor_) return home(false);
    IssuePlace at = *cursor_;
    const std::int64_t time = timeline_->sides[at.side].time_of(issue_at(*timeline_, at).when);
    if (direction < 0 && at.lane > 0) {
        --at.lane;
    } else if (direction > 0 && at.lane + 1 < timeline_->sides[at.side].trace.lanes.size()) {
        ++at.lane;
    } else if (direction < 0 && at.side > 0) {
        --at.side;
        at.lane = timeline_->sides[at.side].trace.lanes.size() - 1;
    } else if (direction > 0 && at.side + 1 < timeline_->sides.size()) {
        ++at.side;
        at.lane = 0;
    } else {
        return std::nullopt;
    }
    const TimelineSide& side = timeline_->sides[at.side];
    const std::vector<Issue>& issues = side.trace.lanes[at.lane].issues;
    if (issues.empty()) return std::nullopt;
    const auto found = std::partition_point(
        issues.begin(), issues.end(), [&](const Issue& issue) { return side.time_of(issue.when) < time; });
    at.issue = std::min(static_cast<std::size_t>(found - issues.begin()), issues.size() - 1);
    return at;
}

// In the counted iterations of the cursor's warp, or of the candidate's first warp.
std::optional<IssuePlace> TimelineCanvas::issue_of(InstrId instr) const {
    if (!timeline_ || timeline_->sides.empty()) return std::nullopt;
    IssuePlace at = cursor_.value_or(IssuePlace{timeline_->sides.size() - 1, 0, 0});
    const IssueTrace& trace = timeline_->sides[at.side].trace;
    if (at.lane >= trace.lanes.size()) return std::nullopt;
    const std::vector<Issue>& issues = trace.lanes[at.lane].issues;
    for (std::size_t i = 0; i < issues.size(); ++i)
        if (issues[i].instr == instr && issues[i].pass >= trace.first_counted) {
            at.issue = i;
            return at;
        }
    return std::nullopt;
}

void TimelineCanvas::keyPressEvent(QKeyEvent* event) {
    if (!timeline_ || !walk(event)) QAbstractScrollArea::keyPressEvent(event);
}

bool TimelineCanvas::walk(QKeyEvent* event) {
    if (event->modifiers() & Qt::AltModifier) return false;
    const bool far = event->modifiers() & Qt::ControlModifier;
    std::optional<IssuePlace> to;
    switch (event->key()) {
        case Qt::Key_Left:
        case Qt::Key_Right:
            to = walked(event->key() == Qt::Key_Left ? -1 : 1, far);
            break;
        case Qt::Key_Up:
        case Qt::Key_Down:
            if (far) return false;
            to = other_lane(event->key() == Qt::Key_Up ? -1 : 1);
            break;
        case Qt::Key_Home:
        case Qt::Key_End:
            to = home(event->key() == Qt::Key_End);
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            to = cursor_ ? cursor_ : home(false);
            break;
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            zoom_in();
            return true;
        case Qt::Key_Minus:
            zoom_out();
            return true;
        case Qt::Key_F:
            if (far) return false;
            fit();
            return true;
        default:
            return false;
    }
    if (to) choose(*to);
    return true;
}

}  // namespace cubinlab::ui
