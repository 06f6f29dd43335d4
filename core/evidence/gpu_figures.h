// SPDX-License-Identifier: GPL-3.0-or-later
// Measured figures of a run, made again from their samples. Used by stored_figures.h.
//
// How samples lie: a screening is one block of pairs (gpu_bench.cpp, time_in_one_load); promotions and
// confirmations have the same number of pairs for each load and four numbers of GPU state for each load that
// counts, so the states say how many loads there are, however early a promotion ended. Blocks set aside
// because of throttling are in neither. What was compared with an incumbent is stored as the sum with the
// incumbent's figure (promotion.h), and which of the earlier best steps that was is not stored: the sum with
// one of them must fit.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/evidence/measured_steps.h"
#include "core/gpu/protocol/statistics.h"
#include "core/store/session.h"

namespace cubinlab {

// Why a figure of a part that a version before schema 6 resumed is not checked wholly. Bundles keep it, and are judged by
// it.
inline constexpr const char* kRunWasResumed =
    "the run was resumed, and the calibration of its later part is not stored";

// Whether a step that ran well holds what every version wrote of it: as many samples as pairs, all of them numbers.
// Corrupt.
Status check_samples_are_there(const RunInfo& run, const StepRecord& record);

class GpuFigures {
  public:
    struct Figure {
        double log_speedup = 0;
        Interval interval;
    };
    struct Calibrated {
        double pair_deviation = 0, load_deviation = 0;
    };
    // Both must outlive it. Reads the best steps; the others are asked for as they are needed.
    static Result<GpuFigures> create(const RunInfo& run, MeasuredSteps& steps);
    // As check_step_figure; `record` is one of the steps and ran well.
    Result<std::string> check(const StepRecord& record);

  private:
    GpuFigures(const RunInfo& run, MeasuredSteps& steps);
    Result<std::string> check_repeated(const StepRecord& record);
    Result<std::string> check_samples(const StepRecord& record);
    Status check_alpha(const StepRecord& record);
    // What the figures of one part of the run were made with.
    struct Judge {
        std::vector<std::optional<Calibrated>> calibrations;  // by device
        double same_within = 0;
    };
    static Judge judge_in(const EvaluatorInfo& evaluator);
    const Judge& judge_of(const StepRecord& record) const { return judges_[part_of(run_, record.step)]; }
    std::optional<Calibrated> calibration_of(const StepRecord& record) const;
    // Whether the run was resumed in (after, step] without its log saying by what it was judged from there on.
    Result<bool> resumed_unsaid(StepId after, StepId step);
    std::vector<const StepRecord*> incumbents(const StepRecord& record) const;
    // The incumbent (null: the start) to whose figure one of `figures` was added, if that gives the stored
    // one; with `wholly` its interval, too, which is otherwise at least as wide.
    std::optional<const StepRecord*> fit(const StepRecord& record, const std::vector<Figure>& figures,
                                         const std::vector<const StepRecord*>& incumbents, bool wholly) const;
    std::optional<const StepRecord*> fit_any_calibration(
        const StepRecord& record, const std::vector<const StepRecord*>& incumbents) const;
    bool verdict_fits(const StepRecord& record, bool chained) const;
    Error mismatch(const StepRecord& record, const Figure& figure) const;

    const RunInfo& run_;
    MeasuredSteps& steps_;
    std::vector<StepRecord> best_;  // oldest first, without raw samples
    std::vector<Judge> judges_;     // by part
    std::set<StepId> sound_;        // best steps that were checked, or are being checked
    int below_ = 0;           // incumbents on whose figures the one in hand is built
};

}  // namespace cubinlab
