// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/source/source_edit.h"

#include <QFileInfo>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QStandardPaths>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/binary/cubin.h"
#include "core/start/compile_source.h"
#include "ui/base/flow_layout.h"
#include "ui/base/job_runner.h"
#include "ui/base/settings.h"
#include "ui/document/document.h"
#include "ui/source/source_text.h"

namespace cubinlab::ui {
namespace {

// As the pane reads.
constexpr std::size_t kMostSourceBytes = 8u << 20;
constexpr int kMostRows = 5;

struct Compiled {
    QString path, kernel;  // kernel empty: the one that was open is not in it
};

QString canonical(const QString& path) {
    const QString real = QFileInfo(path).canonicalFilePath();
    return real.isEmpty() ? path : real;
}

Result<Compiled> compiled(const CompileRequest& request, const std::string& kernel, std::stop_token stop) {
    auto path = TRY(compile_source(request, stop));
    auto cubin = TRY(Cubin::open(path.string()));
    const bool there = cubin->kernel(kernel).has_value();
    return Compiled{QString::fromStdString(path.string()),
                    there ? QString::fromStdString(kernel) : QString()};
}

// Overwrites only the text that was read, unless the user confirms.
Status written(const QString& path, const QString& text, const QString& read, bool overwrite) {
    if (!overwrite) {
        auto now = read_text(path.toStdString(), kMostSourceBytes);
        if (now && QString::fromStdString(*now) != read)
            return fail(ErrorCode::Refused,
                        "was changed by another program meanwhile; saving once more replaces it",
                        path.toStdString());
    }
    const std::string bytes = text.toStdString();
    return write_file(path.toStdString(), std::as_bytes(std::span(bytes)));
}

}  // namespace

QString folder_of_compiled(const QString& source) {
    const std::string whole = canonical(QFileInfo(source).absoluteFilePath()).toStdString();
    return QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) +
           QStringLiteral("/cubinlab/compiled/") +
           QString::fromStdString(hash_bytes(whole.data(), whole.size()).hex().substr(0, 16));
}

SourceEdit::SourceEdit(Document* document, JobRunner* jobs, SourceText* text, QWidget* parent)
    : QWidget(parent), document_(document), jobs_(jobs), text_(text) {
    build();
    connect(text_, &QPlainTextEdit::textChanged, this, &SourceEdit::text_edited);
    update_state();
}

void SourceEdit::build() {
    const auto button = [this](const QString& text, const QString& tip, auto run) {
        auto* out = new QToolButton;
        out->setText(text);
        out->setToolTip(tip);
        out->setAccessibleName(tip);
        out->setAutoRaise(true);
        connect(out, &QToolButton::clicked, this, run);
        return out;
    };
    edit_ = button(tr("Edit"), tr("Edit the text of this source"), [this](bool on) { set_editing(on); });
    edit_->setCheckable(true);
    compile_ = button(tr("Compile"), tr("Compile the text and open the new cubin in place of the old one"),
                      [this] { compile(); });
    save_ = button(tr("Save"), tr("Write the text to its file"), [this] { save(); });
    flags_ = new QLineEdit;
    flags_->setPlaceholderText(tr("flags for nvcc"));
    flags_->setAccessibleName(tr("Flags for nvcc"));
    flags_->setToolTip(tr("Appended to -cubin -lineinfo -arch: -O3, -D NAME=1, -maxrregcount=64 ..."));
    connect(flags_, &QLineEdit::returnPressed, this, &SourceEdit::compile);
    messages_ = new QListWidget;
    messages_->setAccessibleName(tr("Compiler output"));
    messages_->setMaximumHeight(messages_->fontMetrics().height() * (kMostRows + 1));
    messages_->hide();
    connect(messages_, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) { go_to(item); });
    connect(messages_, &QListWidget::itemActivated, this, [this](QListWidgetItem* item) { go_to(item); });
    auto* row = new FlowLayout;  // under each other in a narrow dock
    row->setContentsMargins(6, 3, 6, 3);
    row->setSpacing(6);
    for (QWidget* part : {static_cast<QWidget*>(edit_), static_cast<QWidget*>(compile_),
                          static_cast<QWidget*>(save_), static_cast<QWidget*>(flags_)})
        row->addWidget(part);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(messages_);
    column->addLayout(row);
}

void SourceEdit::set_compiled(const QString& path, const QString& arch) {
    path_ = canonical(path);
    arch_ = arch;
    built_.clear();
    update_state();
}

QString SourceEdit::source_of(const QString& cubin) const {
    if (path_.isEmpty() || cubin.isEmpty()) return {};
    const QString folder = canonical(QFileInfo(cubin).absolutePath());
    return folder == canonical(folder_of_compiled(path_)) ? path_ : QString();
}

std::optional<QString> SourceEdit::draft(const QString& path) const {
    const auto found = drafts_.constFind(canonical(path));
    return found != drafts_.constEnd() && canonical(path) == path_ ? std::optional(*found) : std::nullopt;
}

void SourceEdit::shown(const QString& path, const QString& text) {
    is_shown_ = !path.isEmpty() && !path_.isEmpty() && canonical(path) == path_;
    if (is_shown_) {
        disk_ = text;
        // At the first opening the compiled text is the text on disk.
        if (built_.isNull() || built_.isEmpty()) built_ = text;
    }
    if (!is_shown_) set_editing(false);
    update_state();
}

bool SourceEdit::editing() const {
    return edit_->isChecked();
}
bool SourceEdit::unsaved() const {
    return !drafts_.isEmpty();
}
bool SourceEdit::changed() const {
    return is_shown_ && text_->toPlainText() != built_;
}

QString SourceEdit::why_not_edit() const {
    return is_shown_ ? QString() : tr("Only a .cu or .ptx file opened in this window can be edited.");
}
QString SourceEdit::why_not_compile() const {
    return busy_ ? tr("The compiler is running.") : why_not_edit();
}
QString SourceEdit::why_not_save() const {
    const QString why = why_not_edit();
    return !why.isEmpty() || drafts_.contains(path_) ? why : tr("The text has no unsaved changes.");
}

void SourceEdit::set_editing(bool on) {
    on = on && is_shown_;
    edit_->setChecked(on);
    text_->set_editable(on);
    if (on) text_->setFocus();
    update_state();
}

void SourceEdit::text_edited() {
    if (!editing() || text_->showing()) return;
    const QString text = text_->toPlainText();
    if (text == disk_)
        drafts_.remove(path_);
    else
        drafts_[path_] = text;
    overwrite_ = false;
    update_state();
}

void SourceEdit::update_state() {
    setVisible(is_shown_);
    edit_->setEnabled(is_shown_);
    compile_->setEnabled(why_not_compile().isEmpty());
    save_->setEnabled(why_not_save().isEmpty());
    Q_EMIT state_changed();
}

void SourceEdit::compile() {
    if (!why_not_compile().isEmpty()) return Q_EMIT told(why_not_compile());
    const std::size_t edits = document_->is_open() ? document_->hand().tree().nodes().size() - 1 : 0;
    if (edits == 0) return start();
    auto* box = new QMessageBox(QMessageBox::Question, tr("Compile the source"),
                                tr("The new cubin replaces the open one: %n hand edit(s) would be lost.", "",
                                   static_cast<int>(edits)),
                                QMessageBox::Cancel, this);
    box->setObjectName(QStringLiteral("replace_hand_edits"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    auto* go = box->addButton(tr("Compile and replace"), QMessageBox::AcceptRole);
    box->setDefaultButton(QMessageBox::Cancel);
    connect(go, &QAbstractButton::clicked, this, &SourceEdit::start);
    box->open();
}

void SourceEdit::start() {
    CompileRequest request;
    request.source = path_.toStdString();
    request.arch = arch_.toStdString();
    request.nvcc = Settings().nvcc().toStdString();
    request.folder = folder_of_compiled(path_).toStdString();
    const QString text = text_->toPlainText();
    if (text != disk_) request.text = text.toStdString();
    for (const QString& flag : QProcess::splitCommand(flags_->text()))
        request.flags.push_back(flag.toStdString());
    busy_ = true;
    messages_->hide();
    text_->set_problems({});
    Q_EMIT told(tr("Compiling %1 for %2...").arg(QFileInfo(path_).fileName(), arch_));
    update_state();
    const std::string kernel = document_->is_open() ? document_->kernel()->name() : std::string();
    jobs_->run<Result<Compiled>>(
        QStringLiteral("compile"),
        [request, kernel](std::stop_token stop) { return compiled(request, kernel, stop); },
        [this, text, before = document_->kernel()](Result<Compiled> made) {
            busy_ = false;
            if (document_->kernel() != before) {  // another kernel was opened meanwhile: keep it
                Q_EMIT told(tr("Another kernel was opened: the compiled cubin is not"));
            } else if (!made) {
                say(QString::fromStdString(made.error().message()));
            } else {
                built_ = text;
                replacing_ = true;
                Q_EMIT told(tr("Compiled: the new cubin is open"));
                Q_EMIT open_asked(made->path, made->kernel);
            }
            update_state();
        },
        JobRunner::Scope::Window);
}

// One row per line that the compiler names; without lines, its output as it is.
void SourceEdit::say(const QString& words) {
    messages_->clear();
    std::map<int, QString> problems;
    int errors = 0;
    const QListWidgetItem* first = nullptr;
    for (const CompilerMessage& m : compiler_messages(words.toStdString(), path_.toStdString())) {
        const QString text = QString::fromStdString(m.text);
        auto* item = new QListWidgetItem(tr("line %1: %2").arg(m.line).arg(text), messages_);
        item->setData(Qt::UserRole, m.line);
        if (!m.error) continue;
        ++errors;
        if (first == nullptr) first = item;
        QString& of_line = problems[m.line];
        of_line += (of_line.isEmpty() ? QString() : QStringLiteral("\n")) + text;
    }
    if (messages_->count() == 0) new QListWidgetItem(words, messages_);
    messages_->setVisible(true);
    messages_->setCurrentRow(0);
    text_->set_problems(problems);
    Q_EMIT told(
        first == nullptr
            ? words.section(QLatin1Char('\n'), 0, 0)
            : tr("%n error(s), the first in line %1", "", errors).arg(first->data(Qt::UserRole).toInt()));
    if (first != nullptr) go_to(first);
}

void SourceEdit::go_to(const QListWidgetItem* item) {
    const int line = item == nullptr ? 0 : item->data(Qt::UserRole).toInt();
    if (line > 0) text_->go_to_line(line);
}

void SourceEdit::save() {
    if (!why_not_save().isEmpty()) return Q_EMIT told(why_not_save());
    const QString text = text_->toPlainText();
    jobs_->run<Status>(
        QStringLiteral("save-source"),
        [path = path_, text, read = disk_, overwrite = overwrite_](std::stop_token) {
            return written(path, text, read, overwrite);
        },
        [this, text](Status done) {
            if (!done) {
                overwrite_ = done.error().code == ErrorCode::Refused;
                return Q_EMIT told(QString::fromStdString(done.error().message()));
            }
            disk_ = text;
            overwrite_ = false;
            if (drafts_.value(path_) == text) drafts_.remove(path_);
            Q_EMIT told(tr("Saved: %1").arg(path_));
            update_state();
        },
        JobRunner::Scope::Window);
}

}  // namespace cubinlab::ui
