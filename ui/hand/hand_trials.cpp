// SPDX-License-Identifier: GPL-3.0-or-later
// HandTools: evaluates every legal position of an instruction and reports the results.

#include "ui/base/commands.h"
#include "ui/base/format.h"
#include "ui/base/message_bar.h"
#include "ui/document/command_rules.h"
#include "ui/document/selection.h"
#include "ui/hand/hand_tools.h"
#include "ui/hand/place_trial.h"
#include "ui/listing/compare_view.h"
#include "ui/run/run_controller.h"

namespace cubinlab::ui {
namespace {

QString who(const PlaceHeat& heat) {
    return heat.evaluator.kind == EvaluatorKind::Gpu
               ? HandTools::tr("measured on %1").arg(QString::fromStdString(heat.evaluator.device))
               : HandTools::tr("by the SM model, unmeasured");
}

// "fault at 0x0120, wrong-result at 0x0140": legal moves after which the kernel failed.
QString failures(const PlaceHeat& heat) {
    QStringList said;
    for (const Position p : heat.failed())
        said << HandTools::tr("%1 at 0x%2")
                    .arg(QLatin1String(to_string(heat.at(p)->kind)))
                    .arg(p * kWordBytes, 4, 16, QLatin1Char('0'));
    return said.join(QStringLiteral(", "));
}

}  // namespace

void HandTools::make_trial_commands() {
    Commands& c = *window_.commands;
    const CommandRules rules = command_rules(*window_.document, *window_.selection);
    c.add("edit.try_places", tr("E&valuate all legal positions"), "", QKeySequence("Shift+F8"),
          tr("Evaluate every legal position of the selected instruction, on the GPU if there is one; choose "
             "again to stop"),
          {"edit/hand", "row/hand"}, rules.edited, [this] { try_places(); });
    c.add("edit.forget_places", tr("Clear results"), "", kNoKey,
          tr("Remove the column of evaluated positions"), {"edit/hand"}, kAlways,
          [this] { trial_->clear(); });
    c.add("file.import_profile", tr("&Import profile..."), "", kNoKey,
          tr("Show stall samples of `ncu --page source --csv` next to the listing"), {"file/beside"},
          rules.open, [this] { ask_and_import_profile(); });
    c.add("view.compare_file", tr("Compare with another &file..."), "", kNoKey,
          tr("Show another cubin's schedule of this kernel on the left"), {"file/beside"}, rules.open,
          [this] { ask_and_compare_with(); });
}

void HandTools::try_places() {
    if (trial_->running()) {
        trial_->cancel();
        return;
    }
    InstrId id = kNone;
    if (!window_.edit_target(&id) || !window_.document->hand().can_edit()) return;
    if (window_.document->kernel()->pinned(id)) {
        window_.document->hand().refuse_edit(
            id,
            tr("Evaluate all positions of %1")
                .arg(window_.document->name_of(id, *window_.document->pair().head(ScheduleSlot::Hand))),
            tr("it cannot be moved: %1")
                .arg(QString::fromStdString(window_.document->kernel()->pin_reason(id))));
        return;
    }
    // Two at the same time would disturb both measurements.
    if (!window_.controller->gpu_taken().isEmpty()) {
        window_.messages->post(
            MessageKind::Info, tr("GPU busy"),
            tr("%1 is using the GPU. Try again when it has finished.").arg(window_.controller->gpu_taken()),
            8);
        return;
    }
    const bool busy = window_.controller->active();
    if (!busy) window_.controller->set_gpu_taken(tr("The evaluation of positions"));
    trial_->start(window_.document->pair().head(ScheduleSlot::Hand), window_.document->checker(), id,
                  window_.document->workload(), busy ? EvaluatorPolicy::Model : EvaluatorPolicy::Auto,
                  window_.controller->gpu_settings());
    window_.messages->post(
        {MessageKind::Info,
         tr("Evaluating all legal positions of %1")
             .arg(window_.document->name_of(id, *window_.document->pair().head(ScheduleSlot::Hand))),
         busy ? tr("Using the SM model: the agent is using the GPU.") : QString(),
         {{tr("Stop"), [this] { trial_->cancel(); }}},
         0,
         kOfTrial,
         true});
}

void HandTools::show_trial() {
    compare_->set_heat(trial_->heat());
    if (!trial_->running()) return;
    const PlaceHeat& heat = *trial_->heat();
    if (heat.wanted > 0) window_.say(tr("%1 of %2 positions evaluated").arg(heat.done).arg(heat.wanted));
}

void HandTools::trial_over(bool cancelled) {
    window_.controller->set_gpu_taken({});
    window_.messages->clear_about(kOfTrial);
    const HeatPtr heat = trial_->heat();
    if (!heat) return;
    const QString name = window_.document->name_of(heat->instr, *heat->schedule);
    if (heat->wanted == 0) {
        if (!cancelled)  // else they were not even counted
            window_.messages->post(MessageKind::Info, tr("%1 cannot move: no other legal position").arg(name),
                                   {}, 10);
        trial_->clear();  // a column with nothing but "now" takes the room of the text
        return;
    }
    QString text = tr("%1 of %2 positions evaluated, %3.").arg(heat->done).arg(heat->wanted).arg(who(*heat));
    if (!trial_->note().isEmpty()) text += QLatin1Char(' ') + trial_->note() + QLatin1Char('.');
    Message message{MessageKind::Done,
                    cancelled ? tr("Stopped: positions of %1").arg(name) : tr("Positions of %1").arg(name),
                    text,
                    {},
                    0};
    if (const auto best = heat->best()) {
        const Outcome& o = *heat->at(*best);
        const bool clear = o.speedup.low > 0;
        message.text += tr(" Best: 0x%1, %2%3.")
                            .arg(*best * kWordBytes, 4, 16, QLatin1Char('0'))
                            .arg(percent_interval_text(o.speedup))
                            .arg(clear ? QString() : tr(", not clearly better"));
        const InstrId id = heat->instr;
        message.actions.push_back({tr("Move here"), [this, id, place = *best, heat] {
                                       if (*window_.document->pair().head(ScheduleSlot::Hand) ==
                                           *heat->schedule)
                                           window_.document->hand().move_to(id, place);
                                       else
                                           window_.say(tr("The schedule has changed. Evaluate again"));
                                   }});
    } else {
        message.text += tr(" None is better than the current position.");
    }
    if (const int failed = static_cast<int>(heat->failed().size()); failed > 0) {
        message.kind = MessageKind::Warning;
        message.text += tr(" %n legal position(s) failed: %1.", "", failed).arg(failures(*heat));
    }
    window_.messages->post(message);
}

}  // namespace cubinlab::ui
