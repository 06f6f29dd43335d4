// SPDX-License-Identifier: GPL-3.0-or-later
// A run of any length in at most kBuckets counters, to draw it as one strip. When they are full, pairs are
// merged and each bucket covers twice as many steps. A step costs one addition; memory is constant. No Qt.
//
//   TimelineBuckets t;  t.add(1, brief, true);  t.bucket_of(1)
#pragma once
#include <cstdint>
#include <vector>

#include "ui/run/step_index.h"

namespace cubinlab::ui {

struct TimelineBucket {
    std::uint32_t steps = 0;
    std::uint32_t admitted = 0;  // by the filter in force
    std::uint32_t accepted = 0;
    std::uint32_t best = 0;
    std::uint32_t failed = 0;
    void add(const TimelineBucket& other);
    friend bool operator==(const TimelineBucket&, const TimelineBucket&) = default;
};

class TimelineBuckets {
  public:
    static constexpr std::size_t kBuckets = 4096;

    void clear();
    void add(StepId step, const StepBrief& brief, bool admitted);  // steps ascend from 1
    StepId width() const { return width_; }                        // steps a bucket, a power of two
    StepId last() const { return last_; }
    std::size_t size() const { return buckets_.size(); }
    std::size_t bucket_of(StepId step) const { return static_cast<std::size_t>((step - 1) / width_); }
    const TimelineBucket& at(std::size_t bucket) const { return buckets_[bucket]; }
    TimelineBucket sum(StepId from, StepId to) const;  // of the buckets that [from, to] touches

  private:
    void halve();

    StepId width_ = 1;
    StepId last_ = 0;
    std::vector<TimelineBucket> buckets_;
};

}  // namespace cubinlab::ui
