// SPDX-License-Identifier: GPL-3.0-or-later
// One curve of a run. It stores every value (4 bytes each, 8 if steps are missing) and decimates only for
// drawing. A summary per 64 values (minimum, maximum, smoothing state; 0.3 bytes per value) makes a redraw of
// a million values as cheap as one of some thousands. 1.8 million steps take 8 MB per curve.
//
//   CurveStore c;  c.append(1, 0.3F);  c.append(2, NAN);      // NAN: no value at that step
//   c.extremes(1, 100000, 800)                                // at most 2 points for each of 800 columns
//
// Smoothing is the exponential mean with bias correction, as in TensorBoard, over all values.
#pragma once
#include <cstdint>
#include <deque>
#include <vector>

#include "core/base/ids.h"

namespace cubinlab::ui {

struct CurvePoint {
    double x = 0, y = 0;
    friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

class CurveStore {
  public:
    void append(StepId step, float value);  // steps ascend; others are ignored
    void clear();
    void set_smoothing(double weight);  // 0 = none, < 1
    double smoothing() const { return weight_; }

    std::size_t size() const { return values_.size(); }
    bool empty() const { return values_.empty(); }
    StepId first_step() const { return values_.empty() ? 0 : step_at(0); }
    StepId last_step() const { return values_.empty() ? 0 : step_at(size() - 1); }
    StepId step_at(std::size_t i) const {
        return steps_.empty() ? first_ + static_cast<StepId>(i) : static_cast<StepId>(steps_[i]);
    }
    float value_at(std::size_t i) const { return values_[i]; }
    std::size_t index_of(StepId step) const;  // first index with a step >= `step`; size() if none
    double smoothed_at(std::size_t i) const;  // NAN before the first value

    // For drawing [from, to]: minimum and maximum of each column, or all values if they are few.
    std::vector<CurvePoint> extremes(StepId from, StepId to, std::size_t columns) const;
    std::vector<CurvePoint> smoothed(StepId from, StepId to, std::size_t columns) const;
    // Step of the highest value in [from, to]; 0 if there is none.
    StepId highest(StepId from, StepId to) const;
    std::size_t bytes() const;  // approximate memory use

  private:
    struct Mean {
        double sum = 0;      // weighted
        double remains = 1;  // weight ^ values so far: the share of the (zero) start
        double value() const;
        void add(float value, double weight);
    };
    struct Summary {
        float low, high;
        float sum, remains;  // smoothing state after the bucket
    };
    static constexpr std::size_t kBucket = 64;

    Mean state_before(std::size_t bucket) const;
    void close_bucket(std::size_t bucket);

    StepId first_ = 0;
    double weight_ = 0.9;
    Mean mean_;  // after the last value
    std::deque<float> values_;
    std::deque<std::uint32_t> steps_;  // empty while steps are consecutive
    std::deque<Summary> summaries_;    // of full buckets
};

}  // namespace cubinlab::ui
