// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/job_runner.h"

#include <QMetaObject>
#include <algorithm>

#include "core/base/guarded.h"

namespace cubinlab::ui {
namespace {

std::size_t most_threads(JobRunner::Lane lane) {
    switch (lane) {
        case JobRunner::Lane::Fast:
        case JobRunner::Lane::Slow:
        case JobRunner::Lane::Dialog:
            return 3;
        case JobRunner::Lane::Log:
        case JobRunner::Lane::Gpu:
            return 1;
    }
    return 1;
}

}  // namespace

JobRunner::JobRunner(QObject* parent) : QObject(parent) {}

JobRunner::~JobRunner() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
        for (const JobPtr& job : running_)
            job->stop.request_stop();
    }
    for (LaneState& lane : lanes_)
        for (std::jthread& thread : lane.threads)
            thread.request_stop();
    for (LaneState& lane : lanes_)
        lane.threads.clear();  // joins
}

void JobRunner::run_always(std::function<void(std::stop_token)> work, std::function<void()> done, Scope scope,
                           Lane lane) {
    auto job = std::make_shared<Job>(QString(), scope, lane);
    job->work = std::move(work);
    job->done = [done = std::move(done)](const Error* thrown) {
        if (thrown == nullptr && done) done();
        return false;
    };
    enqueue(job);
}

void JobRunner::enqueue(const JobPtr& job) {
    if (!job->tag.isEmpty()) cancel(job->tag);
    LaneState& lane = state_of(job->lane);
    {
        const std::lock_guard lock(mutex_);
        job->generation = ++next_generation_;
        job->kernel = kernel_;
        if (!job->tag.isEmpty()) newest_[job->tag] = job->generation;
        lane.waiting.push_back(job);
        ++undelivered_;
        if (lane.waiting.size() > lane.sleeping && lane.threads.size() < most_threads(job->lane))
            lane.threads.emplace_back([this, &lane](const std::stop_token& stop) { work_loop(lane, stop); });
    }
    lane.wake.notify_one();
    Q_EMIT busy_changed();
}

bool JobRunner::any(const Choice& chosen) const {
    const auto is_chosen = [&](const JobPtr& job) { return chosen(*job); };
    return std::ranges::any_of(running_, is_chosen) ||
           std::ranges::any_of(
               lanes_, [&](const LaneState& lane) { return std::ranges::any_of(lane.waiting, is_chosen); });
}

void JobRunner::drop(const Choice& chosen) {
    const auto is_chosen = [&](const JobPtr& job) { return chosen(*job); };
    for (LaneState& lane : lanes_)
        undelivered_ -= std::erase_if(lane.waiting, is_chosen);
    for (const JobPtr& job : running_)
        if (is_chosen(job)) job->stop.request_stop();
}

void JobRunner::cancel(const QString& tag) {
    const std::lock_guard lock(mutex_);
    newest_[tag] = ++next_generation_;
    drop([&](const Job& job) { return job.tag == tag; });
}

void JobRunner::end_kernel() {
    const std::lock_guard lock(mutex_);
    ++kernel_;
    drop([&](const Job& job) { return ended(job) && !job.tag.isEmpty(); });
}

void JobRunner::request_stop(Lane lane) {
    const std::lock_guard lock(mutex_);
    for (const JobPtr& job : state_of(lane).waiting)
        job->stop.request_stop();
    for (const JobPtr& job : running_)
        if (job->lane == lane) job->stop.request_stop();
}

bool JobRunner::busy(const QString& tag) const {
    const std::lock_guard lock(mutex_);
    return any([&](const Job& job) { return job.tag == tag; });
}

bool JobRunner::busy(Lane lane) const {
    const std::lock_guard lock(mutex_);
    return any([&](const Job& job) { return job.lane == lane; });
}

bool JobRunner::idle() const {
    const std::lock_guard lock(mutex_);
    return undelivered_ == 0;
}

void JobRunner::work_loop(LaneState& lane, const std::stop_token& stop) {
    while (true) {
        JobPtr job;
        {
            std::unique_lock lock(mutex_);
            ++lane.sleeping;
            lane.wake.wait(lock, stop, [&] { return !lane.waiting.empty(); });
            --lane.sleeping;
            // What was given to the log is written: waiting jobs without a tag still run.
            if (closing_)
                std::erase_if(lane.waiting, [](const JobPtr& waiting) { return !waiting->tag.isEmpty(); });
            if (lane.waiting.empty()) return;
            job = lane.waiting.front();
            lane.waiting.pop_front();
            running_.push_back(job);
        }
        job->thrown = guarded([&] { job->work(job->stop.get_token()); });
        job->work = nullptr;
        {
            const std::lock_guard lock(mutex_);
            std::erase(running_, job);
        }
        QMetaObject::invokeMethod(
            this, [this, job] { deliver(job); }, Qt::QueuedConnection);
    }
}

void JobRunner::deliver(const JobPtr& job) {
    bool newest = true;  // else nobody waits for the result
    {
        const std::lock_guard lock(mutex_);
        --undelivered_;
        if (!job->tag.isEmpty()) newest = newest_[job->tag] == job->generation;
        if (ended(*job)) newest = false;
    }
    bool told = false;
    const Error* thrown = job->thrown ? &*job->thrown : nullptr;
    if (newest && job->done) told = job->done(thrown);
    if (thrown != nullptr) Q_EMIT broke(job->tag, *thrown, told);
    Q_EMIT busy_changed();
}

}  // namespace cubinlab::ui
