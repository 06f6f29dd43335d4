// SPDX-License-Identifier: GPL-3.0-or-later
// The dependences of one instruction as arrows next to a listing: one arrow per other instruction, its
// tightest reason first, packed in lanes by kind. Independent of pixels.
//
//   DependencyArrows a = arrows_of(schedule, id);      // tens of milliseconds: on a job thread
//   a.arrows[0].label()                                // "R4 RAW 6/4 +2": has 6 cycles, needs 4
//   a.arrows[1].label()                                // "R8 RAW SB2, wait at 0x0150": no distance needed
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/legality/dependency_graph.h"

namespace cubinlab::ui {

struct ArrowReason {
    DependenceKind kind = DependenceKind::Raw;
    std::string resource;         // "R4", "SB2"
    int need = 0;                 // cycles; 0: only the order matters
    int have = 0;                 // cycles present
    std::int8_t scoreboard = -1;  // that protects it, or that is set and waited for
    bool guarded = false;         // a wait protects it: `need` is an estimate, and fewer cycles are legal
    int wait_at = -1;             // byte offset of that wait, if it is in the block
    int slack() const { return have - need; }
    bool too_close() const { return !guarded && need > 0 && have < need; }
};

struct DependencyArrow {
    InstrId from = kNone;  // issues first
    InstrId to = kNone;
    bool carried = false;              // along a loop's back edge, or from another block
    std::vector<ArrowReason> reasons;  // the tightest first, never empty
    int lane = 0;                      // 0 is next to the text
    DependenceKind kind() const { return reasons.front().kind; }
    std::string label() const;
    std::string sentence() const;  // every reason, one a line
};

struct DependencyArrows {
    InstrId instr = kNone;
    std::vector<DependencyArrow> arrows;
    int lanes = 0;
    std::size_t left_out = 0;  // beyond the cap, the loosest
};

inline constexpr std::size_t kMostArrows = 24;
inline constexpr int kMostLanes = 5;

DependencyArrows arrows_of(const Schedule& schedule, InstrId id);

// Assigns lanes to arrows that start or end at one position: one kind and direction share a trunk;
// overlapping trunks get separate lanes, short ones next to the text. Returns the number of lanes.
int pack_lanes(std::vector<DependencyArrow>& arrows, InstrId centre, const Schedule& schedule);

using ArrowsPtr = std::shared_ptr<const DependencyArrows>;

}  // namespace cubinlab::ui
