// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/agents/group_fit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace cubinlab {
namespace {

// A symmetric matrix for least-squares problems of some hundred weights.
class Symmetric {
  public:
    explicit Symmetric(std::size_t n) : n_(n), at_(n * n, 0.0) {}
    double& operator()(std::size_t r, std::size_t c) { return at_[r * n_ + c]; }
    double operator()(std::size_t r, std::size_t c) const { return at_[r * n_ + c]; }
    std::size_t size() const { return n_; }

    // Inverse of a positive definite matrix by Gauss-Jordan elimination without pivoting, in place.
    void invert() {
        for (std::size_t p = 0; p < n_; ++p) {
            const double pivot = 1.0 / (*this)(p, p);
            (*this)(p, p) = 1.0;
            for (std::size_t c = 0; c < n_; ++c)
                (*this)(p, c) *= pivot;
            for (std::size_t r = 0; r < n_; ++r) {
                if (r == p) continue;
                const double factor = (*this)(r, p);
                if (factor == 0) continue;
                (*this)(r, p) = 0;
                for (std::size_t c = 0; c < n_; ++c)
                    (*this)(r, c) -= factor * (*this)(p, c);
            }
        }
    }

  private:
    std::size_t n_;
    std::vector<double> at_;
};

// Lower bound of the noise: an exact figure still has rounding errors.
constexpr double kLeastNoise = 1e-7;
constexpr int kRounds = 24;
// Regularises the system for an epoch without tests, or one that the edits explain completely.
constexpr double kNearlyFree = 1e-9;

// Prior of `by_reference`.
constexpr double kStrayWidth = 1;

// Deviation of each test's reference from the mean of its device; 0 if it is not known.
std::vector<double> strayed(std::span<const GroupTest> all) {
    std::map<std::uint16_t, std::pair<double, int>> sums;
    for (const GroupTest& test : all)
        if (test.reference != 0) {
            sums[test.device].first += test.reference;
            ++sums[test.device].second;
        }
    std::vector<double> out;
    for (const GroupTest& test : all) {
        const auto& [sum, count] = sums[test.device];
        out.push_back(test.reference != 0 ? test.reference - sum / count : 0.0);
    }
    return out;
}

// Columns: the edits, the epochs, and the deviation of the reference.
struct System {
    std::size_t edits = 0, epochs = 0;
    Symmetric gram;
    std::vector<double> moment;
    double squares = 0, mean_square = 0;  // of the values; of the values inside epochs
    std::size_t tests = 0;

    System(std::span<const GroupTest> all, std::size_t edit_count)
        : edits(edit_count), epochs(epochs_of(all)), gram(stray() + 1), moment(stray() + 1, 0.0) {
        std::vector<double> sum(epochs, 0.0), count(epochs, 0.0);
        const std::vector<double> by_test = strayed(all);
        for (const GroupTest& test : all) {
            std::vector<std::pair<std::size_t, double>> row;
            for (const std::uint8_t edit : test.edits)
                row.emplace_back(edit, 1.0);
            row.emplace_back(edits + test.epoch, 1.0);
            row.emplace_back(stray(), by_test[tests]);
            for (const auto& [r, by] : row) {
                moment[r] += by * test.value;
                for (const auto& [c, with] : row)
                    gram(r, c) += by * with;
            }
            squares += test.value * test.value;
            sum[test.epoch] += test.value;
            count[test.epoch] += 1.0;
            ++tests;
        }
        mean_square = squares;
        for (std::size_t e = 0; e < epochs; ++e)
            if (count[e] > 0) mean_square -= sum[e] * sum[e] / count[e];
        mean_square = std::max(mean_square, 0.0);
    }

    std::size_t stray() const { return edits + epochs; }

    static std::size_t epochs_of(std::span<const GroupTest> all) {
        std::size_t most = 0;
        for (const GroupTest& test : all)
            most = std::max<std::size_t>(most, test.epoch + 1u);
        return most;
    }
};

struct Solution {
    std::vector<double> mean;
    std::vector<double> variance;
    double residual = 0;    // sum of squares
    double determined = 0;  // effects that the tests, not the prior, determine
};

Solution solve(const System& system, double noise, double width) {
    const std::size_t n = system.stray() + 1;
    const double beta = 1.0 / (noise * noise), alpha = 1.0 / (width * width);
    Symmetric covariance(n);
    for (std::size_t r = 0; r < n; ++r) {
        for (std::size_t c = 0; c < n; ++c)
            covariance(r, c) = beta * system.gram(r, c);
        covariance(r, r) += r < system.edits     ? alpha
                            : r < system.stray() ? beta * kNearlyFree
                                                 : 1 / (kStrayWidth * kStrayWidth);
    }
    covariance.invert();
    Solution out;
    out.mean.assign(n, 0.0);
    out.residual = system.squares;
    for (std::size_t r = 0; r < n; ++r) {
        for (std::size_t c = 0; c < n; ++c)
            out.mean[r] += beta * covariance(r, c) * system.moment[c];
        out.variance.push_back(covariance(r, r));
        if (r < system.edits) out.determined += 1.0 - alpha * covariance(r, r);
    }
    for (std::size_t r = 0; r < n; ++r) {
        double row = 0;
        for (std::size_t c = 0; c < n; ++c)
            row += system.gram(r, c) * out.mean[c];
        out.residual += out.mean[r] * (row - 2.0 * system.moment[r]);
    }
    out.residual = std::max(out.residual, 0.0);
    return out;
}

}  // namespace

GroupFit fit_groups(std::span<const GroupTest> tests, std::size_t edits) {
    GroupFit fit;
    fit.effect.assign(edits, 0.0);
    fit.error.assign(edits, 0.0);
    if (tests.empty() || edits == 0) return fit;
    const System system(tests, edits);
    const double spread = std::sqrt(system.mean_square / static_cast<double>(system.tests));
    double noise = std::max(0.7 * spread, kLeastNoise);
    double width = std::max(0.3 * spread, kLeastNoise);
    Solution at = solve(system, noise, width);
    for (int round = 0; round < kRounds; ++round) {
        double squares = 0;
        for (std::size_t i = 0; i < edits; ++i)
            squares += at.mean[i] * at.mean[i];
        const double free =
            static_cast<double>(system.tests) - static_cast<double>(system.epochs) - at.determined;
        const double next_width = std::sqrt(squares / std::max(at.determined, 1e-6));
        const double next_noise = std::sqrt(at.residual / std::max(free, 1.0));
        width = std::max(next_width, kLeastNoise);
        noise = std::max(next_noise, kLeastNoise);
        at = solve(system, noise, width);
    }
    for (std::size_t i = 0; i < edits; ++i) {
        fit.effect[i] = at.mean[i];
        fit.error[i] = std::sqrt(std::max(at.variance[i], 0.0));
    }
    for (std::size_t e = 0; e < system.epochs; ++e) {
        fit.base.push_back(at.mean[edits + e]);
        fit.base_error.push_back(std::sqrt(std::max(at.variance[edits + e], 0.0)));
    }
    fit.noise = noise;
    fit.by_reference = at.mean.back();
    fit.explained =
        system.mean_square > 0 ? std::clamp(1.0 - at.residual / system.mean_square, 0.0, 1.0) : 0.0;
    return fit;
}

}  // namespace cubinlab
