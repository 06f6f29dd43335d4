// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "core/base/utc_text.h"
#include "core/result/measurement_json.h"
#include "core/store/commit_queue.h"
#include "core/store/compress.h"
#include "core/store/instruction_ranges.h"
#include "core/store/measurement_row.h"
#include "core/store/outcome_row.h"
#include "core/store/rows.h"
#include "core/store/session.h"
#include "core/store/session_file.h"
#include "core/store/session_id.h"
#include "core/store/session_lock.h"
#include "core/store/sqlite.h"
#include "core/store/start_kernels.h"

namespace cubinlab {
namespace {

constexpr std::uint64_t kLargeWal = std::uint64_t{64} << 20;  // bytes

// Moves the write-ahead log into the database once a second, on a thread and a connection of its own, so that
// no commit waits for the disk's fsync. When readers have kept the log from starting over and it has grown
// past 64 MiB, it asks them to let go.
class WalCheckpointer {
  public:
    WalCheckpointer(sqlite::Database database, std::filesystem::path session);
    ~WalCheckpointer() { stop(); }
    void stop();  // and waits until the connection is closed

  private:
    void loop(const std::stop_token& stop);

    sqlite::Database database_;
    std::filesystem::path session_;
    std::jthread thread_;
};

WalCheckpointer::WalCheckpointer(sqlite::Database database, std::filesystem::path session)
    : database_(std::move(database)),
      session_(std::move(session)),
      thread_([this](const std::stop_token& stop) { loop(stop); }) {}

void WalCheckpointer::stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
}

void WalCheckpointer::loop(const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    while (true) {
        wake.wait_for(lock, stop, std::chrono::seconds(1), [] { return false; });
        if (stop.stop_requested()) break;
        // A checkpoint that fails loses nothing: the log keeps the pages, and the writer meets a full disk
        // itself.
        if (size_of_file(wal_of(session_)) > 0) (void)database_.exec("PRAGMA wal_checkpoint(PASSIVE)");
        if (size_of_file(wal_of(session_)) > kLargeWal)
            (void)database_.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    }
    database_ = {};
}

class Session : public SessionWriter, public std::enable_shared_from_this<Session> {
  public:
    Session(std::filesystem::path path, SessionLock lock, sqlite::Database database,
            sqlite::Database checkpoints, KernelPtr kernel, SessionOptions options)
        : path_(std::move(path)),
          lock_(std::move(lock)),
          kernel_(kernel),
          queue_(std::move(database), kernel, options),
          checkpointer_(std::move(checkpoints), path_) {}
    ~Session() override { (void)close(); }

    Status store_inputs(const std::string& workload_json, const std::string& listing_text);
    Result<std::unique_ptr<RunSink>> begin_run(RunHeader header, const Schedule& start, RunId* id) override;
    Result<std::unique_ptr<RunSink>> continue_run(RunId id, const EvaluatorInfo& evaluator) override;
    Status add_starts(RunId run, std::span<const StartRecord> starts) override;
    Status add_note(RunId run, StepId step, const std::string& text) override;
    Status add_measurement(const MeasurementRecord& record) override;
    void on_durable(std::function<void(RunId, StepId)> callback) override {
        queue_.on_durable(std::move(callback));
    }
    Status flush() override {
        return queue_.run([](sqlite::Database&) { return Status{}; });
    }
    Status close() override;
    const std::filesystem::path& path() const override { return path_; }

  private:
    // It keeps the session open.
    std::unique_ptr<RunSink> sink(RunId run) {
        return CommitQueue::sink(std::shared_ptr<CommitQueue>(shared_from_this(), &queue_), run);
    }

    std::filesystem::path path_;
    SessionLock lock_;
    KernelPtr kernel_;
    CommitQueue queue_;
    WalCheckpointer checkpointer_;
    std::int64_t kernel_id_ = 0;
    std::int64_t workload_id_ = 0;
};

// Id of a row found by `sql`; 0: none.
template <class... Args>
Result<std::int64_t> find_id(sqlite::Database& database, std::string_view sql, const Args&... args) {
    auto statement = TRY(database.prepare(sql));
    TRY(statement.bind(args...));
    auto row = TRY(statement.step());
    return row ? statement.integer(0) : std::int64_t{0};
}

Result<std::int64_t> store_kernel(sqlite::Database& database, const Kernel& kernel,
                                  const std::string& listing) {
    auto found = find_id(database, "SELECT id FROM kernels WHERE hash = ?", kernel.hash().hex());
    if (!found || *found != 0) return found;
    if (auto other =
            database.text("SELECT name || ' (' || arch || ', code ' || hash || ')' FROM kernels LIMIT 1")) {
        return fail(ErrorCode::BadInput,
                    "this session belongs to the kernel " + *other + ", not to " + kernel.name() + " (" +
                        kernel.arch().name() + ", code " + kernel.hash().hex() +
                        "); choose another session file",
                    database.where());
    }
    const auto bytes = kernel.cubin().bytes();
    TRY(sqlite::run_once(database,
                         "INSERT INTO kernels (hash, arch, name, instructions, cubin, cubin_hash, listing) "
                         "VALUES (?,?,?,?,?,?,?)",
                         kernel.hash().hex(), kernel.arch().name(), kernel.name(),
                         static_cast<std::int64_t>(kernel.size()), compress(bytes), hash_bytes(bytes).hex(),
                         compress(std::string_view(listing))));
    return database.last_insert_id();
}

Result<std::int64_t> store_workload(sqlite::Database& database, std::int64_t kernel,
                                    const std::string& json) {
    auto found = find_id(database, "SELECT id FROM workloads WHERE kernel = ? AND json = ?", kernel, json);
    if (!found || *found != 0) return found;
    TRY(sqlite::run_once(database, "INSERT INTO workloads (kernel, json) VALUES (?,?)", kernel, json));
    return database.last_insert_id();
}

Result<std::int64_t> store_machine(sqlite::Database& database, const EvaluatorInfo& info) {
    const std::string json = json_column(facts_json(info));
    auto found = find_id(database,
                         "SELECT id FROM machines WHERE evaluator = ? AND device = ? AND original_cost = ? "
                         "AND json = ?",
                         to_string(info.kind), info.device, info.original_cost, json);
    if (!found || *found != 0) return found;
    TRY(sqlite::run_once(database,
                         "INSERT INTO machines (evaluator, device, unit, original_cost, timer_step_us, "
                         "aa_spread, detectable, deterministic, json) VALUES (?,?,?,?,?,?,?,?,?)",
                         to_string(info.kind), info.device, info.unit, info.original_cost, info.timer_step_us,
                         info.aa_spread, info.detectable, info.deterministic, json));
    return database.last_insert_id();
}

Status require_run(sqlite::Database& database, RunId run) {
    auto found = TRY(find_id(database, "SELECT id FROM runs WHERE id = ?", run));
    if (found == 0)
        return fail(ErrorCode::NotFound, "the session has no run " + std::to_string(run), database.where());
    return {};
}

Status Session::store_inputs(const std::string& workload_json, const std::string& listing_text) {
    return queue_.run([&](sqlite::Database& database) -> Status {
        auto kernel = TRY(store_kernel(database, *kernel_, listing_text));
        auto workload = TRY(store_workload(database, kernel, workload_json));
        kernel_id_ = kernel;
        workload_id_ = workload;
        return {};
    });
}

Result<std::unique_ptr<RunSink>> Session::begin_run(RunHeader header, const Schedule& start, RunId* id) {
    if (header.started.empty()) header.started = utc_text();
    if (!header.locked.empty() &&
        *std::max_element(header.locked.begin(), header.locked.end()) >= start.size())
        return fail(ErrorCode::BadUse, "a locked instruction is not in this kernel", path_.string());
    RunId run = 0;
    Status status = queue_.run([&](sqlite::Database& database) -> Status {
        auto searched = TRY(StartKernels(database, kernel_).of_step(header.start_run, header.start_parent));
        if (start.kernel()->hash() != searched->hash())
            return fail(ErrorCode::BadUse, "the start schedule belongs to another kernel than the step it begins at",
                        path_.string());
        auto machine = TRY(store_machine(database, header.evaluator));
        const std::string hash = start.hash().hex();
        TRY(sqlite::run_once(database,
                             "INSERT INTO runs (kernel, workload, machine, agent, settings, seed, budget, "
                             "start_run, start_step, start_hash, started, version, locked, batch) "
                             "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                             kernel_id_, workload_id_, machine, header.agent, header.agent_settings,
                             header.seed, header.budget, header.start_run, header.start_parent, hash,
                             header.started, header.version, ranges_text(header.locked), header.batch));
        run = database.last_insert_id();
        return sqlite::run_once(database,
                                "INSERT INTO keyframes (run, step, schedule_hash, schedule) VALUES (?,0,?,?)",
                                run, hash, encode_schedule(start));
    });
    if (!status) return fail(status.error());
    if (id != nullptr) *id = run;
    return sink(run);
}

Result<std::unique_ptr<RunSink>> Session::continue_run(RunId id, const EvaluatorInfo& evaluator) {
    Status status = queue_.run([&](sqlite::Database& database) -> Status {
        TRY(require_run(database, id));
        TRY(store_step_count(database, id));
        auto machine = TRY(store_machine(database, evaluator));
        TRY(sqlite::run_once(database,
                             "INSERT OR REPLACE INTO parts (run, first, machine) "
                             "SELECT ?1, coalesce(max(step), 0) + 1, ?2 FROM mutations WHERE run = ?1",
                             id, machine));
        return sqlite::run_once(database, "UPDATE runs SET end = '', ended = NULL WHERE id = ?", id);
    });
    if (!status) return fail(status.error());
    return sink(id);
}

Status Session::add_starts(RunId run, std::span<const StartRecord> starts) {
    return queue_.run([&](sqlite::Database& database) -> Status {
        TRY(require_run(database, run));
        return insert_starts(database, run, *kernel_, starts);
    });
}

Status Session::add_note(RunId run, StepId step, const std::string& text) {
    return queue_.run([&](sqlite::Database& database) -> Status {
        TRY(require_run(database, run));
        return sqlite::run_once(database, "INSERT INTO notes (run, step, text, made) VALUES (?,?,?,?)", run,
                                step, text, utc_text());
    });
}

Status Session::add_measurement(const MeasurementRecord& record) {
    return queue_.run([&](sqlite::Database& database) -> Status {
        TRY(require_run(database, record.run));
        auto insert = TRY(database.prepare("INSERT INTO measurements (run, step, purpose, made, json, " +
                                           outcome_columns() + ") VALUES (" + outcome_parameters(5) + ")"));
        TRY(insert.bind(record.run, record.step, record.purpose,
                        record.made.empty() ? utc_text() : record.made,
                        json_column(measurement_json(record))));
        TRY(bind_outcome(insert, 6, record.outcome));
        return insert.run();
    });
}

Status Session::close() {
    // The queue's connection goes first, the checkpointer's last: SQLite then moves the log into the database
    // and removes it, so that the session is one file again.
    Status status = queue_.stop();
    checkpointer_.stop();
    lock_.release();
    return status;
}

}  // namespace

Result<std::shared_ptr<SessionWriter>> SessionWriter::open(const std::filesystem::path& path,
                                                           KernelPtr kernel, std::string workload_json,
                                                           std::string listing_text) {
    return open(path, std::move(kernel), std::move(workload_json), std::move(listing_text), SessionOptions{});
}

Result<std::shared_ptr<SessionWriter>> SessionWriter::open(const std::filesystem::path& path,
                                                           KernelPtr kernel, std::string workload_json,
                                                           std::string listing_text, SessionOptions options) {
    auto lock = TRY(SessionLock::acquire(path));
    TRY(check_side_files(path));
    auto database = open_session_for_writing(path, options.max_bytes);
    if (!database && size_of_file(path) == 0) ::unlink(path.c_str());  // made by the lock
    if (!database) return fail(database.error());
    auto checkpoints = TRY(open_session_for_checkpoints(path));
    auto session = std::make_shared<Session>(path, std::move(lock), std::move(*database),
                                             std::move(checkpoints), std::move(kernel), options);
    TRY(session->store_inputs(workload_json, listing_text));
    return session;
}

}  // namespace cubinlab
