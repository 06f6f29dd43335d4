// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/engine/promotion.h"

#include <cmath>
#include <span>

namespace cubinlab {
Outcome chained(const Outcome& against_incumbent, const Incumbent& incumbent) {
    Outcome out = against_incumbent;
    if (!out.ok() || incumbent.is_start()) return out;
    out.speedup = out.speedup + incumbent.outcome.speedup;
    out.verdict = out.speedup.verdict(0);
    return out;
}

bool Promoter::worth_confirming(const Outcome& screened, const Outcome& against_start,
                                const Incumbent& incumbent) const {
    if (!screened.ok() || screened.speedup.log <= 0) return false;
    // An earlier one of the batch may have become the incumbent since the screening.
    if (against_start.speedup.log <= incumbent.outcome.speedup.log) return false;
    if (exact() || screened.verdict == Verdict::Faster) return true;
    // An unclear screening is worth a closer look, which costs a dozen screenings, only well above its standard
    // error. On an H200 screenings of equal bytes scattered 1.6 times as much as their pairs did, because each is a
    // load of its own: 2.5 standard errors let about one equal candidate in fifteen through.
    const double error =
        2.5 * evaluator_.info().aa_spread / std::sqrt(std::max(1.0, static_cast<double>(screened.pairs)));
    return screened.verdict == Verdict::Unclear && screened.speedup.log > error;
}

Result<Outcome> Promoter::measure(const Schedule& candidate, const Schedule& reference, Effort effort,
                                  const std::stop_token& stop) {
    auto outcomes = TRY(evaluator_.evaluate(std::span(&candidate, 1), reference, effort, stop));
    if (outcomes.size() == 1) return std::move(outcomes.front());
    if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped while measuring");
    return fail(ErrorCode::Worker, "the evaluator returned no outcome for a candidate");
}

Result<Promoted> Promoter::confirm(const Schedule& candidate, const Incumbent& incumbent,
                                   const std::stop_token& stop) {
    auto promoted = TRY(measure(candidate, incumbent.schedule, Effort::Refine, stop));
    if (!promoted.ok() || promoted.verdict != Verdict::Faster)
        return Promoted{chained(promoted, incumbent), incumbent.step, false};
    auto confirmed = TRY(measure(candidate, start_, Effort::Confirm, stop));
    return Promoted{std::move(confirmed), 0, true};
}

bool Promoter::becomes_best(const Outcome& confirmed, const Incumbent& incumbent, bool closing) const {
    if (!confirmed.ok() || (!exact() && confirmed.verdict != Verdict::Faster)) return false;
    const double error = (confirmed.speedup.high - confirmed.speedup.low) / 6;  // 0: the figure is exact
    return closing || confirmed.speedup.log + error > incumbent.outcome.speedup.log;
}

}  // namespace cubinlab
