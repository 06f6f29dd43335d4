// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sessions/session_model.h"

#include <QDateTime>
#include <QLocale>
#include <QRegularExpression>
#include <algorithm>
#include <map>

#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/document/kernel_name.h"
#include "ui/run/agent_bar.h"
#include "ui/run/shapes_text.h"

namespace cubinlab::ui {
namespace {

QDateTime date_of(const SessionSummary& session) {
    return QDateTime::fromSecsSinceEpoch(
        std::chrono::duration_cast<std::chrono::seconds>(session.changed.time_since_epoch()).count());
}

QString date_text(const QDateTime& date) {
    return date.toString(QStringLiteral("yyyy-MM-dd HH:mm"));
}

// Nothing is logged in it, and it has no error.
bool is_empty(const SessionSummary& session) {
    return session.state == SessionState::Unreadable && session.bytes == 0;
}

}  // namespace

QString agents_text(const SessionSummary& session) {
    std::map<QString, int> count;
    QStringList order;
    for (const RunInfo& run : session.runs) {
        const QString name = QString::fromStdString(run.agent);
        if (count[name]++ == 0) order << name;
    }
    for (QString& name : order)
        if (count[name] > 1) name += QStringLiteral(" \u00d7%1").arg(count[name]);
    QString text = order.join(QStringLiteral(", "));
    if (std::any_of(session.runs.begin(), session.runs.end(),
                    [](const RunInfo& run) { return !run.locked.empty(); }))
        text += SessionModel::tr(" (locks)");
    return text;
}

// Unknown for an unreadable file.
static QString steps_text(const SessionSummary& session) {
    if (session.state == SessionState::Unreadable && !is_empty(session)) return {};
    return grouped(static_cast<qint64>(session.steps));
}

QString runs_text(const SessionSummary& session) {
    QStringList lines;
    for (const RunInfo& run : session.runs) {
        QString line = SessionModel::tr("run %1: %2, %3 steps")
                           .arg(QString::number(run.id), QString::fromStdString(run.agent),
                                grouped(static_cast<qint64>(run.steps)));
        if (run.start_run != 0)
            line += SessionModel::tr(", from run %1, step %2").arg(run.start_run).arg(run.start_parent);
        if (!run.locked.empty())
            line += SessionModel::tr(", %n instruction(s) locked or out of scope", "",
                                     static_cast<int>(run.locked.size()));
        lines << line;
    }
    return lines.join(QLatin1Char('\n'));
}

QString best_text(const SessionSummary& session) {
    const BestFigure* best = session.best();
    if (!best) return session.runs.empty() ? QString() : SessionModel::tr("no improvement");
    if (!best->failed.empty()) return SessionModel::tr("failed in the final measurement");
    const QString figure = factor_text(best->speedup().log);
    if (!best->without_figure.empty())
        return SessionModel::tr("%1 UNCLEAR, final measurement incomplete").arg(figure);
    if (best->again && !slower_shapes(best->again->shapes).empty())
        return SessionModel::tr("%1 re-measured, a shape SLOWER").arg(figure);
    if (best->again) return SessionModel::tr("%1 re-measured").arg(figure);
    return QStringLiteral("%1 %2").arg(
        figure, best->measured() ? SessionModel::tr("measured") : SessionModel::tr("modelled"));
}

// The run's own result, if the best was re-measured.
QString best_tip(const SessionSummary& session) {
    const BestFigure* best = session.best();
    if (!best || !best->again) return {};
    const PooledMeasurement& again = *best->again;
    const QString slower = slower_text(again.shapes, again.speedup.log);
    return (slower.isEmpty() ? QString() : slower + QLatin1Char('\n')) +
           SessionModel::tr("%1 over %2 fresh loads against the original; the run's own figure: %3")
               .arg(factor_interval_text(again.speedup))
               .arg(again.loads)
               .arg(factor_text(best->logged.speedup.log));
}

QString state_text(const SessionSummary& session) {
    switch (session.state) {
        case SessionState::Complete:
            return session.writable ? SessionModel::tr("complete") : SessionModel::tr("complete, read-only");
        case SessionState::Interrupted:
            return !session.can_go_on() ? SessionModel::tr("hand edits, interrupted")
                   : session.writable   ? SessionModel::tr("interrupted, resumable")
                                        : SessionModel::tr("interrupted, read-only");
        case SessionState::Writing:
            return session.writer && *session.writer != 0
                       ? SessionModel::tr("open in process %1").arg(*session.writer)
                       : SessionModel::tr("open in a program");
        case SessionState::Unreadable:
            return is_empty(session) ? SessionModel::tr("empty") : SessionModel::tr("unreadable");
    }
    return {};
}

// Without the ending that all have which were made here: what tells them apart is before it. The time in a name is
// shorter, so that the name before it is whole.
static QString file_text(const SessionSummary& session) {
    static const QRegularExpression stamp(
        QStringLiteral("-\\d{4}-(\\d\\d-\\d\\d)T(\\d\\d)-(\\d\\d)-(\\d\\d)(?=$|\\D)"));
    QString name = QString::fromStdString(session.path.filename().string());
    const auto ending = QStringLiteral(".cubinlab.db");
    if (name.endsWith(ending)) name.chop(ending.size());
    return name.replace(stamp, QStringLiteral(", \\1 \\2:\\3:\\4"));
}

SessionModel::SessionModel(QObject* parent) : RowsModel(parent) {
    using Row = const ShownSession&;
    set_fields(
        {{tr("Kernel"), {}, Qt::AlignLeft, [](Row s) { return s.kernel; }},
         {tr("Agents"), {}, Qt::AlignLeft, [](Row s) { return agents_text(s.summary); }},
         {tr("Steps"),
          {},
          Qt::AlignRight,
          [](Row s) { return steps_text(s.summary); },
          [](Row s) { return static_cast<qulonglong>(s.summary.steps); }},
         {tr("Best"),
          {},
          Qt::AlignLeft,
          [](Row s) { return best_text(s.summary); },
          [](Row s) {
              const BestFigure* best = s.summary.best();
              return best ? best->speedup().log : 0.0;
          }},
         {tr("Changed"),
          {},
          Qt::AlignLeft,
          [](Row s) { return date_text(date_of(s.summary)); },
          [](Row s) { return date_of(s.summary); }},
         {tr("State"), {}, Qt::AlignLeft, [](Row s) { return state_text(s.summary); }},
         {tr("Size"),
          {},
          Qt::AlignRight,
          [](Row s) { return QLocale::c().formattedDataSize(static_cast<qint64>(s.summary.bytes), 1); },
          [](Row s) { return static_cast<qulonglong>(s.summary.bytes); }},
         {tr("File"), {}, Qt::AlignLeft, [](Row s) { return file_text(s.summary); }}});
}

void SessionModel::set_sessions(std::vector<SessionSummary> sessions) {
    std::vector<ShownSession> rows;
    for (SessionSummary& s : sessions) {
        const QString kernel = s.kernel.empty()
                                   ? tr("?")
                                   : QStringLiteral("%1 (%2)").arg(called(QString::fromStdString(s.kernel)),
                                                                   QString::fromStdString(s.arch));
        rows.push_back({std::move(s), kernel});
    }
    set_rows(std::move(rows));
}

QVariant SessionModel::look(const ShownSession& session, int column, int role) const {
    const SessionSummary& s = session.summary;
    const QString file = QString::fromStdString(s.path.string());
    // The filter matches the full file name.
    if (role == kFilterRole && column == FileColumn)
        return QString::fromStdString(s.path.filename().string());
    if (role == kFilterRole) return text(session, column);
    if (role == Qt::ToolTipRole && column == AgentColumn && !s.runs.empty()) return runs_text(s);
    if (role == Qt::ToolTipRole && column == BestColumn)
        if (const QString tip = best_tip(s); !tip.isEmpty()) return tip;
    if (role == Qt::ToolTipRole && column == KernelColumn && !s.kernel.empty())
        return whole_name(QString::fromStdString(s.kernel));
    if (role == Qt::ToolTipRole && column == StateColumn && s.problem.empty()) return state_text(s);
    if (role == Qt::ToolTipRole)
        return s.problem.empty() ? file
                                 : QStringLiteral("%1\n%2").arg(file, QString::fromStdString(s.problem));
    if (role != Qt::ForegroundRole || column != StateColumn) return {};
    const ThemeColors& c = Theme::instance().colors();
    if (is_empty(s)) return c.text_dim;
    if (s.state == SessionState::Unreadable) return c.bad;
    if (s.state == SessionState::Interrupted) return c.warn;
    return {};
}

}  // namespace cubinlab::ui
