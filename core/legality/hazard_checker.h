// SPDX-License-Identifier: GPL-3.0-or-later
// Decides from the encoding alone whether a schedule computes the same bits as its original. Conservative: it
// refuses what it does not know; the unmodified kernel always passes.
//
//   CheckerPtr checker = TRY(HazardChecker::create(kernel));  // once per kernel; keep it
//   Legality l = checker->check(schedule);                    // full check: every rule, every path
//   bool ok = checker->allows(schedule, mutation);            // one mutation; `schedule` must be legal
//
// Thread-safe after creation.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/legality/hazard.h"
#include "core/schedule/mutation.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

enum class CheckMode {
    Absolute,         // tables only: is this code legal on its own
    AgainstOriginal,  // the original's distances count where tables have none (default for search)
};

// Something that is legal only under an assumption about the program.
struct CheckNote {
    InstrId earlier = kNone;  // in the original's order
    InstrId later = kNone;
    std::string text;
    bool warning = false;  // the compiler's own schedule looks wrong here
};

struct CheckReport {
    Legality hazards;
    // A shared-memory load that an mbarrier arrival does not wait for, in a kernel with copies into shared
    // memory: a race of the source. Against the original also: a shared-memory load and store that changed
    // order without a fence between, because their bytes differ in each lane. Lanes that exchange data there
    // without __syncwarp would be affected. In absolute mode also, and first: faults of the compiler, as warnings.
    std::vector<CheckNote> notes;
    std::size_t uncovered_pairs = 0;  // Absolute mode: dependent pairs without a table entry
    std::size_t checked_pairs = 0;
    // Against the original: producer-consumer pairs that the original's waits do not prove complete. These
    // are not findings; both instructions are pinned.
    std::size_t unproven_pairs = 0;
};

// Positions of an instruction: [lowest, highest] in its block, including its own. Every position in the range
// is proven legal or listed in `holes`.
struct SlotRange {
    Position lowest = 0;
    Position highest = 0;
    std::vector<Position> holes;  // illegal positions inside the range
    bool contains(Position p) const;
    std::size_t count() const { return highest - lowest + 1 - holes.size(); }  // includes the current one
};

// Whether an edit is legal and, if it is not, why. An illegal edit without hazards cannot be proven legal, although no
// rule names a pair.
struct EditAnswer {
    bool legal = false;
    Legality hazards;
};

// A question about the places of one instruction, in this order: from, from + step, ... before end.
struct PlaceSearch {
    InstrId instr = kNone;
    int from = 0, end = 0, step = 1;  // positions; `end` may be -1
    Position refused = 0;             // if none of them is legal, the answer is about this position
};
struct PlaceAnswer {
    std::optional<Position> place;  // the first legal position
    std::optional<int> next;        // the search was stopped before it asked this position
    Legality hazards;               // without `place` and `next`: those of the position `refused`
};

class HazardChecker {
  public:
    struct Impl;  // internal to core/legality

    static Result<std::shared_ptr<const HazardChecker>> create(KernelPtr kernel,
                                                               CheckMode mode = CheckMode::AgainstOriginal);
    ~HazardChecker();

    const KernelPtr& kernel() const;
    CheckMode mode() const;

    // All findings of all rules over all paths.
    CheckReport report(const Schedule& schedule) const;
    Legality check(const Schedule& schedule) const { return report(schedule).hazards; }
    // The notes of report() alone, for a schedule that is known to be legal.
    std::vector<CheckNote> notes(const Schedule& legal) const;

    // The same answer for one mutation of a legal schedule, at a cost that depends on the touched block only.
    // `explain` returns the findings in the touched region.
    bool allows(const Schedule& legal, const Mutation& mutation) const;
    Legality explain(const Schedule& legal, const Mutation& mutation) const;
    // Both as one question: only an illegal mutation is explained.
    EditAnswer judge(const Schedule& legal, const Mutation& mutation) const;
    // The same for the places of an instruction. `stop` is asked before each place.
    PlaceAnswer find_place(const Schedule& legal, const PlaceSearch& search,
                           const std::function<bool()>& stop) const;

    // The full check up to the first finding.
    bool legal(const Schedule& schedule) const;

    // Positions that order and pins permit, without distances: the reach of a move with stall repair.
    std::pair<Position, Position> order_range(const Schedule& legal, InstrId id) const;
    // Legal positions of one instruction in a legal schedule (single moves, control codes unchanged).
    SlotRange slots(const Schedule& legal, InstrId id) const;

    const Impl& internals() const { return *impl_; }  // for core/legality only

  private:
    explicit HazardChecker(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

using CheckerPtr = std::shared_ptr<const HazardChecker>;

// Legality of a kernel without an original (command `check FILE`): absolute mode, original order.
Result<CheckReport> check_kernel(KernelPtr kernel);

// Distance from the current position up to the lowest legal slot, or to the first one found at least `enough`
// positions up; 0: it cannot move up. Positions between may be illegal. `legal` must be legal. HazardChecker::slots
// takes time quadratic in the number of passed instructions: minutes for the loads of a block of 10,000 instructions.
Position room_above(const HazardChecker& checker, const Schedule& legal, InstrId id, Position enough);

// Checks one schedule against its original; empty: legal. To check several schedules, keep a HazardChecker.
// Errors are those of HazardChecker::create.
Result<Legality> legality_of(const Schedule& schedule);

// A kernel without comparison to an original. A comparison only shows that a schedule is as good as its original, so
// faults of the original remain in every result.
struct SelfCheck {
    std::size_t count = 0;
    std::string first;    // explanation of the first finding; empty: none
    std::string warning;  // the first place where the compiler's own schedule looks wrong; empty: none

    // A sentence for reports; empty: none.
    std::string text() const;
};

// Errors are those of check_kernel.
Result<SelfCheck> self_check(KernelPtr kernel);

}  // namespace cubinlab
