// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sessions/session_browser.h"
#include "ui/base/commands.h"
#include "ui/base/format.h"
#include "ui/base/path_field.h"
#include "ui/base/settings.h"

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
#include <QSortFilterProxyModel>
#include <QStandardPaths>
#include <QUrl>
#include <QVBoxLayout>

#include "core/store/session_lock.h"
#include "ui/base/job_runner.h"
#include "ui/base/tab_order.h"
#include "ui/base/table.h"
#include "ui/base/text_button.h"
#include "ui/base/text_size.h"
#include "ui/document/kernel_name.h"
#include "ui/sessions/session_model.h"

namespace cubinlab::ui {

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
