// SPDX-License-Identifier: GPL-3.0-or-later
// From pair log-ratios to a verdict that may be looked at after every pair.
//
// Within one load of each module: a normal-mixture confidence sequence (Robbins 1970; Howard, Ramdas,
// McAuliffe, Sekhon, Annals of Statistics 49(2), 2021, eq. 14). With standard deviation s and mixture
// variance r^2 s^2,
//
//   radius(n) = s * sqrt((n r^2 + 1) / (n^2 r^2) * ln((n r^2 + 1) / alpha^2))
//
// covers the true mean at all n at once with probability 1 - alpha. s is the larger of the calibrated and the
// seen deviation.
//
// Over module loads, whose spread is not known beforehand: the anytime-valid t interval (Bayes factor with
// the right-Haar prior on the deviation and a normal prior of variance g on the standardised mean;
// Perez-Ortiz, Lardy, de Heide, Grunwald, "E-statistics, group invariance and anytime-valid testing", 2024).
// With K = ((1 + n g) / alpha^2)^(1/n):   radius(n) = s sqrt((n-1)/n * (K - 1) / (1 - K / (1 + n g))),
// infinite while K >= 1 + n g.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/result/speedup.h"

namespace cubinlab {

struct Interval {
    double low = 0, high = 0;
};
struct Estimate {
    double mean = 0;
    double deviation = 0;  // of one sample, n - 1 in the divisor; 0 for fewer than two
    std::size_t count = 0;
};

// Mean after samples further than 4 * `scale` from the median were pulled in to that distance (an interrupt
// of the host or a clock change shows as a single far sample); scale <= 0 uses the samples' own spread.
Estimate estimate(std::span<const float> samples, double scale);
double median(std::vector<double> values);

double mixture_radius(std::size_t count, double deviation, double alpha, double mixture = 0.25);
double t_mixture_radius(std::size_t count, double deviation, double alpha, double g = 4.0);

Interval pair_interval(const Estimate& e, double known_deviation, double alpha);
// Over the means of module loads, `known` being the calibrated deviation of one such mean: the mixture
// interval below eight loads, the t interval from eight on; both with the larger of the known and the seen
// deviation. Never wider than kWidest to either side: ten loads say nothing at the error probability that the 430th
// confirmation of a run has, and an infinite end has no place in a session.
inline constexpr double kWidest = 10;  // log speed-up: 22,000 times as fast
Interval over_loads(const Estimate& loads, double known, double alpha);

// Verdict over module loads from their raw log-ratios: the mean of each load with far samples pulled in, then
// over_loads of the means. `pair_deviation` and `load_deviation` are the calibrated ones.
struct LoadsVerdict {
    Estimate loads;
    Interval interval;
    Speedup speedup() const { return {loads.mean, interval.low, interval.high}; }
};
LoadsVerdict judge_loads(std::span<const std::vector<float>> by_load, double pair_deviation,
                         double load_deviation, double alpha);

// Whether going on from `now` to `planned` loads is futile for finding FASTER: even 2.5 deviations of what
// the mean can still move would leave the final interval's lower end below `same_within`. Stopping on it
// costs power (about 1 % of the winners that are only just resolvable), never false verdicts: the interval is
// valid whenever one stops.
bool cannot_become_faster(const Estimate& now, std::size_t planned, double known, double alpha,
                          double same_within);

// One-sided Clopper-Pearson bound: the largest rate that gives `hits` or fewer of `trials` with probability
// `alpha` (1 where hits == trials).
double rate_upper_bound(std::uint64_t hits, std::uint64_t trials, double alpha = 0.05);

}  // namespace cubinlab
