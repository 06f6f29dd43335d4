// SPDX-License-Identifier: GPL-3.0-or-later
// The producer bits that may be pending at a point and the bits that each scoreboard covers. Only words of 64
// bits with a pending bit are stored, so the size is proportional to the results in flight. Internal to
// core/legality.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cubinlab {

inline constexpr int kScoreboards = 6;

// Bit rows of one word: row 0 the pending bits, rows 1..6 the bits that each scoreboard covers, row 7 the
// guarded producers whose guard predicate has not been written since.
inline constexpr std::size_t kGuardRow = kScoreboards + 1;
inline constexpr std::size_t kStateRows = kScoreboards + 2;

struct ScoreboardWord {
    std::uint32_t index = 0;  // bits 64 * index and up
    std::array<std::uint64_t, kStateRows> rows{};

    std::uint64_t pending() const { return rows[0]; }
    friend bool operator==(const ScoreboardWord&, const ScoreboardWord&) = default;
};

// Words by ascending index, each at most once. Rows 1 and above are valid for pending bits only.
using ScoreboardState = std::vector<ScoreboardWord>;
using ScoreboardSpan = std::span<const ScoreboardWord>;
// States up to this many words are not compacted.
inline constexpr std::size_t kFewWords = 4;

// The word of `bit`; inserted if it does not exist.
ScoreboardWord& word_of(ScoreboardState& state, std::size_t bit);
// Null if no bit of this word is pending.
const ScoreboardWord* find_word(ScoreboardSpan state, std::uint32_t index);
// Removes words without pending bits.
void compact(ScoreboardState& state);

// True if `state` is no worse than `base`: fewer pending bits, at least as much covered.
bool at_most(ScoreboardSpan state, ScoreboardSpan base);
// Joins the state of another path; true if `into` changed. `hidden`, by word: pending bits of `from` to drop.
bool merge(ScoreboardState& into, ScoreboardSpan from, std::span<const std::uint64_t> hidden);

}  // namespace cubinlab
