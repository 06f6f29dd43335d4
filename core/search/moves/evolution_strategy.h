// SPDX-License-Identifier: GPL-3.0-or-later
// A (mu/mu, lambda) evolution strategy whose step length adapts for each coordinate: separable CMA-ES (Ros and
// Hansen, PPSN X, 2008), which needs no matrix and, with the few hundred evaluations there are, adapts faster than
// the full one. Ranks alone count, so noise that changes few ranks changes little.
//
//   EvolutionStrategy es(mean, 0.5, rng);
//   auto points = es.ask(rng);                    // lambda of them
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

    std::size_t size() const { return lambda_; }  // points of a generation
    Point draw(Rng& rng) const;
    void tell(const std::vector<Point>& points, const std::vector<double>& values);

    double step() const { return step_; }
    bool done() const { return step_ < 0.02; }  // it has settled

  private:
    void set_rates();
    std::size_t lambda_ = 0, mu_ = 0;
    std::vector<double> share_;  // of the best mu, falling
    double mu_effective_ = 1, c_step_ = 0, d_step_ = 1, c_path_ = 0, c_one_ = 0, c_mu_ = 0, expected_ = 1;
    Point mean_, variance_, path_step_, path_variance_;
    double step_ = 0.5;
    std::size_t generations_ = 0;
};

}  // namespace cubinlab
