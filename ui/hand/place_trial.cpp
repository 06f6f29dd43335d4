// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hand/place_trial.h"

#include <algorithm>
#include <mutex>

#include "core/tuning/evaluator_choice.h"
#include "ui/base/job_runner.h"

namespace cubinlab::ui {
namespace {

const auto kTrialTag = QStringLiteral("places");
constexpr std::size_t kBatch = 8;  // positions between two reports

}  // namespace

struct PlaceTrial::Setup {
    SchedulePtr schedule;
    CheckerPtr checker;
    InstrId id = kNone;
    std::optional<Workload> workload;
    EvaluatorPolicy policy = EvaluatorPolicy::Auto;
    GpuSettings gpu;
};

// Written by the trial's thread, read by the GUI thread on a signal.
struct PlaceTrial::Progress {
    std::mutex mutex;
    PlaceHeat heat;
    std::string note;
    std::function<void()> tell;

    void set(const std::function<void(PlaceHeat&)>& change) {
        {
            const std::lock_guard lock(mutex);
            change(heat);
        }
        tell();
    }
};

PlaceTrial::PlaceTrial(JobRunner& jobs, QObject* parent) : QObject(parent), jobs_(jobs) {}

PlaceTrial::~PlaceTrial() = default;

Status PlaceTrial::work(const Setup& setup, const std::shared_ptr<Progress>& progress, std::stop_token stop) {
    const Schedule& schedule = *setup.schedule;
    const KernelPtr& kernel = schedule.kernel();
    const Block& block = kernel->flow().blocks[kernel->block_of(setup.id)];
    const SlotRange range = setup.checker->slots(schedule, setup.id);
    std::vector<Position> places;
    for (Position p = range.lowest; p <= range.highest; ++p)
        if (range.contains(p) && p != schedule.position_of(setup.id)) places.push_back(p);
    // Near positions first, because they matter most to the user.
    const auto away = [&](Position p) {
        const Position from = schedule.position_of(setup.id);
        return p > from ? p - from : from - p;
    };
    std::stable_sort(places.begin(), places.end(), [&](Position a, Position b) { return away(a) < away(b); });
    progress->set([&](PlaceHeat& heat) {
        heat.first = block.first;
        heat.places.assign(block.count, {});
        heat.legal.assign(block.count, false);
        for (const Position p : places)
            heat.legal[p - block.first] = true;
        heat.wanted = places.size();
    });
    if (places.empty() || stop.stop_requested()) return {};
    auto choice = TRY(choose_evaluator(kernel, setup.workload, setup.policy, setup.gpu, stop));
    progress->set([&](PlaceHeat& heat) {
        heat.evaluator = choice.evaluator->info();
        progress->note = choice.note;
    });
    for (std::size_t at = 0; at < places.size() && !stop.stop_requested(); at += kBatch) {
        const std::size_t count = std::min(kBatch, places.size() - at);
        std::vector<Schedule> candidates(count, schedule);
        for (std::size_t i = 0; i < count; ++i)
            candidates[i].move(setup.id, places[at + i]);
        auto outcomes = TRY(choice.evaluator->evaluate(candidates, schedule, Effort::Refine, stop));
        progress->set([&](PlaceHeat& heat) {
            for (std::size_t i = 0; i < std::min(count, outcomes.size()); ++i) {
                outcomes[i].samples.clear();
                heat.places[places[at + i] - block.first] = std::move(outcomes[i]);
                ++heat.done;
            }
        });
    }
    return {};
}

void PlaceTrial::start(SchedulePtr schedule, CheckerPtr checker, InstrId id, std::optional<Workload> workload,
                       EvaluatorPolicy policy, const GpuSettings& gpu) {
    cancel();
    note_.clear();
    auto progress = std::make_shared<Progress>();
    progress_ = progress;
    progress->heat.instr = id;
    progress->heat.schedule = schedule;
    progress->heat.running = true;
    progress->tell = gui_call(this, [this, progress = progress.get()] {
        if (progress_.get() == progress) take();
    });
    take();
    const Setup setup{std::move(schedule), std::move(checker), id, std::move(workload), policy, gpu};
    jobs_.run<Status>(
        kTrialTag, [setup, progress](std::stop_token stop) { return work(setup, progress, stop); },
        [this, progress](Status done) {
            if (progress_ != progress) return;
            progress->heat.running = false;  // its thread has finished
            take();
            if (!done)
                Q_EMIT failed(done.error());
            else
                Q_EMIT finished(false);
        },
        JobRunner::Scope::Kernel, JobRunner::Lane::Gpu);
}

void PlaceTrial::take() {
    {
        const std::lock_guard lock(progress_->mutex);
        heat_ = std::make_shared<const PlaceHeat>(progress_->heat);
        note_ = QString::fromStdString(progress_->note);
    }
    Q_EMIT changed();
}

bool PlaceTrial::busy() const {
    return running() || jobs_.busy(kTrialTag);
}

void PlaceTrial::cancel() {
    if (!running()) return;
    jobs_.cancel(kTrialTag);
    auto stopped = std::make_shared<PlaceHeat>(*heat_);
    stopped->running = false;
    heat_ = std::move(stopped);
    progress_.reset();  // ignores late results
    Q_EMIT changed();
    Q_EMIT finished(true);
}

void PlaceTrial::clear() {
    cancel();
    progress_.reset();
    if (!heat_) return;
    heat_.reset();
    Q_EMIT changed();
}

}  // namespace cubinlab::ui
