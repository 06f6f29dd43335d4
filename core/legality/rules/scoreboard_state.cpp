// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/rules/scoreboard_state.h"

#include <algorithm>

namespace cubinlab {

namespace {

bool before(const ScoreboardWord& word, std::uint32_t index) {
    return word.index < index;
}

// Covered on both paths; a path on which the bit is not pending does not count.
bool merge_word(ScoreboardWord& into, const ScoreboardWord& from, std::uint64_t hidden) {
    const std::uint64_t a = into.pending();
    const std::uint64_t b = from.pending() & ~hidden;
    std::uint64_t changed = b & ~a;
    for (std::size_t r = 1; r < kStateRows; ++r) {
        const std::uint64_t covered = (into.rows[r] | ~a) & (from.rows[r] | ~b) & (a | b);
        changed |= covered ^ into.rows[r];
        into.rows[r] = covered;
    }
    into.rows[0] = a | b;
    return changed != 0;
}

}  // namespace

ScoreboardWord& word_of(ScoreboardState& state, std::size_t bit) {
    const auto index = static_cast<std::uint32_t>(bit / 64);
    auto at = std::lower_bound(state.begin(), state.end(), index, before);
    if (at == state.end() || at->index != index) at = state.insert(at, ScoreboardWord{index, {}});
    return *at;
}

const ScoreboardWord* find_word(ScoreboardSpan state, std::uint32_t index) {
    const auto at = std::lower_bound(state.begin(), state.end(), index, before);
    return at == state.end() || at->index != index ? nullptr : &*at;
}

void compact(ScoreboardState& state) {
    std::erase_if(state, [](const ScoreboardWord& word) { return word.pending() == 0; });
}

bool at_most(ScoreboardSpan state, ScoreboardSpan base) {
    std::uint64_t worse = 0;
    std::size_t at = 0;
    for (const ScoreboardWord& word : state) {
        while (at < base.size() && base[at].index < word.index)
            ++at;
        if (at == base.size() || base[at].index != word.index) {
            worse |= word.pending();
            continue;
        }
        const ScoreboardWord& other = base[at];
        worse |= word.pending() & ~other.pending();
        for (std::size_t r = 1; r < kStateRows; ++r)  // base covers it, but this state does not
            worse |= word.pending() & other.rows[r] & ~word.rows[r];
    }
    return worse == 0;
}

bool merge(ScoreboardState& into, ScoreboardSpan from, std::span<const std::uint64_t> hidden) {
    bool changed = false;
    std::size_t at = 0;
    for (const ScoreboardWord& word : from) {
        if ((word.pending() & ~hidden[word.index]) == 0) continue;
        while (at < into.size() && into[at].index < word.index)
            ++at;
        if (at == into.size() || into[at].index != word.index)
            into.insert(into.begin() + static_cast<std::ptrdiff_t>(at), ScoreboardWord{word.index, {}});
        changed = merge_word(into[at], word, hidden[word.index]) || changed;
    }
    return changed;
}

}  // namespace cubinlab
