// SPDX-License-Identifier: GPL-3.0-or-later
// One curve of a run: every value is kept (4 bytes each, 8 where steps are missing), and decimated only for
// drawing. A summary of 64 values each (lowest, highest, smoothing state; 0.3 bytes a value) makes a redraw
// of a million values cost as much as one of some thousands. 1.8 million steps take 8 MB a curve.
//
//   CurveStore c;  c.append(1, 0.3F);  c.append(2, NAN);      // NAN: nothing at that step
//   c.extremes(1, 100000, 800)                                // at most 2 points for each of 800 columns
//
// Smoothing is the exponential mean with bias correction that people know from TensorBoard, over ALL values.
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
    void append(StepId step, float value);  // steps ascend; one that does not is ignored
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
    std::size_t index_of(StepId step) const;  // first index whose step is not below `step`; size() if none
    double smoothed_at(std::size_t i) const;  // NAN before the first value

    // For drawing [from, to]: lowest and highest value of each column, or the values themselves if they are
    // few.
    std::vector<CurvePoint> extremes(StepId from, StepId to, std::size_t columns) const;
    std::vector<CurvePoint> smoothed(StepId from, StepId to, std::size_t columns) const;
    // Step of the highest value in [from, to]; 0 if there is none.
    StepId highest(StepId from, StepId to) const;
    std::size_t bytes() const;  // memory in use, about

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
