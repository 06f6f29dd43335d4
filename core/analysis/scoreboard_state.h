// SPDX-License-Identifier: GPL-3.0-or-later
// Which results may be pending at a point, and what the scoreboards say about them. Producer bits are kept in
// words of 64; only words with something pending are stored, so that a state is as small as the number of
// results in flight, however many instructions the kernel has. Internal to core/analysis.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cubinlab {

inline constexpr int kScoreboards = 6;

// Bit rows of one word: row 0 is what is pending, rows 1..6 what each scoreboard covers, row 7 the guarded
// producers whose guard predicate has not been written since.
inline constexpr std::size_t kGuardRow = kScoreboards + 1;
inline constexpr std::size_t kStateRows = kScoreboards + 2;

struct ScoreboardWord {
    std::uint32_t index = 0;  // bits 64 * index and up
    std::array<std::uint64_t, kStateRows> rows{};

    std::uint64_t pending() const { return rows[0]; }
    friend bool operator==(const ScoreboardWord&, const ScoreboardWord&) = default;
};

// Words by index, ascending, each at most once. Rows 1 and up mean something only for bits that are pending.
using ScoreboardState = std::vector<ScoreboardWord>;
using ScoreboardSpan = std::span<const ScoreboardWord>;
// A state of up to so many words is left as it is; longer ones are worth a look for words that are done.
inline constexpr std::size_t kFewWords = 4;

// The word that holds `bit`, made if there is none.
ScoreboardWord& word_of(ScoreboardState& state, std::size_t bit);
// Null: nothing of this word is pending.
const ScoreboardWord* find_word(ScoreboardSpan state, std::uint32_t index);
// Leaves out words with nothing pending.
void compact(ScoreboardState& state);

// True where nothing that `state` allows is forbidden by `base`: fewer pending, at least as much covered.
bool at_most(ScoreboardSpan state, ScoreboardSpan base);
// into := both paths; true if it changed. `hidden`, by word: pending bits of `from` that do not go along.
bool merge(ScoreboardState& into, ScoreboardSpan from, std::span<const std::uint64_t> hidden);

}  // namespace cubinlab
