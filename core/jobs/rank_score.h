// SPDX-License-Identifier: GPL-3.0-or-later
// How well an order of schedules (a model's) agrees with a measured one: Kendall's tau over the pairs that
// the measurement tells apart, beside how well the measurement agrees with itself.
//
//   RankScore s = score(rows, cycles);
//   s.within.tau_b()     // the model, pairs near the same schedule
//   s.itself.tau_b()     // one half of the measurement against the pairs that the other half tells apart
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "core/jobs/rank_file.h"

namespace cubinlab {

// Pairs told apart, none of them a tie of the measurement's.
struct PairCount {
    std::size_t agree = 0, disagree = 0, ties = 0;  // ties: of the order that is judged
    std::size_t pairs() const { return agree + disagree + ties; }
    // Kendall's tau-b: (agree - disagree) / sqrt(pairs * (pairs - ties)); 0 without pairs.
    double tau_b() const;
    void add(const PairCount& other);
};

struct RankScore {
    std::size_t schedules = 0;
    PairCount original, good;  // pairs of schedules near the original, near the good one
    PairCount within;          // both of these
    PairCount all;             // with those of one from here and one from there
    PairCount itself;          // as `within`: pairs clear by one half, judged by the other; both ways
};

// 99 % intervals of two figures that do not touch. Errors below the file's own pooled one count as that.
struct ClearPair {
    std::uint32_t faster = 0, slower = 0;  // rows
    bool same_side = false;                // near the same schedule
};
std::vector<ClearPair> clear_pairs(std::span<const RankRow> rows);

RankScore score(std::span<const RankRow> rows, std::span<const double> cycles);

}  // namespace cubinlab
