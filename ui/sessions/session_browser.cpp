// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sessions/session_browser.h"

#include <QDateTime>
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QSortFilterProxyModel>
#include <QStandardPaths>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <map>

#include "core/store/session_lock.h"
#include "ui/base/commands.h"
#include "ui/base/file_dialog.h"
#include "ui/base/flow_layout.h"
#include "ui/base/format.h"
#include "ui/base/job_runner.h"
#include "ui/base/settings.h"
#include "ui/base/table.h"
#include "ui/base/theme.h"
#include "ui/document/kernel_name.h"
#include "ui/run/agent_bar.h"
#include "ui/run/step_measurements.h"

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

SessionBrowser::SessionBrowser(const WindowContext& window)
    : QDialog(window.widget), window_(window), model_(new SessionModel(this)) {
    setWindowTitle(tr("Sessions"));
    setObjectName(QStringLiteral("session_browser"));
    resize(for_text(*this, {1040, 560}));
    sorted_ = new QSortFilterProxyModel(this);
    sorted_->setSourceModel(model_);
    sorted_->setSortRole(SessionModel::kSortRole);
    sorted_->setFilterKeyColumn(-1);
    sorted_->setFilterRole(SessionModel::kFilterRole);
    sorted_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    table_ = new_table(this, tr("Sessions of the folder"), sorted_, 10);
    table_->setSortingEnabled(true);
    table_->setTextElideMode(Qt::ElideMiddle);  // sessions of a kernel differ at the end
    table_->sortByColumn(SessionModel::DateColumn, Qt::DescendingOrder);
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    set_column_widths(table_, {230, 100, 60, 130, 120, 150, 76});
    stretch_column(table_, SessionModel::FileColumn,
                   {SessionModel::KernelColumn, SessionModel::AgentColumn, SessionModel::StateColumn});
    filter_ = new QLineEdit(this);
    filter_->setPlaceholderText(tr("Find a kernel, agent or file"));
    filter_->setAccessibleName(filter_->placeholderText());
    filter_->setClearButtonEnabled(true);
    give_arrows(filter_, table_);
    auto* folder = new PathField({}, tr("Folder of sessions"), Ask::Folder, this);
    folder->button()->setText(tr("Folder..."));
    folder_ = folder->line();
    folder_->setText(window_.settings->sessions_folder());
    note_ = new QLabel(this);
    note_->setWordWrap(true);
    note_->setProperty("dim", true);
    note_->setAccessibleName(tr("Number of sessions"));
    open_ = button(tr("Open"), tr("Open the session in this window"), &SessionBrowser::open_here);
    open_->setDefault(true);
    open_new_ =
        button(tr("Open in new window"), tr("Open the session in a new window"), &SessionBrowser::open_new);
    reveal_ = button(tr("Show file"), tr("Show the folder of the file"), &SessionBrowser::reveal);
    delete_ = button(tr("Delete..."), tr("Delete the session's files after asking"),
                     &SessionBrowser::ask_and_delete);
    auto* again = button(tr("Refresh"), tr("Reload the folder"), &SessionBrowser::look);

    auto* top = new QHBoxLayout;
    top->addWidget(filter_, 2);
    top->addWidget(folder, 3);
    auto* bottom = new QHBoxLayout;
    for (QPushButton* each : {open_, open_new_, reveal_, delete_})
        bottom->addWidget(each);
    bottom->addStretch(1);
    bottom->addWidget(again);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(top);
    layout->addWidget(table_, 1);
    layout->addWidget(note_);
    layout->addLayout(bottom);
    tab_as_laid_out(*this);
    connect(filter_, &QLineEdit::textChanged, sorted_, &QSortFilterProxyModel::setFilterFixedString);
    connect(filter_, &QLineEdit::textChanged, this, &SessionBrowser::update_buttons);
    connect(folder, &PathField::chosen, this, &SessionBrowser::look);
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &SessionBrowser::update_buttons);
    connect(table_, &QTableView::activated, this, &SessionBrowser::open_here);
    update_buttons();
}

QPushButton* SessionBrowser::button(const QString& text, const QString& about,
                                    void (SessionBrowser::*run)()) {
    QPushButton* made = dialog_button(text, about, this);
    connect(made, &QPushButton::clicked, this, run);
    return made;
}

void SessionBrowser::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    look();
}

void SessionBrowser::look() {
    note_->setText(tr("Reading the folder ..."));
    window_.jobs->run<Result<std::vector<SessionSummary>>>(
        QStringLiteral("sessions"),
        [folder = folder_->text().trimmed().toStdString()](std::stop_token stop) {
            return list_sessions(folder, stop);
        },
        [browser = QPointer<SessionBrowser>(this)](Result<std::vector<SessionSummary>> found) {
            if (browser) browser->show_sessions(std::move(found));
        },
        JobRunner::Scope::Window);
}

void SessionBrowser::show_sessions(Result<std::vector<SessionSummary>> found) {
    if (!found) {
        model_->set_sessions({});
        note_->setText(
            QFileInfo::exists(folder_->text())
                ? QString::fromStdString(found.error().message())
                : tr("No sessions yet. The first hand edit or agent run creates one in this folder."));
    } else {
        const std::size_t count = found->size();
        model_->set_sessions(std::move(*found));
        fit_to_contents(table_,
                        {SessionModel::StepsColumn, SessionModel::BestColumn, SessionModel::DateColumn,
                         SessionModel::StateColumn, SessionModel::SizeColumn});
        note_->setText(count == 0 ? tr("No session in this folder.")
                                  : tr("%n session(s).", nullptr, static_cast<int>(count)));
        if (count > 0) table_->selectRow(0);
    }
    update_buttons();
    Q_EMIT looked();
}

const SessionSummary* SessionBrowser::chosen() const {
    const QModelIndex index =
        table_->selectionModel()->hasSelection() ? table_->currentIndex() : QModelIndex();
    const ShownSession* shown = model_->row(sorted_->mapToSource(index).row());
    return shown != nullptr ? &shown->summary : nullptr;
}

void SessionBrowser::update_buttons() {
    const SessionSummary* session = chosen();
    const bool readable = session != nullptr && session->state != SessionState::Unreadable;
    open_->setEnabled(readable);
    open_new_->setEnabled(readable);
    reveal_->setEnabled(session != nullptr);
    delete_->setEnabled(session != nullptr && session->state != SessionState::Writing);
    if (session != nullptr && !session->problem.empty())
        note_->setText(QString::fromStdString(session->problem));
}

void SessionBrowser::open_chosen(bool new_window) {
    const SessionSummary* session = chosen();
    if (session == nullptr || session->state == SessionState::Unreadable) return;
    const QString path = QString::fromStdString(session->path.string());
    if (!window_.show_where_open(path)) (new_window ? window_.open_in_new : window_.open_here)(path);
    close();
}

void SessionBrowser::reveal() {
    if (const SessionSummary* session = chosen())
        QDesktopServices::openUrl(
            QUrl::fromLocalFile(QString::fromStdString(session->path.parent_path().string())));
}

void SessionBrowser::ask_and_delete() {
    const SessionSummary* session = chosen();
    if (session == nullptr || session->state == SessionState::Writing) return;
    auto* box = new QMessageBox(
        QMessageBox::Warning, tr("Delete the session?"),
        tr("%1\n%2, %3 steps, %4\n\nThe log, its measurements and notes go to the trash. Exported "
           "cubins stay.")
            .arg(QString::fromStdString(session->path.filename().string()),
                 called(QString::fromStdString(session->kernel)),
                 grouped(static_cast<qint64>(session->steps)),
                 QLocale::c().formattedDataSize(static_cast<qint64>(session->bytes), 1)),
        QMessageBox::NoButton, this);
    box->setObjectName(QStringLiteral("delete_session"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton* sure = box->addButton(tr("Delete"), QMessageBox::DestructiveRole);
    box->setDefaultButton(box->addButton(QMessageBox::Cancel));
    connect(sure, &QPushButton::clicked, this, [this, copy = *session] { delete_files(copy); });
    box->open();
}

// Checks again at the last moment whether a process writes the session.
void SessionBrowser::delete_files(const SessionSummary& session) {
    window_.jobs->run<QString>(
        QStringLiteral("delete-session"),
        [session](std::stop_token) -> QString {
            if (SessionLock::holder(session.path))
                return tr("Not deleted: a process is writing this session.");
            // Qt makes the trash in this folder, and not the folder.
            QDir().mkpath(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation));
            for (const std::filesystem::path& file : files_of_session(session.path)) {
                const QString name = QString::fromStdString(file.string());
                if (!QFile::moveToTrash(name) && QFile::exists(name))
                    return tr("Cannot move %1 to the trash.").arg(name);
            }
            return {};
        },
        [browser = QPointer<SessionBrowser>(this)](const QString& problem) {
            if (!browser) return;
            browser->look();
            if (!problem.isEmpty()) browser->note_->setText(problem);
        },
        JobRunner::Scope::Window);
}

}  // namespace cubinlab::ui
