// SPDX-License-Identifier: GPL-3.0-or-later
// All curves of one run, filled from its batches. Qt-free but for the batch types' owner.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/search/tune_run.h"
#include "core/store/session.h"
#include "ui/panels/curve_store.h"

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
    void set_smoothing(double weight);
    double best_at(StepId step) const;  // log speed-up of the best so far, 0 before the first
    bool measured() const { return info.evaluator.kind == EvaluatorKind::Gpu; }
    std::size_t bytes() const;
};

}  // namespace cubinlab::ui
