// SPDX-License-Identifier: GPL-3.0-or-later
// The one long job of a dialog. stop() asks it to stop, and its result is still delivered. A dialog that is destroyed
// asks its job to stop and does not wait: the job ends in its lane, and its result is dropped.
#pragma once
#include <QPointer>
#include <functional>
#include <stop_token>
#include <utility>

#include "ui/base/job_runner.h"

namespace cubinlab::ui {

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

}  // namespace cubinlab::ui
