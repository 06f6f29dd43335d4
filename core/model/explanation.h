// SPDX-License-Identifier: GPL-3.0-or-later
// What limits a kernel, by the SM model: the reason of each cycle of one pass of its hot loop, the instructions that wait
// longest and what they wait for, a lower bound by each resource, and the occupancy. Modelled cycles of a sub-core, not
// measured ones.
//
//   const Explainer explainer(kernel, settings);
//   const Explanation e = explainer.explain(schedule);
//   e.cycles()               // of one pass of a warp == sum over e.reasons, exactly
//   e.waits.front().text     // "waits 22 cycles for SB2, set by LDSM 0x19b0; issuing it 6 cycles earlier would help"
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/model/hot_loop.h"
#include "core/model/issue_trace.h"
#include "core/model/loop_bounds.h"
#include "core/model/memory_traffic.h"
#include "core/model/occupancy.h"
#include "core/model/sm_model.h"
#include "core/model/trip_counts.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

// Cycles of all passes that were counted, all warps together: whole numbers, so that sums are exact.
struct ReasonCycles {
    WaitReason reason = WaitReason::None;  // None: it issues
    int slot = -1;                         // of a scoreboard; SubCore::kTensorSlot: groups of the tensor core
    double counted = 0;
};
std::string name_of(WaitReason reason, int slot);  // "issues", "SB2", "stall counts", "tensor pipe busy"

struct WaitCause {
    WaitReason reason = WaitReason::None;
    int slot = -1;
    InstrId by = kNone;
    double cycles = 0;  // a pass
    double to_next =
        0;  // scoreboards: of them, those that an earlier release would save before something else binds
    double after = 0;  // scoreboards: cycles from its issue to the one that waits
};

struct InstrWait {
    InstrId instr = 0;
    double cycles = 0;              // a pass, all causes
    std::vector<WaitCause> causes;  // largest first
    std::string text;               // of the largest
};

// Of an instruction's wait, as tables have it: whole cycles from 10 on, as the sentence beside it. `other_causes`: what
// the sentence, which is of the largest cause alone, leaves of them; empty: nothing.
std::string cycles_number(double cycles);
std::string other_causes(const InstrWait& wait);

struct Explanation {
    bool loop = false;             // the hot loop's; false: the kernel has none, and a pass is the whole path
    CodeLoop where;                // the loop; without one, every block of the path
    std::vector<TripCount> trips;  // of the loops, as in the settings
    int assumed_trips = 16;        // of those that have no known count
    InstrId first = 0, last = 0;   // by address
    std::size_t instructions = 0;  // issued in a pass

    int warps = 1;                      // simulated on a sub-core
    double passes = 1;                  // counted, all warps together
    double counted = 0;                 // cycles of these
    double alone = 0;                   // cycles of a pass of one warp that has the sub-core for itself
    std::vector<ReasonCycles> reasons;  // largest first; they add up to `counted`
    std::vector<InstrWait> waits;       // longest first, every instruction that waits
    std::vector<double> by_instr;       // cycles a pass, issue and waits
    std::vector<ResourceBound> bounds;  // largest first
    double chain = 0;                   // longest chain of dependences in a pass, cycles
    OccupancyLimits occupancy;
    MemoryTraffic memory;
    std::string verdict;  // one sentence

    // The whole path, each loop with its passes: the figure of the model.
    double path_cycles = 0;
    std::vector<ReasonCycles> path_reasons;  // counted = cycles of a warp
    std::vector<double> path_by_instr;

    double cycles() const { return counted / passes; }  // of a pass
    double per_pass(const ReasonCycles& r) const { return r.counted / passes; }
    // What a pass of all warps takes at least, which is what a resource's cycles are a share of: where nothing holds the
    // warps together they take turns, and the pass of one is shorter than what its resource does for all.
    double all_warps() const;
    double share(const ResourceBound& bound) const;  // more than 1 only of one that is not certain
    const ResourceBound* busiest() const;            // of those that are certain; null: there is none
    bool take_turns() const { return all_warps() > 1.0005 * cycles(); }
    const TripCount* hot_trips() const;  // of the hot loop; null where there is none or nobody counted
};

class Explainer {
  public:
    Explainer(KernelPtr kernel, SmModelSettings settings);
    ~Explainer();
    Explanation explain(const Schedule& schedule) const;
    // Issue by issue, the passes that explain() counts and those before. It counts over several distances
    // between the starts of warps; a trace shows one of them, by its place in starts().
    IssueTrace trace(const Schedule& schedule, std::size_t start) const;
    std::span<const std::uint64_t> starts() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

std::string instr_name(const Kernel& kernel, InstrId id);      // "LDSM 0x19b0", by its place in the original
std::string instr_name(const Schedule& schedule, InstrId id);  // by its place there

}  // namespace cubinlab
