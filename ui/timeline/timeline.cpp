// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline.h"

#include <QObject>
#include <QStringList>
#include <algorithm>

#include "core/model/explanation.h"
#include "core/sass/decoder.h"

namespace cubinlab::ui {
namespace {

TimelineSide side_of(const Explainer& explainer, const SchedulePtr& schedule, std::size_t start) {
    TimelineSide side;
    side.schedule = schedule;
    side.trace = explainer.trace(*schedule, start);
    // The timeline shows one offset: a faster schedule may be slower at it.
    if (explainer.starts().size() > 1) side.over_starts = explainer.explain(*schedule).cycles();
    return side;
}

QString place_text(const Timeline& timeline, const IssuePlace& place) {
    const TimelineSide& side = timeline.sides[place.side];
    const Issue& issue = issue_at(timeline, place);
    QStringList parts;
    if (!side.title.isEmpty()) parts << side.title;
    parts << QObject::tr("warp %1").arg(place.lane);
    if (side.trace.loop) {
        const auto pass = static_cast<int>(issue.pass) - static_cast<int>(side.trace.first_counted);
        parts << (pass < 0 ? QObject::tr("an iteration before those counted")
                  : pass >= static_cast<int>(side.trace.counted)
                      ? QObject::tr("an iteration after those counted")
                      : QObject::tr("iteration %1").arg(pass + 1));
    }
    parts << QObject::tr("cycle %1").arg(side.time_of(issue.when));
    return parts.join(QStringLiteral(", "));
}

QString instruction_text(const TimelineSide& side, InstrId id) {
    const Kernel& kernel = *side.schedule->kernel();
    const auto offset = static_cast<std::uint32_t>(side.schedule->position_of(id) * kWordBytes);
    // Branch targets are relative to the original position.
    const std::string text =
        render(kernel.arch(), kernel.instruction(id).word, static_cast<std::uint32_t>(id * kWordBytes));
    return QStringLiteral("0x%1 %2").arg(offset, 4, 16, QLatin1Char('0')).arg(QString::fromStdString(text));
}

QStringList wait_texts(const Timeline& timeline, const IssuePlace& place) {
    QStringList out;
    const TimelineSide& side = timeline.sides[place.side];
    for (const IssueWait& wait : side.trace.lanes[place.lane].waits_of(issue_at(timeline, place)))
        out << wait_text(side, wait);
    return out;
}

}  // namespace

std::int64_t TimelineSide::counted_end(std::size_t lane) const {
    return time_of(trace.begin_of(lane, trace.first_counted + trace.counted));
}

void Timeline::finish() {
    first = last = 0;
    reasons = {WaitReason::None};
    for (TimelineSide& side : sides) {
        if (side.trace.lanes.empty()) continue;
        const IssueTrace& trace = side.trace;
        side.zero = static_cast<std::int64_t>(trace.begin_of(0, trace.first_counted));
        double cycles = 0;
        for (std::size_t lane = 0; lane < trace.lanes.size(); ++lane) {
            cycles += static_cast<double>(trace.begin_of(lane, trace.first_counted + trace.counted) -
                                          trace.begin_of(lane, trace.first_counted));
            if (!trace.lanes[lane].issues.empty())
                first = std::min(first, side.time_of(trace.lanes[lane].issues.front().when));
            if (after_last(trace.lanes[lane]) > 0) reasons.insert(WaitReason::Stall);
            for (const IssueWait& wait : trace.lanes[lane].waits)
                reasons.insert(wait.reason);
        }
        side.pass = cycles / static_cast<double>(trace.lanes.size() * std::max(1u, trace.counted));
        last = std::max(last, side.time_of(trace.end()));
    }
}

std::shared_ptr<Timeline> make_timeline(KernelExplainer& explainers, const SchedulePtr& left,
                                        const SchedulePtr& right, const std::optional<Workload>& workload,
                                        std::size_t start, std::stop_token stop) {
    const Explainer& explainer = explainers.of(right->kernel(), workload);
    auto out = std::make_shared<Timeline>();
    out->kernel = right->kernel();
    out->starts.assign(explainer.starts().begin(), explainer.starts().end());
    out->start = std::min(start, out->starts.size() - 1);
    if (left && *left != *right) out->sides.push_back(side_of(explainer, left, out->start));
    if (stop.stop_requested()) return nullptr;
    out->sides.push_back(side_of(explainer, right, out->start));
    out->finish();
    return out;
}

const Issue& issue_at(const Timeline& timeline, const IssuePlace& place) {
    return timeline.sides[place.side].trace.lanes[place.lane].issues[place.issue];
}

std::uint32_t after_last(const IssueLane& lane) {
    return lane.issues.empty() ? 0 : static_cast<std::uint32_t>(lane.end - lane.issues.back().when - 1);
}

QString wait_text(const TimelineSide& side, const IssueWait& wait) {
    const QString by =
        wait.by == kNone ? QString() : QString::fromStdString(instr_name(*side.schedule, wait.by));
    const QString cycles = QString::number(wait.cycles);
    switch (wait.reason) {
        case WaitReason::Stall:
            return QObject::tr("%1 for the stall count of %2").arg(cycles, by);
        case WaitReason::Scoreboard:
            return by.isEmpty() ? QObject::tr("%1 for %2").arg(cycles, reason_name(wait.reason, wait.slot))
                                : QObject::tr("%1 for %2, set by %3")
                                      .arg(cycles, reason_name(wait.reason, wait.slot), by);
        case WaitReason::Unit:
            return QObject::tr("%1 for its unit, busy with %2").arg(cycles, by);
        case WaitReason::RegisterPort:
            return QObject::tr("%1 for the register port, busy with %2").arg(cycles, by);
        case WaitReason::MemoryQueue:
            return QObject::tr("%1 for an entry in the memory queue, after %2").arg(cycles, by);
        case WaitReason::Barrier:
            return QObject::tr("%1 at the barrier").arg(cycles);
        case WaitReason::OtherWarp:
            return QObject::tr("%1 while another warp issued").arg(cycles);
        case WaitReason::None:
            break;
    }
    return {};
}

QString issue_text(const Timeline& timeline, const IssuePlace& place) {
    const Issue& issue = issue_at(timeline, place);
    const QStringList waits = wait_texts(timeline, place);
    const QString waited = waits.isEmpty() ? QObject::tr("did not wait")
                                           : QObject::tr("waited %1: ").arg(issue.when - issue.from) +
                                                 waits.join(QStringLiteral("; "));
    return QStringLiteral("%1   %2   %3")
        .arg(instruction_text(timeline.sides[place.side], issue.instr), place_text(timeline, place), waited);
}

QString issue_html(const Timeline& timeline, const IssuePlace& place) {
    const Issue& issue = issue_at(timeline, place);
    QString out = QStringLiteral("<p style='white-space:pre'><b>%1</b><br>%2")
                      .arg(instruction_text(timeline.sides[place.side], issue.instr).toHtmlEscaped(),
                           place_text(timeline, place).toHtmlEscaped());
    const QStringList waits = wait_texts(timeline, place);
    if (waits.isEmpty()) out += QStringLiteral("<br>") + QObject::tr("did not wait");
    for (const QString& wait : waits)
        out += QStringLiteral("<br>") + wait.toHtmlEscaped();
    return out + QStringLiteral("</p>");
}

}  // namespace cubinlab::ui
