// SPDX-License-Identifier: GPL-3.0-or-later
// Runs all background work of one window. A job has a tag; a newer job of the same tag replaces the older one: a
// waiting job is dropped, a running job is asked to stop and its result is dropped. Results arrive on the
// thread that owns the runner (the GUI thread), in its event loop.
//
// A job runs in a lane. Each lane has threads of its own, so that work of minutes does not delay what a view shows. A
// lane starts a thread when a job waits and all its threads are busy, up to a limit.
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
#include <QCoreApplication>
#include <QMetaObject>
#include <QObject>
#include <QPointer>
#include <QString>
#include <array>
#include <condition_variable>
#include <cstddef>
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
    enum class Lane {
        Fast,    // what a view shows; three threads, because the check of a file may hold one for long
        Log,     // what is written to a session, and what is read after it; one thread keeps the order
        Gpu,     // measurements and trials of places, one at a time
        Slow,    // minutes, or a worker that may not answer: minimise, count patterns, look for a GPU
        Dialog,  // campaign, capture and profile; until they end or the user stops them
    };
    enum class Scope { Kernel, Window };

    explicit JobRunner(QObject* parent = nullptr);
    // Asks running jobs to stop, finishes waiting jobs without a tag, and joins all threads. Delivers no result.
    ~JobRunner() override;

    template <class T>
    void run(const QString& tag, std::function<T(std::stop_token)> work, std::function<void(T)> done,
             Scope scope = Scope::Kernel, Lane lane = Lane::Fast) {
        auto box = std::make_shared<std::unique_ptr<T>>();
        auto job = std::make_shared<Job>(tag, scope, lane);
        job->work = [box, work = std::move(work)](std::stop_token stop) {
            *box = std::make_unique<T>(work(stop));
        };
        job->done = [box, done = std::move(done)](const Error* thrown) {
            bool told = false;
            if constexpr (std::constructible_from<T, decltype(fail(std::declval<Error>()))>)
                if (thrown != nullptr && done) {
                    done(T(fail(*thrown)));
                    told = true;
                }
            if (thrown == nullptr && *box && done) done(std::move(**box));
            return told;
        };
        enqueue(job);
    }
    // Never replaced, and runs to its end even if another kernel is opened. `done` is dropped with its kernel and
    // if `work` throws. To get a result, call run() with an empty tag.
    void run_always(std::function<void(std::stop_token)> work, std::function<void()> done = {},
                    Scope scope = Scope::Kernel, Lane lane = Lane::Fast);

    void end_kernel();  // drops waiting jobs of kernel scope, stops running ones, delivers none
    void cancel(const QString& tag);
    void request_stop(Lane lane);  // of all jobs there; their results are still delivered
    bool busy(const QString& tag) const;
    bool busy(Lane lane) const;
    bool idle() const;  // no job waits or runs, and no result is on its way

  Q_SIGNALS:
    void busy_changed();
    // A job threw. `told`: its caller received the error as the result. Emitted on the runner's own thread.
    void broke(const QString& tag, const cubinlab::Error& error, bool told);

  private:
    // Delivers the result or the error. True: the caller received the error.
    using Delivery = std::function<bool(const Error* thrown)>;
    struct Job {
        Job(QString t, Scope s, Lane l) : tag(std::move(t)), scope(s), lane(l) {}
        const QString tag;
        const Scope scope;
        const Lane lane;
        std::uint64_t kernel = 0;  // number of the kernel that was open
        std::uint64_t generation = 0;
        std::function<void(std::stop_token)> work;
        Delivery done;
        std::optional<Error> thrown;  // written before the delivery is posted
        std::stop_source stop;
    };
    using JobPtr = std::shared_ptr<Job>;

    struct LaneState {
        std::deque<JobPtr> waiting;
        std::size_t sleeping = 0;  // threads that wait for a job
        std::condition_variable_any wake;
        std::vector<std::jthread> threads;  // GUI thread only
    };

    void enqueue(const JobPtr& job);
    LaneState& state_of(Lane lane) { return lanes_[static_cast<std::size_t>(lane)]; }
    using Choice = std::function<bool(const Job&)>;
    bool any(const Choice& chosen) const;  // waiting or running; under the mutex
    void drop(const Choice& chosen);       // waiting jobs go, running jobs are asked to stop; under the mutex
    bool ended(const Job& job) const { return job.scope == Scope::Kernel && job.kernel != kernel_; }
    void work_loop(LaneState& lane, const std::stop_token& stop);
    void deliver(const JobPtr& job);

    mutable std::mutex mutex_;
    std::array<LaneState, 5> lanes_;  // under the mutex
    bool closing_ = false;  // no job with a tag begins any more
    std::vector<JobPtr> running_;
    std::map<QString, std::uint64_t> newest_;  // by tag; GUI thread and workers, under the mutex
    std::uint64_t next_generation_ = 0;
    std::uint64_t kernel_ = 0;  // under the mutex
    std::size_t undelivered_ = 0;
};

// The one long job of a dialog. stop() asks it to stop, and its result is still delivered. A dialog that is destroyed
// asks its job to stop and does not wait: the job ends in its lane, and its result is dropped.
class DialogJob {
  public:
    // `tag`: of the dialog's job among those of the window.
    DialogJob(JobRunner& jobs, QString tag) : jobs_(&jobs), tag_(std::move(tag)) {}
    ~DialogJob() {
        if (jobs_) jobs_->cancel(tag_);  // a window destroys its runner before its dialogs
    }
    DialogJob(const DialogJob&) = delete;
    DialogJob& operator=(const DialogJob&) = delete;

    bool running() const { return running_; }

    template <class T>
    void start(std::function<T(std::stop_token)> work, std::function<void(T)> done) {
        running_ = true;
        stop_ = std::stop_source();
        jobs_->run<T>(
            tag_,
            [work = std::move(work), stop = stop_](std::stop_token gone) mutable {
                const std::stop_callback link(gone, [&stop] { stop.request_stop(); });
                return work(stop.get_token());
            },
            [this, done = std::move(done)](T answer) {
                running_ = false;
                done(std::move(answer));
            },
            JobRunner::Scope::Window, JobRunner::Lane::Dialog);
    }
    void stop() { stop_.request_stop(); }

  private:
    QPointer<JobRunner> jobs_;
    QString tag_;
    bool running_ = false;
    std::stop_source stop_;
};

// A function that a job may call from its thread: it calls `call` on the GUI thread while `object` exists, and does
// nothing after that. A job may therefore outlive the dialog that started it.
inline std::function<void()> gui_call(QObject* object, std::function<void()> call) {
    return [object = QPointer<QObject>(object), call = std::move(call)] {
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [object, call] {
                if (object) call();
            },
            Qt::QueuedConnection);
    };
}

}  // namespace cubinlab::ui
