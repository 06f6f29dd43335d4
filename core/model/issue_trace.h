// SPDX-License-Identifier: GPL-3.0-or-later
// Every issue of every simulated warp in the passes of a hot loop, with its waits: the content of a timeline.
// Modelled cycles, not measured ones.
//
//   const IssueTrace trace = explainer.trace(schedule, 1);
//   for (const Issue& issue : trace.lanes[0].issues)     // in order; each begins where the one before ended
//       for (const IssueWait& wait : trace.lanes[0].waits_of(issue)) ...
//
// Between two issues of a warp lie the waits of the later one: [from, when), then the cycle `when` itself. The
// waits of an issue add up to when - from, exactly. Those for what warps share (a pipe, a port, the queue, the
// issue slot) may alternate in the model; each kind stands here once, with its sum.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/model/sm_model.h"

namespace cubinlab {

struct IssueWait {
    WaitReason reason = WaitReason::None;
    std::int8_t slot = -1;  // of a scoreboard; SubCore::kTensorSlot: a group of the tensor core
    InstrId by = kNone;     // sets it, holds the unit or has the stall count; kNone: none
    std::uint32_t cycles = 0;
};

struct Issue {
    InstrId instr = 0;
    std::uint32_t pass = 0;                   // of the loop, from 0 on; the first ones fill its pipelines
    std::uint64_t from = 0, when = 0;         // cycles; from: first after the issue before
    std::uint32_t first_wait = 0, waits = 0;  // in IssueLane::waits
};

struct IssueLane {  // one warp
    std::vector<Issue> issues;
    std::vector<IssueWait> waits;
    std::uint64_t end = 0;  // the cycle in which the stall count of its last issue is over
    std::span<const IssueWait> waits_of(const Issue& issue) const {
        return std::span(waits).subspan(issue.first_wait, issue.waits);
    }
};

struct IssueTrace {
    std::vector<IssueLane> lanes;                  // by warp
    bool loop = false;                             // false: one pass, the whole path
    std::uint32_t first_counted = 0, counted = 1;  // passes that Explanation counts
    std::uint64_t stagger = 0;                     // cycles by which a warp starts after the one before it
    // Of a warp: the cycle in which its pass begins; that of pass first_counted + counted ends the last counted
    // one. Past the end: the lane's, so that a path is as long as Explanation has it.
    std::uint64_t begin_of(std::size_t lane, std::uint32_t pass) const;
    std::uint64_t end() const;  // in which the last warp is over
};

// Records what a CycleAccount counts: the waits of an issue, then the issue. It stores positions instead of instructions.
class IssueRecorder {
  public:
    // `blocks_of_pass`: how many passes of the model's path make one of the loop.
    IssueRecorder(IssueTrace& trace, std::size_t warps, std::size_t blocks_of_pass);
    void waited(WaitReason reason, int slot, Position by, std::uint64_t cycles);
    void issued(std::size_t warp, std::size_t pass, Position at, std::uint64_t when);
    void ended(std::size_t warp, std::uint64_t end);

  private:
    IssueTrace& trace_;
    std::size_t blocks_;
    std::vector<IssueWait> pending_;
};

}  // namespace cubinlab
