// SPDX-License-Identifier: GPL-3.0-or-later
// Any number of GPUs behind one interface: those of this machine, and those behind ssh or a batch system.
// Each member is one GPU with its own worker process, thread, calibration and loaded reference; a batch of
// candidates is handed out in pieces to whoever is free.
//
//   - An outcome is made by one GPU from first to last: screening compares with the reference as loaded on
//     that GPU, and the promotion and confirmation of a candidate go to the GPU that screened it. If that
//     member dies, another begins again.
//   - All members are GPUs of one model; others are left out, and the list of members says so.
//   - A member whose worker cannot be brought back leaves the pool. Its candidates go to others, and it is
//     started again in the background after a pause that grows from 1 to 60 seconds. A candidate on which two
//     members went down is given up as WorkerLost.
//   - Outcomes are returned in the order of the candidates. With workers whose outcomes depend on the
//   candidate
//     alone the result does not depend on the number of members; real timings differ from run to run anyway.
#pragma once
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "core/gpu/client/gpu_client.h"

namespace cubinlab {

// One GPU: the command that starts its worker (empty: the default one) and its number on that machine.
struct PoolMember {
    std::string command;
    int device = 0;
};

struct PoolMemberState {
    PoolMember member;
    bool up = false;
    bool left_out = false;  // for good: another model, no GPU, a workload it refuses
    std::string note;       // why it is not up
    BenchFacts facts;       // valid if it was up once
    Calibration calibration;
    std::uint64_t candidates = 0;
    int workers_started = 0;
};

struct PooledOutcome {
    BenchOutcome outcome;
    int member = 0;
};

class GpuPool {
  public:
    // `settings.command` and `prepare.settings.device` are replaced by each member's own.
    GpuPool(std::vector<PoolMember> members, ClientSettings settings, PrepareRequest prepare);
    ~GpuPool();
    GpuPool(const GpuPool&) = delete;
    GpuPool& operator=(const GpuPool&) = delete;

    // Starts all members at once; returns when each is up or down, or `latecomers` after the first is up:
    // later ones join when they are ready. Error: none came up (the first member's reason).
    Status start(const std::stop_token& stop,
                 std::chrono::milliseconds latecomers = std::chrono::seconds(10));

    using ImageOf = std::function<WireImage(std::size_t)>;  // called on members' threads, at the same time
    // Outcomes of candidates 0 .. count-1. `alphas`: error probability for each, or empty. Errors: Cancelled;
    // Worker where the last member went down.
    Result<std::vector<PooledOutcome>> evaluate(Effort effort, const WireImage& reference, std::size_t count,
                                                const ImageOf& image, const std::vector<double>& alphas,
                                                const std::stop_token& stop, const Sampling& sampling = {});

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
    std::vector<std::jthread> threads_;  // last: stopped and joined before the rest goes
};

}  // namespace cubinlab
