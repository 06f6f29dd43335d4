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
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/legality/hazard_checker.h"
#include "core/result/evaluator.h"
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
    // Where a race may begin as well, legal: make_searcher() takes them from the settings (core/search/agents/race_starts.h).
    std::vector<Schedule> starts = {};
};

// What a searcher wants to know of a proposal, where that is not whether it becomes the run's best: a
// comparison with the run's START, of so many pairs. What it decides by the figure is its own affair and no
// claim. Words that were measured before are measured again.
// `pairs` 0: as many, and samples as long, as the kernel's noise asks for.
//   Screen   one load
//   Promote  `loads` fresh loads, none left out whatever the first ones show
//   Confirm  a claim, made as strictly as any: FASTER makes it the run's best, whatever was confirmed before
// With a deterministic evaluator, whose first figure is final, it is a proposal like any other.
struct Look {
    Effort effort = Effort::Screen;
    Sampling sampling = {};
    friend bool operator==(const Look&, const Look&) = default;
};

// A proposal names its parent by step: 0 is the start schedule, k the result of step k of this run.
struct Proposal {
    StepId parent = 0;
    Mutation mutation;
    Schedule result;  // parent with the mutation applied; legal
    // False: screened to learn from, never put up for the run's best, which costs many times as much. With a
    // deterministic evaluator, whose first figure is final, every proposal may become best.
    bool promote = true;
    std::optional<Look> look = {};
};

struct Observation {
    StepId step = 0;     // the number that the run gave to this proposal
    Outcome outcome;     // speedup against the run's START schedule
    bool best = false;   // confirmed: it became the run's best with this step
    bool exact = false;  // the evaluator is (Evaluator::exact): the figure is final
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
    std::string doing;  // what the searcher does from now on, in plain words; empty: what it did before
};

class Searcher {
  public:
    virtual ~Searcher() = default;
    virtual std::string name() const = 0;
    virtual std::vector<Proposal> propose(std::size_t n) = 0;
    virtual ObserveResult observe(const std::vector<Observation>& observations) = 0;
    // Called on another thread between propose() and observe(), while the batch is measured. Computes what the next
    // propose(n) needs and what does not depend on the batch. It decides nothing: the proposals are the same without it.
    virtual void prefetch(std::size_t n) { (void)n; }

    // The end of the run, unless the figures are exact: what should be claimed. Asked again after each answer
    // until nothing comes; a claim that fails is followed by the next best.
    virtual std::vector<Proposal> close(std::size_t n) {
        (void)n;
        return {};
    }
};

struct SearcherDescription {
    std::string name;   // "greedy"
    std::string title;  // "Greedy hill climbing"
    std::string about;  // one sentence
    bool needs_torch = false;
    std::string settings_json;  // defaults
    bool takes_starts = false;  // SearchContext::starts
};

// All methods, whether or not the LibTorch module is there. `ppo*` load libcubinlab-agent.so on first use;
// without it: ErrorCode::Missing with how to get it.
std::vector<SearcherDescription> searcher_descriptions();
// Empty if libcubinlab-agent.so is there and loads; else why not and how to get it (loads it: up to 0.7 s).
std::string agent_module_problem();
Result<std::unique_ptr<Searcher>> make_searcher(std::string_view name, SearchContext context);

}  // namespace cubinlab
