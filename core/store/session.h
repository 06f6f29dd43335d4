// SPDX-License-Identifier: GPL-3.0-or-later
// The session file: one SQLite database in WAL mode with every mutation of every run. One writer (an advisory
// lock held for the writer's life; a second one is refused with Busy), many readers. A killed process loses
// what was not committed yet (SessionWriter::on_durable tells). Tables: resources/docs/session-file.md.
//
//   auto session = SessionWriter::open("s.db", kernel, workload_json);     // creates or continues
//   auto run = (*session)->begin_run(header);                              // a RunSink
//   ...
//   auto reader = SessionReader::open("s.db");
//   auto schedule = (*reader)->schedule_at(run_id, step);                  // rebuilt, hash checked
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/result/budget.h"
#include "core/result/evaluator.h"
#include "core/result/measurement.h"
#include "core/result/run_sink.h"

namespace cubinlab {

// By its first bytes, so that no name has to end in a particular way. False: no SQLite file, or unreadable.
bool is_session_file(const std::filesystem::path& path);

inline constexpr std::uint32_t kMostBatch = 65536;  // what --batch takes and a log is believed

struct RunHeader {
    RunId id = 0;                // given by the session
    std::string agent;           // "greedy", "hand" ...
    std::string agent_settings;  // JSON
    std::uint64_t seed = 0;
    std::string budget;  // Budget::text()
    EvaluatorInfo evaluator;
    StepId start_parent = 0;  // with start_run: the step that the run starts from
    RunId start_run = 0;      // 0: the original
    Hash128 start_hash;
    RunId tuning = 0;  // the first run of the tuning that it is a part of; 0: itself. A run that is read names it
    std::uint32_t batch = 0;      // proposals in flight, at most kMostBatch; 0: not said, as the evaluator has it
    std::vector<InstrId> locked;  // never moved or edited by the agent: locked, or out of its scope; sorted
    std::string started;          // ISO 8601, UTC
    std::string version;          // of the program
};

// "run 1, step 7"
inline std::string at_step(RunId run, StepId step) {
    return "run " + std::to_string(run) + ", step " + std::to_string(step);
}

// What a run goes on with when it is resumed: another process, whose GPU is calibrated anew and may be another one.
struct RunPart {
    StepId first = 0;  // its first step
    EvaluatorInfo evaluator;
};

struct RunInfo : RunHeader {
    std::vector<RunPart> later_parts;  // ascending
    Hash128 code;         // of the start whose schedules it searches; zero: of the session's kernel
    bool chosen = false;  // its best is that of its tuning
    std::uint64_t steps = 0;
    StepId best_step = 0;
    double best_log_speedup = 0;
    std::string end;  // empty: still running or killed
};

// In place of the device that a row of the SM model names, where that is not the model: such a row is no session's.
inline constexpr const char* kNotItsDevice = "SM model (its row names another device)";

// The part of a step (0: the first; n: later_parts[n - 1]), and what judged a step.
std::size_t part_of(const RunInfo& run, StepId step);
const EvaluatorInfo& evaluator_of(const RunInfo& run, StepId step);

// What views of a whole run need of a step.
struct StepFigure {
    StepId step = 0;
    OutcomeKind kind = OutcomeKind::Error;
    double log_speedup = 0;
    bool accepted = false, best = false, repeated = false;
    Hash128 hash;  // of its words
    std::int64_t time_us = 0;
};

struct MetricPoint {
    StepId step = 0;
    std::string name;
    double value = 0;
};

// A comparison with the original over fresh loads, next to the log's own screening. Outcome and details are of the first
// shape of the workload; where a shape has no figure, the outcome is that of all shapes (over_shapes).
struct MeasurementRecord : ShapeMeasurement {
    RunId run = 0;
    StepId step = 0;
    std::string purpose;                   // "confirm", "measure", "export" ...
    std::string made;                      // ISO 8601, UTC; empty: now
    std::vector<ShapeMeasurement> shapes;  // of several: those after the first; where one has no figure: all
    std::string without_figure;            // which shapes have none: "shape wide (worker-lost)"
};

// Another compilation of the session's kernel: what a step of a run over starts tries.
struct StartRecord {
    std::string name;               // unique in its run; the step's mutation names it (Mutation::start)
    std::vector<std::byte> recipe;  // how it was made (core/start/start.h)
    KernelPtr kernel;               // null: it could not be made
    std::string problem;            // why
};

// A stored start without its kernel, which costs more than the rest: what tables of starts show.
struct StoredStart {
    std::string name;
    std::vector<std::byte> recipe;
    std::shared_ptr<const Cubin> cubin;  // null: it could not be made
    std::string problem;                 // why
};

struct NoteRecord {
    RunId run = 0;
    StepId step = 0;
    std::string text;
    std::string made;  // ISO 8601, UTC
};

struct SessionOptions {
    std::chrono::milliseconds commit_every{20};  // longest wait of a queued step for its commit
    std::size_t queue_limit = 2048;              // steps and metrics; append() waits when it is full
    std::uint64_t max_bytes = 0;                 // limit of the database file; 0: none
};

class SessionWriter {
  public:
    // `kernel` is stored (cubin blob) on creation and must match on continuation (BadInput otherwise).
    static Result<std::shared_ptr<SessionWriter>> open(const std::filesystem::path& path, KernelPtr kernel,
                                                       std::string workload_json, std::string listing_text);
    static Result<std::shared_ptr<SessionWriter>> open(const std::filesystem::path& path, KernelPtr kernel,
                                                       std::string workload_json, std::string listing_text,
                                                       SessionOptions options);
    virtual ~SessionWriter() = default;
    virtual Result<std::unique_ptr<RunSink>> begin_run(RunHeader header, const Schedule& start,
                                                       RunId* id) = 0;
    // Continue a run that was interrupted: appended steps go on after the last logged one, judged by `evaluator`.
    virtual Result<std::unique_ptr<RunSink>> continue_run(RunId id, const EvaluatorInfo& evaluator) = 0;
    // Before the steps that name them. One that the run has already is left as it is.
    virtual Status add_starts(RunId run, std::span<const StartRecord> starts) = 0;
    // Its best is that of its tuning, and no other run's.
    virtual Status choose_run(RunId run) = 0;
    virtual Status add_note(RunId run, StepId step, const std::string& text) = 0;
    virtual Status add_measurement(const MeasurementRecord& record) = 0;
    // Called from the writer's thread after a commit with the last durable step of a run.
    virtual void on_durable(std::function<void(RunId, StepId)> callback) = 0;
    virtual Status flush() = 0;
    virtual Status close() = 0;  // flush, checkpoint the WAL, release the lock
    virtual const std::filesystem::path& path() const = 0;
};

// What a reader of a whole run takes at once, so that its memory does not grow with the run.
inline constexpr std::size_t kStepsAtOnce = 20000;

class SessionReader {
  public:
    static Result<std::shared_ptr<SessionReader>> open(const std::filesystem::path& path);
    virtual ~SessionReader() = default;
    virtual Result<KernelPtr> kernel() = 0;  // from the stored cubin, hash checked
    virtual Result<std::string> workload_json(RunId run = 0) = 0;  // the run's own; 0: the newest
    virtual Result<std::string> listing_text() = 0;
    virtual Result<std::vector<RunInfo>> runs() = 0;
    virtual Result<RunInfo> run(RunId id) = 0;  // id 0: the newest
    // Steps (first, first + count], in order; count 0 = all.
    virtual Result<std::vector<StepRecord>> steps(RunId run, StepId after = 0, std::size_t count = 0) = 0;
    // Those of `wanted` that the run has, in that order, without raw samples.
    virtual Result<std::vector<StepRecord>> steps_at(RunId run, std::span<const StepId> wanted) = 0;
    // The steps that became the run's best, as `steps` gives them; the others are passed over.
    virtual Result<std::vector<StepRecord>> best_steps(RunId run, StepId after, std::size_t count) = 0;
    virtual Result<std::vector<StepFigure>> figures(RunId run, StepId after, std::size_t count) = 0;
    // Confirmations among the evaluated steps (after, last]: those that ran well with 0 < Outcome::alpha <= most.
    virtual Result<std::uint64_t> confirmations(RunId run, StepId after, StepId last, double most) = 0;
    // Words of the steps (after, last], at most `count`; step and hash.
    virtual Result<std::vector<std::pair<StepId, Hash128>>> hashes(RunId run, StepId after, StepId last,
                                                                   std::size_t count) = 0;
    Result<StepRecord> step(RunId run, StepId step);  // NotFound: the run has no such step
    virtual Result<std::vector<MetricPoint>> metrics(RunId run, StepId after = 0) = 0;
    // The kernel that a run searches: that of the start at which it begins, else the session's, which `kernel` is.
    virtual Result<KernelPtr> run_kernel(const KernelPtr& kernel, RunId run) = 0;
    // The start that has this code; empty: the session has none.
    virtual Result<std::optional<StartRecord>> start_with_code(const KernelPtr& kernel, const Hash128& code) = 0;
    // The start of that name; empty: the run has none.
    virtual Result<std::optional<StartRecord>> start(const KernelPtr& kernel, RunId run, const std::string& name) = 0;
    // Those of `names` that the run has, in that order. `original`: the session's kernel.
    virtual Result<std::vector<StoredStart>> starts(const KernelPtr& original, RunId run,
                                                    std::span<const std::string> names) = 0;
    // The schedule after `step`, rebuilt from the nearest keyframe; its hash must equal the stored one
    // (Corrupt). `kernel` is the session's or the run's; the schedule is of a start's kernel where the run or the step has
    // one.
    virtual Result<Schedule> schedule_at(const KernelPtr& kernel, RunId run, StepId step) = 0;
    // Corrupt: the log is not whole.
    virtual Result<StepId> best_step(RunId run) = 0;
    // Corrupt: a step is gone from the log; which, and what can still be had.
    virtual Status whole(RunId run) = 0;
    // Rebuilds every step of a run and compares every hash; returns the number of steps.
    virtual Result<std::uint64_t> verify(const KernelPtr& kernel, RunId run) = 0;
    // run 0: of all runs.
    virtual Result<std::vector<MeasurementRecord>> measurements(RunId run) = 0;
    virtual Result<std::vector<NoteRecord>> notes(RunId run) = 0;
    // Process that is writing the session at this moment (0: its number is unreadable); empty: nobody, so a
    // run with an empty `end` was interrupted.
    virtual std::optional<int> writer_process() = 0;
};

// Any step is fewer than this many mutations away from a keyframe (core/store/keyframe.h).
inline constexpr StepId kKeyframeEvery = 256;

// Which run of a session has a result. A run that ended before its first step has none.
// id 0: the newest run with a step; of a tuning with several runs the one whose best was chosen. NotFound: no such run, or none with a step; BadInput: that run has none.
Result<RunInfo> run_with_steps(SessionReader& reader, RunId id, const std::string& session);

}  // namespace cubinlab
