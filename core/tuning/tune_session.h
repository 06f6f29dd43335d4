// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a search with its log: the only way by which command line and window start or resume a run. A front end builds a
// request and shows the result.
//
//   auto session = TRY(TuneSession::prepare(std::move(request), observer, stop));
//   ... session.plan() ...
//   auto result = TRY(session.run(observer, stop, gate));
//
// A new run is in the session file from its first step on: a run that never started leaves no trace.
#pragma once
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/output_file.h"
#include "core/legality/hazard_checker.h"
#include "core/result/claim_level.h"
#include "core/result/evaluator.h"
#include "core/result/fields.h"
#include "core/search/engine/tune_run.h"
#include "core/start/find_ptx.h"
#include "core/store/session.h"
#include "core/tuning/earlier_schedules.h"
#include "core/tuning/evaluator_choice.h"
#include "core/tuning/measure.h"
#include "core/tuning/tune_part.h"

namespace cubinlab {

// Schedules that the race begins from, besides the start of the run.
struct EarlierSources {
    std::vector<Schedule> schedules;             // made by hand
    std::vector<std::filesystem::path> sources;  // sessions, cubins and folders of them
};

struct TuneRequest {
    KernelPtr kernel;
    // Null: created from the kernel. Where its code cannot be edited there is none, and starts alone are searched.
    CheckerPtr checker = nullptr;
    std::optional<Workload> workload = {};
    EvaluatorPolicy evaluator = EvaluatorPolicy::Auto;
    GpuSettings gpu = {};  // the run's seed replaces its seed
    Budget budget = {};    // what may be spent from here on

    // Empty: the default of a new run, what a resumed run was started with. A resumed run accepts no other value.
    std::optional<std::string> agent = {}, agent_settings = {};
    std::optional<std::uint64_t> seed = {};
    std::optional<std::vector<InstrId>> locked = {};  // never moved or edited
    std::size_t batch = 0;                            // proposals in flight; 0: as above
    bool cache_given = false;                         // `gpu` names the cache, as above

    std::optional<RunId> resume = {};    // a run of the session; 0: the newest that can be resumed
    std::optional<Schedule> start = {};  // of a new run; empty: the original
    RunId start_run = 0;                 // where the session has `start`; 0: it is the original
    StepId start_step = 0;
    std::optional<EarlierSources> earlier = {};  // of a new run
    // What the kernel was compiled from: other compilations and orders of it are searched too, from the original.
    std::optional<PtxSource> ptx = {};

    std::filesystem::path session;
    // The writer of `session` where the front end shares one. Null: the service opens and closes its own.
    std::function<Result<std::shared_ptr<SessionWriter>>()> writer = nullptr;

    int final_processes = 0;  // that measure the best on a GPU after the run; 0: no final measurement
    std::chrono::steady_clock::time_point began =
        std::chrono::steady_clock::now();  // when reading of the inputs began
    OutputFile out = {};      // of the best; without a path nothing is exported
};

struct TunePlan {
    RunSettings settings;
    Schedule start;
    EvaluatorInfo evaluator;
    std::string note;  // of the evaluator (EvaluatorChoice)
    std::vector<InstrId> locked;
    bool against_start = false;             // figures compare with the start, which is not the original
    std::optional<RaceSchedules> schedules = {};  // of `earlier`
    std::string ptx = {};                   // where that of the searched starts comes from; empty: none are searched
    std::string starts_note = {};           // why fewer starts are searched than the request asks for
    GpuSettings gpu = {};                   // with the seed and the cache of the run
};

// Where the time of a tuning goes, in seconds of wall clock. `starting`: workers with their driver, memory and checks, without
// warm-up and calibration.
struct TuningSeconds {
    double reading = 0, starting = 0, calibrating = 0, searching = 0, choosing = 0, measuring = 0;
};
template <FieldsOf<TuningSeconds> T>
void visit_fields(T& t, auto&& visit) {
    visit("reading", t.reading);
    visit("starting", t.starting);
    visit("calibrating", t.calibrating);
    visit("searching", t.searching);
    visit("choosing", t.choosing);
    visit("measuring", t.measuring);
}

struct TuneResult {
    RunSummary summary;
    RunId run = 0;  // 0: no step was evaluated, so no run is logged
    Schedule best;
    CodeKind code = CodeKind::Reschedule;  // of `best`
    // Empty where the run gave no reason to measure its best once more; `final_problem` says why it failed.
    std::vector<Measured> final = {};
    std::string final_problem = {};
    TuningSeconds seconds = {};
    bool session_removed = false;  // it was created for this run and holds none

    // The export of the best. `stamp` empty: nothing was written. An earlier export remains where no schedule beat the
    // start: `kept` describes it.
    std::string stamp = {}, replaced = {}, kept = {};
    std::optional<Error> not_exported = {};  // the session still has the best
};

class TuneSession {
  public:
    // Errors: those of the inputs, BadUse (a resumed run with other settings), NoGpu, Busy (another process writes the
    // session). `observer` receives the phases; it must outlive the session object.
    static Result<TuneSession> prepare(TuneRequest request, TuneObserver& observer, std::stop_token stop);
    TuneSession(TuneSession&&) noexcept;
    ~TuneSession();

    const TunePlan& plan() const;
    // Searches, measures the best in fresh processes and exports it. Call it once. Errors: the log cannot be replayed or
    // written; the message says which steps the session has.
    Result<TuneResult> run(TuneObserver& observer, const std::stop_token& stop, const PauseGate& gate);

  private:
    struct Impl;
    explicit TuneSession(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace cubinlab
