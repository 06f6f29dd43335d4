// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/replay/step_focus.h"

#include "core/store/session.h"
#include "ui/base/job_runner.h"
#include "ui/document/selection.h"
#include "ui/run/run_controller.h"
#include "ui/run/session_hub.h"

namespace cubinlab::ui {

StepFocus::StepFocus(Document* document, Selection* selection, RunController* runs, JobRunner* jobs,
                     QObject* parent)
    : QObject(parent), document_(document), selection_(selection), runs_(runs), jobs_(jobs) {
    connect(&document_->pair(), &ComparedPair::changed, this, &StepFocus::pair_changed);
    connect(document_, &Document::leaving, this, [this] {
        shown_ = {};
        left_is_ours_ = false;
    });
}

void StepFocus::pair_changed() {
    if (left_is_ours_ && document_->pair().left_slot() != ScheduleSlot::Other) {  // another left was selected
        left_is_ours_ = false;
        if (before_left_) {
            before_left_ = false;
            Q_EMIT before_left_changed(false);
        }
    }
    const StepRef step = document_->pair().viewed_step();
    if (document_->pair().right_slot() != ScheduleSlot::Viewed || step == shown_) return;
    shown_ = step;
    if (step.step > 0) look();
}

void StepFocus::set_before_left(bool on) {
    if (on == before_left_) return;
    before_left_ = on;
    Q_EMIT before_left_changed(on);
    if (on) {
        if (shown_.step > 0 && document_->pair().right_slot() == ScheduleSlot::Viewed) look();
    } else if (left_is_ours_) {
        left_is_ours_ = false;
        document_->pair().show_left(ScheduleSlot::Original);
    }
}

void StepFocus::look() {
    const auto session = runs_->session();
    if (!session) return;
    jobs_->run<Result<Found>>(
        QStringLiteral("step-focus"),
        [session, step = shown_, want = before_left_](std::stop_token) -> Result<Found> {
            auto records = TRY(session->steps(step.run, step.step - 1, 1));
            if (records.empty() || records.front().step != step.step)
                return fail(ErrorCode::NotFound, "the run has no such step");
            Found found;
            found.instr = records.front().mutation.instr();
            found.parent = records.front().parent;
            if (!want) return found;
            auto before = TRY(session->schedule_at(step.run, found.parent));
            found.before = std::make_shared<const Schedule>(std::move(before));
            return found;
        },
        [this, step = shown_](Result<Found> found) {
            if (found && step == shown_ && document_->is_open()) show(step, *found);
        });
}

void StepFocus::show(const StepRef& step, const Found& found) {
    if (document_->pair().right_slot() != ScheduleSlot::Viewed || document_->pair().viewed_step() != step)
        return;
    if (found.before && before_left_ && found.before->kernel()->hash() == document_->kernel()->hash()) {
        left_is_ours_ = true;
        const QString name = found.parent == 0 ? tr("Start of the run") : tr("Step %1").arg(found.parent);
        document_->pair().set_other(
            std::make_shared<const Schedule>(on_kernel(document_->kernel(), *found.before)), name.toStdString());
    }
    if (found.instr == kNone) return;
    // The same instruction again: its rows may be elsewhere now.
    if (selection_->instr() == found.instr)
        Q_EMIT selection_->changed(found.instr);
    else
        selection_->select(found.instr);
}

}  // namespace cubinlab::ui
