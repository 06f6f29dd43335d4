// SPDX-License-Identifier: GPL-3.0-or-later
// Edit patterns: the accepted steps of one or several runs, grouped by what they did. A pattern is the opcode that
// moved, the direction, the class of what it mostly passed, and which fields changed:
//
//   HMMA   up past global memory, stall down      12 steps   +0.31 % each   +3.80 % together
//
// The gain of a step is its speed-up against its parent step, so the gains along one line of descent add up to the
// winner's. An agent accepts what measured well, so the gain of an accepted step is too high on average. Gains of a
// GPU and of the model are never added, nor are gains of different cache states.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <tuple>
#include <vector>

#include "core/base/hash.h"
#include "core/insight/edit_description.h"
#include "core/result/cache.h"
#include "core/result/evaluator.h"
#include "core/search/engine/tune_run.h"
#include "core/store/session.h"

namespace cubinlab {

struct PatternKey {
    std::string opcode;   // "LDGSTS"; of the first edit
    int direction = 0;    // -1 up, +1 down, 0: nothing moved
    std::string past;     // class that was passed most; empty: nothing moved
    std::string control;  // "stall down, yield on", fields in a fixed order; empty: none
    std::string text() const;
    friend auto operator<=>(const PatternKey&, const PatternKey&) = default;
};

struct Pattern {
    PatternKey key;
    EvaluatorKind evaluator = EvaluatorKind::Model;
    std::optional<Cache> cache;  // of a GPU (cache_of)
    double total_gain = 0;       // sum of log speed-ups against the parents
    double half_width = 0;       // of total_gain: intervals of step and parent added in squares
    double best_gain = 0;        // of one step
    std::size_t carrying = 0;    // steps with an edit that the minimised winner kept
    std::vector<StepId> steps;   // in order; of several runs, run after run
    std::size_t runs = 0, kernels = 0;
    double mean_gain() const { return total_gain / static_cast<double>(steps.size()); }
};

PatternKey pattern_of(const Kernel& kernel, const std::vector<EditDescription>& described);

// Whether a step has an edit of those that minimise() kept: the same instruction, moved or changed alike.
bool touches(const Mutation& step, const Mutation& minimised);

// One run.
struct PatternInput {
    KernelPtr kernel;
    EvaluatorKind evaluator = EvaluatorKind::Model;
    std::optional<Cache> cache;
    std::vector<StepRecord> accepted;                     // in order, outcome ok
    std::function<Result<Schedule>(StepId)> schedule_at;  // 0: the run's start
    std::function<const Outcome*(StepId)> outcome_of;     // null: not known; the step is left out
    Mutation minimised;                                   // empty: not minimised
};

// Counts patterns over one run after the other. A run that cannot be read adds nothing.
class PatternCounts {
  public:
    // Errors: those of schedule_at.
    Status add(const PatternInput& input, const std::stop_token& stop = {});
    // Errors: those of the reader; Corrupt where a step is missing from the log.
    Status add(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run,
               const Mutation& minimised = {}, const std::stop_token& stop = {});
    // Every run that has a step; with `only` nothing unless the session is of that kernel. A run that was counted
    // before, in a copy of its session, is skipped. Errors name the session.
    Status add_session(const std::filesystem::path& session, const std::optional<Hash128>& only = {},
                       const std::stop_token& stop = {});

    std::size_t runs() const { return runs_; }
    std::size_t sessions() const { return sessions_; }  // that add_session() counted a run of
    std::size_t copies() const { return copies_; }      // runs that were skipped
    // Measured before modelled, hot before cold, then the highest total gain first.
    std::vector<Pattern> patterns() const;

  private:
    struct Counted {
        Pattern pattern;
        std::set<Hash128> kernels;
    };
    std::map<std::tuple<EvaluatorKind, std::optional<Cache>, PatternKey>, Counted> found_;
    std::set<std::string> seen_;  // identities of runs
    std::size_t runs_ = 0, sessions_ = 0, copies_ = 0;
};

enum class PatternScope : std::uint8_t { Run, Kernel, All };

struct PatternRequest {
    PatternScope scope = PatternScope::Run;
    std::filesystem::path session;  // the open one; may be empty unless the scope is Run
    RunId run = 0;                  // with Run; 0: the newest
    Mutation minimised;             // with Run; empty: not minimised
    std::filesystem::path folder;   // with Kernel and All: its sessions (*.db) and the open one are counted
    Hash128 kernel;                 // with Kernel: code of the kernel
};

struct PatternReport {
    PatternScope scope = PatternScope::Run;
    std::vector<Pattern> patterns;
    std::size_t sessions = 0, runs = 0, copies = 0;
    std::vector<Error> unread;  // sessions of the folder that could not be read
};

// Errors, with PatternScope::Run only: those of reading the run.
Result<PatternReport> count_patterns(const PatternRequest& request, const std::stop_token& stop = {});

}  // namespace cubinlab
