// SPDX-License-Identifier: GPL-3.0-or-later
// Fits the ensemble model's parameters (core/model/model_parameters.h) to measured schedules: the order of the pairs
// that a GPU told apart, never the figures themselves. Every score of a kernel is made with parameters that saw
// no kernel of its family.
//
//   auto kernels = read_fit_kernel("bmm_mma.rank.json", "samples");       // or a session, S.db
//   FitResult fit = fit_model(kernels, start, {}, stop);
//   fit.kernels[0].held_out.within.tau_b(), fit.parameters               // of all kernels together
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/jobs/rank_score.h"
#include "core/model/model_parameters.h"

namespace cubinlab {

struct FitKernel {
    std::string name;    // of the file: "bmm_mma"
    std::string family;  // its first word: "bmm"
    std::string device;
    KernelPtr kernel;
    SmModelSettings launch;
    std::vector<int> trips;  // by header block
    std::vector<Schedule> schedules;
    std::vector<RankRow> rows;  // figures of the schedules
};

// A rank file (its cubin is looked for in `cubins`, then beside the file) or a session (GPU runs; at most 160
// schedules of each, one figure each). Errors: those of the files, NotFound (the cubin; no GPU run).
Result<FitKernel> read_fit_kernel(const std::filesystem::path& file, const std::filesystem::path& cubins,
                                  const std::stop_token& stop);

struct FitSettings {
    int members = 4;              // of the ensemble while parameters are tried; scores are of the whole one
    std::size_t schedules = 120;  // of a kernel while parameters are tried, drawn
    std::size_t pool = 120;       // parameters drawn at random, the same for every fold
    std::size_t steps = 40;       // then single changes of the best of them, of each fold
    std::uint64_t seed = 1;
};

struct FittedKernel {
    std::string name, family, device;
    RankScore first;     // the first model, as it was
    RankScore start;     // the ensemble with the parameters that the fit began with
    RankScore held_out;  // fitted without its family
    RankScore fitted;    // by the parameters of all: what is seen, not what may be expected
};

struct FitResult {
    ModelParameters parameters;
    std::vector<FittedKernel> kernels;
    std::uint64_t tried = 0;  // parameters times kernels
    bool held_out = false;    // there are two families or more
};
// Errors: BadUse (no kernel, no clear pair), Cancelled.
Result<FitResult> fit_model(const std::vector<FitKernel>& kernels, const ModelParameters& start,
                            const FitSettings& settings, const std::stop_token& stop,
                            const std::function<void(const std::string&)>& progress = {});

// By the parameters as they are; `fitted` and `held_out` stay empty.
FittedKernel score_kernel(const FitKernel& kernel, const ModelParameters& parameters);

}  // namespace cubinlab
