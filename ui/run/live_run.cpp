// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/live_run.h"

#include <filesystem>
#include <utility>

#include "core/base/guarded.h"

namespace cubinlab::ui {
namespace {
constexpr std::size_t kMailLimit = 20000;  // steps; about 8 MB
}

LiveRun::LiveRun(TuneRequest request, StartOf start_of) : start_of_(std::move(start_of)) {
    thread_ = std::jthread([this, request = std::move(request)](std::stop_token stop) mutable {
        {
            const std::lock_guard lock(mutex_);
            stop_ = stop;
        }
        std::optional<Result<EndedRun>> result;
        // What was logged is in the session: on the way out the log is closed like any other.
        if (auto thrown = guarded([&] { result = work(std::move(request), stop); })) result = fail(*thrown);
        const std::lock_guard lock(mutex_);
        mail_.ended = std::move(result);
    });
}

LiveRun::~LiveRun() {
    request_stop();
    if (thread_.joinable()) thread_.join();
}

void LiveRun::request_stop() {
    thread_.request_stop();
    gate_.resume();
}

LiveMail LiveRun::take() {
    LiveMail mail;
    {
        const std::lock_guard lock(mutex_);
        std::swap(mail, mail_);
    }
    taken_.notify_all();
    return mail;
}

void LiveRun::on_step(const StepRecord& record, const Schedule&) {
    std::unique_lock lock(mutex_);
    taken_.wait(lock, stop_, [&] { return mail_.steps.size() < kMailLimit; });
    mail_.steps.push_back(record);
    mail_.steps.back().outcome.samples = {};  // they are in the session; views do not draw them
}

void LiveRun::on_best(const StepRecord& record, const Schedule& schedule) {
    auto best = std::make_shared<const Schedule>(schedule);
    const std::lock_guard lock(mutex_);
    mail_.best = std::move(best);
    mail_.best_step = record.step;
}

void LiveRun::on_metric(StepId step, const std::string& name, double value) {
    const std::lock_guard lock(mutex_);
    mail_.metrics.push_back({step, name, value});
}

void LiveRun::on_episode(StepId step, double episode_return) {
    const std::lock_guard lock(mutex_);
    mail_.episodes.push_back({step, episode_return});
}

void LiveRun::on_doing(const std::string& doing) {
    const std::lock_guard lock(mutex_);
    mail_.doing = doing;
}

void LiveRun::on_phase(RunPhase phase) {
    const std::lock_guard lock(mutex_);
    mail_.phase = phase;
}

void LiveRun::on_started(const RunInfo& run) {
    ++parts_;
    OpenKernelPtr start = run.start_run != 0 ? start_of_(run) : nullptr;
    std::unique_lock lock(mutex_);
    taken_.wait(lock, stop_, [&] {
        return mail_.steps.empty() && mail_.metrics.empty() && mail_.episodes.empty() && !mail_.best && !mail_.started;
    });
    mail_.started = run;
    mail_.start = std::move(start);
    mail_.note = std::exchange(note_, {});
    mail_.ptx_note = std::exchange(ptx_note_, {});
}

Result<EndedRun> LiveRun::work(TuneRequest request, const std::stop_token& stop) {
    std::error_code error;
    if (request.earlier)
        std::erase_if(request.earlier->sources, [&](const std::filesystem::path& source) {
            return !std::filesystem::exists(source, error);
        });
    auto session = TRY(TuneSession::prepare(std::move(request), *this, stop));
    note_ = session.plan().note;
    ptx_note_ = session.plan().starts_note;
    {
        const std::lock_guard lock(mutex_);
        mail_.starts = session.plan().schedules;
    }
    auto result = TRY(session.run(*this, stop, gate_));
    return EndedRun{std::move(result.summary), result.run, parts_ > 1, !result.final.empty()};
}

}  // namespace cubinlab::ui
