// SPDX-License-Identifier: GPL-3.0-or-later
// TimelineCanvas: painting.
#include <QImage>
#include <QPaintEvent>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/base/theme.h"
#include "ui/timeline/timeline_canvas.h"

namespace cubinlab::ui {
namespace {

// " (\u221246.6)"
QString change_text(double change) {
    return QStringLiteral(" (%1%2)")
        .arg(std::abs(change) < 0.05 ? QStringLiteral("\u00b1")
             : change < 0            ? QStringLiteral("\u2212")
                                     : QStringLiteral("+"))
        .arg(std::abs(change), 0, 'f', 1);
}

constexpr std::size_t kKinds = 8;  // WaitReason
constexpr double kNear = 1;        // pixels a cycle from which each issue is a bar of its own

QColor mixed(const QColor& a, const QColor& b, double share) {
    const auto part = [share](int x, int y) { return static_cast<int>(x * share + y * (1 - share) + 0.5); };
    return {part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue())};
}

std::array<QColor, kKinds> colors() {
    std::array<QColor, kKinds> out;
    for (std::size_t kind = 0; kind < kKinds; ++kind)
        out[kind] = timeline_color(static_cast<WaitReason>(kind));
    return out;
}

// 1, 2 or 5 times a power of ten, so that marks stand at least `pixels` apart.
std::int64_t step_of(double scale, double pixels) {
    std::int64_t step = 1;
    while (true) {
        for (const std::int64_t times : {1, 2, 5})
            if (static_cast<double>(step * times) * scale >= pixels) return step * times;
        step *= 10;
    }
}

// Pixel columns, each divided by how its cycles were spent.
class Columns {
  public:
    Columns(int width, int height) : height_(height), shares_(static_cast<std::size_t>(std::max(0, width))) {}

    // [from, to) in pixels from the left edge.
    void add(double from, double to, WaitReason kind) {
        from = std::max(from, 0.0);
        to = std::min(to, static_cast<double>(shares_.size()));
        const auto k = static_cast<std::size_t>(kind);
        for (auto column = static_cast<std::size_t>(from); from < to; ++column) {
            const double next = std::min(to, static_cast<double>(column + 1));
            shares_[column][k] += static_cast<float>(next - from);
            from = next;
        }
    }

    QImage image(const QColor& empty) const {
        QImage out(static_cast<int>(shares_.size()), height_, QImage::Format_RGB32);
        out.fill(empty);
        std::array<QRgb, kKinds> rgb{};
        const auto named = colors();
        for (std::size_t k = 0; k < kKinds; ++k)
            rgb[k] = named[k].rgb();
        const auto stride = static_cast<std::size_t>(out.bytesPerLine()) / sizeof(QRgb);
        auto* bits = reinterpret_cast<QRgb*>(out.bits());
        for (std::size_t x = 0; x < shares_.size(); ++x) {
            double filled = 0;
            int y = height_;  // from the bottom: issues, then wait reasons
            for (std::size_t k = 0; k < kKinds; ++k) {
                if (shares_[x][k] <= 0) continue;
                filled += static_cast<double>(shares_[x][k]);
                const int until = height_ - static_cast<int>(std::min(1.0, filled) * height_ + 0.5);
                for (; y > until; --y)
                    bits[static_cast<std::size_t>(y - 1) * stride + x] = rgb[k];
            }
        }
        return out;
    }

  private:
    int height_;
    std::vector<std::array<float, kKinds>> shares_;
};

}  // namespace

QColor timeline_color(WaitReason reason) {
    const ThemeColors& c = Theme::instance().colors();
    const auto wait = [&c](const QColor& of) { return mixed(of, c.surface, 0.5); };
    switch (reason) {
        case WaitReason::None:
            return c.accent;
        case WaitReason::Stall:
            return mixed(rule_of(c), c.surface, 0.32);
        case WaitReason::Scoreboard:
            return wait(c.series[1]);
        case WaitReason::Unit:
            return wait(c.series[2]);
        case WaitReason::RegisterPort:
            return wait(c.series[4]);
        case WaitReason::MemoryQueue:
            return wait(c.series[3]);
        case WaitReason::OtherWarp:
            return wait(c.series[6]);
        case WaitReason::Barrier:
            return wait(c.series[5]);
    }
    return rule_of(c);
}

void TimelineCanvas::paintEvent(QPaintEvent*) {
    const ThemeColors& c = Theme::instance().colors();
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), c.surface);
    painter.setFont(font());
    looked_at_ = 0;
    if (!timeline_) {
        painter.setPen(c.text_dim);
        painter.drawText(viewport()->rect().adjusted(16, 0, -16, 0), Qt::AlignCenter | Qt::TextWordWrap,
                         message_);
        return;
    }
    for (std::size_t side = 0; side < timeline_->sides.size(); ++side) {
        for (std::size_t lane = 0; lane < timeline_->sides[side].trace.lanes.size(); ++lane)
            paint_lane(painter, side, lane);
        paint_head(painter, side);
    }
    paint_cursor(painter);
    paint_ruler(painter);
    if (hasFocus()) {
        painter.setPen(c.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
}

void TimelineCanvas::paint_ruler(QPainter& painter) const {
    const ThemeColors& c = Theme::instance().colors();
    const int bottom = ruler();
    painter.fillRect(0, 0, viewport()->width(), bottom, c.surface_alt);
    painter.setPen(c.text_dim);
    painter.drawText(QRect(4, 0, gutter() - 8, bottom), Qt::AlignVCenter | Qt::AlignLeft, tr("cycle"));
    painter.setClipRect(gutter(), 0, viewport()->width() - gutter(), bottom);
    const std::int64_t step = step_of(scale_, 80);
    const double right = time_at(viewport()->width());
    auto at = static_cast<std::int64_t>(std::floor(time_at(gutter()) / static_cast<double>(step))) * step;
    for (; static_cast<double>(at) <= right; at += step) {
        const int x = static_cast<int>(x_of(static_cast<double>(at)));
        painter.setPen(c.border);
        painter.drawLine(x, bottom - 5, x, bottom);
        const QString cycle = QString::number(at);
        if (x + 3 + fontMetrics().horizontalAdvance(cycle) > viewport()->width()) continue;
        painter.setPen(c.text_dim);
        painter.drawText(QRect(x + 3, 0, 80, bottom - 1), Qt::AlignVCenter | Qt::AlignLeft, cycle);
    }
    painter.setClipping(false);
    painter.setPen(c.border);
    painter.drawLine(0, bottom, viewport()->width(), bottom);
}

// The longest wording of a side's cycles that has room.
QString TimelineCanvas::head_text(std::size_t index, int room) const {
    const TimelineSide& side = timeline_->sides[index];
    const TimelineSide& before = timeline_->sides[0];
    const QString change = index > 0 ? change_text(side.pass - before.pass) : QString();
    const auto cycles = [&](const QString& words) { return words.arg(side.pass, 0, 'f', 1) + change; };
    const QString whole = cycles(side.trace.loop ? tr("%1 modelled cycles per iteration")
                                                 : tr("%1 modelled cycles on the path"));
    QString mean;
    if (side.over_starts > 0) {
        mean = tr(", mean over offsets %1").arg(side.over_starts, 0, 'f', 1);
        if (index > 0) mean += change_text(side.over_starts - before.over_starts);
    }
    const QString shorter = cycles(tr("%1 modelled cycles"));
    for (const QString& wording : {whole + mean, whole, shorter})
        if (fontMetrics().horizontalAdvance(wording) <= room) return wording;
    return fontMetrics().elidedText(shorter, Qt::ElideRight, room);
}

// The schedule's name and the beginnings of its iterations.
void TimelineCanvas::paint_head(QPainter& painter, std::size_t index) const {
    const ThemeColors& c = Theme::instance().colors();
    const TimelineSide& side = timeline_->sides[index];
    const QRect row(0, side_top(index), viewport()->width(), head());
    painter.fillRect(row, c.surface);
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(c.text);
    const QRect text = row.adjusted(4, 0, -4, 0);
    QRect used;
    painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft, side.title, &used);
    painter.setFont(font());
    painter.setPen(c.text_dim);
    const QRect rest = text.adjusted(used.width() + (side.title.isEmpty() ? 0 : 10), 0, 0, 0);
    painter.drawText(rest, Qt::AlignVCenter | Qt::AlignLeft, head_text(index, rest.width()), &used);
    if (!side.trace.loop) return;
    for (std::uint32_t n = 0; n <= side.trace.counted; ++n) {
        const auto begin =
            static_cast<double>(side.time_of(side.trace.begin_of(0, side.trace.first_counted + n)));
        const int x = static_cast<int>(x_of(begin));
        if (x < used.right() + 8 || x > viewport()->width()) continue;
        painter.setPen(c.border);
        painter.drawLine(x, row.top() + 3, x, row.bottom());
        const QString name = n < side.trace.counted ? tr("iteration %1").arg(n + 1) : tr("not counted");
        if (x + 4 + fontMetrics().horizontalAdvance(name) > viewport()->width()) continue;
        painter.setPen(c.text_faint);
        painter.drawText(QRect(x + 4, row.top(), 120, row.height()), Qt::AlignVCenter | Qt::AlignLeft, name);
    }
}

void TimelineCanvas::paint_lane(QPainter& painter, std::size_t index, std::size_t lane) {
    const QRect area = lane_rect(index, lane);
    if (area.bottom() < ruler() || area.top() > viewport()->height() || area.width() <= 0) return;
    const ThemeColors& c = Theme::instance().colors();
    const TimelineSide& side = timeline_->sides[index];
    const IssueLane& issues = side.trace.lanes[lane];
    const Visible range = visible(index, lane);
    looked_at_ += range.end - range.begin;
    painter.setPen(c.text_dim);
    painter.drawText(QRect(4, area.top(), gutter() - 8, area.height()), Qt::AlignVCenter | Qt::AlignLeft,
                     tr("warp %1").arg(lane));
    painter.setClipRect(area);
    if (scale_ >= kNear) {
        paint_near(painter, side, issues, area, range);
        paint_labels(painter, side, issues, area, range);
    } else {
        paint_far(painter, side, issues, area, range);
    }
    paint_uncounted(painter, side, lane, area);
    paint_marks(painter, index, lane, area, range);
    painter.setClipping(false);
}

void TimelineCanvas::paint_near(QPainter& painter, const TimelineSide& side, const IssueLane& lane,
                                QRect area, Visible range) const {
    const auto color = colors();
    for (std::size_t i = range.begin; i < range.end; ++i) {
        const Issue& issue = lane.issues[i];
        std::int64_t at = side.time_of(issue.from);
        const auto bar = [&](std::int64_t cycles, WaitReason kind) {
            const int left = static_cast<int>(x_of(static_cast<double>(at)));
            const int right = static_cast<int>(x_of(static_cast<double>(at + cycles)));
            painter.fillRect(left, area.top(), std::max(1, right - left), area.height(),
                             color[static_cast<std::size_t>(kind)]);
            at += cycles;
        };
        for (const IssueWait& wait : lane.waits_of(issue))
            bar(wait.cycles, wait.reason);
        bar(1, WaitReason::None);
        const std::uint32_t behind = i + 1 == lane.issues.size() ? after_last(lane) : 0;
        if (behind > 0) bar(behind, WaitReason::Stall);
    }
}

void TimelineCanvas::paint_far(QPainter& painter, const TimelineSide& side, const IssueLane& lane, QRect area,
                               Visible range) const {
    Columns columns(area.width(), area.height());
    const double origin = x_of(0) - area.left();
    for (std::size_t i = range.begin; i < range.end; ++i) {
        const Issue& issue = lane.issues[i];
        double x = origin + static_cast<double>(side.time_of(issue.from)) * scale_;
        const auto add = [&](std::uint32_t cycles, WaitReason kind) {
            const double next = x + cycles * scale_;
            columns.add(x, next, kind);
            x = next;
        };
        for (const IssueWait& wait : lane.waits_of(issue))
            add(wait.cycles, wait.reason);
        add(1, WaitReason::None);
        if (i + 1 == lane.issues.size()) add(after_last(lane), WaitReason::Stall);
    }
    painter.drawImage(area.topLeft(), columns.image(Theme::instance().colors().surface));
}

// The mnemonic after the bar if it fits before the next one; the scoreboard at the end of its wait.
void TimelineCanvas::paint_labels(QPainter& painter, const TimelineSide& side, const IssueLane& lane,
                                  QRect area, Visible range) const {
    const QFontMetrics metrics = fontMetrics();
    if (area.height() < metrics.ascent() || scale_ * 4 < metrics.averageCharWidth()) return;
    const ThemeColors& c = Theme::instance().colors();
    for (std::size_t i = range.begin; i < range.end; ++i) {
        const Issue& issue = lane.issues[i];
        const double left = x_of(static_cast<double>(side.time_of(issue.when) + 1)) + 2;
        const double next = i + 1 < lane.issues.size()
                                ? x_of(static_cast<double>(side.time_of(lane.issues[i + 1].when))) - 2
                                : area.right();
        const QString name = QString::fromLatin1(timeline_->kernel->instruction(issue.instr).mnemonic);
        const int width = metrics.horizontalAdvance(name);
        double free = left;
        if (left + width <= next) {
            painter.setPen(c.text);
            painter.drawText(QRectF(left, area.top(), width + 2, area.height()), Qt::AlignVCenter, name);
            free = left + width + 6;
        }
        if (i + 1 >= lane.issues.size()) continue;
        const auto waits = lane.waits_of(lane.issues[i + 1]);
        if (waits.empty()) continue;
        const auto longest = std::max_element(
            waits.begin(), waits.end(), [](const auto& a, const auto& b) { return a.cycles < b.cycles; });
        if (longest->reason != WaitReason::Scoreboard) continue;
        const QString why = reason_name(longest->reason, longest->slot);
        const int wide = metrics.horizontalAdvance(why);
        if (next - wide < free) continue;
        painter.setPen(c.text_dim);
        painter.drawText(QRectF(next - wide, area.top(), wide + 2, area.height()), Qt::AlignVCenter, why);
    }
}

// Iterations that only fill the pipelines are pale.
void TimelineCanvas::paint_uncounted(QPainter& painter, const TimelineSide& side, std::size_t lane,
                                     QRect area) const {
    if (!side.trace.loop) return;
    const auto begin = static_cast<double>(side.time_of(side.trace.begin_of(lane, side.trace.first_counted)));
    const int left = static_cast<int>(x_of(begin)),
              right = static_cast<int>(x_of(static_cast<double>(side.counted_end(lane))));
    QColor veil = Theme::instance().colors().surface;
    veil.setAlphaF(0.62F);
    if (left > area.left())
        painter.fillRect(area.left(), area.top(), left - area.left(), area.height(), veil);
    if (right < area.right())
        painter.fillRect(std::max(right, area.left()), area.top(),
                         area.right() + 1 - std::max(right, area.left()), area.height(), veil);
    painter.setPen(Theme::instance().colors().border);
    for (std::uint32_t n = 0; n <= side.trace.counted; ++n) {
        const int x = static_cast<int>(
            x_of(static_cast<double>(side.time_of(side.trace.begin_of(lane, side.trace.first_counted + n)))));
        painter.drawLine(x, area.top(), x, area.bottom());
    }
}

// Every issue of the selected instruction.
void TimelineCanvas::paint_marks(QPainter& painter, std::size_t index, std::size_t lane, QRect area,
                                 Visible range) const {
    if (selected_ == kNone) return;
    const ThemeColors& c = Theme::instance().colors();
    const std::vector<Issue>& issues = timeline_->sides[index].trace.lanes[lane].issues;
    for (std::size_t i = range.begin; i < range.end; ++i) {
        if (issues[i].instr != selected_) continue;
        const QRectF whole = rect_of({index, lane, i});
        const double bar = std::max(3.0, scale_);
        painter.fillRect(QRectF(whole.right() - bar, area.top(), bar, area.height()), c.text);
        painter.setPen(c.text);
        painter.setBrush(Qt::NoBrush);
        if (whole.width() > 6) painter.drawRect(whole.adjusted(0, 0, -1, -1));
    }
}

// The issue under the cursor, with lines from the issues that it waited for.
void TimelineCanvas::paint_cursor(QPainter& painter) const {
    const std::optional<IssuePlace>& at = hovered_ ? hovered_ : cursor_;
    if (!at) return;
    const ThemeColors& c = Theme::instance().colors();
    const TimelineSide& side = timeline_->sides[at->side];
    const IssueLane& lane = side.trace.lanes[at->lane];
    const QRect area = lane_rect(at->side, at->lane);
    painter.setClipRect(area.adjusted(0, 0, 0, 1));
    painter.setPen(QPen(c.text, hovered_ ? 1 : 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect_of(*at).adjusted(0, 0, -1, -1));
    const double y = area.bottom() - 1;
    for (const IssueWait& wait : lane.waits_of(lane.issues[at->issue])) {
        if (wait.by == kNone || wait.reason == WaitReason::Stall) continue;
        for (std::size_t i = at->issue; i-- > 0;) {
            if (lane.issues[i].instr != wait.by) continue;
            const double from = x_of(static_cast<double>(side.time_of(lane.issues[i].when)) + 0.5);
            painter.setPen(QPen(c.text, 2));
            painter.drawLine(QPointF(from, y), QPointF(rect_of(*at).right(), y));
            painter.setBrush(c.text);
            painter.drawEllipse(QPointF(from, y - 2), 3, 3);
            painter.setBrush(Qt::NoBrush);
            break;
        }
    }
    painter.setClipping(false);
}

}  // namespace cubinlab::ui
