// SPDX-License-Identifier: GPL-3.0-or-later
// TimelineCanvas: geometry.
#include "ui/timeline/timeline_canvas.h"

#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {

constexpr double kMostScale = 48;
constexpr int kLeastLane = 12, kMostLane = 34, kLaneGap = 2, kSideGap = 6, kEnd = 12;
constexpr double kMargin = 4;  // pixels before the first counted iteration

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

}  // namespace cubinlab::ui
