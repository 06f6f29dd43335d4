// SPDX-License-Identifier: GPL-3.0-or-later
// Two players: one searches starts, the other schedules the promising ones (core/tuning/start_plan.h). Every part is a run of
// the session: the first is over starts, each later one begins at a step of it and compares with that start. Where code
// cannot be edited (the request has no checker) the first has the whole budget. TuneSession calls this where a request
// has PTX, and chooses the winner among the ends.
#pragma once
#include <optional>
#include <vector>

#include "core/tuning/choose_end.h"
#include "core/tuning/recorded_starts.h"
#include "core/tuning/start_plan.h"
#include "core/tuning/tune_part.h"
#include "core/tuning/tune_session.h"

namespace cubinlab {

class StartsTuning {
  public:
    struct Input {
        const TuneRequest& request;
        const TunePlan& plan;
        TuneResources on;
        RecordedStarts& starts;
        std::vector<RunInfo> earlier;  // the runs of a tuning that is resumed, in the order of the plan
        std::optional<Budget> more;    // what the last of these may spend beyond its part of the plan
    };
    struct Found {
        RunSummary summary;  // of all runs, without a best
        RunInfo first;       // the run over starts
        std::vector<TuningEnd> ends;
    };
    explicit StartsTuning(Input input) : in_(std::move(input)) {}
    Result<Found> run(const std::stop_token& stop, const PauseGate& gate);

  private:
    struct Part {
        std::string agent, settings;
        Budget budget;
        Schedule start;
        RunId start_run = 0;
        StepId start_step = 0;
        Speedup start_speedup;  // against the original
    };
    struct Ended : EndedPart {
        Part part;
        Speedup total() const { return part.start_speedup + summary.best; }
    };
    Result<EndedPart> end_of(const Part& part, const std::stop_token& stop, const PauseGate& gate);
    Status play(Part part, const std::stop_token& stop, const PauseGate& gate);
    Result<TunePart> to_run(const Part& part, const std::stop_token& stop);
    Status resume(TunePart& part, RunId run, const std::stop_token& stop) const;
    Result<EndedPart> from_log(const Part& part, const RunInfo& run) const;
    Result<SearchContext> context_of(const Part& part) const;
    Result<std::vector<Part>> promising(const Ended& starts);
    Result<Part> continued(const Ended& ended, double share, const std::stop_token& stop);
    std::vector<Ended> best_of(std::size_t first, std::size_t n) const;  // of those from `first` on
    Part part_at(Schedule start, double share) const;
    Found found() const;

    Input in_;
    std::size_t next_ = 0;
    std::vector<Ended> ended_;
    RunSummary all_;
};

}  // namespace cubinlab
