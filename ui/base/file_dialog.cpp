// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/file_dialog.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFileDialog>
#include <QFileIconProvider>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMessageBox>
#include <QMimeDatabase>
#include <QPushButton>
#include <QScreen>
#include <QTreeView>

namespace cubinlab::ui {
namespace {

// The desktop's icons are by content too, so they are two here: a file's and a folder's.
class NamesAlone : public QFileIconProvider {
  public:
    QIcon icon(const QFileInfo& info) const override {
        return QFileIconProvider::icon(info.isDir() ? Folder : File);
    }
    QIcon icon(IconType type) const override { return QFileIconProvider::icon(type); }
    QString type(const QFileInfo& info) const override {
        if (info.isDir()) return QCoreApplication::translate("files", "Folder");
        const QMimeType type =
            QMimeDatabase().mimeTypeForFile(info.fileName(), QMimeDatabase::MatchExtension);
        return type.isDefault() ? QCoreApplication::translate("files", "File") : type.comment();
    }
};

// Never destroyed: a thread of a dialog may still use it.
QFileIconProvider* names_alone() {
    static auto* const icons = new NamesAlone;
    return icons;
}

// Wide enough for a name and its date.
void give_room(QFileDialog* dialog) {
    constexpr int kDateColumn = 3;
    auto* files = dialog->findChild<QTreeView*>();
    if (files == nullptr) return;  // a native dialog
    constexpr double kShareOfScreen = 0.94;
    dialog->resize(dialog->sizeHint()
                       .expandedTo({820, 520})
                       .boundedTo(dialog->screen()->availableGeometry().size() * kShareOfScreen));
    files->header()->resizeSection(
        kDateColumn, 24 + dialog->fontMetrics().horizontalAdvance(QLocale().toString(
                              QDateTime(QDate(2000, 12, 20), QTime(20, 0)), QLocale::ShortFormat)) *
                              5 / 4);
}

const char* const kNewFilesFolder = "cubinlab_new_files_folder";  // of a window: {file that is open, folder}

QString folder_of_new_files(const QWidget& window) {
    const QString open = window.windowFilePath();
    if (open.isEmpty()) return {};
    const QStringList last = window.property(kNewFilesFolder).toStringList();
    const QString folder = last.size() == 2 && last[0] == open ? last[1] : QFileInfo(open).absolutePath();
    return QFileInfo(folder).isWritable() ? folder : QString();
}

}  // namespace

QFileDialog* ask_for_file(QWidget* parent, const FileQuestion& question,
                          std::function<void(const QString&)> take) {
    QString folder = question.what == Ask::NewFile ? folder_of_new_files(*parent->window()) : QString();
    if (folder.isEmpty()) folder = question.folder;
    auto* dialog = new QFileDialog(parent, question.title, folder, question.filters);
    dialog->setIconProvider(names_alone());
    if (question.what == Ask::NewFile) {
        dialog->setAcceptMode(QFileDialog::AcceptSave);
        dialog->setDefaultSuffix(question.suffix);
        if (!question.name.isEmpty()) dialog->selectFile(question.name);
    } else if (question.what == Ask::Folder) {
        dialog->setFileMode(QFileDialog::Directory);
    } else {
        dialog->setFileMode(QFileDialog::ExistingFile);
    }
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (question.what == Ask::NewFile)
        QObject::connect(dialog, &QFileDialog::fileSelected, parent, [parent](const QString& path) {
            QWidget* window = parent->window();
            window->setProperty(kNewFilesFolder,
                                QStringList{window->windowFilePath(), QFileInfo(path).absolutePath()});
        });
    QObject::connect(dialog, &QFileDialog::fileSelected, parent, std::move(take));
    give_room(dialog);
    dialog->open();
    return dialog;
}

void show_warning(QWidget* parent, const QString& title, const QString& text) {
    auto* box = new QMessageBox(QMessageBox::Warning, title, text, QMessageBox::Ok, parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

PathField::PathField(const QString& name, const QString& label, Ask what, QWidget* parent,
                     const QString& title)
    : QWidget(parent), line_(new QLineEdit(this)), button_(new QPushButton(tr("Choose..."), this)) {
    line_->setObjectName(name);
    line_->setAccessibleName(label);
    button_->setAccessibleName(tr("Choose: %1").arg(label));
    button_->setAutoDefault(false);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(line_, 1);
    layout->addWidget(button_);
    line_->installEventFilter(this);
    connect(line_, &QLineEdit::editingFinished, this, &PathField::take_typed);
    connect(button_, &QPushButton::clicked, this, [this, what, title = title.isEmpty() ? label : title] {
        ask_for_file(this, {.what = what, .title = title, .folder = line_->text()},
                     [this](const QString& path) {
                         line_->setText(path);
                         Q_EMIT chosen(path);
                     });
    });
}

void PathField::take_typed() {
    const bool typed = line_->isModified();
    line_->setModified(false);
    if (typed) Q_EMIT chosen(line_->text().trimmed());
}

bool PathField::eventFilter(QObject* watched, QEvent* event) {
    const bool enter = event->type() == QEvent::KeyPress && watched == line_ && line_->isModified() &&
                       (static_cast<QKeyEvent*>(event)->key() == Qt::Key_Return ||
                        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Enter);
    if (enter) take_typed();
    return enter || QWidget::eventFilter(watched, event);
}

void PathField::add_to(QFormLayout& form, const QString& text) {
    auto* name = new QLabel(text, this);
    name->setBuddy(line_);
    form.addRow(name, this);
}

}  // namespace cubinlab::ui
