// SPDX-License-Identifier: GPL-3.0-or-later
// RunController: runs of other compilations of the kernel. The document shows the compilation that the shown run searches;
// hand edits are logged for each compilation.
#include <algorithm>
#include <iterator>
#include <utility>

#include "core/search/engine/default_agent.h"
#include "ui/base/job_runner.h"
#include "ui/run/hand_log.h"
#include "ui/run/live_run.h"
#include "ui/run/opener.h"
#include "ui/run/run_controller.h"
#include "ui/run/session_hub.h"
#include "ui/run/step_panel.h"

namespace cubinlab::ui {

StepRef RunController::start_of(const RunInfo& run) const {
    RunInfo at = run;
    while (at.start_run != 0) {
        const auto from = std::ranges::find(k_.runs, at.start_run, &RunInfo::id);
        if (from == k_.runs.end() || from->id >= at.id) return {};
        if (from->agent == kStartsAgent) return {from->id, at.start_parent};
        at = *from;
    }
    return {};
}

std::vector<RunInfo> RunController::tuning_of(RunId run) const {
    const auto of = std::ranges::find(k_.runs, run, &RunInfo::id);
    std::vector<RunInfo> out;
    if (of == k_.runs.end()) return out;
    std::ranges::copy_if(k_.runs, std::back_inserter(out), [&](const RunInfo& one) { return one.tuning == of->tuning; });
    return out.front().agent == kStartsAgent ? out : std::vector<RunInfo>();
}

// From the original alone, with every instruction free: locks and schedules are of its instructions.
bool RunController::searches_starts(const RunRequest& request, const SchedulePtr& start) const {
    return document_.ptx() && !request.only_reschedules && request.agent == QLatin1String(kDefaultAgent) &&
           request.locked.empty() && !request.earlier && !document_.shows_start() &&
           *start == *document_.pair().schedule(ScheduleSlot::Original);
}

std::shared_ptr<HandLog> RunController::new_hand_log(const SessionHubPtr& session) const {
    return std::make_shared<HandLog>(session, document_.pair().model(), document_.kernel(), k_.start);
}

RunId RunController::hand_run_of_original() const {
    const auto kept = k_.hands.find(document_.original()->hash());
    return document_.shows_start() && kept != k_.hands.end() ? kept->second.run : k_.hand.run;
}

void RunController::to_compilation(const Compilation& wanted) {
    if (const Hash128 before = document_.kernel()->hash(); before != wanted.code) {
        if (!document_.keeps(wanted.code) && !wanted.open) return;
        k_.hands[before] = std::move(k_.hand);
        k_.hand = std::move(k_.hands[wanted.code]);
        k_.hands.erase(wanted.code);
        k_.start = wanted.start;
        if (show_kernel_)
            show_kernel_(wanted.code, wanted.open);
        else if (document_.keeps(wanted.code))
            document_.show_kept(wanted.code);
        else
            document_.show_start(*wanted.open);
    }
    k_.start = wanted.start;
}

void RunController::show_run(qint64 run) {
    if (!k_.hub || (k_.shown_run && k_.shown_run->id == run)) return;
    const auto found = std::ranges::find(k_.runs, run, &RunInfo::id);
    if (found != k_.runs.end()) show_run_and(*found, false, [] {});
}

void RunController::show_run_at(qint64 run, qint64 step) {
    if (k_.shown_run && k_.shown_run->id == run) return view_step(run, step);
    const auto found = std::ranges::find(k_.runs, run, &RunInfo::id);
    if (k_.hub && found != k_.runs.end()) show_run_and(*found, false, [this, run, step] { view_step(run, step); });
}

void RunController::show_run_and(const RunInfo& run, bool with_best, std::function<void()> done) {
    // The best of a run over starts is a start.
    const bool over_starts = run.agent == kStartsAgent;
    const StepRef start = over_starts && with_best ? StepRef{run.id, run.best_step} : start_of(run);
    if (!with_best && (over_starts || start == k_.start)) {
        shown(run, false);
        return done();
    }
    jobs_.run<Result<Compilation>>(
        QStringLiteral("show-run"),
        [hub = k_.hub, run, start, path = document_.path(), workload = document_.workload(),
         here = document_.kernel()->hash()](std::stop_token stop) -> Result<Compilation> {
            Compilation out{start, hub->kernel()->hash(), nullptr, nullptr};
            if (start.run != 0) {
                const auto begin = TRY(hub->schedule_at(start.run, start.step));
                out.code = begin.kernel()->hash();
                if (out.code != here)
                    out.open = std::make_shared<const OpenKernel>(open_start(begin.kernel(), start_name(start.step), path, workload, stop));
            }
            if (run.best_step == 0) return out;
            if (auto schedule = hub->schedule_at(run.id, run.best_step))
                out.best = std::make_shared<const Schedule>(std::move(*schedule));
            return out;
        },
        [this, run, opened = opened_, done = std::move(done)](const Result<Compilation>& found) {
            if (!current(opened)) return;
            if (!found) return Q_EMIT failed(found.error());
            to_compilation(*found);
            if (document_.kernel()->hash() != found->code) return;  // left meanwhile, and kept no longer
            if (!k_.shown_run || k_.shown_run->id != run.id) shown(run, false);
            if (found->best && found->best->kernel()->hash() == document_.kernel()->hash())
                document_.pair().set_best(std::make_shared<const Schedule>(on_kernel(document_.kernel(), *found->best)),
                                          {run.id, run.best_step});
            done();
        },
        JobRunner::Scope::Window);
}

void RunController::view_step(qint64 run, qint64 step) {
    if (!k_.hub || run == 0) return;
    const auto known = std::ranges::find(k_.runs, run, &RunInfo::id);
    const StepRef start = known == k_.runs.end()       ? k_.start
                          : known->agent == kStartsAgent ? StepRef{run, step}
                                                         : start_of(*known);
    struct Viewed {
        SchedulePtr schedule;
        OpenKernelPtr open;
    };
    jobs_.run<Result<Viewed>>(
        QStringLiteral("view-step"),
        [hub = k_.hub, run, step, start, path = document_.path(), workload = document_.workload(),
         here = document_.kernel()->hash()](std::stop_token stop) -> Result<Viewed> {
            auto schedule = std::make_shared<const Schedule>(TRY(hub->schedule_at(run, step)));
            const KernelPtr& kernel = schedule->kernel();
            Viewed out{schedule, nullptr};
            if (kernel->hash() != here && kernel != hub->kernel())
                out.open = std::make_shared<const OpenKernel>(open_start(kernel, start_name(start.step), path, workload, stop));
            return out;
        },
        [this, run, step, start, opened = opened_](const Result<Viewed>& viewed) {
            if (!current(opened)) return;
            if (!viewed) return Q_EMIT failed(viewed.error());
            const Hash128 code = viewed->schedule->kernel()->hash();
            const bool original = code == document_.original()->hash();
            to_compilation({original ? StepRef{} : start, code, viewed->open, {}});
            if (document_.kernel()->hash() != code) return;  // left meanwhile, and kept no longer
            document_.pair().set_viewed(std::make_shared<const Schedule>(on_kernel(document_.kernel(), *viewed->schedule)),
                                        {run, step});
            Q_EMIT step_viewed(run, step);
        },
        JobRunner::Scope::Window);
}

}  // namespace cubinlab::ui
