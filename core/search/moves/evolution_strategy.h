// SPDX-License-Identifier: GPL-3.0-or-later
// A (mu/mu, lambda) evolution strategy with a step length per coordinate: separable CMA-ES (Ros and Hansen,
// PPSN X, 2008). It needs no matrix and adapts faster than the full form within a few hundred evaluations.
// Only ranks count, so noise that changes few ranks has little effect.
//
//   EvolutionStrategy es(mean, 0.5);
//   points.push_back(es.draw(rng));               // size() of them
//   es.tell(points, values);                      // higher is better
#pragma once
#include <cstddef>
#include <vector>

#include "core/search/moves/rng.h"

namespace cubinlab {

using Point = std::vector<double>;

double normal(Rng& rng);  // standard normal

class EvolutionStrategy {
  public:
    EvolutionStrategy(Point mean, double step);

    std::size_t size() const { return lambda_; }  // points per generation
    Point draw(Rng& rng) const;
    void tell(const std::vector<Point>& points, const std::vector<double>& values);

    double step() const { return step_; }
    bool done() const { return step_ < 0.02; }  // converged

  private:
    void set_rates();
    std::size_t lambda_ = 0, mu_ = 0;
    std::vector<double> share_;  // weights of the best mu, descending
    double mu_effective_ = 1, c_step_ = 0, d_step_ = 1, c_path_ = 0, c_one_ = 0, c_mu_ = 0, expected_ = 1;
    Point mean_, variance_, path_step_, path_variance_;
    double step_ = 0.5;
    std::size_t generations_ = 0;
};

}  // namespace cubinlab
