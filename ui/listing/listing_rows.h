// SPDX-License-Identifier: GPL-3.0-or-later
// The one list of rows that both listings show: instructions aligned by the diff, real blank rows where a
// side has nothing, and a header row before every basic block. Pure data; rows are found by instruction and
// back.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "core/insight/schedule_diff.h"

namespace cubinlab::ui {

struct ListingRow {
    InstrId left = kNone;
    InstrId right = kNone;
    BlockId header = kNone;    // a block header: this block starts on the next row
    std::uint32_t folded = 0;  // header: instructions that are hidden with their block
    std::uint32_t hidden = 0;  // header: those hidden because they are the same on both sides
    bool is_header() const { return header != kNone; }
};

enum class Side { Left, Right };

struct ListingRows {
    std::vector<ListingRow> rows;
    std::vector<int> left_row, right_row;  // by InstrId; -1: folded
    std::vector<int> header_row;           // by BlockId
    // Rows are places, not instructions: what stands at the same place of a block on both sides shares a row,
    // nothing is left blank, and a ribbon leads from an instruction to itself.
    bool compact = false;

    InstrId instr(int row, Side side) const;  // kNone outside, on blanks and headers
    int row_of(InstrId id, Side side) const;  // -1: none
    std::size_t size() const { return rows.size(); }
};

struct RowStyle {
    bool compact = false;
    bool only_changed =
        false;             // rows that differ, with two around them; the header of a block counts the others
    InstrId keep = kNone;  // shown whatever it is
};
// From so many moves on the aligned listings would be half blank, and the compact ones take over.
inline constexpr std::size_t kManyMoves = 100;

// Blocks in `folded` keep only their header, which counts what it hides.
ListingRows make_rows(const Kernel& kernel, const ScheduleDiff& diff, const std::set<BlockId>& folded = {},
                      const RowStyle& style = {});

// Blocks of the innermost loop that `block` belongs to, its header included; empty: in no loop.
std::set<BlockId> folding_loop(const FlowGraph& flow, BlockId block);

// ".B3  loop depth 1  from B2 B3  to B3 B4"
std::string header_text(const Kernel& kernel, BlockId block);

// First and last row that differ in two lists of texts, for replacing only what changed. Equal lists: first
// == end of both.
struct ChangedRange {
    std::size_t first = 0;
    std::size_t old_end = 0;
    std::size_t new_end = 0;
    bool empty() const { return first == old_end && first == new_end; }
};
ChangedRange changed_range(const std::vector<std::string>& before, const std::vector<std::string>& after);

}  // namespace cubinlab::ui
