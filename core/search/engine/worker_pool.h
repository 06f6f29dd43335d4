// SPDX-License-Identifier: GPL-3.0-or-later
// A thread pool whose threads live as long as the program: the checker has a cache per thread, which a new
// thread would have to recompute.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace cubinlab {

// One thread, one task at a time.
class WorkerThread {
  public:
    WorkerThread();
    ~WorkerThread();
    WorkerThread(const WorkerThread&) = delete;
    WorkerThread& operator=(const WorkerThread&) = delete;

    void start(std::function<void()> task);  // only after wait()
    void wait();                             // until the task ends; throws what it threw

  private:
    void work(const std::stop_token& stop);

    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::function<void()> task_;
    bool busy_ = false;
    std::exception_ptr thrown_;
    std::jthread thread_;
};

// Distributes the iterations of a loop over threads.
class WorkerPool {
  public:
    explicit WorkerPool(std::size_t threads) : slots_(threads) {}
    // Number of threads for a run on this machine, next to its own thread, its worker and the window.
    static std::size_t usual();
    std::size_t threads() const { return slots_.size(); }  // without the caller's
    // Calls iteration(i) for each i below `count`, in any order, on the caller's thread and on all threads of
    // the pool that no other caller uses. Returns when all are done; rethrows an exception of an iteration.
    void run(std::size_t count, const std::function<void(std::size_t)>& iteration);

  private:
    struct Slot {
        std::atomic<bool> taken{false};
        WorkerThread thread;
    };
    std::vector<Slot> slots_;
};

// The pool of the program.
WorkerPool& shared_pool();

}  // namespace cubinlab
