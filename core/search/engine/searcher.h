// SPDX-License-Identifier: GPL-3.0-or-later
// A search method: a state machine without clock, threads and I/O. The same seed and outcomes give the same
// run, so resuming feeds it the logged outcomes again.
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
    std::string settings_json = "{}";  // settings of the method; unknown fields are an error
    std::vector<InstrId> locked;       // never moved or edited
    std::vector<BlockId> scope;        // blocks that may change; empty: all
    Schedule start;                    // start of the run (the original, the hand head ...)
    // Legal schedules that a race also begins from; make_searcher() reads them from the settings (core/search/agents/race_schedules.h).
    std::vector<Schedule> schedules = {};
};

// A measurement that a searcher requests for its own decisions: a comparison with the START of the run. Its
// figure is not a claim (except Confirm). A schedule that was measured before is measured again.
//   Screen   one load
//   Refine   `sampling.loads` fresh loads, without early stop
//   Confirm  a claim: FASTER makes the schedule the best of the run
// `sampling.pairs` 0: by the noise of the kernel (Sampling::by_noise). With a deterministic evaluator the
// request is ignored.
struct MeasureRequest {
    Effort effort = Effort::Screen;
    Sampling sampling = {};
    friend bool operator==(const MeasureRequest&, const MeasureRequest&) = default;
};

// A proposal. `parent` is a step: 0 is the start schedule, k the result of step k of this run.
struct Proposal {
    StepId parent = 0;
    Mutation mutation;
    Schedule result;  // parent with the mutation applied; legal
    // False: only screened, not a candidate for the best of the run, which costs many times as much. With a
    // deterministic evaluator every proposal may become best.
    bool promote = true;
    std::optional<MeasureRequest> request = {};
};

struct Observation {
    StepId step = 0;     // the number that the run gave to this proposal
    Outcome outcome;     // speedup against the run's START schedule
    bool best = false;   // confirmed: it became the run's best with this step
    bool exact = false;  // the evaluator is (Evaluator::exact): the figure is final
};

// A figure that a searcher reports in addition to reward and best (policy loss, entropy, temperature ...).
struct SearchMetric {
    std::string name;
    double value = 0;
};

struct ObserveResult {
    std::vector<double> reward;          // by observation
    std::vector<bool> accepted;          // by observation: it became the current schedule of the searcher
    std::vector<double> episode_return;  // of episodes that ended with this batch
    std::vector<SearchMetric> metrics;
    std::string doing;  // what the searcher does next, for people; empty: unchanged
};

class Searcher {
  public:
    virtual ~Searcher() = default;
    virtual std::string name() const = 0;
    // Called once before the first propose().
    virtual void judged_by(const Evaluator& evaluator) { (void)evaluator; }
    virtual std::vector<Proposal> propose(std::size_t n) = 0;
    virtual ObserveResult observe(const std::vector<Observation>& observations) = 0;
    // Called on another thread between propose() and observe(), while the batch is measured. Computes what the next
    // propose(n) needs and what does not depend on the batch. It decides nothing: the proposals are the same without it.
    virtual void prefetch(std::size_t n) { (void)n; }

    // At the end of a run, unless figures are exact: the proposals to claim. Called again after each batch
    // until it is empty; after a failed claim the searcher proposes the next best.
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
    bool takes_schedules = false;  // SearchContext::schedules
};

// All methods, with or without the LibTorch module. `ppo*` load libcubinlab-agent.so on first use; without
// it: ErrorCode::Missing with how to get it.
std::vector<SearcherDescription> searcher_descriptions();
// Loads libcubinlab-agent.so (up to 0.7 s). Empty: it works; otherwise the reason and how to get it.
std::string agent_module_problem();
Result<std::unique_ptr<Searcher>> make_searcher(std::string_view name, SearchContext context);

}  // namespace cubinlab
