// SPDX-License-Identifier: GPL-3.0-or-later
// One run of a session: a searcher on one kernel, with its log. A tuning is one such part; a tuning with starts has several
// (tune_starts.h).
//
//   TunePart part{context, settings, std::move(searcher), new_run(context, settings, evaluator.info()), nullptr};
//   auto ended = TRY(run_part(std::move(part), on, stop, gate));
#pragma once
#include <filesystem>
#include <functional>
#include <memory>

#include "core/result/evaluator.h"
#include "core/search/engine/tune_run.h"
#include "core/store/session.h"
#include "core/tuning/recorded_starts.h"

namespace cubinlab {

class TuneObserver : public RunListener {
  public:
    // The run is in the session.
    virtual void on_started(const RunInfo& run) { (void)run; }
    // Steps up to this one are on the disk. Called on the thread of the service's own writer.
    virtual void on_durable(StepId step) { (void)step; }
};

struct TunePart {
    SearchContext context;
    RunSettings settings;
    std::unique_ptr<Searcher> searcher;
    RunInfo run;                          // id 0: it is not in the session yet
    std::unique_ptr<RunHistory> history;  // of a run that is resumed
    RecordedStarts* starts = nullptr;     // that its searcher compiles: they are logged with its steps
};

// The row of a run that begins now, at the original.
RunInfo new_run(const SearchContext& context, const RunSettings& settings, const EvaluatorInfo& evaluator);

// What the parts of a tuning have in common.
struct TuneResources {
    const std::filesystem::path& session;
    Evaluator& evaluator;
    std::function<Result<std::shared_ptr<SessionWriter>>()> writer;
    TuneObserver& observer;
};

struct EndedPart {
    RunInfo run;  // id 0: it tried nothing
    RunSummary summary;
    Schedule best;  // the start where nothing beat it
};

// Logs from the first step on: a run that never started leaves no trace. Errors: the log cannot be replayed or written.
Result<EndedPart> run_part(TunePart part, const TuneResources& on, const std::stop_token& stop, const PauseGate& gate);

}  // namespace cubinlab
