// SPDX-License-Identifier: GPL-3.0-or-later
// Drives one worker process and replaces it when necessary: the client side of resources/docs/measurement.md.
//
// A candidate that faults, hangs or damages memory gets its outcome and costs its worker. If a worker is lost
// without an outcome (killed, connection cut, malformed stream), the current candidate is measured again;
// after `tries_per_candidate` losses it becomes WorkerLost.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/gpu/protocol/protocol.h"
#include "core/gpu/client/worker_process.h"

namespace cubinlab {

// Keeps a worker that answered a probe for the first client that starts one with the same command. Its driver and context
// are already open.
class ProbedWorker {
  public:
    void keep(std::string command, std::unique_ptr<WorkerProcess> worker);
    std::unique_ptr<WorkerProcess> take(const std::string& command);  // null: there is none

  private:
    std::mutex mutex_;
    std::string command_;
    std::unique_ptr<WorkerProcess> worker_;
};

struct ClientSettings {
    std::string command;                         // empty: default_worker_command()
    std::chrono::milliseconds hang_after{2000};  // for one wait on the GPU
    std::chrono::milliseconds grace{2000};       // on top, so that the worker's watchdog acts first
    std::chrono::milliseconds start_within{
        60000};                                // from start to preamble; longer for the queue of a batch system
    std::chrono::milliseconds silence{10000};  // longest silence (no heartbeat) of a live worker
    int tries_per_candidate = 3;
    int start_attempts = 3;
    std::uint64_t recycle_after = 15000;  // candidates per worker, about ten seconds of screenings
    // Whether, after the first lost worker, a spare one waits with an open driver and context. Empty: only
    // with the default command, since another machine or a batch system may charge for it.
    std::optional<bool> spare;
    std::shared_ptr<ProbedWorker> probed;  // where a probe leaves its worker; null: the probe ends it
};

class GpuClient {
  public:
    // Called with each final outcome, in order, also if a later candidate loses the worker for good.
    using OutcomeListener = std::function<void(std::size_t, const BenchOutcome&)>;

    GpuClient(ClientSettings settings, PrepareRequest prepare);

    static GpuProbe probe(const ClientSettings& settings, int device, const std::stop_token& stop = {});

    // Starts and prepares a worker unless one is ready. A worker that is prepared with a mean of cache states measures in each
    // of them: `state` of evaluate() selects one; the default is the first. Errors: NoGpu, BadInput (workload),
    // Worker, Cancelled.
    Status ready(const std::stop_token& stop);
    Result<std::vector<BenchOutcome>> evaluate(Effort effort, const WireImage& reference,
                                               const std::vector<WireImage>& candidates,
                                               const std::stop_token& stop, double alpha = 0,
                                               const OutcomeListener& on_outcome = {},
                                               const Sampling& sampling = {},
                                               std::optional<Cache> state = {});
    Result<BenchComparison> compare(const CompareRequest& request, const std::stop_token& stop,
                                    const std::function<void(int, int)>& progress = {});

    // The next request starts a new worker.
    void renew() { drop_worker(); }
    const BenchFacts& facts() const { return facts_; }
    const Calibration& calibration() const { return prepare_.calibrations.front(); }  // of the first state
    const std::vector<Calibration>& calibrations() const { return prepare_.calibrations; }
    const StartTimes& start_times() const { return start_times_; }  // of the first worker
    int workers_started() const { return workers_started_; }
    bool answered() const { return answered_; }  // a worker said anything at all
    // Seconds from dropping a worker until the next one is prepared, for each replacement.
    const std::vector<double>& restart_seconds() const { return restart_seconds_; }
    std::optional<PhaseTimes> times() const { return times_; }  // of the current worker, after its last request

  private:
    enum class Wait { Message, Silent, Stuck, Lost, Stopped };
    struct Heard {
        Wait kind = Wait::Lost;
        nlohmann::json message;
        Error error;
    };
    // Waits for an answer to request `id`, at most `silence` without any message and at most `patience` with
    // heartbeats that report no progress.
    Heard hear(std::int64_t id, std::chrono::milliseconds patience, std::chrono::milliseconds silence,
               const std::stop_token& stop);
    Status start_once(const std::stop_token& stop);
    std::chrono::milliseconds patience() const;
    void drop_worker();
    void start_spare();
    // Waits until the spare worker has started, so that it does not disturb the next measurement.
    void settle_spare(const std::stop_token& stop);

    ClientSettings settings_;
    PrepareRequest prepare_;
    std::unique_ptr<WorkerProcess> worker_, spare_;
    bool spare_settled_ = true, spares_refused_ = false;
    std::vector<double> restart_seconds_;
    BenchFacts facts_;
    StartTimes start_times_;
    int failing_ = 0;     // requests by noise with a failure, minus those without
    bool answered_ = false;
    bool known_ = false;  // facts and calibration were received once
    std::int64_t next_id_ = 1;
    int workers_started_ = 0;
    std::uint64_t done_by_worker_ = 0;
    std::optional<PhaseTimes> times_;
};

}  // namespace cubinlab
