// SPDX-License-Identifier: GPL-3.0-or-later
// The data of a timeline: the issue trace of one or two schedules of a kernel. Time 0 of both is the
// beginning of warp 0's first counted iteration. Modelled cycles, no measurement.
#pragma once
#include <QString>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <vector>

#include "core/model/issue_trace.h"
#include "ui/document/limits.h"

namespace cubinlab::ui {

struct TimelineSide {
    QString title;
    SchedulePtr schedule;  // instructions are named by their positions in it
    IssueTrace trace;
    std::int64_t zero = 0;  // cycle of the trace at which time is 0
    double pass = 0;        // cycles per counted iteration, mean over the warps
    double over_starts = 0;  // the same, mean over all warp offsets; 0: there is only one offset

    std::int64_t time_of(std::uint64_t cycle) const { return static_cast<std::int64_t>(cycle) - zero; }
    std::int64_t counted_end(std::size_t lane) const;  // end time of the lane's counted iterations
};

struct Timeline {
    KernelPtr kernel;
    std::vector<TimelineSide> sides;    // one if both schedules are equal
    std::vector<std::uint64_t> starts;  // selectable warp offsets, cycles
    std::size_t start = 0;              // the selected one
    std::int64_t first = 0, last = 0;   // times of all issues
    std::set<WaitReason> reasons;       // that occur

    // Computed from the trace of each side.
    void finish();
};
using TimelinePtr = std::shared_ptr<const Timeline>;

// For jobs; without titles. Null: stopped.
std::shared_ptr<Timeline> make_timeline(KernelExplainer& explainers, const SchedulePtr& left,
                                        const SchedulePtr& right, const std::optional<Workload>& workload,
                                        std::size_t start, std::stop_token stop);

// One issue of a timeline.
struct IssuePlace {
    std::size_t side = 0, lane = 0, issue = 0;
    friend bool operator==(const IssuePlace&, const IssuePlace&) = default;
};
const Issue& issue_at(const Timeline& timeline, const IssuePlace& place);
// Cycles of the last issue's stall count, which follow it.
std::uint32_t after_last(const IssueLane& lane);
// "4 cycles for the stall count of HMMA 0x19a0"
QString wait_text(const TimelineSide& side, const IssueWait& wait);
// "0x0e60 HMMA ...   Original, warp 1, pass 2, cycle 431   waited 84: 80 for SB1 ..."; as HTML one below the other
QString issue_text(const Timeline& timeline, const IssuePlace& place);
QString issue_html(const Timeline& timeline, const IssuePlace& place);

}  // namespace cubinlab::ui
