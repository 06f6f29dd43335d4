// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sessions/session_model.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <algorithm>
#include <map>

#include "ui/base/theme.h"
#include "ui/document/kernel_name.h"
#include "ui/run/agent_bar.h"

namespace cubinlab::ui {
namespace {

QDateTime date_of(const SessionSummary& session) {
    return QDateTime::fromSecsSinceEpoch(
        std::chrono::duration_cast<std::chrono::seconds>(session.changed.time_since_epoch()).count());
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

QString runs_text(const SessionSummary& session) {
    QStringList lines;
    for (const RunInfo& run : session.runs) {
        QString line = SessionModel::tr("run %1: %2, %3 steps")
                           .arg(QString::number(run.id), QString::fromStdString(run.agent),
                                QLocale().toString(static_cast<qulonglong>(run.steps)));
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
    const RunInfo* best = session.best();
    if (best == nullptr) return session.runs.empty() ? QString() : SessionModel::tr("nothing better");
    return QStringLiteral("%1 %2").arg(speedup_text(best->best_log_speedup),
                                       best->evaluator.kind == EvaluatorKind::Gpu
                                           ? SessionModel::tr("measured")
                                           : SessionModel::tr("modelled"));
}

QString state_text(const SessionSummary& session) {
    switch (session.state) {
        case SessionState::Complete:
            return SessionModel::tr("complete");
        case SessionState::Interrupted:
            return SessionModel::tr("interrupted: can go on");
        case SessionState::Writing:
            return session.writer && *session.writer != 0
                       ? SessionModel::tr("open in process %1").arg(*session.writer)
                       : SessionModel::tr("open in a program");
        case SessionState::Unreadable:
            return SessionModel::tr("unreadable");
    }
    return {};
}

void SessionModel::set_sessions(std::vector<SessionSummary> sessions) {
    beginResetModel();
    sessions_ = std::move(sessions);
    kernels_.clear();
    for (const SessionSummary& s : sessions_)
        kernels_.push_back(s.kernel.empty()
                               ? tr("?")
                               : QStringLiteral("%1 (%2)").arg(called(QString::fromStdString(s.kernel)),
                                                               QString::fromStdString(s.arch)));
    endResetModel();
}

const SessionSummary* SessionModel::session(int row) const {
    return row < 0 || row >= static_cast<int>(sessions_.size()) ? nullptr
                                                                : &sessions_[static_cast<std::size_t>(row)];
}

int SessionModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(sessions_.size());
}

int SessionModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SessionModel::data(const QModelIndex& index, int role) const {
    const SessionSummary* s = index.isValid() ? session(index.row()) : nullptr;
    if (s == nullptr) return {};
    const QString file = QString::fromStdString(s->path.string());
    if (role == Qt::ToolTipRole && index.column() == AgentColumn && !s->runs.empty()) return runs_text(*s);
    if (role == Qt::ToolTipRole && index.column() == KernelColumn && !s->kernel.empty())
        return whole_name(QString::fromStdString(s->kernel));
    if (role == Qt::ToolTipRole)
        return s->problem.empty() ? file
                                  : QStringLiteral("%1\n%2").arg(file, QString::fromStdString(s->problem));
    if (role == Qt::TextAlignmentRole && (index.column() == StepsColumn || index.column() == SizeColumn))
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ForegroundRole && index.column() == StateColumn) {
        const ThemeColors& c = Theme::instance().colors();
        if (s->state == SessionState::Unreadable) return c.bad;
        if (s->state == SessionState::Interrupted) return c.warn;
        return {};
    }
    const bool sort = role == kSortRole;
    if (role != Qt::DisplayRole && !sort) return {};
    switch (index.column()) {
        case KernelColumn:
            return kernels_[static_cast<std::size_t>(index.row())];
        case AgentColumn:
            return agents_text(*s);
        case StepsColumn:
            return sort ? QVariant(static_cast<qulonglong>(s->steps))
                        : QLocale().toString(static_cast<qulonglong>(s->steps));
        case BestColumn:
            if (sort) return s->best() == nullptr ? 0.0 : s->best()->best_log_speedup;
            return best_text(*s);
        case DateColumn:
            return sort ? QVariant(date_of(*s)) : date_of(*s).toString(QStringLiteral("yyyy-MM-dd HH:mm"));
        case StateColumn:
            return state_text(*s);
        case SizeColumn:
            return sort ? QVariant(static_cast<qulonglong>(s->bytes))
                        : QLocale().formattedDataSize(static_cast<qint64>(s->bytes), 1);
        case FileColumn:
            return QString::fromStdString(s->path.filename().string());
        default:
            return {};
    }
}

QVariant SessionModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    static const char* const names[] = {QT_TR_NOOP("Kernel"), QT_TR_NOOP("Agents"),  QT_TR_NOOP("Steps"),
                                        QT_TR_NOOP("Best"),   QT_TR_NOOP("Changed"), QT_TR_NOOP("State"),
                                        QT_TR_NOOP("Size"),   QT_TR_NOOP("File")};
    return section >= 0 && section < ColumnCount ? tr(names[section]) : QVariant();
}

}  // namespace cubinlab::ui
