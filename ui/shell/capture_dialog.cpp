// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/capture_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QDir>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProcess>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/base/empty_note.h"
#include "ui/base/message_bar.h"
#include "ui/base/path_field.h"
#include "ui/base/table.h"
#include "ui/base/text_size.h"

namespace cubinlab::ui {
namespace {

constexpr int kMostLines = 2000;
constexpr int kPatienceMs = 5000;  // from the request to end to the end by force
constexpr int kNameRole = Qt::UserRole + 1;

enum Column { ShareColumn, LaunchesColumn, MeanColumn, KernelColumn, RemarkColumn, ColumnCount };

QString joined(const QJsonArray& lines) {
    QStringList out;
    for (const auto& line : lines)
        out.push_back(line.toString());
    return out.join(QStringLiteral("; "));
}

QWidget* name_of_row(const QFormLayout& form, int row) {
    const QLayoutItem* item = form.itemAt(row, QFormLayout::LabelRole);
    return item == nullptr ? nullptr : item->widget();
}

}  // namespace

CaptureDialog::CaptureDialog(QWidget* parent)
    : QDialog(parent), capturer_(QCoreApplication::applicationFilePath()) {
    setObjectName(QStringLiteral("capture_dialog"));
    setWindowTitle(tr("Capture from a program"));
    messages_ = new MessageBar(this);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(14);
    const auto add_path = [this](QFormLayout* to, const char* name, const QString& text, const QString& label,
                                 Ask what) {
        auto* field = new PathField(QString::fromLatin1(name), label, what, this);
        field->add_to(*to, text);
        return field->line();
    };
    program_ = add_path(form, "capture_program", tr("&Program"), tr("Program"), Ask::File);
    arguments_ = new QLineEdit(this);
    arguments_->setObjectName(QStringLiteral("capture_arguments"));
    arguments_->setAccessibleName(tr("Arguments of the program"));
    arguments_->setPlaceholderText(tr("as in a terminal: train.py --batch 8 \"a b\""));
    form->addRow(tr("&Arguments"), arguments_);
    folder_ = add_path(form, "capture_folder", tr("&Working folder"), tr("Working folder"), Ask::Folder);
    folder_->setText(QDir::currentPath());
    model_ = new QStandardItemModel(0, ColumnCount, this);
    model_->setHorizontalHeaderLabels(
        {tr("Share"), tr("Launches"), tr("Mean, us"), tr("Kernel"), tr("Remark")});
    table_ = new_table(this, tr("Kernels of the program"), model_, 0);
    table_->setShowGrid(true);
    table_->setObjectName(QStringLiteral("capture_table"));
    table_->setTextElideMode(Qt::ElideMiddle);
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    for (int column = 0; column < KernelColumn; ++column)
        model_->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    set_column_widths(table_, {80, 100, 100, 220, 220});  // the kernel's has what is left
    stretch_column(table_, KernelColumn);
    empty_ = new EmptyNote(table_);
    empty_->setProperty("dim", true);
    empty_->setText(
        tr("Name a program and list its kernels: it runs once, and tells how often and how long each of "
           "them runs. Or capture at once, by the name of a kernel."));
    (new QVBoxLayout(table_))->addWidget(empty_);
    list_ = new QPushButton(tr("&List its kernels"), this);
    list_->setObjectName(QStringLiteral("capture_list"));
    list_->setAutoDefault(false);
    list_->setToolTip(tr("Runs the program once: its kernels, launches and shares of time"));
    kernel_ = new QLineEdit(this);
    kernel_->setObjectName(QStringLiteral("capture_kernel"));
    kernel_->setAccessibleName(tr("Kernel to capture"));
    kernel_->setPlaceholderText(tr("every kernel; a name, or regex:EXPRESSION"));
    kernel_->setClearButtonEnabled(true);
    which_ = new QComboBox(this);
    which_->addItems({tr("launch number"), tr("first launches, as input sets:")});
    which_->setAccessibleName(tr("Which launches"));
    launch_ = new QSpinBox(this);
    launch_->setObjectName(QStringLiteral("capture_launch"));
    launch_->setRange(1, 999'999'999);
    launch_->setAccessibleName(tr("Number of the launch, or of launches"));
    auto* launches = new QHBoxLayout;
    launches->setSpacing(6);
    launches->addWidget(which_);
    launches->addWidget(launch_);
    launches->addStretch(1);
    auto* choice = new QFormLayout;
    choice->setHorizontalSpacing(14);
    choice->addRow(tr("&Kernel"), kernel_);
    choice->addRow(tr("Launch"), launches);
    out_ =
        add_path(choice, "capture_out", tr("&Into folder"), tr("Folder for what is captured"), Ask::Folder);
    out_->setText(QDir::current().filePath(QStringLiteral("captured")));
    add_ = new QCheckBox(tr("A&dd to what the folder holds"), this);
    add_->setObjectName(QStringLiteral("capture_add"));
    choice->addRow(QString(), add_);
    log_ = new QPlainTextEdit(this);
    log_->setObjectName(QStringLiteral("capture_log"));
    log_->setAccessibleName(tr("Output of the program"));
    log_->setPlaceholderText(tr("Output of the program"));
    log_->setReadOnly(true);
    log_->setMaximumBlockCount(kMostLines);
    log_->setTabChangesFocus(true);
    progress_ = new QProgressBar(this);
    progress_->setRange(0, 0);
    progress_->setTextVisible(false);
    int widest = 0;  // one column of fields above and below the table
    for (QFormLayout* each : {form, choice})
        for (int line = 0; line < each->rowCount(); ++line)
            if (const QWidget* name = name_of_row(*each, line))
                widest = std::max(widest, name->sizeHint().width());
    for (QFormLayout* each : {form, choice})
        name_of_row(*each, 0)->setMinimumWidth(widest);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    start_ = buttons->addButton(tr("Captu&re and open"), QDialogButtonBox::ActionRole);
    start_->setObjectName(QStringLiteral("capture_start"));
    stop_ = buttons->addButton(tr("&Stop"), QDialogButtonBox::ActionRole);
    stop_->setObjectName(QStringLiteral("capture_stop"));
    auto* listing = new QHBoxLayout;
    listing->addWidget(list_);
    listing->addWidget(progress_, 1);
    listing->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->addWidget(messages_);
    column->addLayout(form);
    column->addLayout(listing);
    column->addWidget(table_, 3);
    column->addLayout(choice);
    column->addWidget(log_, 1);
    column->addWidget(buttons);
    resize(for_text(*this, {900, 700}));
    connect(list_, &QPushButton::clicked, this, &CaptureDialog::list_kernels);
    connect(start_, &QPushButton::clicked, this, &CaptureDialog::capture);
    connect(stop_, &QPushButton::clicked, this, &CaptureDialog::stop);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(program_, &QLineEdit::textChanged, this, &CaptureDialog::update_buttons);
    connect(out_, &QLineEdit::textChanged, this, &CaptureDialog::update_buttons);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &CaptureDialog::take_row);
    connect(child_, &ChildProgram::told_more, this, &CaptureDialog::add_to_log);
    connect(child_, &ChildProgram::ended, this, &CaptureDialog::finished);
    connect(child_, &ChildProgram::not_started, this, [this](const QString& why) {
        fail(tr("Not started"), why);
        update_buttons();
    });
    update_buttons();
}

CaptureDialog::~CaptureDialog() = default;

void CaptureDialog::update_buttons() {
    const bool named = !program_->text().trimmed().isEmpty();
    list_->setEnabled(!running() && named);
    start_->setEnabled(!running() && named && !out_->text().trimmed().isEmpty());
    stop_->setEnabled(running());
    progress_->setVisible(running());
    empty_->setVisible(model_->rowCount() == 0 && !running());
}

void CaptureDialog::fail(const QString& title, const QString& text) {
    messages_->post(MessageKind::Error, title, text);
}

void CaptureDialog::list_kernels() {
    model_->removeRows(0, model_->rowCount());
    run({QStringLiteral("--list")}, [this](const QJsonObject& answer, int) { listed(answer); });
}

void CaptureDialog::capture() {
    QStringList words = {QStringLiteral("-o"), QDir(folder_->text()).absoluteFilePath(out_->text().trimmed()),
                         QStringLiteral("--launch"),
                         (which_->currentIndex() == 1 ? QStringLiteral("first:%1") : QStringLiteral("%1"))
                             .arg(launch_->value())};
    if (const QString kernel = kernel_->text().trimmed(); !kernel.isEmpty())
        words += {QStringLiteral("--kernel"), kernel};
    if (add_->isChecked()) words += QStringLiteral("--force");
    run(words, [this](const QJsonObject& answer, int code) { taken(answer, code); });
}

void CaptureDialog::run(const QStringList& words, Done done) {
    if (running()) return;
    messages_->clear_all();
    log_->clear();
    stopped_ = false;
    done_ = std::move(done);
    QStringList all = {QStringLiteral("capture"), QStringLiteral("--json")};
    all += words;
    all += {QStringLiteral("--"), program_->text().trimmed()};
    all += QProcess::splitCommand(arguments_->text());
    child_->start(capturer_, all, folder_->text());
    update_buttons();
}

// Nobody would see the program run on, and a kernel that it gives much later would take the window's place.
void CaptureDialog::reject() {
    stop();
    QDialog::reject();
}

void CaptureDialog::stop() {
    if (!running()) return;
    stopped_ = true;
    child_->stop(kPatienceMs);
}

void CaptureDialog::add_to_log(const QString& text) {
    log_->moveCursor(QTextCursor::End);
    log_->insertPlainText(text);
    log_->moveCursor(QTextCursor::End);
}

void CaptureDialog::finished(int code, bool normally, const QByteArray& output) {
    const QJsonObject answer = QJsonDocument::fromJson(output).object();
    update_buttons();
    if (stopped_) {
        messages_->post(MessageKind::Info, tr("Stopped"), tr("The program was asked to end."));
        return;
    }
    if (const QJsonObject error = answer[QStringLiteral("error")].toObject(); !error.isEmpty()) {
        const QString where = error[QStringLiteral("where")].toString();
        fail(tr("Nothing was captured"), (where.isEmpty() ? QString() : where + QStringLiteral(": ")) +
                                             error[QStringLiteral("what")].toString());
        return;
    }
    if (!normally || answer.isEmpty()) {
        fail(tr("Nothing was captured"), tr("The capture ended with %1 and no answer.").arg(code));
        return;
    }
    std::exchange(done_, {})(answer, code);
}

void CaptureDialog::listed(const QJsonObject& answer) {
    for (const auto& value : answer[QStringLiteral("kernels")].toArray()) {
        const QJsonObject row = value.toObject();
        auto* name = new_cell(row[QStringLiteral("demangled")].toString());
        name->setData(row[QStringLiteral("kernel")].toString(), kNameRole);
        name->setToolTip(row[QStringLiteral("kernel")].toString());
        model_->appendRow(
            {new_cell(tr("%1 %").arg(row[QStringLiteral("share")].toDouble() * 100, 0, 'f', 1), true),
             new_cell(QString::number(row[QStringLiteral("launches")].toInteger()), true),
             new_cell(QString::number(row[QStringLiteral("mean_us")].toDouble(), 'f', 2), true), name,
             new_cell(row[QStringLiteral("why_not")].toString())});
    }
    update_buttons();
    if (model_->rowCount() == 0) {
        fail(tr("No kernel was seen"),
             tr("Did the program use CUDA, and is it neither setuid nor linked statically?"));
        return;
    }
    table_->setFocus();
    table_->selectRow(0);
    take_row();
}

void CaptureDialog::take_row() {
    const QModelIndex at = table_->currentIndex();
    if (at.isValid()) kernel_->setText(model_->item(at.row(), KernelColumn)->data(kNameRole).toString());
}

void CaptureDialog::taken(const QJsonObject& answer, int code) {
    const QJsonArray rows = answer[QStringLiteral("captured")].toArray();
    const QString notes = joined(answer[QStringLiteral("notes")].toArray());
    if (rows.isEmpty()) {
        fail(tr("Nothing was captured"), notes.isEmpty() ? tr("No such launch was seen.") : notes);
        return;
    }
    QStringList remarks;
    if (!notes.isEmpty()) remarks.push_back(notes);
    for (const auto& value : rows)
        if (const QString left = joined(value.toObject()[QStringLiteral("left_out")].toArray());
            !left.isEmpty())
            remarks.push_back(tr("%1 cannot be replayed: it uses %2")
                                  .arg(value.toObject()[QStringLiteral("kernel")].toString(), left));
    if (const int program = answer[QStringLiteral("exit_code")].toInt(); code != 0 && program != 0)
        remarks.push_back(tr("the program ended with %1").arg(program));
    const QJsonObject first = rows.first().toObject();
    const QString cubin = first[QStringLiteral("cubin")].toString();
    accept();
    Q_EMIT captured(rows.size() == 1 ? cubin : QFileInfo(cubin).absolutePath(),
                    rows.size() == 1 ? first[QStringLiteral("kernel")].toString() : QString(),
                    remarks.join(QStringLiteral(". ")));
}

}  // namespace cubinlab::ui
