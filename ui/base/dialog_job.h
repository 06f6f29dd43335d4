// SPDX-License-Identifier: GPL-3.0-or-later
// The one long job of a dialog, on a thread of its own. Asked to stop, it still gives its answer; a dialog that goes
// before it stops it and drops the answer.
#pragma once
#include <functional>
#include <stop_token>
#include <utility>

#include "ui/base/job_runner.h"

namespace cubinlab::ui {

class DialogJob {
  public:
    bool running() const { return running_; }

    template <class T>
    void start(std::function<T(std::stop_token)> work, std::function<void(T)> done) {
        running_ = true;
        stop_ = std::stop_source();
        runner_.run<T>(
            QStringLiteral("dialog"),
            [work = std::move(work), stop = stop_](std::stop_token gone) mutable {
                const std::stop_callback link(gone, [&stop] { stop.request_stop(); });
                return work(stop.get_token());
            },
            [this, done = std::move(done)](T answer) {
                running_ = false;
                done(std::move(answer));
            },
            JobRunner::Scope::Window);
    }
    void stop() { stop_.request_stop(); }

  private:
    bool running_ = false;
    std::stop_source stop_;
    JobRunner runner_{1};  // ends first
};

}  // namespace cubinlab::ui
