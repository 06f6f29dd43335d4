// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/insight/schedule_diff.h"

#include <algorithm>
#include <cassert>

namespace cubinlab {

namespace {

// Marks instructions of one block that keep their relative order: the longest increasing subsequence of left
// positions in the right order (patience sorting, O(n log n)).
std::vector<bool> common_order(const Schedule& left, const Schedule& right, const Block& block) {
    std::vector<std::uint32_t> tails;  // index in the block of the smallest tail per length
    std::vector<std::uint32_t> previous(block.count, kNone);
    const auto value = [&](std::uint32_t i) { return left.position_of(right.at(block.first + i)); };
    for (std::uint32_t i = 0; i < block.count; ++i) {
        const auto place = std::lower_bound(tails.begin(), tails.end(), value(i),
                                            [&](std::uint32_t t, Position v) { return value(t) < v; });
        if (place != tails.begin()) previous[i] = *(place - 1);
        if (place == tails.end())
            tails.push_back(i);
        else
            *place = i;
    }
    std::vector<bool> keep(block.count, false);  // by offset of the right order
    for (std::uint32_t i = tails.empty() ? kNone : tails.back(); i != kNone; i = previous[i])
        keep[i] = true;
    return keep;
}

void align_block(const Schedule& left, const Schedule& right, const Block& block, ScheduleDiff& diff) {
    const std::vector<bool> keep = common_order(left, right, block);
    std::vector<bool> stays(block.count, false);  // by offset of the left order
    for (std::uint32_t i = 0; i < block.count; ++i)
        if (keep[i]) stays[left.position_of(right.at(block.first + i)) - block.first] = true;
    std::uint32_t l = 0;
    std::uint32_t r = 0;
    while (l < block.count || r < block.count) {
        if (l < block.count && !stays[l]) {
            diff.rows.push_back({left.at(block.first + l++), kNone});
        } else if (r < block.count && !keep[r]) {
            const InstrId id = right.at(block.first + r++);
            diff.change[id] = Change::Moved;
            ++diff.moved;
            diff.rows.push_back({kNone, id});
        } else {
            diff.rows.push_back({left.at(block.first + l++), right.at(block.first + r++)});
        }
    }
}

}  // namespace

ScheduleDiff diff_schedules(const Schedule& left, const Schedule& right) {
    assert(left.kernel() == right.kernel() || left.kernel()->hash() == right.kernel()->hash());
    ScheduleDiff diff;
    diff.change.assign(left.size(), Change::Same);
    diff.rows.reserve(left.size());
    for (const Block& block : left.kernel()->flow().blocks)
        align_block(left, right, block, diff);
    for (InstrId id = 0; id < left.size(); ++id) {
        diff.stall_cycles_left += left.control(id).stall;
        diff.stall_cycles_right += right.control(id).stall;
        if (left.same_fields(right, id)) continue;
        ++diff.control;
        diff.change[id] = diff.change[id] == Change::Moved ? Change::MovedAndControl : Change::Control;
    }
    return diff;
}

}  // namespace cubinlab
