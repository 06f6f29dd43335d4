// SPDX-License-Identifier: GPL-3.0-or-later
// All curves of one run, filled from batches of steps and metrics. No Qt.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/result/work_time.h"
#include "core/search/engine/tune_run.h"
#include "core/store/session.h"
#include "ui/run/curve_store.h"

namespace cubinlab::ui {

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
