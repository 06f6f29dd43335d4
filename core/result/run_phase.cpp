// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/result/run_phase.h"

#include "core/base/enum_names.h"
#include "core/result/run_sink.h"

namespace cubinlab {
namespace {

constexpr const char* kPhases[] = {"reading the log",   "looking for earlier schedules",
                                   "loading the agent", "preparing the evaluator",
                                   "replaying the log", "preparing",
                                   "running",           "paused",
                                   "confirming",        "measuring the best in fresh processes",
                                   "finished"};
constexpr const char* kEnds[] = {"budget", "exhausted", "stopped", "evaluator lost", "closed"};

}  // namespace

const char* to_string(RunPhase phase) {
    return enum_name<RunPhase::Finished>(kPhases, phase, "finished");
}

const char* to_string(RunEnd end) {
    return enum_name<RunEnd::Closed>(kEnds, end, "stopped");
}

std::optional<RunEnd> parse_run_end(std::string_view text) {
    return enum_value<RunEnd::Closed>(kEnds, text.substr(0, text.find(':')));
}

void RunSummary::add(const RunSummary& later) {
    steps += later.steps;
    evaluated += later.evaluated;
    repeated += later.repeated;
    failed += later.failed;
    seconds += later.seconds;
    waited.proposals += later.waited.proposals;
    waited.ahead += later.waited.ahead;
    waited.decisions += later.waited.decisions;
    end = later.end;
    lost = later.lost;
}

std::string RunSummary::end_text() const {
    std::string text = to_string(end);
    if (lost) text += ": " + lost->message();
    return text;
}

}  // namespace cubinlab
