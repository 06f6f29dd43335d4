// SPDX-License-Identifier: GPL-3.0-or-later
// The phases of a run from its preparation to its end, and why it ended.
//
//   to_string(RunPhase::Confirming)                      // "confirming", for people and for --progress
//   parse_run_end("evaluator lost: the worker died")     // RunEnd::EvaluatorLost
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace cubinlab {

enum class RunPhase : std::uint8_t {
    ReadingLog,     // of the run that is resumed
    FindingStarts,  // earlier schedules of the kernel
    LoadingAgent,
    PreparingEvaluator,
    Replaying,  // the agent observes what is logged
    Preparing,
    Running,
    Paused,
    Confirming,
    FinalMeasurement,  // of the best, in fresh processes
    Finished,
};
const char* to_string(RunPhase phase);

enum class RunEnd : std::uint8_t {
    Budget,         // used up
    Exhausted,      // the agent has no further candidate
    Stopped,        // by the user
    EvaluatorLost,  // RunSummary::lost says why
    Closed,         // a log of hand edits
};
const char* to_string(RunEnd end);  // "budget", "exhausted", "stopped", "evaluator lost", "closed"
// Reads what a session or a summary says, also with the reason behind it. Empty: unknown text.
std::optional<RunEnd> parse_run_end(std::string_view text);

}  // namespace cubinlab
