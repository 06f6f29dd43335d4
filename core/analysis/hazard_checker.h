// SPDX-License-Identifier: GPL-3.0-or-later
// Decides whether a schedule computes the same bits as its original, from the encoding alone. Conservative by
// construction: what it does not know it refuses, and the unmodified kernel always passes.
//
//   auto checker = HazardChecker::create(kernel);             // once a kernel; keep it
//   Legality l = checker->check(schedule);                    // full, every rule, every path
//   bool ok = checker->allows(schedule, mutation);            // one proposal; schedule must be legal already
//
// Thread-safe: const after creation.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/hazard.h"
#include "core/schedule/mutation.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

enum class CheckMode {
    Absolute,         // tables only: is this code legal as it stands, whatever it came from
    AgainstOriginal,  // the original's own distances serve where the tables end (default for search)
};

// Something that is legal only under a promise that the program makes, in words.
struct CheckNote {
    InstrId earlier = kNone;  // in the original's order
    InstrId later = kNone;
    std::string text;
};

struct CheckReport {
    Legality hazards;
    // A shared-memory load that an arrival at an mbarrier does not wait for, in a kernel with copies into shared
    // memory: the source's own race. Against the original besides: a shared-memory load and a store that changed
    // order with no fence between, because their bytes differ in each lane. Lanes that exchange data there
    // without __syncwarp would notice.
    std::vector<CheckNote> notes;
    std::size_t uncovered_pairs = 0;  // Absolute mode: dependent pairs for which no table has a figure
    std::size_t checked_pairs = 0;
    // Against the original: producer and consumer pairs that its own waits do not prove complete. They are no
    // findings; both ends are held where they are.
    std::size_t unproven_pairs = 0;
};

// Where an instruction may go: positions [lowest, highest] of its block, itself included. Every position
// between them has been proven or is listed in `holes`.
struct SlotRange {
    Position lowest = 0;
    Position highest = 0;
    std::vector<Position> holes;  // positions inside the range that are not legal
    bool contains(Position p) const;
    std::size_t count() const { return highest - lowest + 1 - holes.size(); }  // includes the present place
};

class HazardChecker {
  public:
    struct Impl;  // internal to core/analysis

    static Result<std::shared_ptr<const HazardChecker>> create(KernelPtr kernel,
                                                               CheckMode mode = CheckMode::AgainstOriginal);
    ~HazardChecker();

    const KernelPtr& kernel() const;
    CheckMode mode() const;

    // Every finding of every rule over all paths.
    CheckReport report(const Schedule& schedule) const;
    Legality check(const Schedule& schedule) const { return report(schedule).hazards; }

    // The same answer for one mutation of a schedule that is legal, at a cost that depends on the touched
    // block only. `explain` empty or the findings of the mutated schedule inside the touched region.
    bool allows(const Schedule& legal, const Mutation& mutation) const;
    Legality explain(const Schedule& legal, const Mutation& mutation) const;

    // The full check, ended at the first finding.
    bool legal(const Schedule& schedule) const;

    // Positions that order and pins alone permit: what a move that pays for its distances may reach.
    std::pair<Position, Position> order_range(const Schedule& legal, InstrId id) const;
    // Legal places of one instruction in a legal schedule (single moves, control codes unchanged).
    SlotRange slots(const Schedule& legal, InstrId id) const;
    // Legal new control codes that differ from the present one in one field: stall and yield first.
    std::vector<ControlCode> control_edits(const Schedule& legal, InstrId id) const;

    const Impl& internals() const { return *impl_; }  // for core/analysis alone

  private:
    explicit HazardChecker(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

using CheckerPtr = std::shared_ptr<const HazardChecker>;

// Legality of a stand-alone kernel (command `check FILE`): Absolute mode on its own order.
Result<CheckReport> check_kernel(KernelPtr kernel);

}  // namespace cubinlab
