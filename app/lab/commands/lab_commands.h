// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of the laboratory, which tests the checker, its tables and the measurement. Output and exit
// codes follow app/cli/command.h.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "app/cli/base/common_options.h"
#include "app/lab/probe/probe_bench.h"
#include "core/binary/cubin.h"
#include "core/schedule/kernel.h"
#include "core/tuning/evaluator_choice.h"

namespace cubinlab::cli {

struct FuzzOptions : Common {
    std::string file, workload, evaluator = "gpu";
    GpuOptions gpu;
    std::uint64_t steps = 1000, seed = 1, first = 0;
    double seconds = 0;  // 0: no limit
    unsigned bad_every = 20;
    int longest_walk = 50, input_sets = 5;
    bool background_load = false;    // a second kernel runs at the same time
    bool directed = false;           // every edit around asynchronous and fence instructions, no walks
    bool self_check = false;         // the original itself, repeatedly
    bool hints = false;              // random cache hints, no walks
    std::uint64_t base = 0;          // of directed edits: 0 the original, k random walk k - 1
    std::string failures;            // folder for cubins and walks that fail
    std::vector<std::string> merge;  // documents of earlier runs: one table of all
};
struct ProbeOptions : Common {
    std::string file, workload;
    GpuOptions gpu;
    std::uint64_t seed = 1;
    int repeats = 3;
    // If FILE contains a frame and a word book (resources/probe/synthesis.sm_90a.cubin).
    std::string log, only;
    std::vector<std::string> mined;  // cubins whose smallest distances are listed next to the measured ones
    double seconds = 600;
    std::uint64_t trials = 60000, question_trials = 1000000;
    bool no_pairs = false, no_questions = false, summary = false;
    bool queues = false;  // overwritten operands under full queues
    bool loops = false;   // single-warp loops against the model
};
struct StudyBenchOptions : Common {
    std::string folder, suite = "measurement";
    GpuOptions gpu;
    double seconds = 240;
    std::uint64_t seed = 1;
    std::vector<std::string> parts;         // empty or "all": all of them
    std::string probe = "resources/probe";  // folder of hostile_probe.sm_90a.cubin
};
struct BudgetsOptions : Common {
    std::string folder = "samples";
};
struct MineOptions : Common {
    std::vector<std::string> files;
    bool table = false, below = false, overwrites = false, pairs = false;
};

struct RehearseOptions : Common {
    std::vector<std::string> files;  // cubins, or names of those in `folder`
    std::string folder = "samples";
    std::vector<std::string> agents = {"greedy", "auto"};
    std::vector<std::uint64_t> seeds = {1, 2, 3};
    double seconds = 30;              // virtual, of each run
};

struct TournamentOptions : Common {
    std::vector<std::string> files;  // cubins, or names of those in `folder`
    std::string folder = "samples", out = "tournament";
    std::vector<std::string> agents = {"greedy", "auto"};
    std::vector<std::uint64_t> seeds = {1};
    std::vector<int> devices = {0};
    GpuOptions gpu;
    double seconds = 45;
    int loads = 20;
    bool hot_only = false, steps = false;
    double early = 0;
    int early_loads = 0;
    std::map<std::string, double> seconds_of;  // of the suite: an agent's own
    bool agents_first = false;
    std::string suite;                // "paper"
    std::vector<std::string> stages;  // of the suite, in this order; empty: all
    double limit = 0;                 // of everything, in seconds; 0: none
};

struct TrainOrdersOptions : Common {
    std::vector<std::string> files;  // cubins, PTX, CUDA sources, or names of cubins in `folder`
    std::string folder = "samples", evaluator = "model", out = "orders.json", weights;
    std::vector<std::string> leave_out;  // parts of names
    GpuOptions gpu;
    std::uint64_t seed = 1, episodes = 2000;
    double seconds = 0, rate = 0.02;
    bool evolution = false;
};
struct CompareOrdersOptions : Common {
    std::vector<std::string> files;
    std::string folder = "samples", evaluator = "model", weights;
    GpuOptions gpu;
    std::vector<std::uint64_t> seeds = {1};
    std::uint64_t codes = 1000;
    double seconds = 0, rate = 0.02;
    std::vector<std::string> players = {"keys", "untrained", "fixed", "evolution"};
};

int run_fuzz(const FuzzOptions& options);
int run_probe(const ProbeOptions& options);
int run_probe_synthesis(const ProbeOptions& options, std::shared_ptr<const Cubin> cubin);
int run_probe_queues(const ProbeOptions& options, std::shared_ptr<const Cubin> cubin);
int run_probe_loops(const ProbeOptions& options, std::shared_ptr<const Cubin> cubin);
int run_study_bench(const StudyBenchOptions& options);
int run_tournament(const TournamentOptions& options);
int run_rehearse(const RehearseOptions& options);
Result<int> run_budgets(const BudgetsOptions& options);
int run_mine(const MineOptions& options);
Result<int> run_train_orders(const TrainOrdersOptions& options);
Result<int> run_compare_orders(const CompareOrdersOptions& options);

// Runs the candidates of a command: its kernel on the GPU that the options name, with its workload.
Result<EvaluatorChoice> open_gpu(const KernelPtr& kernel, const std::string& workload,
                                 const GpuSettings& settings, const std::stop_token& stop);
// The path of cubinlab-lab-worker: next to this program, else on PATH.
std::string lab_worker();
// Runs synthesised sequences on the first worker of the options, in launch mode.
Result<std::unique_ptr<probe::Bench>> open_bench(std::shared_ptr<const Cubin> cubin,
                                                 const GpuOptions& options);

}  // namespace cubinlab::cli
