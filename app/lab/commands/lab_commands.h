// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of the laboratory: what puts the checker, the tables and the measurement to the test. Printing
// and exit codes are those of the program's own commands (app/cli/command.h).
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "app/cli/common_options.h"
#include "app/lab/probe/probe_bench.h"
#include "app/lab/study/gate.h"
#include "core/cubin/cubin.h"
#include "core/jobs/evaluator_choice.h"
#include "core/schedule/kernel.h"
#include "core/search/edit_prior.h"

namespace cubinlab::cli {

struct FuzzOptions : Common {
    std::string file, workload, evaluator = "gpu";
    GpuOptions gpu;
    std::uint64_t steps = 1000, seed = 1, first = 0;
    double seconds = 0;  // 0: no limit
    unsigned bad_every = 20;
    int longest_walk = 50, input_sets = 5;
    bool beside = false;             // a second kernel runs beside
    bool directed = false;           // every edit around asynchronous and fence instructions, no walks
    bool same = false;               // the original itself, again and again
    std::uint64_t base = 0;          // of directed edits: 0 the original, k random walk k - 1
    std::string failures;            // folder for cubins and walks that fail
    std::vector<std::string> merge;  // documents of earlier runs: one table of all
};
struct ProbeOptions : Common {
    std::string file, workload;
    GpuOptions gpu;
    std::uint64_t seed = 1;
    int repeats = 3;
    // Where FILE holds a frame and a word book (resources/probe/synthesis.sm_90a.cubin).
    std::string log, only;
    std::vector<std::string> mined;  // cubins whose smallest distances stand beside the measured
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
    std::vector<std::string> parts;         // empty: same, known, rate
    std::string probe = "resources/probe";  // folder of hostile_probe.sm_90a.cubin
    std::vector<std::string> known;
};
struct MineOptions : Common {
    std::vector<std::string> files;
    bool table = false, below = false, overwrites = false, pairs = false;
};

struct GateOptions : Common {
    std::vector<std::string> files;  // cubins, or names of those in `folder`
    std::string folder = "samples", evaluator = "gpu";
    GpuOptions gpu;
    GateSettings study;
    int loads = 20;
};

struct BoundsOptions : Common {
    std::vector<std::string> files;  // cubins, or names of those in `folder`
    std::string folder = "samples", out;
    std::vector<std::string> against;  // winners, in the order of the kernels, or one folder of NAME.cubin
    std::vector<std::string> vary;     // KERNEL:PARAMETER/STEP
    std::vector<int> devices = {0};
    GpuOptions gpu;
    int loads = 4, warm_up_ms = 400;
};

struct RehearseOptions : Common {
    std::vector<std::string> files;  // cubins, or names of those in `folder`
    std::string folder = "samples";
    std::vector<std::string> agents = {"greedy", "auto"};
    std::vector<std::uint64_t> seeds = {1, 2, 3};
    double seconds = 30;              // virtual, of each run
    std::vector<std::string> priors;  // as of a tournament
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
    double limit = 0;                 // seconds of it all; 0: none
    std::vector<std::string>
        priors;  // files: of each kernel the first that was not learned from it; none: the built-in one
};

// Errors: BadInput; NotFound: all were learned from this kernel. Null: there are none.
Result<EditPriorPtr> prior_for(const std::vector<EditPriorPtr>& priors, const Kernel& kernel);
Result<std::vector<EditPriorPtr>> read_priors(const std::vector<std::string>& files);

int run_fuzz(const FuzzOptions& options);
int run_probe(const ProbeOptions& options);
int run_probe_synthesis(const ProbeOptions& options, std::shared_ptr<const Cubin> cubin);
int run_probe_queues(const ProbeOptions& options, std::shared_ptr<const Cubin> cubin);
int run_probe_loops(const ProbeOptions& options, std::shared_ptr<const Cubin> cubin);
int run_study_bench(const StudyBenchOptions& options);
int run_tournament(const TournamentOptions& options);
int run_gate(const GateOptions& options);
int run_bounds(const BoundsOptions& options);
int run_rehearse(const RehearseOptions& options);
int run_mine(const MineOptions& options);

// What runs the candidates of a command: its kernel on the GPU that the options name, with its workload.
Result<EvaluatorChoice> open_gpu(const KernelPtr& kernel, const std::string& workload,
                                 const GpuSettings& settings, const std::stop_token& stop);
// What runs synthesised sequences: the first worker of the options, in launch mode.
Result<std::unique_ptr<probe::Bench>> open_bench(std::shared_ptr<const Cubin> cubin,
                                                 const GpuOptions& options);

}  // namespace cubinlab::cli
