// SPDX-License-Identifier: GPL-3.0-or-later
// Runs work off the GUI thread. A job has a tag; a newer job of the same tag replaces the older one: a
// waiting job is dropped, a running job is asked to stop and its result is dropped. Results arrive on the
// thread that owns the runner (the GUI thread), in its event loop.
//
// A job has the scope of the open kernel or of the window. When another kernel is opened, end_kernel() drops
// all pending results of kernel scope.
//
// A job that throws (out of memory, a library) fails alone: the thread takes the next job and broke() reports
// it. If the job returns a Result, its caller also receives the error as that result.
//
//   jobs.run<Listing>("listing", [=](std::stop_token stop) { return list_kernel(..., stop); },
//                     [this](Listing listing) { set_listing(std::move(listing)); });
#pragma once
#include <QObject>
#include <QString>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace cubinlab::ui {

class JobRunner : public QObject {
    Q_OBJECT

  public:
    // One thread runs jobs in order (logs); with several, a short job can overtake a long one.
    explicit JobRunner(int threads = 2, QObject* parent = nullptr);
    ~JobRunner() override;  // asks all jobs to stop and waits for them; no result is delivered after

    enum class Scope { Kernel, Window };

    template <class T>
    void run(const QString& tag, std::function<T(std::stop_token)> work, std::function<void(T)> done,
             Scope scope = Scope::Kernel) {
        auto box = std::make_shared<std::unique_ptr<T>>();
        enqueue(
            tag,
            [box, work = std::move(work)](std::stop_token stop) { *box = std::make_unique<T>(work(stop)); },
            [box, done = std::move(done)](const Error* thrown) {
                bool told = false;
                if constexpr (std::constructible_from<T, decltype(fail(std::declval<Error>()))>)
                    if (thrown != nullptr && done) {
                        done(T(fail(*thrown)));
                        told = true;
                    }
                if (thrown == nullptr && *box && done) done(std::move(**box));
                return told;
            },
            scope);
    }
    // Never replaced, and runs to its end even if another kernel is opened. `done` is dropped with its kernel and
    // if `work` throws. To get a result, call run() with an empty tag.
    void run_always(std::function<void(std::stop_token)> work, std::function<void()> done = {},
                    Scope scope = Scope::Kernel);

    void end_kernel();  // drops waiting jobs of kernel scope, stops running ones, delivers none
    void cancel(const QString& tag);
    bool busy(const QString& tag) const;
    bool idle() const;

  Q_SIGNALS:
    void busy_changed();
    // A job threw. `told`: its caller received the error as the result. Emitted on the runner's own thread.
    void broke(const QString& tag, const cubinlab::Error& error, bool told);

  private:
    // Delivers the result or the error; true: the caller received the error.
    using Delivery = std::function<bool(const Error* thrown)>;
    struct Job {
        QString tag;
        Scope scope = Scope::Kernel;
        std::uint64_t kernel = 0;  // number of the kernel
        std::uint64_t generation = 0;
        std::function<void(std::stop_token)> work;
        Delivery done;
        std::optional<Error> thrown;  // written before the delivery is posted
        std::stop_source stop;
    };
    using JobPtr = std::shared_ptr<Job>;

    void enqueue(const QString& tag, std::function<void(std::stop_token)> work, Delivery done, Scope scope);
    bool ended(const Job& job) const { return job.scope == Scope::Kernel && job.kernel != kernel_; }
    void work_loop(std::stop_token stop);
    void deliver(const JobPtr& job);

    mutable std::mutex mutex_;
    std::condition_variable_any wake_;
    std::deque<JobPtr> waiting_;
    std::vector<JobPtr> running_;
    std::map<QString, std::uint64_t> newest_;  // by tag; GUI thread and workers, under the mutex
    std::uint64_t next_generation_ = 0;
    std::uint64_t kernel_ = 0;  // under the mutex
    std::size_t undelivered_ = 0;
    std::vector<std::jthread> threads_;
};

}  // namespace cubinlab::ui
