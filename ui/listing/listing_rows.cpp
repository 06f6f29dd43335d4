// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/listing/listing_rows.h"

#include <QString>
#include <algorithm>
#include <utility>

namespace cubinlab::ui {

InstrId ListingRows::instr(int row, Side side) const {
    if (row < 0 || static_cast<std::size_t>(row) >= rows.size()) return kNone;
    const ListingRow& r = rows[static_cast<std::size_t>(row)];
    return side == Side::Left ? r.left : r.right;
}

int ListingRows::row_of(InstrId id, Side side) const {
    const std::vector<int>& map = side == Side::Left ? left_row : right_row;
    return id < map.size() ? map[id] : -1;
}

namespace {

constexpr std::size_t kContext = 2;  // rows that stay around one that differs

// The rows of one block, position by position.
std::vector<AlignedRow> by_place(const std::vector<AlignedRow>& aligned) {
    std::vector<AlignedRow> rows;
    std::size_t left = 0, right = 0;
    const auto row = [&rows](std::size_t at) -> AlignedRow& {
        if (at == rows.size()) rows.push_back({});
        return rows[at];
    };
    for (const AlignedRow& a : aligned) {
        if (a.left != kNone) row(left++).left = a.left;
        if (a.right != kNone) row(right++).right = a.right;
    }
    return rows;
}

// By row: whether "Changes only" shows it.
std::vector<bool> kept_rows(const std::vector<AlignedRow>& rows, const ScheduleDiff& diff, InstrId keep) {
    std::vector<bool> kept(rows.size(), false);
    const auto changed = [&](InstrId id) {
        return id != kNone && (id == keep || diff.change[id] != Change::Same);
    };
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (changed(rows[i].left) || changed(rows[i].right))
            for (std::size_t k = i - std::min(i, kContext); k < std::min(rows.size(), i + kContext + 1); ++k)
                kept[k] = true;
    return kept;
}

void add_block(ListingRows& list, BlockId block, std::vector<AlignedRow> rows, const ScheduleDiff& diff,
               const RowStyle& style, bool folded) {
    if (rows.empty()) return;
    list.header_row[block] = static_cast<int>(list.rows.size());
    list.rows.push_back({kNone, kNone, block, 0, 0});
    const std::size_t header = list.rows.size() - 1;
    if (style.compact) rows = by_place(rows);
    const std::vector<bool> kept = folded               ? std::vector<bool>(rows.size(), false)
                                   : style.only_changed ? kept_rows(rows, diff, style.keep)
                                                        : std::vector<bool>(rows.size(), true);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!kept[i]) {
            if (rows[i].right != kNone) ++(folded ? list.rows[header].folded : list.rows[header].hidden);
            continue;
        }
        const int row = static_cast<int>(list.rows.size());
        if (rows[i].left != kNone) list.left_row[rows[i].left] = row;
        if (rows[i].right != kNone) list.right_row[rows[i].right] = row;
        list.rows.push_back({rows[i].left, rows[i].right, kNone, 0, 0});
    }
}

}  // namespace

ListingRows make_rows(const Kernel& kernel, const ScheduleDiff& diff, const std::set<BlockId>& folded,
                      const RowStyle& style) {
    ListingRows list;
    list.compact = style.compact;
    list.rows.reserve(diff.rows.size() + kernel.flow().blocks.size());
    list.left_row.assign(kernel.size(), -1);
    list.right_row.assign(kernel.size(), -1);
    list.header_row.assign(kernel.flow().blocks.size(), -1);
    BlockId block = kNone;
    std::vector<AlignedRow> rows;  // of that block
    const auto close = [&] {
        add_block(list, block, std::exchange(rows, {}), diff, style, folded.contains(block));
    };
    for (const AlignedRow& aligned : diff.rows) {
        const InstrId any = aligned.left != kNone ? aligned.left : aligned.right;
        if (any == kNone) continue;
        if (const BlockId of = kernel.block_of(any); of != block) {
            close();
            block = of;
        }
        rows.push_back(aligned);
    }
    close();
    return list;
}

std::string header_text(const Kernel& kernel, BlockId block) {
    const Block& b = kernel.flow().blocks[block];
    QString text = QStringLiteral(".B%1").arg(block);
    if (b.loop_depth > 0) text += QStringLiteral("  loop depth %1").arg(b.loop_depth);
    const auto named = [](const std::vector<BlockId>& blocks, bool unknown) {
        QString names;
        for (std::size_t i = 0; i < blocks.size() && i < 6; ++i)
            names += (i > 0 ? QStringLiteral(" B%1") : QStringLiteral("B%1")).arg(blocks[i]);
        if (blocks.size() > 6) names += QStringLiteral(" ...");
        if (!unknown) return names;
        return names.isEmpty() ? QStringLiteral("outside") : names + QStringLiteral(" and outside");
    };
    const QString from = named(b.predecessors, b.unknown_predecessors),
                  to = named(b.successors, b.unknown_successors);
    if (!from.isEmpty()) text += QStringLiteral("  from ") + from;
    if (!to.isEmpty()) text += QStringLiteral("  to ") + to;
    return text.toStdString();
}

ChangedRange changed_range(const std::vector<std::string>& before, const std::vector<std::string>& after) {
    ChangedRange range{0, before.size(), after.size()};
    while (range.first < range.old_end && range.first < range.new_end &&
           before[range.first] == after[range.first])
        ++range.first;
    while (range.old_end > range.first && range.new_end > range.first &&
           before[range.old_end - 1] == after[range.new_end - 1]) {
        --range.old_end;
        --range.new_end;
    }
    return range;
}

}  // namespace cubinlab::ui
