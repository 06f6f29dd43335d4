// SPDX-License-Identifier: GPL-3.0-or-later
// The thread that owns a session's writing connection. Callers queue steps and metrics (microseconds) and the
// thread commits what has gathered every few milliseconds, so that a killed process loses little; jobs (a new
// run, a note) are done in the same order and answered after their commit. The first error is final: it is
// given to every later caller, and nothing that was committed before it is touched.
//
// synchronous = NORMAL in WAL mode: a commit survives the process (kill -9) at once, and a power loss as of
// the last checkpoint.
#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <variant>

#include "core/store/keyframe.h"
#include "core/store/rebuilder.h"
#include "core/store/session.h"
#include "core/store/sqlite.h"

namespace cubinlab {

class CommitQueue {
  public:
    using Job = std::function<Status(sqlite::Database&)>;

    CommitQueue(sqlite::Database database, KernelPtr kernel, SessionOptions options);
    ~CommitQueue() { stop(); }

    // The log of one run, which keeps `queue` alive.
    static std::unique_ptr<RunSink> sink(std::shared_ptr<CommitQueue> queue, RunId run);
    Status run(Job job);  // waits for its commit; not from the durable callback
    Status stop();        // drains, ends the thread; the first error, if there was one
    void on_durable(std::function<void(RunId, StepId)> callback);

  private:
    class Sink;
    struct StepItem {
        RunId run = 0;
        StepRecord record;
    };
    struct MetricItem {
        RunId run = 0;
        StepId step = 0;
        std::string name;
        double value = 0;
    };
    struct JobItem {
        Job job;
        std::shared_ptr<std::promise<Status>> done;
    };
    using Item = std::variant<StepItem, MetricItem, JobItem>;
    struct RunLog {
        KeyframePlanner planner;
        Rebuilder rebuilder;
    };

    Status push(Item item, bool urgent);
    void loop(const std::stop_token& stop);
    void commit(std::deque<Item>& batch);
    Status write_batch(std::deque<Item>& batch, std::map<RunId, StepId>& durable, Status& refused);
    Status write(Item& item, std::map<RunId, StepId>& durable);
    Status write_step(const StepItem& item);
    Status write_keyframe(RunLog& log, RunId run, StepId step);
    Result<RunLog*> log_of(RunId run);
    Status prepare();

    Error moved();

    sqlite::Database database_;  // this thread's, below; touched by nobody else
    KernelPtr kernel_;
    SessionOptions options_;
    std::map<RunId, RunLog> logs_;
    sqlite::Statement insert_step_;
    sqlite::Statement insert_metric_;
    sqlite::Statement insert_keyframe_;
    bool prepared_ = false;

    std::mutex mutex_;
    std::condition_variable_any work_;
    std::condition_variable room_;
    std::deque<Item> items_;
    bool urgent_ = false;
    Status error_;
    std::function<void(RunId, StepId)> durable_;
    std::jthread thread_;  // last: it uses the others
};

}  // namespace cubinlab
