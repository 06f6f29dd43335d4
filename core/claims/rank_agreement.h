// SPDX-License-Identifier: GPL-3.0-or-later
// How far a model's order of schedules agrees with the GPU's: over the pairs of one run that the GPU told
// apart, the share that the model has the same way round. Says how far the model may be trusted on a kernel.
//
//   auto found = rank_agreement(*reader, kernel, settings, trips, stop);   // all GPU runs of a session
//   found->tau()     // 1: the same order, 0: no better than chance, -1: the other way round
#pragma once
#include <cstddef>
#include <stop_token>
#include <vector>

#include "core/model/sm_model.h"
#include "core/store/session.h"

namespace cubinlab {

struct RankedSchedule {
    double low = 0, high = 0;  // interval of the measured log speed-up
    double cycles = 0;         // by the first model
    double ensemble = 0;       // by the ensemble with the shipped parameters
};

struct RankAgreement {
    std::size_t schedules = 0;            // compared
    std::size_t pairs = 0;                // whose intervals do not touch
    std::size_t agree = 0, disagree = 0;  // the rest of the pairs have equal modelled cycles
    std::size_t ensemble_agree = 0, ensemble_disagree = 0;
    double tau() const { return tau_of(agree, disagree); }
    double ensemble_tau() const { return tau_of(ensemble_agree, ensemble_disagree); }
    void add(const RankAgreement& other);

  private:
    double tau_of(std::size_t same, std::size_t other) const {
        return pairs == 0
                   ? 0
                   : (static_cast<double>(same) - static_cast<double>(other)) / static_cast<double>(pairs);
    }
};

// All against one reference.
RankAgreement rank_agreement(const std::vector<RankedSchedule>& schedules);

// At most `most` steps of a run that ran well, evenly over it, each word for word once. Errors: the session's, Cancelled.
Result<std::vector<StepRecord>> evenly_chosen(SessionReader& session, RunId run, std::size_t most,
                                              const std::stop_token& stop);

// Of each run that a GPU evaluated at most 160 schedules, evenly over its steps, each word for word once.
// Measured figures of a run are against one schedule, so that pairs are of one run. `trips`: passes of loops by header block,
// for the ensemble (core/model/trip_counts.h).
Result<RankAgreement> rank_agreement(SessionReader& session, const KernelPtr& kernel,
                                     const SmModelSettings& settings, const std::vector<int>& trips,
                                     std::stop_token stop);

}  // namespace cubinlab
