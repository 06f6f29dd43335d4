// SPDX-License-Identifier: GPL-3.0-or-later
// The one list of rows of both listings: instructions aligned by the diff, blank rows where a side has
// nothing, and a header row before each basic block. Pure data, with lookup of rows by instruction.
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
    std::uint32_t hidden = 0;  // header: instructions hidden because both sides are equal
    bool is_header() const { return header != kNone; }
};

enum class Side { Left, Right };

struct ListingRows {
    std::vector<ListingRow> rows;
    std::vector<int> left_row, right_row;  // by InstrId; -1: folded
    std::vector<int> header_row;           // by BlockId
    // A row is a position, not an instruction: equal positions of a block share a row, there are no blank
    // rows, and a ribbon connects the two rows of an instruction.
    bool compact = false;

    InstrId instr(int row, Side side) const;  // kNone outside, on blanks and headers
    int row_of(InstrId id, Side side) const;  // -1: none
    std::size_t size() const { return rows.size(); }
};

struct RowStyle {
    bool compact = false;
    bool only_changed =
        false;             // differing rows with two rows around them; block headers count the hidden ones
    InstrId keep = kNone;  // always shown
};
// From this number of moves the listings are compact, because aligned ones would be half blank.
inline constexpr std::size_t kManyMoves = 100;

// Blocks in `folded` keep only their header, which counts the hidden instructions.
ListingRows make_rows(const Kernel& kernel, const ScheduleDiff& diff, const std::set<BlockId>& folded = {},
                      const RowStyle& style = {});

// ".B3  loop depth 1  from B2 B3  to B3 B4"
std::string header_text(const Kernel& kernel, BlockId block);

// First and last differing row of two lists of texts, for replacing only changed rows. Equal lists: first ==
// end of both.
struct ChangedRange {
    std::size_t first = 0;
    std::size_t old_end = 0;
    std::size_t new_end = 0;
    bool empty() const { return first == old_end && first == new_end; }
};
ChangedRange changed_range(const std::vector<std::string>& before, const std::vector<std::string>& after);

}  // namespace cubinlab::ui
