// SPDX-License-Identifier: GPL-3.0-or-later
// Decides which candidate becomes the run's best. One rule, becomes_best(), holds for all; two kinds of proposals reach it:
//
//   Proposal::promote   screened against the incumbent. If that looks better, measured with Effort::Refine against the
//                       incumbent; if it is FASTER, with Effort::Confirm against the START
//   a claim             measured with Effort::Confirm against the START at once
//
// What is stored of a candidate is always against the start:
//   - the incumbent's own figure comes from its confirmation against the start;
//   - a candidate that was only compared with the incumbent gets the sum of both log-speed-ups, and the sum of the
//     interval ends. The sum of two independent intervals is wider than needed, never narrower;
//   - a confirmed candidate has its own direct figure, which replaces the chained one.
// A deterministic evaluator (the model) needs one evaluation.
#pragma once
#include <stop_token>

#include "core/base/ids.h"
#include "core/result/evaluator.h"

namespace cubinlab {

struct Incumbent {
    Schedule schedule;
    Outcome outcome;  // against the start; the start itself: Ok, Same, 0
    StepId step = 0;  // 0: the start
    bool is_start() const { return step == 0; }
};

// Outcome against the start, from one against the incumbent. Its verdict has no SAME zone.
Outcome chained(const Outcome& against_incumbent, const Incumbent& incumbent);

struct Promoted {
    Outcome outcome;            // against the start
    StepId reference_step = 0;  // what it was measured against
    bool confirmed = false;     // Effort::Confirm was spent
};

class Promoter {
  public:
    Promoter(Evaluator& evaluator, const Schedule& start) : evaluator_(evaluator), start_(start) {}
    bool exact() const { return evaluator_.exact(); }
    // Whether a screening is worth a confirmation. `against_start`: the same figure, chained.
    bool worth_confirming(const Outcome& screened, const Outcome& against_start,
                          const Incumbent& incumbent) const;
    // Errors: the evaluator is lost, or Cancelled.
    Result<Promoted> confirm(const Schedule& candidate, const Incumbent& incumbent,
                             const std::stop_token& stop);
    // The rule for an exact or confirmed outcome: FASTER than the start, and not clearly behind the incumbent (by more than
    // about one standard error). At the end of a run (`closing`) the searcher has compared its candidates itself.
    bool becomes_best(const Outcome& confirmed, const Incumbent& incumbent, bool closing) const;

  private:
    Result<Outcome> measure(const Schedule& candidate, const Schedule& reference, Effort effort,
                            const std::stop_token& stop);
    Evaluator& evaluator_;
    const Schedule& start_;
};

}  // namespace cubinlab
