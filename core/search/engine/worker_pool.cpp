// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/engine/worker_pool.h"

#include <algorithm>
#include <utility>

namespace cubinlab {

WorkerThread::WorkerThread() : thread_([this](const std::stop_token& stop) { work(stop); }) {}

WorkerThread::~WorkerThread() {
    thread_.request_stop();
    changed_.notify_all();
}

void WorkerThread::start(std::function<void()> task) {
    const std::lock_guard lock(mutex_);
    task_ = std::move(task);
    busy_ = true;
    changed_.notify_all();
}

void WorkerThread::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !busy_; });
    if (auto thrown = std::exchange(thrown_, nullptr)) std::rethrow_exception(thrown);
}

void WorkerThread::work(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [&] { return task_ != nullptr; })) {
        const std::function<void()> task = std::exchange(task_, nullptr);
        lock.unlock();
        std::exception_ptr thrown;
        try {
            task();
        } catch (...) {
            thrown = std::current_exception();
        }
        lock.lock();
        thrown_ = thrown;
        busy_ = false;
        changed_.notify_all();
    }
}

std::size_t WorkerPool::usual() {
    constexpr std::size_t kMost = 8;
    const std::size_t cores = std::thread::hardware_concurrency();
    return cores < 4 ? 0 : std::min(kMost, cores / 2 - 1);
}

void WorkerPool::run(std::size_t count, const std::function<void(std::size_t)>& iteration) {
    std::atomic<std::size_t> next{0};
    const auto iterate = [&] {
        for (std::size_t i = next++; i < count; i = next++)
            iteration(i);
    };
    std::vector<Slot*> helpers;
    for (std::size_t i = 0; i < slots_.size() && helpers.size() + 1 < count; ++i)
        if (!slots_[i].taken.exchange(true)) helpers.push_back(&slots_[i]);
    for (Slot* helper : helpers)
        helper->thread.start(iterate);
    std::exception_ptr thrown;
    const auto attempt = [&](const auto& what) {
        try {
            what();
        } catch (...) {
            if (!thrown) thrown = std::current_exception();
        }
    };
    attempt(iterate);
    for (Slot* helper : helpers) {
        attempt([&] { helper->thread.wait(); });
        helper->taken = false;
    }
    if (thrown) std::rethrow_exception(thrown);
}

WorkerPool& shared_pool() {
    static WorkerPool out(WorkerPool::usual());
    return out;
}

}  // namespace cubinlab
