// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/jobs/rank_score.h"

#include <algorithm>
#include <cmath>

namespace cubinlab {
namespace {

constexpr double kDeviations = 2.576;  // of a normal, both sides 99 %

struct Figure {
    double mean = 0, error = 0;
};

// An error from a handful of loads is mostly luck: none counts as less than what all rows have together.
std::vector<Figure> figures(std::span<const RankRow> rows, bool use_a, bool use_b) {
    double spread = 0, count = 0;  // variance of a load's mean
    for (const RankRow& row : rows)
        for (const RankHalf* half : {&row.a, &row.b}) {
            spread += half->error * half->error * half->loads;
            ++count;
        }
    const double variance = count > 0 ? spread / count : 0;
    std::vector<Figure> out;
    out.reserve(rows.size());
    for (const RankRow& row : rows) {
        double sum = 0, own = 0;
        int loads = 0;
        const auto take = [&](const RankHalf& half) {
            sum += half.mean * half.loads;
            own += half.error * half.error * half.loads * half.loads;
            loads += half.loads;
        };
        if (use_a) take(row.a);
        if (use_b) take(row.b);
        const double n = std::max(loads, 1);
        out.push_back({sum / n, std::sqrt(std::max(own / (n * n), variance / n))});
    }
    return out;
}

// +1: the first is faster beyond doubt, -1: the second, 0: not told apart.
int told_apart(const Figure& a, const Figure& b) {
    if (a.mean - kDeviations * a.error > b.mean + kDeviations * b.error) return 1;
    if (b.mean - kDeviations * b.error > a.mean + kDeviations * a.error) return -1;
    return 0;
}

void judge(PairCount& count, int measured, double first_cost, double second_cost) {
    if (first_cost == second_cost)
        ++count.ties;
    else if ((first_cost < second_cost) == (measured > 0))
        ++count.agree;
    else
        ++count.disagree;
}

}  // namespace

double PairCount::tau_b() const {
    const auto n = static_cast<double>(pairs());
    if (agree + disagree == 0) return 0;
    return (static_cast<double>(agree) - static_cast<double>(disagree)) /
           std::sqrt(n * (n - static_cast<double>(ties)));
}

void PairCount::add(const PairCount& other) {
    agree += other.agree;
    disagree += other.disagree;
    ties += other.ties;
}

std::vector<ClearPair> clear_pairs(std::span<const RankRow> rows) {
    const std::vector<Figure> both = figures(rows, true, true);
    std::vector<ClearPair> out;
    for (std::uint32_t i = 0; i < rows.size(); ++i)
        for (std::uint32_t j = i + 1; j < rows.size(); ++j) {
            const int apart = told_apart(both[i], both[j]);
            if (apart != 0)
                out.push_back({apart > 0 ? i : j, apart > 0 ? j : i, rows[i].near_good == rows[j].near_good});
        }
    return out;
}

RankScore score(std::span<const RankRow> rows, std::span<const double> cycles) {
    RankScore out;
    out.schedules = rows.size();
    for (const ClearPair& pair : clear_pairs(rows)) {
        judge(out.all, 1, cycles[pair.faster], cycles[pair.slower]);
        if (!pair.same_side) continue;
        judge(rows[pair.faster].near_good ? out.good : out.original, 1, cycles[pair.faster],
              cycles[pair.slower]);
    }
    out.within = out.original;
    out.within.add(out.good);
    const std::vector<Figure> a = figures(rows, true, false), b = figures(rows, false, true);
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = i + 1; j < rows.size(); ++j) {
            if (rows[i].near_good != rows[j].near_good) continue;
            if (const int by_a = told_apart(a[i], a[j])) judge(out.itself, by_a, -b[i].mean, -b[j].mean);
            if (const int by_b = told_apart(b[i], b[j])) judge(out.itself, by_b, -a[i].mean, -a[j].mean);
        }
    return out;
}

}  // namespace cubinlab
