// SPDX-License-Identifier: GPL-3.0-or-later
// The SM model as an ensemble: the geometric mean of eight runs of its sub-core that differ in the latencies nobody knows
// exactly and in the distance between the starts of warps, so that no order of schedules hangs on one figure. Its
// parameters may be fitted to measured schedules (core/jobs/model_fit.h). Modelled cycles, as the first model's, with
// which its figures are not comparable.
//
//   ModelEnsemble model(kernel, settings, shipped_parameters(kernel->arch()));
//   model.cycles(schedule)            // about 1 ms for a sample; takes no memory after the first
//
// One object is for one thread.
#pragma once
#include <memory>
#include <vector>

#include "core/model/model_parameters.h"
#include "core/model/sm_model.h"

namespace cubinlab {

class ModelEnsemble {
  public:
    static constexpr int kMembers = 8;

    // Of `settings` the launch counts (threads, grid, shared memory, warps), and the trips of loops that nobody counted.
    // `trips_of`: by header block, 0 where not known (core/model/trip_counts.h). `members`: fewer are for a fit.
    ModelEnsemble(KernelPtr kernel, const SmModelSettings& settings, const ModelParameters& parameters,
                  const std::vector<int>& trips_of = {}, int members = kMembers);
    ~ModelEnsemble();
    ModelEnsemble(ModelEnsemble&&) noexcept;
    ModelEnsemble& operator=(ModelEnsemble&&) noexcept;

    double cycles(const Schedule& schedule);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// What member `index` of `members` has in place of an uncertain value's 1: 1 + spread * u, u from the middle of one
// of `members` equal parts of [-1, 1]. Each parameter sees every part once, in an order of its own.
double member_factor(int index, int members, std::size_t parameter, double spread);

}  // namespace cubinlab
