// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/fuzz/fuzz_shrink.h"

namespace cubinlab {

namespace {
constexpr int kTries = 3;  // a race may show only now and then
}

bool FailureShrinker::fails(const Schedule& schedule) {
    const Schedule original(schedule.kernel());
    for (int i = 0; i < kTries && !stop_.stop_requested(); ++i) {
        auto outcome = evaluator_.evaluate(std::span(&schedule, 1), original, Effort::Screen, stop_);
        if (!outcome) return false;
        if (!outcome->front().ok()) return true;
    }
    return false;
}

void FailureShrinker::shrink(const Walk& walk, FuzzFailure& failure) {
    failure.reproduced = fails(walk.schedule);
    if (!failure.reproduced) return;
    const Kernel& kernel = *checker_.kernel();
    std::size_t shortest = 1;
    while (shortest < walk.mutations.size() && !stop_.stop_requested() &&
           !fails(maker_.prefix(walk, shortest)))
        ++shortest;
    const Mutation& last = walk.mutations[shortest - 1];
    failure.culprit = last.encode();
    failure.culprit_text = last.text(kernel);
    const Mutation fewest =
        fewest_edits(difference(Schedule(checker_.kernel()), maker_.prefix(walk, shortest)));
    failure.mutation = fewest.encode();
    failure.text = fewest.text(kernel);
}

// Drops edits one at a time while what is left is legal and still fails, until none can go.
Mutation FailureShrinker::fewest_edits(Mutation failing) {
    const Schedule original(checker_.kernel());
    for (bool dropped = true; dropped && !stop_.stop_requested();) {
        dropped = false;
        for (std::size_t i = failing.edits.size();
             i-- > 0 && failing.edits.size() > 1 && !stop_.stop_requested();) {
            Mutation fewer = failing;
            fewer.edits.erase(fewer.edits.begin() + static_cast<std::ptrdiff_t>(i));
            const auto candidate = fewer.applied(original);
            if (!candidate || !checker_.legal(*candidate) || !fails(*candidate)) continue;
            failing = std::move(fewer);
            dropped = true;
        }
    }
    return failing;
}

}  // namespace cubinlab
