// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/profile_dialog.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <algorithm>
#include <vector>

#include "core/sass/decoder.h"
#include "ui/base/commands.h"
#include "ui/base/flow_layout.h"
#include "ui/base/table.h"
#include "ui/base/theme.h"
#include "ui/document/selection.h"
#include "ui/run/run_controller.h"

namespace cubinlab::ui {
namespace {

constexpr std::size_t kMostLines = 500;
constexpr int kInstrRole = Qt::UserRole + 1;

QStandardItem* share(double of_one) {
    return new_cell(ProfileDialog::tr("%1 %").arg(100 * of_one, 0, 'f', 1), true);
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

QString edits_text(const ProfileChange& change, const LineSamples& line) {
    QStringList out;
    for (const PlacedEdit& placed : line.edits)
        out << QStringLiteral("%1: %2").arg(QString::fromLatin1(to_string(placed.place)),
                                            QString::fromStdString(change.edits[placed.edit].text));
    return out.join(QStringLiteral("; "));
}

// Where the command line would be told its options, what a window has.
QString remedy(const Error& error) {
    return error.code == ErrorCode::Missing
               ? ProfileDialog::tr(
                     "Nsight Compute (ncu) is not on PATH. Install it and restart CubinLab, or import a "
                     "profile from another machine (File > Import profile).")
               : QString::fromStdString(error.message()).simplified();
}

// Of a pool the first command: one launch is profiled.
ProfilerSettings profiler_of(const GpuSettings& gpu) {
    const std::string& command =
        gpu.worker_commands.empty() ? gpu.worker_command : gpu.worker_commands.front();
    return {.worker = command == "local" ? std::string() : command, .device = gpu.device};
}

// Samples of the last side, each line with the reason that the table names.
ProfilePtr profile_for_listings(const ProfiledSchedules& answer, const std::string& title) {
    const bool both = answer.sides.size() == 2;
    const Profile& last = answer.sides.back().profile;
    auto out = std::make_shared<Profile>();
    out->schedule = title;
    out->column = last.column;
    out->total = last.total;
    out->by_instr.resize(last.by_instr.size());
    for (const LineSamples& line : answer.change.lines) {
        ProfileLine& to = out->by_instr[line.instr];
        to.samples = both ? line.b : line.a;
        out->most = std::max(out->most, to.samples);
        if (const double of_reason = both ? line.reason_b : line.reason_a; of_reason > 0)
            to.reasons.emplace_back(line.reason, of_reason);
    }
    return out;
}

constexpr QSize kWithoutTables(640, 170), kWithTables(1000, 640);

}  // namespace

ProfileDialog::ProfileDialog(const WindowContext& window)
    : QDialog(window.widget), window_(window), job_(*window.jobs, QStringLiteral("take-profile")) {
    setObjectName(QStringLiteral("profile_dialog"));
    setWindowTitle(tr("Profile"));
    resize(for_text(*this, kWithoutTables));
    state_ = new QLabel(this);
    state_->setObjectName(QStringLiteral("profile_state"));
    state_->setWordWrap(true);
    state_->setTextFormat(Qt::PlainText);
    state_->setAccessibleName(tr("Progress of the profile"));
    progress_ = new QProgressBar(this);
    progress_->setRange(0, 0);
    progress_->setTextVisible(false);
    progress_->setAccessibleName(tr("Profiling"));
    reasons_ = new QStandardItemModel(this);
    lines_ = new QStandardItemModel(this);
    reason_table_ = make_table("profile_reasons", tr("Stall reasons"), reasons_);
    line_table_ = make_table("profile_lines", tr("Instructions with samples"), lines_);
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
        state_->setText(tr("%1 is using the GPU. Profile when it has finished.").arg(by));
        return;
    }
    if (window_.controller->active()) {
        state_->setText(tr("The agent is using the evaluator. Stop it or wait until it has finished."));
        return;
    }
    reasons_->clear();
    lines_->clear();
    kernel_ = document.kernel();
    SchedulePtr candidate = document.pair().right();
    if (candidate && *candidate == *document.pair().schedule(ScheduleSlot::Original)) candidate = nullptr;
    right_ = candidate ? title_of(document.pair().right_slot()) : QString();
    stopped_ = false;
    window_.controller->set_gpu_taken(tr("A profile"));
    window_.commands->update();
    state_->setText(candidate ? tr("Profiling the original and %1 with Nsight Compute...").arg(right_)
                              : tr("Profiling the original with Nsight Compute..."));
    const auto other = candidate ? std::optional(*candidate) : std::nullopt;
    job_.start<Result<ProfiledSchedules>>(
        [original = Schedule(kernel_), other, workload = *document.workload(),
         settings = profiler_of(window_.controller->gpu_settings())](
            std::stop_token stop) -> Result<ProfiledSchedules> {
            auto profiles = TRY(profile_schedules(original, other, workload, settings, stop));
            std::vector<Schedule> schedules = {original};
            if (other) schedules.push_back(*other);
            return explain_profiles(schedules, std::move(profiles), workload);
        },
        [this](const Result<ProfiledSchedules>& answer) { finished(answer); });
    update_buttons();
}

void ProfileDialog::stop() {
    if (!running() || stopped_) return;
    stopped_ = true;
    state_->setText(tr("Stopping..."));
    job_.stop();
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

void ProfileDialog::finished(const Result<ProfiledSchedules>& answer) {
    if (stopped_ || !kernel_) return end(tr("Stopped."));
    if (!answer) return end(tr("Cannot profile: %1").arg(remedy(answer.error())));
    end({});
    show_answer(*answer);
}

void ProfileDialog::show_answer(const ProfiledSchedules& answer) {
    fill_reasons(answer);
    fill_lines(answer);
    const double a = answer.sides.front().profile.total, b = answer.sides.back().profile.total;
    QString state = right_.isEmpty() ? tr("%1 samples of the original.").arg(a, 0, 'f', 0)
                                     : tr("Original: %1 samples, %3: %2 samples. ~ marks changes within the "
                                          "sampling noise (three standard deviations).")
                                           .arg(a, 0, 'f', 0)
                                           .arg(b, 0, 'f', 0)
                                           .arg(right_);
    if (const std::size_t all = answer.change.lines.size(); all > kMostLines)
        state += QLatin1Char(' ') + tr("Showing the first %1 of %2 instructions.").arg(kMostLines).arg(all);
    state_->setText(state);
    show_tables();
    if (lines_->rowCount() > 0) {
        line_table_->setCurrentIndex(lines_->index(0, 0));
        line_table_->setFocus();
    }
    const QString title = right_.isEmpty() ? title_of(ScheduleSlot::Original) : right_;
    Q_EMIT profiled(profile_for_listings(answer, title.toStdString()));
}

void ProfileDialog::fill_reasons(const ProfiledSchedules& answer) {
    const QString original = title_of(ScheduleSlot::Original);
    QStringList headers = {tr("Stall reason"), tr("%1, measured").arg(original)};
    if (!right_.isEmpty()) headers << tr("%1, measured").arg(right_);
    headers << tr("%1, modelled").arg(original);
    if (!right_.isEmpty()) headers << tr("%1, modelled").arg(right_);
    headers << tr("Nsight Compute name");
    reasons_->setHorizontalHeaderLabels(headers);
    std::vector<std::vector<ReasonShare>> of;  // the same reasons in the same order for each side
    for (const ProfiledSchedule& side : answer.sides)
        of.push_back(reasons_beside(side.profile, side.explanation));
    for (std::size_t i = 0; i < of.front().size(); ++i) {
        QList<QStandardItem*> row = {new_cell(QString::fromStdString(of.front()[i].name))};
        for (const auto& side : of)
            row << share(side[i].samples);
        for (const auto& side : of)
            row << share(side[i].cycles);
        row << new_cell(QString::fromStdString(of.front()[i].measured));
        reasons_->appendRow(row);
    }
    align_headers(*reasons_);
    reason_table_->resizeColumnsToContents();
}

void ProfileDialog::fill_lines(const ProfiledSchedules& answer) {
    QStringList headers = {tr("Offset"), tr("Instruction")};
    if (right_.isEmpty())
        headers << tr("Samples") << tr("Stall reason");
    else
        headers << title_of(ScheduleSlot::Original) << right_ << tr("Change") << tr("Stall reason")
                << tr("Edits");
    lines_->setHorizontalHeaderLabels(headers);
    std::vector<LineSamples> lines = answer.change.lines;
    // Of two they come by the change; of one, it has none.
    if (right_.isEmpty())
        std::stable_sort(lines.begin(), lines.end(),
                         [](const LineSamples& x, const LineSamples& y) { return x.a > y.a; });
    if (lines.size() > kMostLines) lines.resize(kMostLines);
    for (const LineSamples& line : lines) {
        const auto offset = static_cast<std::uint32_t>(line.instr * kWordBytes);
        const std::string text =
            cubinlab::render(kernel_->arch(), kernel_->instruction(line.instr).word, offset);
        QList<QStandardItem*> row = {
            new_cell(QStringLiteral("0x") + QString::number(offset, 16).rightJustified(4, QLatin1Char('0'))),
            new_cell(QString::fromStdString(text)), count(line.a)};
        row.front()->setData(line.instr, kInstrRole);
        if (!right_.isEmpty())
            row << count(line.b)
                << new_cell((line.clear() ? QString() : QStringLiteral("~")) +
                                (line.change() > 0 ? QStringLiteral("+") : QString()) +
                                QString::number(line.change(), 'f', 0),
                            true);
        row << new_cell(QString::fromStdString(line.reason));
        if (!right_.isEmpty()) row << new_cell(edits_text(answer.change, line));
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
