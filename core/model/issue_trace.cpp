// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/issue_trace.h"

#include <algorithm>

namespace cubinlab {

std::uint64_t IssueTrace::begin_of(std::size_t lane, std::uint32_t pass) const {
    const std::vector<Issue>& issues = lanes[lane].issues;
    const auto at = std::lower_bound(issues.begin(), issues.end(), pass,
                                     [](const Issue& issue, std::uint32_t p) { return issue.pass < p; });
    if (at != issues.end()) return at->when;
    return lanes[lane].end;
}

std::uint64_t IssueTrace::end() const {
    std::uint64_t last = 0;
    for (const IssueLane& lane : lanes)
        last = std::max(last, lane.end);
    return last;
}

IssueRecorder::IssueRecorder(IssueTrace& trace, std::size_t warps, std::size_t blocks_of_pass)
    : trace_(trace), blocks_(std::max<std::size_t>(1, blocks_of_pass)) {
    trace_.lanes.assign(warps, {});
}

void IssueRecorder::waited(WaitReason reason, int slot, Position by, std::uint64_t cycles) {
    pending_.push_back({reason, static_cast<std::int8_t>(slot), by, static_cast<std::uint32_t>(cycles)});
}

void IssueRecorder::issued(std::size_t warp, std::size_t pass, Position at, std::uint64_t when) {
    IssueLane& lane = trace_.lanes[warp];
    Issue issue;
    issue.instr = at;
    issue.pass = static_cast<std::uint32_t>(pass / blocks_);
    issue.from = lane.issues.empty() ? when : lane.issues.back().when + 1;
    issue.when = when;
    issue.first_wait = static_cast<std::uint32_t>(lane.waits.size());
    issue.waits = static_cast<std::uint32_t>(pending_.size());
    lane.waits.insert(lane.waits.end(), pending_.begin(), pending_.end());
    lane.issues.push_back(issue);
    lane.end = when + 1;
    pending_.clear();
}

void IssueRecorder::ended(std::size_t warp, std::uint64_t end) {
    IssueLane& lane = trace_.lanes[warp];
    lane.end = std::max(lane.end, end);
    pending_.clear();  // the wait for its last stall count is no issue's
}

}  // namespace cubinlab
