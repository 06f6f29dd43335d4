// SPDX-License-Identifier: GPL-3.0-or-later
// A search method: a pure state machine with no clock, no threads and no I/O, so that the same seed gives the
// same run and resuming is feeding the logged outcomes again.
//
//   auto searcher = make_searcher("greedy", context);
//   while (budget) {
//       std::vector<Proposal> p = (*searcher)->propose(n);      // at most n; empty: nothing left to try
//       ... evaluate ...
//       (*searcher)->observe(observations);                     // one for each proposal, in order
//   }
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/hazard_checker.h"
#include "core/run/evaluator.h"
#include "core/schedule/mutation.h"

namespace cubinlab {

struct SearchContext {
    KernelPtr kernel;
    CheckerPtr checker;
    std::uint64_t seed = 1;
    std::string settings_json = "{}";  // method's own settings; unknown fields are an error
    std::vector<InstrId> locked;       // never moved or edited
    std::vector<BlockId> scope;        // blocks that may change; empty = all
    Schedule start;                    // where the run starts (the original, the hand head ...)
};

// A proposal names its parent by step: 0 is the start schedule, k the result of step k of this run.
struct Proposal {
    StepId parent = 0;
    Mutation mutation;
    Schedule result;  // parent with the mutation applied; legal
    // False: screened to learn from, never put up for the run's best, which costs many times as much. With a
    // deterministic evaluator, whose first figure is final, every proposal may become best.
    bool promote = true;
};

struct Observation {
    StepId step = 0;    // the number that the run gave to this proposal
    Outcome outcome;    // log_speedup against the run's START schedule
    bool best = false;  // confirmed: it became the run's best with this step
};

// Curves a searcher may report besides reward and best (policy loss, value loss, entropy, temperature ...).
struct SearchMetric {
    std::string name;
    double value = 0;
};

struct ObserveResult {
    std::vector<double> reward;          // one for each observation: what the searcher made of it
    std::vector<bool> accepted;          // it became the searcher's current schedule
    std::vector<double> episode_return;  // returns of episodes that ended with this batch
    std::vector<SearchMetric> metrics;
};

class Searcher {
  public:
    virtual ~Searcher() = default;
    virtual std::string name() const = 0;
    virtual std::vector<Proposal> propose(std::size_t n) = 0;
    virtual ObserveResult observe(const std::vector<Observation>& observations) = 0;

    // Checkpoints: a file beside the session (weights do not belong in SQLite). Methods without learned state
    // write nothing and return false.
    virtual Result<bool> save(const std::filesystem::path& file) const {
        (void)file;
        return false;
    }
    virtual Status load(const std::filesystem::path& file) {
        return fail(ErrorCode::Unsupported, "this agent keeps no checkpoint", file.string());
    }
};

struct SearcherDescription {
    std::string name;   // "greedy"
    std::string title;  // "Greedy hill climbing"
    std::string about;  // one sentence
    bool needs_torch = false;
    std::string settings_json;  // defaults
};

// All methods, whether or not the LibTorch module is there. `ppo*` load libcubinlab-agent.so on first use;
// without it: ErrorCode::Missing with how to get it.
std::vector<SearcherDescription> searcher_descriptions();
// Empty if libcubinlab-agent.so is there and loads; else why not and how to get it (loads it: up to 0.7 s).
std::string agent_module_problem();
Result<std::unique_ptr<Searcher>> make_searcher(std::string_view name, SearchContext context);

}  // namespace cubinlab
