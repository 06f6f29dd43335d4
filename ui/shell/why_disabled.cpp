// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/why_disabled.h"

#include <QCoreApplication>

#include "ui/shell/main_window.h"
#include "ui/shell/schedule_actions.h"

namespace cubinlab::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("why_disabled", text);
}

QString why_agent(RunController& controller, const QString& command) {
    const bool active = controller.active();
    if (command == QLatin1String("agent.start") || command == QLatin1String("agent.continue")) {
        if (active) return tr("An agent is running; stop it first (Shift+F5).");
        if (command == QLatin1String("agent.continue"))
            return tr("The session has no run of an agent that could go on.");
    }
    if (!active) return tr("No agent is running.");
    if (controller.state() == RunState::Stopping) return tr("The agent is stopping already.");
    return tr("The agent is still being prepared.");
}

}  // namespace

QString why_disabled(MainWindow& window, const QString& command) {
    Document& document = window.document();
    if (!document.is_open() && command != QLatin1String("go.back") && command != QLatin1String("go.forward"))
        return tr("No kernel is open. Open a cubin or a session first (Ctrl+O).");
    const bool edits = document.can_edit();
    if (command == QLatin1String("go.back")) return tr("Nothing was selected before this.");
    if (command == QLatin1String("go.forward")) return tr("There is nothing to go forward to.");
    if (command == QLatin1String("edit.undo")) return tr("There is no hand edit to take back.");
    if (command == QLatin1String("edit.redo")) return tr("No hand edit was taken back.");
    if (command == QLatin1String("file.export_best") || command == QLatin1String("view.best_minimal"))
        return tr("The agent has found nothing better yet.");
    if (command == QLatin1String("file.export_viewed"))
        return tr("No step is viewed; click one in the chart or the log of mutations.");
    if (!edits) return document.why_not_editable();
    if (command.startsWith(QLatin1String("agent."))) return why_agent(window.controller(), command);
    if (command == QLatin1String("edit.from_right"))
        return tr("The hand schedule is already what is on the right.");
    if (command == QLatin1String("file.measure"))
        return window.controller().active() ? tr("The agent has the evaluator; stop or await it.")
                                            : tr("A measurement is under way.");
    if (command.startsWith(QLatin1String("file.report")) || command == QLatin1String("file.export_log"))
        return tr("There is no logged run yet: run an agent or edit by hand.");
    if (command.startsWith(QLatin1String("edit.")) && !window.selection().has())
        return tr("Select an instruction first.");
    return tr("It does not apply to what is shown.");
}

}  // namespace cubinlab::ui
