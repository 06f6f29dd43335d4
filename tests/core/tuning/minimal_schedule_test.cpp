// SPDX-License-Identifier: GPL-3.0-or-later
// When a minimal schedule is confirmed beside the whole one, and when the whole one is kept.
#include "core/tuning/minimal_schedule.h"

#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

Comparison compared(double mean, Verdict verdict = Verdict::Faster) {
    Comparison out;
    out.outcome.kind = OutcomeKind::Ok;
    out.outcome.verdict = verdict;
    out.outcome.speedup.log = mean;
    out.outcome.speedup.low = mean - 0.002;
    out.outcome.speedup.high = mean + 0.002;
    out.details.outputs_equal = true;
    return out;
}

ShapesComparison in_two(double first, double small) {
    const auto verdict = [](double mean) { return mean < -0.004 ? Verdict::Slower : Verdict::Faster; };
    return ShapesComparison({"first", "small"},
                            {compared(first, verdict(first)), compared(small, verdict(small))}, 0.002);
}

}  // namespace

TEST_CASE("A minimal schedule is confirmed where it is not below the interval of the whole one") {
    CHECK(why_not_confirmed(compared(0.030), compared(0.030)).empty());
    CHECK(why_not_confirmed(compared(0.0285), compared(0.030)).empty());
    CHECK(why_not_confirmed(compared(0.050), compared(0.030)).empty());
    CHECK(why_not_confirmed(compared(0.027), compared(0.030)) ==
          "the minimal schedule gains +2.74 %, the whole one +3.05 % [+2.84, +3.25]");
    CHECK_THAT(why_not_confirmed(compared(0.030, Verdict::Unclear), compared(0.030)),
               contains_text("is UNCLEAR, the whole one FASTER"));
}

TEST_CASE("A minimal schedule that is SLOWER in one more shape, or has no figure, is not confirmed") {
    CHECK_THAT(why_not_confirmed(in_two(0.06, -0.01), in_two(0.02, 0.02)),
               contains_text("is SLOWER in small, where the whole one is not"));
    CHECK(why_not_confirmed(in_two(0.06, -0.01), in_two(0.06, -0.01)).empty());
    Comparison lost;
    lost.outcome.kind = OutcomeKind::WorkerLost;
    CHECK_THAT(why_not_confirmed(lost, compared(0.03)),
               contains_text("the minimal schedule has no figure in fresh processes: worker-lost"));
    CHECK_THAT(why_not_confirmed(compared(0.03), lost), contains_text("the whole one has no figure"));
    Comparison differs = compared(0.03);
    differs.details.outputs_equal = false;
    CHECK_THAT(why_not_confirmed(differs, compared(0.03)), contains_text("outputs differ"));
}
