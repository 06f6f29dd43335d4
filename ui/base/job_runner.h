// SPDX-License-Identifier: GPL-3.0-or-later
// Work off the GUI thread. A job has a tag; a newer job of the same tag replaces the older one: if it still
// waits it never starts, if it runs it is asked to stop and its result is dropped. Results are delivered on
// the thread that owns the runner (the GUI's), in its event loop.
//
// A job lives as long as the kernel that is open, unless it says that it is the window's: when another kernel
// is opened, end_kernel() drops every result that is still on its way, whoever asked for it.
//
// A job that throws (no memory left, a library) ends alone: the thread takes the next one, and broke() says
// so. Where the job's answer is a Result, whoever asked for it gets the error as that answer, too.
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
    // One thread keeps jobs in order (logs); several let a short job overtake a long one.
    explicit JobRunner(int threads = 2, QObject* parent = nullptr);
    ~JobRunner() override;  // asks all jobs to stop and waits for them; no result is delivered after

    enum class Scope { Kernel, Window };
    using Life = Scope;  // the name in the files of the dialogs

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
    // Never replaced by a later one, and run to its end whatever is opened; `done` is dropped with its
    // kernel, and where `work` throws. The same with an answer: run() with an empty tag.
    void run_always(std::function<void(std::stop_token)> work, std::function<void()> done = {},
                    Scope scope = Scope::Kernel);

    void
    end_kernel();  // jobs of the kernel: none starts, those that run are asked to stop, none is delivered
    void cancel(const QString& tag);
    bool busy(const QString& tag) const;
    bool idle() const;

  Q_SIGNALS:
    void busy_changed();
    // A job threw. `told`: who asked for it has the error as its answer. On the runner's own thread.
    void broke(const QString& tag, const cubinlab::Error& error, bool told);

  private:
    // Gives the answer, or the error in its place; true: whoever asked was told of it.
    using Delivery = std::function<bool(const Error* thrown)>;
    struct Job {
        QString tag;
        Scope scope = Scope::Kernel;
        std::uint64_t kernel = 0;  // which of them, counted
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
