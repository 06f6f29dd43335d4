// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/job_runner.h"

#include <QMetaObject>
#include <algorithm>

#include "core/base/guarded.h"

namespace cubinlab::ui {

JobRunner::JobRunner(int threads, QObject* parent) : QObject(parent) {
    for (int i = 0; i < threads; ++i)
        threads_.emplace_back([this](std::stop_token stop) { work_loop(std::move(stop)); });
}

JobRunner::~JobRunner() {
    {
        const std::lock_guard lock(mutex_);
        for (const JobPtr& job : running_)
            job->stop.request_stop();
    }
    for (std::jthread& thread : threads_)
        thread.request_stop();
    wake_.notify_all();
    threads_.clear();  // joins
}

void JobRunner::run_always(std::function<void(std::stop_token)> work, std::function<void()> done,
                           Scope scope) {
    enqueue(
        {}, std::move(work),
        [done = std::move(done)](const Error* thrown) {
            if (thrown == nullptr && done) done();
            return false;
        },
        scope);
}

void JobRunner::enqueue(const QString& tag, std::function<void(std::stop_token)> work, Delivery done,
                        Scope scope) {
    auto job = std::make_shared<Job>();
    job->tag = tag;
    job->work = std::move(work);
    job->done = std::move(done);
    job->scope = scope;
    if (!tag.isEmpty()) cancel(tag);
    {
        const std::lock_guard lock(mutex_);
        job->generation = ++next_generation_;
        job->kernel = kernel_;
        if (!tag.isEmpty()) newest_[tag] = job->generation;
        waiting_.push_back(job);
        ++undelivered_;
    }
    wake_.notify_one();
    Q_EMIT busy_changed();
}

void JobRunner::cancel(const QString& tag) {
    const std::lock_guard lock(mutex_);
    newest_[tag] = ++next_generation_;
    const auto same = [&](const JobPtr& job) { return job->tag == tag; };
    const auto first = std::remove_if(waiting_.begin(), waiting_.end(), same);
    undelivered_ -= static_cast<std::size_t>(waiting_.end() - first);
    waiting_.erase(first, waiting_.end());
    for (const JobPtr& job : running_)
        if (same(job)) job->stop.request_stop();
}

void JobRunner::end_kernel() {
    const std::lock_guard lock(mutex_);
    ++kernel_;
    const auto of_kernel = [&](const JobPtr& job) { return ended(*job) && !job->tag.isEmpty(); };
    const auto first = std::remove_if(waiting_.begin(), waiting_.end(), of_kernel);
    undelivered_ -= static_cast<std::size_t>(waiting_.end() - first);
    waiting_.erase(first, waiting_.end());
    for (const JobPtr& job : running_)
        if (of_kernel(job)) job->stop.request_stop();
}

bool JobRunner::busy(const QString& tag) const {
    const std::lock_guard lock(mutex_);
    const auto same = [&](const JobPtr& job) { return job->tag == tag; };
    return std::any_of(waiting_.begin(), waiting_.end(), same) ||
           std::any_of(running_.begin(), running_.end(), same);
}

bool JobRunner::idle() const {
    const std::lock_guard lock(mutex_);
    return undelivered_ == 0;
}

void JobRunner::work_loop(std::stop_token stop) {
    while (true) {
        JobPtr job;
        {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, stop, [&] { return !waiting_.empty(); });
            // Untagged jobs still run, because they write logs.
            if (stop.stop_requested())
                std::erase_if(waiting_, [](const JobPtr& waiting) { return !waiting->tag.isEmpty(); });
            if (waiting_.empty()) return;
            job = waiting_.front();
            waiting_.pop_front();
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
    bool newest = true;  // else its result is dropped
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
