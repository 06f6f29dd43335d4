// SPDX-License-Identifier: GPL-3.0-or-later
// Verdicts from pair log-ratios that are valid after every pair.
//
// Within one load of each module: a normal-mixture confidence sequence (Robbins 1970; Howard, Ramdas,
// McAuliffe, Sekhon, Annals of Statistics 49(2), 2021, eq. 14). With standard deviation s and mixture
// variance r^2 s^2,
//
//   radius(n) = s * sqrt((n r^2 + 1) / (n^2 r^2) * ln((n r^2 + 1) / alpha^2))
//
// covers the true mean for all n simultaneously with probability 1 - alpha. s is the larger of the calibrated
// and the observed deviation.
//
// Over module loads, whose deviation is not known: the anytime-valid t interval (Bayes factor with
// the right-Haar prior on the deviation and a normal prior of variance g on the standardised mean;
// Perez-Ortiz, Lardy, de Heide, Grunwald, "E-statistics, group invariance and anytime-valid testing", 2024).
// With K = ((1 + n g) / alpha^2)^(1/n):   radius(n) = s sqrt((n-1)/n * (K - 1) / (1 - K / (1 + n g))),
// infinite while K >= 1 + n g.
#pragma once
#include <span>
#include <vector>

#include "core/result/speedup.h"

namespace cubinlab {

struct Interval {
    double low = 0, high = 0;
};
struct Estimate {
    double mean = 0;
    double deviation = 0;  // of one sample, divisor n - 1; 0 for fewer than two
    std::size_t count = 0;
};

// The mean after winsorising: samples farther than 4 * `scale` from the median are moved to that distance (a
// host interrupt or a clock change causes a single outlier). scale <= 0: the spread of the samples.
Estimate estimate(std::span<const float> samples, double scale);
double median(std::vector<double> values);

double mixture_radius(std::size_t count, double deviation, double alpha, double mixture = 0.25);
double t_mixture_radius(std::size_t count, double deviation, double alpha, double g = 4.0);

Interval pair_interval(const Estimate& e, double known_deviation, double alpha);
// Over the means of module loads; `known`: the calibrated deviation of one mean. The mixture interval below
// eight loads, the t interval from eight loads on, each with the larger of the known and the observed
// deviation. At most kWidest to each side, because a session stores no infinite ends (ten loads give no
// finite interval at the error probability of the 430th confirmation of a run).
inline constexpr double kWidest = 10;  // log speed-up: 22,000 times as fast
Interval over_loads(const Estimate& loads, double known, double alpha);

// Verdict over module loads from raw log-ratios: over_loads of the winsorised mean of each load.
// `pair_deviation` and `load_deviation` come from the calibration.
struct LoadsVerdict {
    Estimate loads;
    Interval interval;
    Speedup speedup() const { return {loads.mean, interval.low, interval.high}; }
};
LoadsVerdict judge_loads(std::span<const std::vector<float>> by_load, double pair_deviation,
                         double load_deviation, double alpha);

// Whether continuing from `now` to `planned` loads cannot give FASTER: even if the mean rises by 2.5
// deviations of its possible change, the lower end of the final interval stays below `same_within`. Stopping
// then loses power (about 1 % of the winners that are barely resolvable) but causes no false verdicts: the
// interval is valid at any stop.
bool cannot_become_faster(const Estimate& now, std::size_t planned, double known, double alpha,
                          double same_within);

}  // namespace cubinlab
