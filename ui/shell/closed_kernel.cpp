// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/closed_kernel.h"

#include <QFileInfo>
#include <QObject>
#include <QStringList>

#include "ui/document/document.h"
#include "ui/document/kernel_name.h"
#include "ui/run/run_controller.h"

namespace cubinlab::ui {
ClosedKernel kernel_to_close(const Document& document, const RunController& runs) {
    ClosedKernel closed;
    if (!document.is_open()) return closed;
    closed.kernel =
        QStringLiteral("%1 (%2)").arg(called(QString::fromStdString(document.kernel()->name())),
                                      QFileInfo(QString::fromStdString(document.path().string())).fileName());
    if (runs.has_session()) closed.session = QString::fromStdString(runs.session_path().string());
    closed.run = runs.active();
    closed.edits = document.hand().tree().nodes().size() - 1;
    closed.logged = !runs.unlogged();
    return closed;
}

Message closed_message(const ClosedKernel& closed, const QString& open_session,
                       std::function<void()> open_closed_session) {
    Message message{MessageKind::Done, QObject::tr("Closed %1").arg(closed.kernel), {}, {}, 0};
    QStringList parts;
    if (closed.run) parts << QObject::tr("The agent was stopped. Agent > Continue run resumes the run.");
    if (closed.measuring_on_gpu)
        parts << QObject::tr("The measurement continues; its result is reported and saved.");
    if (closed.measuring) parts << QObject::tr("The measurement was stopped. It has no result.");
    const int edits = static_cast<int>(closed.edits);
    if (closed.edits > 0)
        parts << (closed.logged ? QObject::tr("%n hand edit(s) saved in its session.", "", edits)
                                : QObject::tr("%n hand edit(s) could not be saved and are lost.", "", edits));
    const bool kept = !closed.session.isEmpty() && (closed.run || (closed.edits > 0 && closed.logged));
    if (kept) parts << QObject::tr("Session: %1.").arg(QFileInfo(closed.session).fileName());
    message.text = parts.join(QLatin1Char(' '));
    if (kept && closed.session != open_session)
        message.actions.push_back({QObject::tr("Open session"), std::move(open_closed_session)});
    return message;
}

}  // namespace cubinlab::ui
