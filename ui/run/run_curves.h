// SPDX-License-Identifier: GPL-3.0-or-later
// All curves of one run, filled from batches of steps and metrics. No Qt.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/ids.h"
#include "core/result/work_time.h"
#include "core/search/engine/tune_run.h"
#include "core/store/session.h"

namespace cubinlab::ui {

// One curve of a run. It stores every value (4 bytes each, 8 if steps are missing) and decimates only for
// drawing. A summary per 64 values (minimum, maximum, smoothing state; 0.3 bytes per value) makes a redraw of
// a million values as cheap as one of some thousands. 1.8 million steps take 8 MB per curve.
//
//   CurveStore c;  c.append(1, 0.3F);  c.append(2, NAN);      // NAN: no value at that step
//   c.extremes(1, 100000, 800)                                // at most 2 points for each of 800 columns
//
// Smoothing is the exponential mean with bias correction, as in TensorBoard, over all values.
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

struct BestPoint {
    StepId step = 0;
    double log_speedup = 0;
    bool confirmed = false;  // measured on a GPU with the verdict FASTER
};

struct RunCurves {
    RunInfo info;
    CurveStore speed;  // percent, per candidate; NAN where it failed
    CurveStore reward;
    CurveStore episodes;                        // return at the step that ended an episode
    std::map<std::string, CurveStore> metrics;  // "entropy", "policy loss" ...
    std::vector<BestPoint> best;                // improvements only, in order
    StepId last_step = 0;

    void add(const std::vector<StepRecord>& steps);
    void add_metric(const MetricPoint& point);
    // Whether the agent itself reported curves (entropy ...), next to those of every run: candidates/s, and
    // the GPU's clock, temperature and power.
    bool agent_metrics() const;
    void set_smoothing(double weight);
    const BestPoint* best_before(StepId step) const;  // of steps up to this one; null: none
    double best_at(StepId step) const;                // log speed-up of the best so far, 0 before the first
    bool has_metrics() const { return !metrics.empty() || !episodes.empty(); }
    bool measured() const { return info.evaluator.kind == EvaluatorKind::Gpu; }
    std::size_t bytes() const;

  private:
    void add_readings(const StepRecord& record);
    WorkTime work_;
    std::int64_t rate_from_us_ = 0;  // of the part
    StepId rate_from_ = 0;
};

// The improvements to draw in [from, to]: per picture column (`column_of`) only the last, which is the best.
// The one before `from` comes first, so that the line of the best so far starts at its height.
std::vector<BestPoint> thinned(const std::vector<BestPoint>& best, StepId from, StepId to,
                               const std::function<int(StepId)>& column_of);

inline constexpr const char* kEpisodeReturn = "episode_return";
inline constexpr const char* kRateMetric = "candidates a second";
inline constexpr const char* kGpuMetrics[] = {"GPU SM clock, MHz", "GPU temperature, C", "GPU power, W"};

}  // namespace cubinlab::ui
