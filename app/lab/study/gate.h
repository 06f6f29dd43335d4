// SPDX-License-Identifier: GPL-3.0-or-later
// Do the effects of schedule edits add up? Group tests (core/search/group_searcher.cpp) rest on it. Edits are
// drawn as the searchers draw them, each is measured alone against the original, then random halves of them
// are, and an additive fit has to predict halves that it has not seen.
//
//   auto gate = study_gate(checker, measure, {});
//   gate->all.held_out          // share of the halves' variance that the fit predicts
//   gate->all.measurable        // the share that any prediction could reach: the rest is noise
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/analysis/hazard_checker.h"
#include "core/schedule/mutation.h"

namespace cubinlab {

struct GateMeasured {
    bool ok = false;
    double log_speedup = 0;  // against the original
    double error = 0;        // standard error of that, from its loads; 0: exact
    std::string detail;      // why not ok
};
using GateMeasure = std::function<Result<GateMeasured>(const Schedule& candidate)>;

struct GateSettings {
    std::size_t edits = 40;
    std::size_t subsets = 30;  // of all edits, and as many of those that do not clearly lose alone
    std::size_t repeats = 6;   // of the original against itself: what the errors really are
    std::uint64_t seed = 1;
};

struct GateEdit {
    std::string kind;  // class that it was drawn from
    Mutation mutation;
    GateMeasured alone;
    bool loses = false;                   // alone, by more than two standard errors
    double effect = 0, effect_error = 0;  // by the fit over everything
};

struct GateSubset {
    std::vector<std::uint8_t> edits;  // those that were legal on top of each other, ascending
    GateMeasured together;
};

// How well the halves are predicted. Shares of their variance; negative: worse than their mean.
struct GateFit {
    std::size_t subsets = 0;
    double deviation = 0;   // of the halves' log speed-ups
    double measurable = 0;  // 1 - noise^2 / deviation^2
    double held_out = 0;    // by the fit to everything but a fifth of the halves, on that fifth
    double sums = 0;        // by the sums of the figures alone, shifted to the halves' mean
    // Of what is measurable, what the held-out prediction explains; 0 where nothing is.
    double explained() const;
};

struct GateStudy {
    std::vector<GateEdit> edits;
    std::vector<GateSubset> subsets;       // of all edits
    std::vector<GateSubset> kept_subsets;  // of those that do not lose
    std::vector<double> repeats;           // the original against itself
    double noise = 0;  // standard error of one figure: the repeats', and what they say of themselves
    GateFit all, kept;
};

// Errors: `measure` failed for good, or stopped. Fewer edits than asked for where the kernel has no more.
Result<GateStudy> study_gate(const CheckerPtr& checker, const GateMeasure& measure,
                             const GateSettings& settings, const std::stop_token& stop);

// The prediction alone, of halves measured with standard error `noise`.
GateFit predict_halves(std::span<const GateEdit> edits, std::span<const GateSubset> halves, double noise);

}  // namespace cubinlab
