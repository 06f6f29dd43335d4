// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/commit_queue.h"

#include <cmath>
#include <optional>
#include <utility>

#include "core/base/guarded.h"
#include "core/base/utc_text.h"
#include "core/store/rows.h"
#include "core/store/session_checks.h"
#include "core/store/session_id.h"

namespace cubinlab {
namespace {

Error closed() {
    return {ErrorCode::BadUse, "the session is closed; open it again to write", {}};
}

}  // namespace

CommitQueue::CommitQueue(sqlite::Database database, KernelPtr kernel, SessionOptions options)
    : database_(std::move(database)),
      kernel_(std::move(kernel)),
      options_(options),
      thread_([this](const std::stop_token& stop) { loop(stop); }) {}

class CommitQueue::Sink final : public RunSink {
  public:
    Sink(std::shared_ptr<CommitQueue> queue, RunId run) : queue_(std::move(queue)), run_(run) {}
    Status append(const StepRecord& record) override { return queue_->push(StepItem{run_, record}, false); }
    Status metric(StepId step, const std::string& name, double value) override {
        return queue_->push(MetricItem{run_, step, name, value}, false);
    }
    Status flush() override {
        return queue_->run([](sqlite::Database&) { return Status{}; });
    }
    Status finish(const RunSummary& summary) override {
        return queue_->run([&](sqlite::Database& database) -> Status {
            TRY(store_step_count(database, run_));
            return sqlite::run_once(database, "UPDATE runs SET ended = ?, end = ? WHERE id = ?", utc_text(),
                                    summary.end_text(), run_);
        });
    }

  private:
    std::shared_ptr<CommitQueue> queue_;
    RunId run_;
};

std::unique_ptr<RunSink> CommitQueue::sink(std::shared_ptr<CommitQueue> queue, RunId run) {
    return std::make_unique<Sink>(std::move(queue), run);
}

Status CommitQueue::run(Job job) {
    auto done = std::make_shared<std::promise<Status>>();
    std::future<Status> answer = done->get_future();
    TRY(push(JobItem{std::move(job), std::move(done)}, true));
    return answer.get();
}

void CommitQueue::on_durable(std::function<void(RunId, StepId)> callback) {
    const std::lock_guard guard(mutex_);
    durable_ = std::move(callback);
}

Status CommitQueue::push(Item item, bool urgent) {
    const std::stop_token stop = thread_.get_stop_token();
    std::unique_lock lock(mutex_);
    room_.wait(lock,
               [&] { return items_.size() < options_.queue_limit || !error_ || stop.stop_requested(); });
    if (!error_) return error_;
    if (stop.stop_requested()) return fail(closed());
    items_.push_back(std::move(item));
    urgent_ = urgent_ || urgent;
    if (items_.size() == 1 || urgent || items_.size() * 2 == options_.queue_limit) work_.notify_one();
    return {};
}

Status CommitQueue::stop() {
    {
        const std::lock_guard guard(mutex_);  // or push() could miss it and wait for ever
        thread_.request_stop();
    }
    room_.notify_all();
    if (thread_.joinable()) thread_.join();
    const std::lock_guard guard(mutex_);
    return error_;
}

void CommitQueue::loop(const std::stop_token& stop) {
    std::deque<Item> batch;
    while (true) {
        {
            std::unique_lock lock(mutex_);
            work_.wait(lock, stop, [this] { return !items_.empty(); });
            if (items_.empty()) break;
            // Let a batch gather, unless somebody waits for it.
            work_.wait_for(lock, stop, options_.commit_every,
                           [this] { return urgent_ || items_.size() * 2 >= options_.queue_limit; });
            batch.swap(items_);
            urgent_ = false;
        }
        room_.notify_all();
        commit(batch);
        batch.clear();
    }
    // Statements and connection end on the thread that used them.
    logs_.clear();
    insert_step_ = {};
    insert_metric_ = {};
    insert_keyframe_ = {};
    database_ = {};
}

void CommitQueue::commit(std::deque<Item>& batch) {
    std::map<RunId, StepId> durable;
    Status refused;  // an item that cannot be logged; what came before it is committed
    Status status;
    {
        const std::lock_guard guard(mutex_);
        status = error_;
    }
    if (status)
        if (auto thrown = guarded([&] { status = write_batch(batch, durable, refused); }))
            status = fail(std::move(*thrown));
    const bool committed = status.has_value();
    if (status) status = refused;

    std::function<void(RunId, StepId)> callback;
    {
        const std::lock_guard guard(mutex_);
        if (!status && error_) error_ = status;
        callback = durable_;
    }
    if (!status) room_.notify_all();
    if (committed && callback)
        for (const auto& [run, step] : durable)
            callback(run, step);
    for (Item& item : batch)
        if (auto* job = std::get_if<JobItem>(&item); job != nullptr && job->done)
            job->done->set_value(status);
}

Status CommitQueue::write_batch(std::deque<Item>& batch, std::map<RunId, StepId>& durable, Status& refused) {
    TRY(prepare());
    auto transaction = TRY(sqlite::Transaction::begin(database_));
    for (Item& item : batch) {
        Status status = write(item, durable);
        if (status) continue;
        // SQLite may have rolled the transaction back by itself (a full disk): then nothing of the batch is
        // left.
        if (!database_.in_transaction() || status.error().code == ErrorCode::Io) return status;
        refused = std::move(status);
        break;
    }
    TRY(count_commit(database_));
    TRY(transaction.commit());
    // Committed to a file that nobody can find again is lost.
    if (database_.moved()) return fail(moved());
    return {};
}

// SQLite leaves the log under the old name, and would read it as the log of the next file of that name. So its pages move
// into the file that they belong to.
Error CommitQueue::moved() {
    (void)database_.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    return {
        ErrorCode::NotFound,
        "the session file was moved, removed or replaced while it was being written. A moved file holds "
        "every step that was logged: resume it with --resume. Else start the run again with another session "
        "file",
        database_.where()};
}

Status CommitQueue::prepare() {
    if (prepared_) return {};
    auto step = TRY(prepare_insert_step(database_));
    auto metric =
        TRY(database_.prepare("INSERT OR REPLACE INTO metrics (run, step, name, value) VALUES (?,?,?,?)"));
    auto keyframe =
        TRY(database_.prepare("INSERT INTO keyframes (run, step, schedule_hash, schedule) VALUES (?,?,?,?)"));
    insert_step_ = std::move(step);
    insert_metric_ = std::move(metric);
    insert_keyframe_ = std::move(keyframe);
    prepared_ = true;
    return {};
}

Status CommitQueue::write(Item& item, std::map<RunId, StepId>& durable) {
    if (auto* step = std::get_if<StepItem>(&item)) {
        TRY(write_step(*step));
        durable[step->run] = step->record.step;
        return {};
    }
    if (auto* metric = std::get_if<MetricItem>(&item)) {
        std::optional<double> value;
        if (std::isfinite(metric->value)) value = metric->value;
        TRY(insert_metric_.bind(metric->run, metric->step, metric->name, value));
        return insert_metric_.run();
    }
    auto& job = std::get<JobItem>(item);
    // A job that is refused by its own rules (an unknown run) answers its caller, leaves nothing behind and
    // harms nobody else.
    TRY(database_.exec("SAVEPOINT job"));
    Status status = job.job(database_);
    if (status) return database_.exec("RELEASE job");
    if (status.error().code == ErrorCode::Io || !database_.in_transaction()) return status;
    if (auto undone = database_.exec("ROLLBACK TO job; RELEASE job"); !undone) return undone;
    job.done->set_value(std::move(status));
    job.done.reset();
    return {};
}

Result<CommitQueue::RunLog*> CommitQueue::log_of(RunId run) {
    if (const auto found = logs_.find(run); found != logs_.end()) return &found->second;
    auto rebuilder = TRY(Rebuilder::create(database_, StartKernels(database_, kernel_), run));
    RunLog log{{}, std::move(rebuilder)};
    // Continuing: the planner learns the tree and its keyframes.
    auto steps = TRY(database_.prepare("SELECT step, parent FROM mutations WHERE run = ? ORDER BY step"));
    TRY(steps.bind(run));
    while (true) {
        auto row = TRY(steps.step());
        if (!row) break;
        const StepId step = steps.integer(0);
        const StepId parent = steps.integer(1);
        const StepId last = log.planner.last();
        if (!follows(step, parent, last))
            return fail(ErrorCode::Corrupt, "a step's number or parent is out of order",
                        "run " + std::to_string(run) + ", step " + std::to_string(step));
        (void)log.planner.add(step, parent);
    }
    auto keyframes = TRY(database_.prepare("SELECT step FROM keyframes WHERE run = ?"));
    TRY(keyframes.bind(run));
    while (true) {
        auto row = TRY(keyframes.step());
        if (!row) break;
        log.planner.known(keyframes.integer(0));
    }
    return &logs_.emplace(run, std::move(log)).first->second;
}

Status CommitQueue::write_step(const StepItem& item) {
    auto log = TRY(log_of(item.run));
    const StepRecord& record = item.record;
    const std::string where = "run " + std::to_string(item.run) + ", step " + std::to_string(record.step);
    const StepId last = log->planner.last();
    if (!follows(record.step, record.parent, last))
        return fail(ErrorCode::BadUse, "steps are logged in ascending order, and after their parent", where);
    auto made = log->rebuilder.after(record.parent, record.mutation, record.schedule_hash);
    if (!made) {
        if (made.error().code != ErrorCode::Refused) return fail(made.error());
        return fail(ErrorCode::Corrupt,
                    "not logged: its edit does not apply to its parent: " + made.error().what, where);
    }
    Schedule schedule = std::move(*made);
    // A log that cannot be replayed must not grow: better to stop at the first wrong row than at the end.
    if (schedule.hash() != record.schedule_hash)
        return fail(ErrorCode::Corrupt, "not logged: its edit does not give the schedule that was evaluated",
                    where);
    TRY(insert_step(insert_step_, item.run, record));
    log->rebuilder.put(record.step, std::move(schedule));
    if (const auto keyframe = log->planner.add(record.step, record.parent))
        return write_keyframe(*log, item.run, *keyframe);
    return {};
}

Status CommitQueue::write_keyframe(RunLog& log, RunId run, StepId step) {
    auto schedule = TRY(log.rebuilder.at(step));
    TRY(insert_keyframe_.bind(run, step, schedule.hash().hex(), encode_schedule(schedule)));
    return insert_keyframe_.run();
}

}  // namespace cubinlab
