// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/timeline_buckets.h"

#include <algorithm>

namespace cubinlab::ui {

void TimelineBucket::add(const TimelineBucket& other) {
    steps += other.steps;
    admitted += other.admitted;
    accepted += other.accepted;
    best += other.best;
    failed += other.failed;
}

void TimelineBuckets::clear() {
    width_ = 1;
    last_ = 0;
    buckets_.clear();
}

void TimelineBuckets::add(StepId step, const StepBrief& brief, bool admitted) {
    if (step <= last_) return;
    last_ = step;
    while (bucket_of(step) >= kBuckets)
        halve();
    buckets_.resize(bucket_of(step) + 1);
    if (!brief.present) return;
    const bool failed = static_cast<OutcomeKind>(brief.outcome) != OutcomeKind::Ok;
    buckets_.back().add({1, admitted ? 1U : 0U, brief.accepted, brief.best, failed ? 1U : 0U});
}

void TimelineBuckets::halve() {
    for (std::size_t i = 0; i < buckets_.size(); i += 2) {
        TimelineBucket both = buckets_[i];
        if (i + 1 < buckets_.size()) both.add(buckets_[i + 1]);
        buckets_[i / 2] = both;
    }
    buckets_.resize((buckets_.size() + 1) / 2);
    width_ *= 2;
}

TimelineBucket TimelineBuckets::sum(StepId from, StepId to) const {
    TimelineBucket out;
    if (last_ == 0 || to < 1 || from > last_) return out;
    const std::size_t first = bucket_of(std::max<StepId>(1, from)), end = bucket_of(std::min(to, last_));
    for (std::size_t b = first; b <= end && b < buckets_.size(); ++b)
        out.add(buckets_[b]);
    return out;
}

}  // namespace cubinlab::ui
