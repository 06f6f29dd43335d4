// SPDX-License-Identifier: GPL-3.0-or-later
// Every step of a run in four bytes, for filters and the replay slider without reading the session. 1.8
// million steps take 7 MB; the records stay in the session file. A step of several edits takes eight more
// bytes and four per further instruction.
#pragma once
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "core/search/engine/tune_run.h"

namespace cubinlab::ui {

struct StepBrief {
    std::uint32_t instr : 18;   // of the first edit; 2^18 - 1: an id that does not fit, or none
    std::uint32_t kind : 4;     // MutationKind
    std::uint32_t outcome : 3;  // OutcomeKind
    std::uint32_t verdict : 2;  // Verdict
    std::uint32_t accepted : 1;
    std::uint32_t best : 1;
    std::uint32_t repeated : 1;
    std::uint32_t present : 1;  // 0: a gap in the numbering
    std::uint32_t several : 1;  // its edits are of more than one instruction
};
static_assert(sizeof(StepBrief) == 4);
static_assert(kMutationKinds <= 16);

struct StepFilter {
    std::uint32_t kinds = 0xffff;   // bit i: MutationKind i
    std::uint32_t outcomes = 0xff;  // bit i: OutcomeKind i
    bool accepted_only = false;
    bool best_only = false;
    std::vector<bool> instructions;  // by InstrId; empty: all
    bool everything() const;
    // `further`: the instructions that the step edits in addition to the brief's.
    bool admits(const StepBrief& brief, std::span<const InstrId> further) const;
    friend bool operator==(const StepFilter&, const StepFilter&) = default;
};

class StepIndex {
  public:
    void clear();
    void add(const StepRecord& record);  // steps ascend; others are ignored
    StepId last() const { return static_cast<StepId>(briefs_.size()); }
    bool has(StepId step) const;
    StepBrief at(StepId step) const { return briefs_[static_cast<std::size_t>(step - 1)]; }
    bool admits(StepId step, const StepFilter& filter) const {
        return filter.admits(at(step), further(step));
    }
    // Nearest step after `from` in `direction` (+1, -1) that matches the filter; 0: none.
    StepId next(StepId from, int direction, const StepFilter& filter) const;

  private:
    struct Further {
        std::uint32_t step = 0;
        std::uint32_t begin = 0;  // its part of further_ids_ ends where the next one begins
    };
    void keep_further(const StepRecord& record);
    std::span<const InstrId> further(StepId step) const;

    std::deque<StepBrief> briefs_;      // step 1 first
    std::vector<Further> further_;      // of the steps with `several`, ascending
    std::vector<InstrId> further_ids_;  // contiguous, so that a step costs no allocation
};

}  // namespace cubinlab::ui
