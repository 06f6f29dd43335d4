// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/profile_dialog.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <algorithm>
#include <map>
#include <vector>

#include "core/base/file.h"
#include "core/base/scratch_folder.h"
#include "core/evidence/export_cubin.h"
#include "ui/base/commands.h"
#include "ui/base/job_runner.h"
#include "ui/base/tab_order.h"
#include "ui/base/table.h"
#include "ui/base/text_size.h"
#include "ui/document/selection.h"
#include "ui/run/run_controller.h"

namespace cubinlab::ui {
namespace {

constexpr int kMostLines = 500;
constexpr int kPatienceMs = 5000;  // from the request to end to the end by force
constexpr int kInstrRole = Qt::UserRole + 1;

QStandardItem* share(const QJsonValue& of_one) {
    return new_cell(
        of_one.isDouble() ? ProfileDialog::tr("%1 %").arg(100 * of_one.toDouble(), 0, 'f', 1) : QString(),
        true);
}

QStandardItem* count(double samples) {
    return new_cell(QString::number(samples, 'f', 0), true);
}

// Over numbers as the numbers are.
void align_headers(QStandardItemModel& model) {
    for (int column = 0; model.rowCount() > 0 && column < model.columnCount(); ++column)
        if (model.item(0, column) != nullptr && (model.item(0, column)->textAlignment() & Qt::AlignRight))
            model.horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
}

QString edits_text(const QJsonArray& edits) {
    QStringList out;
    for (const auto& value : edits) {
        const QJsonObject edit = value.toObject();
        out << QStringLiteral("%1: %2").arg(edit[QStringLiteral("place")].toString(),
                                            edit[QStringLiteral("text")].toString());
    }
    return out.join(QStringLiteral("; "));
}

// Where the command line would be told its options, what a window has.
QString remedy(const QJsonObject& error) {
    return error[QStringLiteral("code")] == QLatin1String(to_string(ErrorCode::Missing))
               ? ProfileDialog::tr(
                     "Nsight Compute (ncu) is not on PATH. Install it and start CubinLab again, or "
                     "read a profile of another machine with File > Import profile.")
               : error[QStringLiteral("what")].toString().simplified();
}

// Of a pool the first command: one launch is profiled.
QStringList words_of(const GpuSettings& gpu) {
    QStringList out = {QStringLiteral("--device"), QString::number(gpu.device)};
    const std::string& command =
        gpu.worker_commands.empty() ? gpu.worker_command : gpu.worker_commands.front();
    if (!command.empty() && command != "local")
        out += {QStringLiteral("--worker"), QString::fromStdString(command)};
    return out;
}

constexpr QSize kWithoutTables(640, 170), kWithTables(1000, 640);

}  // namespace

struct ProfileDialog::Inputs {
    ScratchFolder folder;
    QStringList files;  // the original, and the candidate if there is one
    QString workload;
};

ProfileDialog::ProfileDialog(const WindowAccess& window)
    : QDialog(window.widget), window_(window), program_(QCoreApplication::applicationFilePath()) {
    setObjectName(QStringLiteral("profile_dialog"));
    setWindowTitle(tr("Profile"));
    resize(for_text(*this, kWithoutTables));
    state_ = new QLabel(this);
    state_->setObjectName(QStringLiteral("profile_state"));
    state_->setWordWrap(true);
    state_->setTextFormat(Qt::PlainText);
    state_->setAccessibleName(tr("How the profile stands"));
    progress_ = new QProgressBar(this);
    progress_->setRange(0, 0);
    progress_->setTextVisible(false);
    progress_->setAccessibleName(tr("The profile is being taken"));
    reasons_ = new QStandardItemModel(this);
    lines_ = new QStandardItemModel(this);
    reason_table_ = make_table("profile_reasons", tr("Reasons to wait"), reasons_);
    line_table_ = make_table("profile_lines", tr("Lines with samples"), lines_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    again_ = buttons->addButton(tr("&Profile again"), QDialogButtonBox::ActionRole);
    again_->setObjectName(QStringLiteral("profile_again"));
    stop_ = buttons->addButton(tr("&Stop"), QDialogButtonBox::ActionRole);
    stop_->setObjectName(QStringLiteral("profile_stop"));
    for (QAbstractButton* button : buttons->buttons())
        static_cast<QPushButton*>(button)->setAutoDefault(false);  // Enter is the tables'
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(state_);
    layout->addWidget(progress_);
    layout->addWidget(reason_table_, 2);
    layout->addWidget(line_table_, 3);
    layout->addWidget(buttons);
    tab_as_laid_out(*this);
    connect(again_, &QPushButton::clicked, this, &ProfileDialog::profile);
    connect(stop_, &QPushButton::clicked, this, &ProfileDialog::stop);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(this, &QDialog::finished, this, &ProfileDialog::stop);
    connect(line_table_, &QTableView::clicked, this, &ProfileDialog::go_to);
    connect(line_table_, &QTableView::activated, this, &ProfileDialog::go_to);
    connect(window_.document, &Document::leaving, this, &ProfileDialog::forget);
    connect(child_, &ChildProgram::ended, this, &ProfileDialog::finished);
    connect(child_, &ChildProgram::not_started, this,
            [this](const QString& why) { end(tr("Not profiled: %1").arg(why)); });
    update_buttons();
}

ProfileDialog::~ProfileDialog() = default;

QTableView* ProfileDialog::make_table(const char* name, const QString& accessible,
                                      QStandardItemModel* model) {
    auto* table = new_table(this, accessible, model, 10);
    table->setObjectName(QString::fromLatin1(name));
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table->horizontalHeader()->setStretchLastSection(true);
    return table;
}

// Before there is an answer the state has the dialog to itself, which is as small as that.
void ProfileDialog::show_tables() {
    const bool any = reasons_->rowCount() > 0;
    reason_table_->setVisible(any);
    line_table_->setVisible(any);
    if (any && height() < kWithTables.height() / 2) resize(for_text(*this, kWithTables));
}

void ProfileDialog::update_buttons() {
    show_tables();
    again_->setEnabled(!running() && window_.document->is_open() && window_.document->workload().has_value());
    stop_->setEnabled(running() && !stopped_);
    progress_->setVisible(running());
}

void ProfileDialog::profile() {
    const Document& document = *window_.document;
    if (running() || !document.is_open() || !document.workload()) return;
    if (const QString& by = window_.controller->gpu_taken(); !by.isEmpty()) {
        state_->setText(tr("%1 has the GPU; profile when it is over.").arg(by));
        return;
    }
    if (window_.controller->active()) {
        state_->setText(tr("The agent has the evaluator; stop or await it."));
        return;
    }
    reasons_->clear();
    lines_->clear();
    kernel_ = document.kernel();
    SchedulePtr candidate = document.right();
    if (candidate && *candidate == *document.head(Head::Original)) candidate = nullptr;
    right_ = candidate ? title_of(document.right_head()) : QString();
    preparing_ = true;
    stopped_ = false;
    window_.controller->set_gpu_taken(tr("A profile"));
    window_.commands->update();
    state_->setText(candidate ? tr("Profiling the original and %1 with Nsight Compute ...").arg(right_)
                              : tr("Profiling the original with Nsight Compute ..."));
    update_buttons();
    window_.jobs->run<Result<std::shared_ptr<Inputs>>>(
        QStringLiteral("profile-inputs"),
        [candidate, workload = *document.workload(), kernel = kernel_](std::stop_token) {
            return write_inputs(candidate, workload, kernel);
        },
        [self = QPointer<ProfileDialog>(this)](Result<std::shared_ptr<Inputs>> inputs) {
            if (!self) return;
            self->preparing_ = false;
            if (self->stopped_)
                self->end(tr("Stopped."));
            else if (inputs)
                self->start(*inputs);
            else
                self->end(tr("Not profiled: %1").arg(QString::fromStdString(inputs.error().message())));
        },
        JobRunner::Life::Window);
}

Result<std::shared_ptr<ProfileDialog::Inputs>> ProfileDialog::write_inputs(const SchedulePtr& candidate,
                                                                           const Workload& workload,
                                                                           const KernelPtr& kernel) {
    auto folder = ScratchFolder::make();
    if (!folder) return cubinlab::fail(folder.error());
    auto out = std::make_shared<Inputs>(Inputs{std::move(*folder), {}, {}});
    const auto original = out->folder.path() / "original.cubin", other = out->folder.path() / "other.cubin",
               launch = out->folder.path() / "launch.workload.json";
    if (auto written = write_file(original, kernel->cubin().bytes()); !written)
        return cubinlab::fail(written.error());
    if (auto written = write_text(launch, workload.json); !written) return cubinlab::fail(written.error());
    out->files << QString::fromStdString(original.string());
    out->workload = QString::fromStdString(launch.string());
    if (!candidate) return out;
    // Proven legal, before it is written and after.
    if (auto report = export_cubin(*candidate, other, Claim()); !report)
        return cubinlab::fail(report.error());
    out->files << QString::fromStdString(other.string());
    return out;
}

void ProfileDialog::start(const std::shared_ptr<Inputs>& inputs) {
    QStringList words = {QStringLiteral("profile")};
    words += inputs->files;
    words += {QStringLiteral("--workload"), inputs->workload, QStringLiteral("--kernel"),
              QString::fromStdString(kernel_->name()), QStringLiteral("--json")};
    words += words_of(window_.controller->gpu_settings());
    // The files stay until the program has ended, whoever awaits that.
    child_->start(program_, words, {}, inputs);
    update_buttons();
}

void ProfileDialog::stop() {
    if (!running() || stopped_) return;
    stopped_ = true;
    state_->setText(tr("Stopping ..."));
    child_->stop(kPatienceMs);
    update_buttons();
}

void ProfileDialog::end(const QString& state) {
    window_.controller->set_gpu_taken({});
    window_.commands->update();
    state_->setText(state.simplified());
    update_buttons();
}

void ProfileDialog::forget() {
    stop();
    kernel_ = nullptr;
    reasons_->clear();
    lines_->clear();
    if (!running()) end({});
}

void ProfileDialog::finished(int code, bool, const QByteArray& output) {
    const QString said = child_->told().simplified();
    if (stopped_ || !kernel_) return end(tr("Stopped."));
    end(tr("Reading the answer ..."));
    window_.jobs->run<Answer>(
        QStringLiteral("profile-answer"),
        [output, size = kernel_->size(),
         title = (right_.isEmpty() ? title_of(Head::Original) : right_).toStdString()](std::stop_token) {
            return read(output, size, title);
        },
        [self = QPointer<ProfileDialog>(this), kernel = kernel_, code, said](const Answer& answer) {
            if (!self || self->running() || self->kernel_ != kernel) return;
            if (const QJsonObject error = answer.json[QStringLiteral("error")].toObject(); !error.isEmpty())
                self->state_->setText(tr("Not profiled: %1").arg(remedy(error)));
            else if (!answer.profile)
                self->state_->setText(
                    tr("Not profiled: the program ended with %1 and no answer. %2").arg(code).arg(said));
            else
                self->show_answer(answer);
        });
}

ProfileDialog::Answer ProfileDialog::read(const QByteArray& output, std::size_t instructions,
                                          const std::string& title) {
    Answer out{QJsonDocument::fromJson(output).object(), nullptr};
    const bool both = out.json[QStringLiteral("b")].isObject();
    const QJsonObject side = out.json[both ? QStringLiteral("b") : QStringLiteral("a")].toObject();
    if (side.isEmpty() || !out.json[QStringLiteral("lines")].isArray()) return out;
    Profile profile;
    profile.schedule = title;
    profile.column = side[QStringLiteral("column")].toString().toStdString();
    profile.total = side[QStringLiteral("samples")].toDouble();
    profile.by_instr.resize(instructions);
    for (const auto& value : out.json[QStringLiteral("lines")].toArray()) {
        const QJsonObject line = value.toObject();
        const auto id = static_cast<std::size_t>(line[QStringLiteral("offset")].toInteger()) / kWordBytes;
        if (id >= instructions) return out;
        ProfileLine& to = profile.by_instr[id];
        to.samples = line[both ? QStringLiteral("b") : QStringLiteral("a")].toDouble();
        profile.most = std::max(profile.most, to.samples);
        const double of_reason =
            line[both ? QStringLiteral("reason_b") : QStringLiteral("reason_a")].toDouble();
        if (of_reason > 0)
            to.reasons.emplace_back(line[QStringLiteral("reason")].toString().toStdString(), of_reason);
    }
    out.profile = std::make_shared<const Profile>(std::move(profile));
    return out;
}

void ProfileDialog::show_answer(const Answer& answer) {
    fill_reasons(answer.json);
    fill_lines(answer.json);
    const double a = answer.json[QStringLiteral("a")][QStringLiteral("samples")].toDouble();
    const QJsonObject b = answer.json[QStringLiteral("b")].toObject();
    QString state =
        right_.isEmpty()
            ? tr("%1 samples of the original.").arg(a, 0, 'f', 0)
            : tr("%1 samples of the original, %2 of %3. ~: under three square roots of both together.")
                  .arg(a, 0, 'f', 0)
                  .arg(b[QStringLiteral("samples")].toDouble(), 0, 'f', 0)
                  .arg(right_);
    if (const auto all = answer.json[QStringLiteral("lines")].toArray().size(); all > kMostLines)
        state += QLatin1Char(' ') + tr("The first %1 of %2 lines.").arg(kMostLines).arg(all);
    state_->setText(state);
    show_tables();
    if (lines_->rowCount() > 0) {
        line_table_->setCurrentIndex(lines_->index(0, 0));
        line_table_->setFocus();
    }
    Q_EMIT profiled(answer.profile);
}

void ProfileDialog::fill_reasons(const QJsonObject& answer) {
    const QString original = title_of(Head::Original);
    QStringList headers = {tr("Reason"), tr("%1, measured").arg(original)};
    if (!right_.isEmpty()) headers << tr("%1, measured").arg(right_);
    headers << tr("%1, modelled").arg(original);
    if (!right_.isEmpty()) headers << tr("%1, modelled").arg(right_);
    headers << tr("Of Nsight Compute");
    reasons_->setHorizontalHeaderLabels(headers);
    std::map<QString, QJsonObject> of_b;
    for (const auto& value : answer[QStringLiteral("b")][QStringLiteral("reasons")].toArray())
        of_b[value.toObject()[QStringLiteral("name")].toString()] = value.toObject();
    for (const auto& value : answer[QStringLiteral("a")][QStringLiteral("reasons")].toArray()) {
        const QJsonObject a = value.toObject();
        const QString name = a[QStringLiteral("name")].toString();
        QList<QStandardItem*> row = {new_cell(name), share(a[QStringLiteral("samples")])};
        if (!right_.isEmpty()) row << share(of_b[name][QStringLiteral("samples")]);
        row << share(a[QStringLiteral("modelled")]);
        if (!right_.isEmpty()) row << share(of_b[name][QStringLiteral("modelled")]);
        row << new_cell(a[QStringLiteral("measured_as")].toString());
        reasons_->appendRow(row);
    }
    align_headers(*reasons_);
    reason_table_->resizeColumnsToContents();
}

void ProfileDialog::fill_lines(const QJsonObject& answer) {
    QStringList headers = {tr("Offset"), tr("Instruction")};
    if (right_.isEmpty())
        headers << tr("Samples") << tr("Reason");
    else
        headers << title_of(Head::Original) << right_ << tr("Change") << tr("Reason") << tr("Edits there");
    lines_->setHorizontalHeaderLabels(headers);
    std::vector<QJsonObject> lines;
    for (const auto& value : answer[QStringLiteral("lines")].toArray())
        lines.push_back(value.toObject());
    // Of two they come by the change; of one, it has none.
    if (right_.isEmpty())
        std::stable_sort(lines.begin(), lines.end(), [](const QJsonObject& x, const QJsonObject& y) {
            return x[QStringLiteral("a")].toDouble() > y[QStringLiteral("a")].toDouble();
        });
    if (lines.size() > kMostLines) lines.resize(kMostLines);
    for (const QJsonObject& line : lines) {
        const auto offset = line[QStringLiteral("offset")].toInteger();
        QList<QStandardItem*> row = {
            new_cell(QStringLiteral("0x") + QString::number(offset, 16).rightJustified(4, QLatin1Char('0'))),
            new_cell(line[QStringLiteral("text")].toString()), count(line[QStringLiteral("a")].toDouble())};
        row.front()->setData(offset / static_cast<qint64>(kWordBytes), kInstrRole);
        if (!right_.isEmpty()) {
            const double change = line[QStringLiteral("change")].toDouble();
            row << count(line[QStringLiteral("b")].toDouble())
                << new_cell((line[QStringLiteral("clear")].toBool() ? QString() : QStringLiteral("~")) +
                                (change > 0 ? QStringLiteral("+") : QString()) +
                                QString::number(change, 'f', 0),
                            true);
        }
        row << new_cell(line[QStringLiteral("reason")].toString());
        if (!right_.isEmpty()) row << new_cell(edits_text(line[QStringLiteral("edits")].toArray()));
        lines_->appendRow(row);
    }
    align_headers(*lines_);
    line_table_->resizeColumnsToContents();
}

void ProfileDialog::go_to(const QModelIndex& row) {
    if (kernel_ && kernel_ == window_.document->kernel())
        window_.selection->select(row.siblingAtColumn(0).data(kInstrRole).toUInt());
}

}  // namespace cubinlab::ui
