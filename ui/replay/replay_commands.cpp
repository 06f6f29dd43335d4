// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/replay/replay_commands.h"

#include <QDockWidget>
#include <QObject>

#include "ui/base/commands.h"
#include "ui/replay/replay_panel.h"
#include "ui/replay/step_focus.h"
#include "ui/run/run_controller.h"
#include "ui/run/step_panel.h"

namespace cubinlab::ui {

void add_replay_commands(Commands& commands, ReplayPanel* replay, StepFocus* focus, const RunController* runs,
                         QDockWidget* dock) {
    const char* place = "replay/step";
    DisabledReason rule =
        enabled_when([runs] { return runs->shown_run().has_value(); },
                     QObject::tr("No run is shown. Start an agent or open a session first."));
    const auto add = [&](const char* id, const QString& text, const QString& tip, std::function<void()> run) {
        commands.add(QString::fromLatin1(id), text, "", kNoKey, tip, {QString::fromLatin1(place)}, rule,
                     [dock, run = std::move(run)] {
                         dock->show();
                         dock->raise();
                         run();
                     });
    };
    StepPanel* steps = replay->steps();
    add("replay.play", QObject::tr("&Play or pause"),
        QObject::tr("Play the steps of the run that match the filter"),
        [steps] { steps->playing() ? steps->pause() : steps->play(); });
    add("replay.next", QObject::tr("&Next step"), QObject::tr("Show the next step that matches the filter"),
        [steps] { steps->jump(+1, false, false); });
    add("replay.previous", QObject::tr("P&revious step"),
        QObject::tr("Show the previous step that matches the filter"),
        [steps] { steps->jump(-1, false, false); });
    add("replay.next_best", QObject::tr("Next &improvement"),
        QObject::tr("Show the next step that became the best"), [steps] { steps->jump(+1, false, true); });
    add("replay.previous_best", QObject::tr("Previous i&mprovement"),
        QObject::tr("Show the previous step that became the best"),
        [steps] { steps->jump(-1, false, true); });
    QAction* before =
        commands.add_toggle("replay.step_before", QObject::tr("&Compare with previous step"), "", kNoKey,
                            QObject::tr("Show the schedule that each selected step started from on the left"),
                            {QString::fromLatin1(place)}, kAlways, focus->before_left(),
                            [focus](bool on) { focus->set_before_left(on); });
    QObject::connect(focus, &StepFocus::before_left_changed, before, &QAction::setChecked);
    place = "replay/learned";
    rule = all_of(rule, enabled_when([runs] { return !runs->active(); },
                                     QObject::tr("The run is active. Stop it first.")));
    add("replay.minimise", QObject::tr("&Find essential edits"),
        QObject::tr("Find the few edits that give the gain of the best schedule"),
        [replay] { replay->minimise(); });
    rule = kAlways;
    add("replay.patterns", QObject::tr("&Edit patterns"),
        QObject::tr("Accepted steps grouped by edit pattern"), [replay] { replay->show_patterns(); });
}

}  // namespace cubinlab::ui
