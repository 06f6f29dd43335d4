// SPDX-License-Identifier: GPL-3.0-or-later
// Two players: one searches starts, the other schedules the promising ones (core/tuning/start_plan.h). Every part is a run of
// the session: the first is over starts, each later one begins at a step of it and compares with that start. Where code
// cannot be edited (the request has no checker) the first has the whole budget. TuneSession calls this where a request
// has PTX.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/tuning/recorded_starts.h"
#include "core/tuning/start_plan.h"
#include "core/tuning/tune_session.h"

namespace cubinlab {

class StartsTuning {
  public:
    struct Input {
        const TuneRequest& request;
        const TunePlan& plan;
        RunInfo header;  // what all runs have in common: seed, evaluator, batch, version
        Evaluator& evaluator;
        RecordedStarts& starts;
        std::function<Result<std::shared_ptr<SessionWriter>>()> writer;
        std::vector<RunInfo> earlier;  // the runs of an interrupted tuning, in the order of the plan
        TuneObserver& observer;
    };
    struct Found {
        RunSummary summary;  // of all runs; the best against the original
        RunInfo run;         // that has the best
        Schedule best;
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
    struct Ended {
        Part part;
        RunInfo run;  // id 0: it tried nothing
        RunSummary summary;
        std::optional<Schedule> best;
        Speedup total() const { return part.start_speedup + summary.best; }
    };
    Result<Ended> run_part(Part part, const std::stop_token& stop, const PauseGate& gate);
    Result<Ended> from_log(Part part, const RunInfo& run);
    Result<double> seconds_used(RunId run) const;
    Result<std::unique_ptr<Searcher>> searcher_for(const Part& part, const SearchContext& context);
    Result<std::vector<Part>> promising(const Ended& starts);
    Result<Part> continued(const Ended& ended, Budget budget, const std::stop_token& stop);
    Part part_at(Schedule start, Budget budget) const;
    void count(const Ended& ended);
    Result<Found> found() const;

    Input in_;
    std::size_t next_ = 0;
    std::vector<Ended> ended_;
    RunSummary all_;
    bool stopped_ = false;
};

}  // namespace cubinlab
