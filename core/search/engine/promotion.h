// SPDX-License-Identifier: GPL-3.0-or-later
// How a candidate becomes the best of a run: it is screened against the incumbent; if it may be better, it is
// refined against the incumbent; if it is FASTER, it is confirmed against the START.
//
// The stored figure of a candidate is always against the start:
//   - the figure of the incumbent comes from its confirmation against the start;
//   - a candidate that was only compared with the incumbent gets the sum of both log speed-ups and of both
//     intervals. The sum of two independent intervals is at least as wide as necessary;
//   - a confirmed candidate has its own figure, which replaces the sum.
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

// The outcome against the start, from an outcome against the incumbent.
Outcome chained(const Outcome& against_incumbent, const Incumbent& incumbent, bool exact);

struct Promoted {
    Outcome outcome;  // against the start
    bool best = false;
    bool confirmed = false;  // Effort::Confirm was spent
};

class Promoter {
  public:
    Promoter(Evaluator& evaluator, const Schedule& start) : evaluator_(evaluator), start_(start) {}
    bool exact() const { return evaluator_.info().kind == EvaluatorKind::Model; }
    bool looks_better(const Outcome& against_incumbent) const;
    // `screened`: against `incumbent`. Errors: the evaluator is lost, or Cancelled.
    Result<Promoted> consider(const Schedule& candidate, const Outcome& screened, const Incumbent& incumbent,
                              std::stop_token stop);

  private:
    Result<Outcome> measure(const Schedule& candidate, const Schedule& reference, Effort effort,
                            const std::stop_token& stop);
    Evaluator& evaluator_;
    const Schedule& start_;
};

}  // namespace cubinlab
