// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/capture_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProcess>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <algorithm>

#include "core/binary/kernel_list.h"
#include "ui/base/file_dialog.h"
#include "ui/base/fitting_label.h"
#include "ui/base/job_runner.h"
#include "ui/base/message_bar.h"
#include "ui/base/table.h"
#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {

constexpr int kMostLines = 2000;
constexpr int kNameRole = Qt::UserRole + 1;

enum Column { ShareColumn, LaunchesColumn, MeanColumn, KernelColumn, RemarkColumn, ColumnCount };

QString joined(const std::vector<std::string>& lines) {
    QStringList out;
    for (const std::string& line : lines)
        out.push_back(QString::fromStdString(line));
    return out.join(QStringLiteral("; "));
}

QWidget* name_of_row(const QFormLayout& form, int row) {
    const QLayoutItem* item = form.itemAt(row, QFormLayout::LabelRole);
    return item == nullptr ? nullptr : item->widget();
}

}  // namespace

CaptureDialog::CaptureDialog(JobRunner& jobs, QWidget* parent)
    : QDialog(parent), job_(jobs, QStringLiteral("capture")) {
    setObjectName(QStringLiteral("capture_dialog"));
    setWindowTitle(tr("Capture kernel from program"));
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
        {tr("Share"), tr("Launches"), tr("Mean (us)"), tr("Kernel"), tr("Notes")});
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
        tr("Enter a program and click List kernels: it runs once and reports launch count and time per "
           "kernel. Or enter a kernel name and capture directly."));
    (new QVBoxLayout(table_))->addWidget(empty_);
    list_ = new QPushButton(tr("&List kernels"), this);
    list_->setObjectName(QStringLiteral("capture_list"));
    list_->setAutoDefault(false);
    list_->setToolTip(tr("Run the program once and list its kernels with launch count and time"));
    kernel_ = new QLineEdit(this);
    kernel_->setObjectName(QStringLiteral("capture_kernel"));
    kernel_->setAccessibleName(tr("Kernel to capture"));
    kernel_->setPlaceholderText(tr("all kernels, a name, or regex:EXPRESSION"));
    kernel_->setClearButtonEnabled(true);
    which_ = new QComboBox(this);
    which_->addItems({tr("launch number"), tr("first launches, as input sets:")});
    which_->setAccessibleName(tr("Which launches"));
    launch_ = new QSpinBox(this);
    launch_->setObjectName(QStringLiteral("capture_launch"));
    launch_->setRange(1, 999'999'999);
    launch_->setAccessibleName(tr("Launch number or number of launches"));
    auto* launches = new QHBoxLayout;
    launches->setSpacing(6);
    launches->addWidget(which_);
    launches->addWidget(launch_);
    launches->addStretch(1);
    auto* choice = new QFormLayout;
    choice->setHorizontalSpacing(14);
    choice->addRow(tr("&Kernel"), kernel_);
    choice->addRow(tr("Launch"), launches);
    out_ = add_path(choice, "capture_out", tr("&Output folder"), tr("Output folder"), Ask::Folder);
    out_->setText(QDir::current().filePath(QStringLiteral("captured")));
    add_ = new QCheckBox(tr("K&eep existing captures in this folder"), this);
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

// Given to a job, whose thread hands on what the program prints.
CapturedProgram CaptureDialog::program() {
    CapturedProgram out;
    out.command = {program_->text().trimmed().toStdString()};
    for (const QString& word : QProcess::splitCommand(arguments_->text()))
        out.command.push_back(word.toStdString());
    out.folder = folder_->text().toStdString();
    out.on_output = [show = gui_call(this, [this] { show_printed(); }),
                     printed = printed_](std::string_view text) {
        const std::lock_guard lock(printed->mutex);
        if (printed->text.isEmpty()) show();
        printed->text.append(text.data(), static_cast<qsizetype>(text.size()));
    };
    return out;
}

void CaptureDialog::list_kernels() {
    model_->removeRows(0, model_->rowCount());
    run<LaunchedKernels>(
        [program = program()](std::stop_token stop) { return list_launched_kernels(program, stop); },
        &CaptureDialog::listed);
}

void CaptureDialog::capture() {
    CaptureRequest request;
    request.program = program();
    request.out = QDir(folder_->text()).absoluteFilePath(out_->text().trimmed()).toStdString();
    request.launch = (which_->currentIndex() == 1 ? "first:" : "") + std::to_string(launch_->value());
    request.kernel = kernel_->text().trimmed().toStdString();
    request.add = add_->isChecked();
    run<Captured>([request](std::stop_token stop) { return capture_kernels(request, stop); },
                  &CaptureDialog::taken);
}

template <class T>
void CaptureDialog::run(std::function<Result<T>(std::stop_token)> work,
                        void (CaptureDialog::*deliver)(const T&)) {
    if (running()) return;
    messages_->clear_all();
    log_->clear();
    decoder_.resetState();
    stopped_ = false;
    job_.start<Result<T>>(std::move(work), [this, deliver](Result<T> answer) {
        update_buttons();
        if (stopped_)
            messages_->post(MessageKind::Info, tr("Stopped"), tr("The program was terminated."));
        else if (!answer)
            fail(tr("Nothing was captured"), QString::fromStdString(answer.error().message()));
        else
            (this->*deliver)(*answer);
    });
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
    job_.stop();
}

void CaptureDialog::show_printed() {
    const std::lock_guard lock(printed_->mutex);
    log_->moveCursor(QTextCursor::End);
    log_->insertPlainText(decoder_.decode(printed_->text));
    log_->moveCursor(QTextCursor::End);
    printed_->text.clear();
}

void CaptureDialog::listed(const LaunchedKernels& answer) {
    for (const LaunchedKernel& kernel : answer.kernels) {
        const QString symbol = QString::fromStdString(kernel.name);
        auto* name = new_cell(QString::fromStdString(demangled(kernel.name)));
        name->setData(symbol, kNameRole);
        name->setToolTip(symbol);
        model_->appendRow({new_cell(tr("%1 %").arg(kernel.share * 100, 0, 'f', 1), true),
                           new_cell(QString::number(kernel.launches), true),
                           new_cell(QString::number(kernel.mean_us(), 'f', 2), true), name,
                           new_cell(QString::fromStdString(kernel.why_not))});
    }
    update_buttons();
    if (model_->rowCount() == 0) {
        fail(tr("No kernel launch found"),
             tr("The program must use CUDA. It must not be setuid or statically linked."));
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

void CaptureDialog::taken(const Captured& answer) {
    const QString notes = joined(answer.notes);
    if (answer.kernels.empty()) {
        fail(tr("Nothing was captured"), notes.isEmpty() ? tr("No launch matches.") : notes);
        return;
    }
    QStringList remarks;
    if (!notes.isEmpty()) remarks.push_back(notes);
    for (const CapturedKernel& one : answer.kernels)
        if (!one.left_out.empty())
            remarks.push_back(tr("%1 cannot be replayed: it uses %2")
                                  .arg(QString::fromStdString(one.kernel), joined(one.left_out)));
    if (answer.exit_code != 0) remarks.push_back(tr("the program exited with code %1").arg(answer.exit_code));
    const CapturedKernel& first = answer.kernels.front();
    const bool alone = answer.kernels.size() == 1;
    accept();
    Q_EMIT captured(QString::fromStdString((alone ? first.cubin : first.cubin.parent_path()).string()),
                    alone ? QString::fromStdString(first.kernel) : QString(),
                    remarks.join(QStringLiteral(". ")));
}

}  // namespace cubinlab::ui
