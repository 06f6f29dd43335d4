// SPDX-License-Identifier: GPL-3.0-or-later
// A pool of GPUs: local ones, and those behind ssh or a batch system. Each member is one GPU with its own
// worker process, thread, calibration and loaded reference; free members take parts of a batch of candidates.
//
//   - One GPU makes an outcome: screening compares with the reference on that GPU, and the refinement of a
//     candidate goes to the GPU that screened it. If that member fails, another starts again.
//   - All confirmations go to the first member that is up, so that they can be compared.
//   - All members are GPUs of one model; others are left out, and the list of members says so.
//   - A member whose worker cannot be restarted leaves the pool. Other members take its candidates, and it is
//     started again in the background after a pause that grows from 1 to 60 seconds. A candidate on which two
//     members failed becomes WorkerLost.
//   - Outcomes have the order of the candidates. If outcomes depend only on the candidate, they do not depend
//     on the number of members; real timings vary in any case.
#pragma once
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "core/gpu/client/gpu_client.h"

namespace cubinlab {

// One GPU: the command that starts its worker (empty: the default one) and its index on that machine.
struct PoolMember {
    std::string command;
    int device = 0;
};

struct PoolMemberState {
    PoolMember member;
    bool up = false;
    bool left_out = false;  // permanently: another model, no GPU, a workload that it refuses
    std::string note;       // the reason if it is not up
    BenchFacts facts;       // valid once it was up
    std::vector<Calibration> calibrations;  // by cache state
    StartTimes start_times;
    std::uint64_t candidates = 0;
    int workers_started = 0;
};

struct PooledOutcome {
    BenchOutcome outcome;
    int member = 0;
};

class GpuPool {
  public:
    // `settings.command` and `prepare.settings.device` are replaced by those of each member.
    GpuPool(std::vector<PoolMember> members, ClientSettings settings, PrepareRequest prepare);
    ~GpuPool();
    GpuPool(const GpuPool&) = delete;
    GpuPool& operator=(const GpuPool&) = delete;

    // Starts all members in parallel. Returns when each is up or has failed, or `latecomers` after the first
    // is up; later ones join when ready. Error: none is up (the reason of the first member).
    Status start(const std::stop_token& stop,
                 std::chrono::milliseconds latecomers = std::chrono::seconds(10));

    using ImageOf = std::function<WireImage(std::size_t)>;  // called concurrently on the members' threads
    // Outcomes of candidates 0 .. count-1. `alphas`: error probability of each, or empty. `state`: as in GpuClient::evaluate.
    // Errors: Cancelled; Worker if the last member failed.
    Result<std::vector<PooledOutcome>> evaluate(Effort effort, const WireImage& reference, std::size_t count,
                                                const ImageOf& image, const std::vector<double>& alphas,
                                                const std::stop_token& stop, const Sampling& sampling = {},
                                                std::optional<Cache> state = {});

    std::size_t size() const { return members_.size(); }
    std::vector<PoolMemberState> states() const;

  private:
    struct Batch;
    struct Member;
    void live(Member& self, const std::stop_token& stop);
    bool try_start(Member& self, const std::stop_token& stop);
    void work(Member& self, const std::stop_token& stop);
    std::vector<std::size_t> take(Member& self);
    void go_down(Member& self, Error error, const std::stop_token& stop);
    bool all_settled() const;
    int members_up() const;

    ClientSettings settings_;
    PrepareRequest prepare_;
    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    std::vector<std::unique_ptr<Member>> members_;
    Batch* batch_ = nullptr;
    std::string model_;  // of the first GPU that came up
    std::map<Hash128, int> screened_by_;
    std::deque<Hash128> screened_order_;
    int turn_ = 0;
    std::vector<std::jthread> threads_;  // last member: stopped and joined before the others are destroyed
};

}  // namespace cubinlab
