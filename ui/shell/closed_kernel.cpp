// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/closed_kernel.h"

#include <QFileInfo>
#include <QObject>
#include <QStringList>
#include <utility>

namespace cubinlab::ui {
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
