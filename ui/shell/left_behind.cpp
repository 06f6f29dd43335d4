// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/left_behind.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStringList>

#include "ui/document/document.h"
#include "ui/document/kernel_name.h"
#include "ui/run/run_controller.h"

namespace cubinlab::ui {
namespace {

struct LeftWords {
    Q_DECLARE_TR_FUNCTIONS(LeftBehind)
};

}  // namespace

LeftBehind left_behind(const Document& document, const RunController& runs) {
    LeftBehind left;
    if (!document.is_open()) return left;
    left.kernel =
        QStringLiteral("%1 (%2)").arg(called(QString::fromStdString(document.kernel()->name())),
                                      QFileInfo(QString::fromStdString(document.path().string())).fileName());
    if (runs.has_session()) left.session = QString::fromStdString(runs.session_path().string());
    left.run = runs.active();
    left.edits = document.hand().tree().nodes().size() - 1;
    left.logged = !runs.unlogged();
    return left;
}

Message left_message(const LeftBehind& left, const QString& open_session,
                     std::function<void()> open_left_session) {
    Message message{MessageKind::Done, LeftWords::tr("Closed: %1").arg(left.kernel), {}, {}, 0};
    QStringList parts;
    if (left.run)
        parts << LeftWords::tr("Its agent was stopped; Agent > Continue run goes on with the run there.");
    if (left.goes_on) parts << LeftWords::tr("Its measurement goes on; what it finds is told and kept.");
    if (left.measuring) parts << LeftWords::tr("Its measurement was stopped and is not kept.");
    const int edits = static_cast<int>(left.edits);
    if (left.edits > 0)
        parts << (left.logged
                      ? LeftWords::tr("%n hand edit(s) went into its log.", "", edits)
                      : LeftWords::tr("%n hand edit(s) could not be logged and went with it.", "", edits));
    const bool kept = !left.session.isEmpty() && (left.run || (left.edits > 0 && left.logged));
    if (kept) parts << LeftWords::tr("Session: %1.").arg(QFileInfo(left.session).fileName());
    message.text = parts.join(QLatin1Char(' '));
    if (kept && left.session != open_session)
        message.actions.push_back({LeftWords::tr("Open that session"), std::move(open_left_session)});
    return message;
}

}  // namespace cubinlab::ui
