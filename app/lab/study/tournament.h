// SPDX-License-Identifier: GPL-3.0-or-later
// Compares agents on real GPUs at an equal budget of time: every kernel, agent and seed is one run, one at a
// time on each GPU; other processes measure its claim over fresh loads, hot and optionally cold. Each run
// leaves one JSON document and its winner in the folder. A later tournament skips existing runs, also those
// of another GPU, so an interrupted tournament resumes on any machine. A failed run is repeated.
//
//   K.AGENT.SEED.json      steps, claim, curve of the best over time, final measurement hot and cold;
//                          "unmeasured": true if interrupted before that: the next tournament measures first
//   K.AGENT.SEED.cubin     the winner
#pragma once
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/gpu/client/gpu_evaluator.h"

namespace cubinlab {

struct TournamentKernel {
    std::string name;
    KernelPtr kernel;
    Workload workload;
};

struct TournamentSettings {
    std::vector<std::string> agents = {"greedy", "auto"};
    std::vector<std::uint64_t> seeds = {1};
    double seconds = 45;
    std::map<std::string, double> seconds_of;  // by agent, where it is another
    bool agents_first =
        false;  // of a seed, one agent on all kernels, then the next; else kernel after kernel
    std::vector<int> devices = {0};
    GpuSettings gpu;   // cold: the search itself
    int loads = 20;    // of each measurement afterwards
    bool cold = true;  // measured cold as well
    double early = 0;  // seconds: what a run had claimed best by then is measured again too, hot; 0: not
    int early_loads = 0;  // of it; 0: as many as of the winner
    bool steps = false;  // a table of each run's steps beside it
    std::filesystem::path folder;
    // No search begins that would not be over by then, and no measurement; what is left out is done the next
    // time.
    std::optional<std::chrono::steady_clock::time_point> until;
};

// All documents of the folder's runs, those of before included, by kernel, agent and seed. What a run fails
// on is "error" of its document. BadUse: the folder holds a run of another length or cache.
Result<std::vector<nlohmann::ordered_json>> hold_tournament(
    const std::vector<TournamentKernel>& kernels, const TournamentSettings& settings,
    const std::function<void(const std::string&)>& progress, const std::stop_token& stop);

// Medians over the seeds of the best that was claimed by so many seconds, a row a kernel and agent.
std::string best_by_markdown(const std::vector<nlohmann::ordered_json>& runs,
                             const std::vector<double>& seconds);
// One row a run; the curves, one row a point; the curves of one kernel as a picture.
std::string tournament_csv(const std::vector<nlohmann::ordered_json>& runs);
std::string curves_csv(const std::vector<nlohmann::ordered_json>& runs);
std::string curves_svg(const std::vector<nlohmann::ordered_json>& runs, const std::string& kernel);
// Medians over the seeds, a row a kernel, and the geometric mean; of two agents, on how many kernels the
// first is not behind. What was not measured again stands there as claimed, with a mark. Says where runs are
// of several versions.
std::string tournament_markdown(const std::vector<nlohmann::ordered_json>& runs);

}  // namespace cubinlab
