// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/client/gpu_pool.h"

#include <fmt/format.h>

#include <algorithm>

namespace cubinlab {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t kRemembered = 4096;  // screened candidates whose GPU is known
constexpr int kMostMemberLosses = 2;

// Errors that another attempt does not repair, unlike a lost worker.
bool for_good(ErrorCode code) {
    return code != ErrorCode::Worker && code != ErrorCode::Cancelled && code != ErrorCode::Io;
}

std::string model_of(const BenchFacts& facts) {
    return fmt::format("{} (sm_{}, {} multiprocessors)", facts.device, facts.sm, facts.multiprocessors);
}

}  // namespace

struct GpuPool::Member {
    int index = 0;
    PoolMemberState state;
    std::unique_ptr<GpuClient> client;
    bool settled = false;  // its first start succeeded or failed
    Error error;
    std::chrono::milliseconds pause{1000};
};

// One call of evaluate(), on the caller's stack. Members access it under the mutex of the pool, except
// `image` and `reference`, which do not change.
struct GpuPool::Batch {
    Effort effort;
    const WireImage& reference;
    const ImageOf& image;
    const std::vector<double>& alphas;
    Sampling sampling;
    std::optional<Cache> state;
    std::vector<PooledOutcome> outcomes;
    std::vector<Hash128> hashes;
    std::vector<int> losses;
    std::vector<int> preferred;  // member; -1: any
    std::deque<std::size_t> waiting;
    std::size_t done = 0;
    int busy = 0;  // members that work on it
    std::stop_source stop;
    std::optional<Error> error;
};

GpuPool::GpuPool(std::vector<PoolMember> members, ClientSettings settings, PrepareRequest prepare)
    : settings_(std::move(settings)), prepare_(std::move(prepare)) {
    for (PoolMember& member : members) {
        auto made = std::make_unique<Member>();
        made->index = static_cast<int>(members_.size());
        made->state.member = std::move(member);
        members_.push_back(std::move(made));
    }
}

GpuPool::~GpuPool() {
    for (std::jthread& thread : threads_)
        thread.request_stop();
    changed_.notify_all();
    threads_.clear();
}

bool GpuPool::all_settled() const {
    return std::all_of(members_.begin(), members_.end(), [](const auto& m) { return m->settled; });
}

int GpuPool::members_up() const {
    return static_cast<int>(
        std::count_if(members_.begin(), members_.end(), [](const auto& m) { return m->state.up; }));
}

std::vector<PoolMemberState> GpuPool::states() const {
    const std::lock_guard lock(mutex_);
    std::vector<PoolMemberState> out;
    for (const auto& member : members_)
        out.push_back(member->state);
    return out;
}

Status GpuPool::start(const std::stop_token& stop, milliseconds latecomers) {
    if (members_.empty()) return fail(ErrorCode::BadUse, "no worker to start", "workers");
    if (threads_.empty())
        for (auto& member : members_)
            threads_.emplace_back([this, m = member.get()](const std::stop_token& s) { live(*m, s); });
    std::unique_lock lock(mutex_);
    const auto any = [&] { return members_up() > 0 || all_settled(); };
    changed_.wait(lock, stop, any);
    if (!stop.stop_requested()) changed_.wait_for(lock, stop, latecomers, [&] { return all_settled(); });
    if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped on request", "measurement");
    if (members_up() > 0) return {};
    return fail(members_.front()->error);
}

void GpuPool::live(Member& self, const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        bool up = false;
        {
            const std::lock_guard lock(mutex_);
            if (self.state.left_out) return;
            up = self.state.up;
        }
        if (!up && !try_start(self, stop)) {
            std::unique_lock lock(mutex_);
            if (self.state.left_out) return;
            changed_.wait_for(lock, stop, self.pause, [] { return false; });
            self.pause = std::min<milliseconds>(self.pause * 2, seconds(60));
            continue;
        }
        work(self, stop);
    }
}

bool GpuPool::try_start(Member& self, const std::stop_token& stop) {
    if (!self.client) {
        ClientSettings settings = settings_;
        settings.command = self.state.member.command;
        PrepareRequest prepare = prepare_;
        prepare.settings.device = self.state.member.device;
        self.client = std::make_unique<GpuClient>(std::move(settings), std::move(prepare));
    }
    Status status = self.client->ready(stop);
    const std::lock_guard lock(mutex_);
    if (status) {
        const std::string model = model_of(self.client->facts());
        if (model_.empty()) model_ = model;
        if (model != model_)
            status =
                fail(ErrorCode::Unsupported,
                     fmt::format("is a {}, the pool measures on a {}; one run never mixes two kinds of GPU",
                                 model, model_),
                     "worker");
        self.state.facts = self.client->facts();
        self.state.calibrations = self.client->calibrations();
        self.state.start_times = self.client->start_times();
        self.state.workers_started = self.client->workers_started();
    }
    self.settled = true;
    self.state.up = status.has_value();
    if (!status) {
        self.error = status.error();
        self.state.note = self.error.message();
        self.state.left_out = for_good(self.error.code);
        if (self.state.left_out) self.client.reset();
    } else {
        self.state.note.clear();
        self.pause = milliseconds(1000);
    }
    changed_.notify_all();
    return status.has_value();
}

// The next work for a member: a share of the waiting candidates when screening, otherwise one candidate.
std::vector<std::size_t> GpuPool::take(Member& self) {
    std::vector<std::size_t> out;
    if (!batch_ || batch_->stop.stop_requested()) return out;
    Batch& batch = *batch_;
    const auto ups = static_cast<std::size_t>(std::max(1, members_up()));
    std::size_t most = 1;
    if (batch.effort == Effort::Screen)
        most = ups == 1 ? batch.waiting.size()
                        : std::clamp<std::size_t>(batch.waiting.size() / (2 * ups), 1, 32);
    // Whole batches.
    if (batch.effort != Effort::Confirm && batch.sampling.by_noise)
        most = (most + kTogetherAtMost - 1) / kTogetherAtMost * kTogetherAtMost;
    for (auto at = batch.waiting.begin(); at != batch.waiting.end() && out.size() < most;) {
        const int wish = batch.preferred[*at];
        const bool mine =
            wish < 0 || wish == self.index || !members_[static_cast<std::size_t>(wish)]->state.up;
        if (!mine) {
            ++at;
            continue;
        }
        out.push_back(*at);
        at = batch.waiting.erase(at);
    }
    return out;
}

void GpuPool::work(Member& self, const std::stop_token& stop) {
    std::vector<std::size_t> mine;
    Batch* batch = nullptr;
    {
        std::unique_lock lock(mutex_);
        const bool ready = changed_.wait(lock, stop, [&] {
            mine = take(self);
            return !mine.empty();
        });
        if (!ready) return;
        batch = batch_;
        ++batch->busy;
    }
    std::vector<WireImage> images;
    for (const std::size_t i : mine)
        images.push_back(batch->image(i));
    const double alpha = batch->alphas.empty() ? 0 : batch->alphas[mine.front()];
    std::size_t done = 0;
    const auto keep = [&](std::size_t i, const BenchOutcome& outcome) {
        const std::lock_guard lock(mutex_);
        batch->outcomes[mine[i]] = {outcome, self.index};
        batch->hashes[mine[i]] = images[i].hash;
        ++batch->done;
        done = i + 1;
        ++self.state.candidates;
    };
    auto measured = [&] {  // destroys the callback before the batch can be destroyed
        const std::stop_callback stop_batch(stop, [&] { batch->stop.request_stop(); });
        return self.client->evaluate(batch->effort, batch->reference, images, batch->stop.get_token(), alpha,
                                     keep, batch->sampling, batch->state);
    }();
    const std::lock_guard lock(mutex_);
    self.state.workers_started = self.client->workers_started();
    if (!measured) {
        // Candidates without outcome return to the front, in order. The first of them was being measured.
        if (done < mine.size() && measured.error().code != ErrorCode::Cancelled &&
            ++batch->losses[mine[done]] >= kMostMemberLosses) {
            BenchOutcome lost;
            lost.kind = OutcomeKind::WorkerLost;
            lost.detail = fmt::format("{} ({} GPUs left the pool on this candidate)",
                                      measured.error().message(), kMostMemberLosses);
            batch->outcomes[mine[done]] = {lost, self.index};
            batch->hashes[mine[done]] = images[done].hash;
            ++batch->done;
            ++done;
        }
        batch->waiting.insert(batch->waiting.begin(), mine.begin() + static_cast<std::ptrdiff_t>(done),
                              mine.end());
        if (measured.error().code != ErrorCode::Cancelled) go_down(self, measured.error(), stop);
    }
    --batch->busy;
    changed_.notify_all();
}

void GpuPool::go_down(Member& self, Error error, const std::stop_token& stop) {
    if (stop.stop_requested()) return;
    self.state.up = false;
    self.state.note = error.message();
    self.state.left_out = for_good(error.code);
    self.error = std::move(error);
    self.pause = milliseconds(1000);
    if (members_up() == 0 && batch_) batch_->error = self.error;
}

Result<std::vector<PooledOutcome>> GpuPool::evaluate(Effort effort, const WireImage& reference,
                                                     std::size_t count, const ImageOf& image,
                                                     const std::vector<double>& alphas,
                                                     const std::stop_token& stop, const Sampling& sampling,
                                                     std::optional<Cache> state) {
    Batch batch{effort, reference, image, alphas, sampling, state, {}, {}, {}, {}, {}, 0, 0, {}, {}};
    batch.outcomes.resize(count);
    batch.hashes.resize(count);
    batch.losses.assign(count, 0);
    batch.preferred.assign(count, -1);
    for (std::size_t i = 0; i < count; ++i)
        batch.waiting.push_back(i);
    const std::stop_callback forward(stop, [&] {
        const std::lock_guard guard(mutex_);
        batch.stop.request_stop();
        changed_.notify_all();
    });
    std::unique_lock lock(mutex_);
    if (members_up() == 0) return fail(members_.front()->error);
    // Confirmations are compared with each other, and two GPUs may gain differently from the same schedule.
    // So one GPU makes all confirmations of a run.
    const auto first_up =
        std::find_if(members_.begin(), members_.end(), [](const auto& m) { return m->state.up; });
    if (effort == Effort::Confirm) batch.preferred.assign(count, (*first_up)->index);
    if (effort == Effort::Refine)
        for (std::size_t i = 0; i < count; ++i) {
            const auto known = screened_by_.find(image(i).hash);
            batch.preferred[i] =
                known != screened_by_.end() ? known->second : turn_++ % static_cast<int>(members_.size());
        }
    batch_ = &batch;
    changed_.notify_all();
    changed_.wait(lock, [&] {
        const bool over = batch.done == count || batch.error || batch.stop.stop_requested();
        return over && batch.busy == 0;
    });
    batch_ = nullptr;
    if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped on request", "measurement");
    if (batch.done < count)
        return fail(batch.error.value_or(Error{ErrorCode::Worker, "no worker is left", "pool"}));
    for (std::size_t i = 0; i < count; ++i) {
        if (screened_by_.insert_or_assign(batch.hashes[i], batch.outcomes[i].member).second)
            screened_order_.push_back(batch.hashes[i]);
        if (screened_order_.size() <= kRemembered) continue;
        screened_by_.erase(screened_order_.front());
        screened_order_.pop_front();
    }
    return std::move(batch.outcomes);
}

}  // namespace cubinlab
