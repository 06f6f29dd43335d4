// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/engine/promotion.h"

#include <cmath>
#include <span>

namespace cubinlab {
namespace {

Verdict verdict_of(double low, double high) {
    if (low > 0) return Verdict::Faster;
    if (high < 0) return Verdict::Slower;
    return Verdict::Unclear;
}

}  // namespace

Outcome chained(const Outcome& against_incumbent, const Incumbent& incumbent, bool exact) {
    Outcome out = against_incumbent;
    if (!out.ok() || incumbent.is_start()) return out;
    out.log_speedup += incumbent.outcome.log_speedup;
    out.low += incumbent.outcome.low;
    out.high += incumbent.outcome.high;
    out.verdict = verdict_of(out.low, out.high);
    if (exact && out.log_speedup == 0) out.verdict = Verdict::Same;
    return out;
}

bool Promoter::looks_better(const Outcome& against_incumbent) const {
    if (!against_incumbent.ok() || against_incumbent.log_speedup <= 0) return false;
    if (exact() || against_incumbent.verdict == Verdict::Faster) return true;
    // A refinement costs about twelve screenings, so an UNCLEAR screening must be well above its standard
    // error. On an H200 screenings of equal bytes scatter 1.6 times as much as their pairs, since each has
    // its own load: 2.5 standard errors let about one equal candidate in fifteen through.
    const double error = 2.5 * evaluator_.info().aa_spread /
                         std::sqrt(std::max(1.0, static_cast<double>(against_incumbent.pairs)));
    return against_incumbent.verdict == Verdict::Unclear && against_incumbent.log_speedup > error;
}

Result<Outcome> Promoter::measure(const Schedule& candidate, const Schedule& reference, Effort effort,
                                  const std::stop_token& stop) {
    auto outcomes = TRY(evaluator_.evaluate(std::span(&candidate, 1), reference, effort, stop));
    if (outcomes.size() == 1) return std::move(outcomes.front());
    if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped while measuring");
    return fail(ErrorCode::Worker, "the evaluator returned no outcome for a candidate");
}

Result<Promoted> Promoter::consider(const Schedule& candidate, const Outcome& screened,
                                    const Incumbent& incumbent, std::stop_token stop) {
    Promoted result{chained(screened, incumbent, exact()), false, false};
    if (!looks_better(screened)) return result;
    if (exact()) {
        result.best = true;
        return result;
    }
    auto promoted = TRY(measure(candidate, incumbent.schedule, Effort::Refine, stop));
    result.outcome = chained(promoted, incumbent, false);
    if (!promoted.ok() || promoted.verdict != Verdict::Faster) return result;
    auto confirmed = TRY(measure(candidate, start_, Effort::Confirm, stop));
    result.outcome = std::move(confirmed);
    result.confirmed = true;
    result.best = result.outcome.ok() && result.outcome.verdict == Verdict::Faster &&
                  result.outcome.log_speedup > incumbent.outcome.log_speedup;
    return result;
}

}  // namespace cubinlab
