// SPDX-License-Identifier: GPL-3.0-or-later
// A prior of edits (core/search/edit_prior.h) from the runs of many sessions: ridge regression of what a single edit did on
// what it was. An edit's effect is its step's figure against the median of all single edits of the same schedule, most of
// which do nothing: that error they share. How far it carries over is told by kernels that were left out, each in turn.
//
//   PriorFit fit;
//   fit.add_session("bmm.db");
//   EditPrior prior = fit.prior();
//   for (const HeldOutKernel& k : fit.held_out()) ...
#pragma once
#include <filesystem>
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/claims/session_runs.h"
#include "core/search/edit_prior.h"
#include "core/store/session.h"

namespace cubinlab {

// Of the edits of a kernel by what the other kernels taught; percent of log speed-up. Kernels of one name are one.
struct HeldOutKernel {
    std::string kernel;
    std::uint64_t edits = 0;
    double correlation = 0;                      // of expected and seen, the seen with its noise
    double mean = 0;                             // of what was seen
    double mean_of_best = 0, mean_of_worst = 0;  // of the quarters that were expected to be best and worst
    double losses = 0, losses_of_best = 0;  // share that lost more than 0.5 %, of all and of the best quarter
};

class PriorFit {
  public:
    // Adds the runs that a GPU measured, or where `modelled` those of the model.
    explicit PriorFit(bool modelled = false) : modelled_(modelled) {}

    Status add_session(const std::filesystem::path& session, const std::stop_token& stop = {});
    std::uint64_t edits() const;
    const RunsTaken& taken() const { return taken_; }
    std::size_t kernels() const { return by_kernel_.size(); }
    std::vector<std::string> names() const;  // of the kernels, in order

    // Of all kernels but `without`. No edits: weights of 0.
    EditPrior prior(const std::string& without = {}) const;
    std::vector<HeldOutKernel> held_out() const;  // empty where there is but one kernel

  private:
    struct Example {
        std::vector<std::pair<std::uint16_t, float>> features;  // those that are not 0
        float seen = 0, weight = 0;                             // percent of log speed-up; 1 / variance
    };
    static double expected(const EditPrior& prior, const Example& example);
    Status add_run(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run,
                   const std::stop_token& stop);

    bool modelled_;
    RunsTaken taken_;
    std::map<std::string, std::vector<Example>> by_kernel_;
    std::set<std::string> devices_;
};

}  // namespace cubinlab
