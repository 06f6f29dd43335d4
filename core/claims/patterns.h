// SPDX-License-Identifier: GPL-3.0-or-later
// What a run learned: its accepted steps grouped by what they did. A pattern is the opcode that moved, the
// direction, the class of what it mostly passed, and which control fields changed:
//
//   HMMA   up past global memory, stall down      12 steps   +0.31 % each   +3.80 % together
//
// A step's gain is against its parent step, so the gains along one line of descent add up to the winner's.
// Gains of a model are modelled; whoever shows them says so.
#pragma once
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/analysis/edit_story.h"
#include "core/search/tune_run.h"
#include "core/store/session.h"

namespace cubinlab {

struct PatternKey {
    std::string opcode;   // "LDGSTS"; of the first edit
    int direction = 0;    // -1 up, +1 down, 0: nothing moved
    std::string past;     // class that was passed most; empty: nothing moved
    std::string control;  // "stall down, yield on", in a fixed order; empty: none
    std::string text() const;
    friend auto operator<=>(const PatternKey&, const PatternKey&) = default;
};

struct Pattern {
    PatternKey key;
    double total_gain = 0;      // sum of log-speed-ups against the parents
    double half_width = 0;      // of total_gain: intervals of step and parent added in squares
    double best_gain = 0;       // of one step
    std::size_t carrying = 0;   // steps with an edit that the minimised winner kept
    std::vector<StepId> steps;  // in order
    double mean_gain() const { return total_gain / static_cast<double>(steps.size()); }
};

PatternKey pattern_of(const Kernel& kernel, const std::vector<EditDescription>& described);

// Whether a step has an edit of those that minimise() kept: the same instruction, moved or changed alike.
bool touches(const Mutation& step, const Mutation& minimised);

struct PatternInput {
    KernelPtr kernel;
    std::vector<StepRecord> accepted;                     // of one run, in order, outcome ok
    std::function<Result<Schedule>(StepId)> schedule_at;  // 0: the run's start
    std::function<const Outcome*(StepId)> outcome_of;     // null: not known; the step is left out
    Mutation minimised;                                   // empty: not minimised
};

// Highest total gain first. Errors: those of schedule_at.
Result<std::vector<Pattern>> learn_patterns(const PatternInput& input, std::stop_token stop = {});

// The same over a run of a session file.
Result<std::vector<Pattern>> learn_patterns(SessionReader& reader, const KernelPtr& kernel, RunId run,
                                            const Mutation& minimised = {}, std::stop_token stop = {});

}  // namespace cubinlab
