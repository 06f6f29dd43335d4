// SPDX-License-Identifier: GPL-3.0-or-later
// TimelineCanvas: mouse and keys.
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/timeline/timeline_canvas.h"

namespace cubinlab::ui {
namespace {

constexpr double kDragPixels = 4;
constexpr std::uint32_t kLongWait = 8;  // cycles, of another kind than a stall count

}  // namespace

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
