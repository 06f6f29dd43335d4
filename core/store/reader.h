// SPDX-License-Identifier: GPL-3.0-or-later
// The reader of a session: session_reader.cpp reads rows, log_checks.cpp checks that a run's log is whole. Internal.
#pragma once
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "core/store/rebuilder.h"
#include "core/store/rows.h"
#include "core/store/session.h"
#include "core/store/session_access.h"

namespace cubinlab {

// Every method holds the mutex for its whole query, so a reader may be shared between threads, and reads one moment of
// the file: what a run has grown by between two statements is no damage. No statement stays open behind it (an open one
// would keep the WAL from starting over).
class Reader : public SessionReader {
  public:
    Reader(std::filesystem::path path, std::unique_ptr<SessionAccess> access)
        : path_(std::move(path)), access_(std::move(access)) {}

    Result<KernelPtr> kernel() override;
    Result<std::string> workload_json(RunId run) override;
    Result<std::string> listing_text() override;
    Result<std::vector<RunInfo>> runs() override;
    Result<RunInfo> run(RunId id) override;
    Result<std::vector<StepRecord>> steps(RunId run, StepId after, std::size_t count) override;
    Result<std::vector<StepRecord>> steps_at(RunId run, std::span<const StepId> wanted) override;
    Result<std::vector<StepRecord>> best_steps(RunId run, StepId after, std::size_t count) override;
    Result<std::vector<StepFigure>> figures(RunId run, StepId after, std::size_t count) override;
    Result<std::uint64_t> confirmations(RunId run, StepId after, StepId last, double most) override;
    Result<std::vector<std::pair<StepId, Hash128>>> hashes(RunId run, StepId after, StepId last,
                                                           std::size_t count) override;
    Result<std::vector<MetricPoint>> metrics(RunId run, StepId after) override;
    Result<KernelPtr> run_kernel(const KernelPtr& kernel, RunId run) override;
    Result<std::optional<StartRecord>> start(const KernelPtr& kernel, RunId run, const std::string& name) override;
    Result<std::vector<StoredStart>> starts(const KernelPtr& original, RunId run,
                                            std::span<const std::string> names) override;
    Result<std::optional<StartRecord>> start_with_code(const KernelPtr& kernel, const Hash128& code) override;
    Result<Schedule> schedule_at(const KernelPtr& kernel, RunId run, StepId step) override;
    Result<StepId> best_step(RunId run) override;
    Status whole(RunId run) override;
    Result<std::uint64_t> verify(const KernelPtr& kernel, RunId run) override;
    Result<std::vector<MeasurementRecord>> measurements(RunId run) override;
    Result<std::vector<NoteRecord>> notes(RunId run) override;
    std::optional<int> writer_process() override { return access_->writer(); }

  private:
    template <class Row, class Read, class... Args>
    Result<std::vector<Row>> rows(const std::string& sql, Read read, const Args&... args) {
        auto statement = TRY(access_->database().prepare(sql));
        TRY(statement.bind(args...));
        std::vector<Row> result;
        while (true) {
            auto more = TRY(statement.step());
            if (!more) return result;
            Result<Row> row = read(statement);
            if (!row) return fail(row.error().code, row.error().message(), path_.string());
            result.push_back(std::move(*row));
        }
    }
    // The connection, for one caller at a time.
    struct Turn {
        std::unique_lock<std::mutex> guard;
        SessionAccess::Use use;
        sqlite::Snapshot moment;
    };
    // To be held by a name: what nobody names is let go at once.
    Result<Turn> begin() {
        std::unique_lock guard(mutex_);
        auto use = TRY(access_->use([this] { rebuilder_.reset(); }));
        auto moment = TRY(sqlite::Snapshot::begin(access_->database()));
        return Turn{std::move(guard), std::move(use), std::move(moment)};
    }
    Result<std::vector<StepRecord>> page(RunId run, StepId after, std::size_t count, bool best_only = false);
    Result<RunInfo> complete(RunInfo info);
    using Parts = std::map<RunId, std::vector<RunPart>>;
    Result<Parts> later_parts(RunId run);  // run 0: of all
    struct LastBest {
        StepId step = 0;
        double log_speedup = 0;
    };
    Result<LastBest> last_best(RunId run);
    Status log_is_whole(RunId run);
    Result<StepId> steps_counted(RunId run);
    Result<RunInfo> run_row(RunId id);  // id 0: the newest
    Result<RunInfo> find_run(RunId id);
    Result<KernelPtr> stored_kernel();
    // Errors: BadInput (`kernel` is neither the session's nor that of the run).
    Result<StartKernels> starts_with(const KernelPtr& kernel, RunId run);
    Result<std::string> expected_hash(RunId run, StepId step);

    std::filesystem::path path_;
    std::mutex mutex_;
    std::unique_ptr<SessionAccess> access_;
    std::optional<Rebuilder> rebuilder_;  // declared after the connection that its statements belong to
    RunId rebuilder_run_ = 0;
    KernelPtr rebuilder_kernel_;
    KernelPtr original_;  // where callers name the kernel of a run
};

}  // namespace cubinlab
