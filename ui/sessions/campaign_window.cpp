// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sessions/campaign_window.h"

#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

#include "core/search/engine/default_agent.h"
#include "core/search/engine/searcher.h"
#include "ui/base/file_dialog.h"
#include "ui/base/fitting_label.h"
#include "ui/base/flow_layout.h"
#include "ui/base/format.h"
#include "ui/base/job_runner.h"
#include "ui/base/message_bar.h"
#include "ui/base/settings.h"
#include "ui/base/table.h"
#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {

QString seconds(std::uint64_t milliseconds) {
    return duration_text(static_cast<double>(milliseconds) / 1000);
}

QString launches_text(const CampaignRow& row) {
    const auto launches = static_cast<qint64>(row.kernel.times.launches);
    return launches > 0 ? grouped(launches) : QString();
}

QString mean_text(const CampaignRow& row) {
    return row.kernel.times.mean_us > 0 ? QString::number(row.kernel.times.mean_us, 'f', 2) : QString();
}

QString how_it_stands(const CampaignRow& row) {
    const std::string& why = row.kernel.skipped.empty() ? row.state.error : row.kernel.skipped;
    const QString state = QString::fromStdString(row.state.state);
    return why.empty() ? state : CampaignModel::tr("%1: %2").arg(state, QString::fromStdString(why));
}

// As the report has it (gain_text).
QString gain_of(const CampaignRow& row) {
    return row.measured || row.best_cost <= 0 ? QString::fromStdString(gain_text(row))
                        : CampaignModel::tr("%1 modelled").arg(percent_text(row.speedup.log));
}

constexpr int kLookEveryMs = 1000;  // at most, while kernels tell how they stand

void choose(QComboBox* box, const QVariant& data) {
    const int index = box->findData(data);
    if (index >= 0) box->setCurrentIndex(index);
}

// How many kernels are tuned at a time: known but for "all that there are".
std::size_t gpus_of(const GpuSettings& gpu) {
    const std::size_t commands = std::max<std::size_t>(1, gpu.worker_commands.size());
    return commands * static_cast<std::size_t>(std::max(1, gpu.gpus_each));
}

QString beginning() {
    return CampaignWindow::tr(
        "Choose a folder of captured kernels. Each kernel gets budget in proportion to its share of run "
        "time. Stop any time and resume later.");
}

QString words_of(const Budget& budget) {
    constexpr std::int64_t kMinute = 60'000, kHour = 60 * kMinute;
    const std::int64_t ms = budget.time ? budget.time->count() : 0;
    if (budget.steps || ms % kMinute != 0) return QString::fromStdString(budget.text());
    return ms % kHour == 0 ? QStringLiteral("%1h").arg(ms / kHour) : QStringLiteral("%1m").arg(ms / kMinute);
}

// Where an error is, in the words of this window.
QString place_here(const QString& where) {
    if (where == QStringLiteral("--kernel")) return CampaignWindow::tr("Kernels");
    if (where == QStringLiteral("--budget") || where == QStringLiteral("budget"))
        return CampaignWindow::tr("Budget");
    return where;
}

QString said(const QString& where, const QString& what) {
    return where.isEmpty() ? what : CampaignWindow::tr("%1: %2").arg(place_here(where), what);
}

QString said(const Error& error, const QString& folder) {
    const QString where = QString::fromStdString(error.where);
    if (error.code == ErrorCode::NotFound && where == folder && QDir(folder).exists())
        return CampaignWindow::
            tr("%1 contains no captured kernel. File > Capture kernel from program creates such a folder.")
                .arg(folder);
    return said(where, QString::fromStdString(error.what));
}

}  // namespace

CampaignModel::CampaignModel(QObject* parent) : RowsModel(parent) {
    using Row = const CampaignRow&;
    set_fields({{tr("Kernel"), tr("Each kernel has its own process and its own session"), Qt::AlignLeft,
                 [](Row row) { return QString::fromStdString(row.label); }},
                {tr("Share"), tr("Share of the captured kernels' time in the program"), Qt::AlignRight,
                 [this](Row row) { return share(row); }},
                {tr("Launches"), tr("Launches in the captured program"), Qt::AlignRight, launches_text},
                {tr("Mean (us)"), tr("Mean time of a launch in the captured program, by CUDA events"),
                 Qt::AlignRight, mean_text},
                {tr("State"), tr("State of the kernel in this campaign"), Qt::AlignLeft, how_it_stands},
                {tr("Spent"), tr("Budget spent of the kernel's share"), Qt::AlignLeft,
                 [this](Row row) { return spent(row); }},
                {tr("Best"), tr("Gain of the best schedule over the original, with its interval"),
                 Qt::AlignLeft, [](Row row) { return gain_of(row); }}});
}

// As the report has it (share_text): where no launch was timed, equal parts of the budget are no share of a time.
QString CampaignModel::share(const CampaignRow& row) const {
    if (!timed_ || !row.kernel.skipped.empty()) return {};
    return tr("%1 %").arg(row.kernel.share * 100, 0, 'f', 1);
}

QString CampaignModel::spent(const CampaignRow& row) const {
    if (!row.kernel.skipped.empty()) return {};
    if (!plan_.budget.time)
        return tr("%1 of %2 steps")
            .arg(grouped(static_cast<qint64>(row.state.spent)),
                 grouped(static_cast<qint64>(row.kernel.allotted)));
    return tr("%1 of %2").arg(seconds(row.state.spent), seconds(row.kernel.allotted));
}

void CampaignModel::set_report(CampaignReport report) {
    const bool same =
        std::equal(rows().begin(), rows().end(), report.rows.begin(), report.rows.end(),
                   [](const CampaignRow& x, const CampaignRow& y) { return x.kernel.name == y.kernel.name; });
    plan_ = std::move(report.plan);
    log_speedup_ = report.log_speedup_of_captured;
    timed_ = std::any_of(report.rows.begin(), report.rows.end(),
                         [](const CampaignRow& row) { return row.kernel.times.launches > 0; });
    set_rows(std::move(report.rows), same);
}

QVariant CampaignModel::look(const CampaignRow& row, int column, int role) const {
    const ThemeColors& colors = Theme::instance().colors();
    switch (role) {
        case Qt::ToolTipRole:
            if (column == KernelName) return QString::fromStdString(name_among(row));
            if (column != Gain || row.best_cost <= 0) return text(row, column);
            return tr("%1\nOriginal %2, best %3 %4 per launch. %5")
                .arg(QString::fromStdString(row.device), QString::number(row.original_cost, 'f', 2),
                     QString::number(row.best_cost, 'f', 2), QString::fromStdString(row.unit),
                     row.gain       ? tr("The measurement supports a gain.")
                     : row.measured ? tr("No gain is claimed: the interval includes zero.")
                                    : tr("Modelled, not measured."));
        case Qt::FontRole:
            return column == KernelName ? QVariant(Theme::instance().mono_font()) : QVariant();
        case Qt::ForegroundRole:
            if (column == State && row.state.state == "failed") return colors.bad;
            if (column == State && (row.state.state == "interrupted" || row.state.state == "skipped"))
                return colors.warn;
            if (column == Gain && row.gain) return colors.good;
            return {};
        default:
            return {};
    }
}

CampaignWindow::CampaignWindow(const WindowContext& window)
    : QDialog(window.widget),
      window_(window),
      timer_(new QTimer(this)),
      model_(new CampaignModel(this)),
      messages_(new MessageBar(this)),
      job_(*window.jobs, QStringLiteral("tune-campaign")) {
    setObjectName(QStringLiteral("campaign_window"));
    setWindowTitle(tr("Tune all kernels in a folder"));
    resize(for_text(*this, {1040, 600}));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(messages_);
    make_choices();
    make_table();
    note_ = new QLabel(this);
    note_->setObjectName(QStringLiteral("campaign_note"));
    note_->setWordWrap(true);
    note_->setProperty("dim", true);
    note_->setAccessibleName(tr("Progress of the campaign"));
    layout->addWidget(note_);
    layout->addWidget(bottom());
    tab_as_laid_out(*this);
    timer_->setSingleShot(true);
    timer_->setInterval(kLookEveryMs);
    connect(timer_, &QTimer::timeout, this, &CampaignWindow::look);
    connect(&Theme::instance(), &Theme::changed, table_->viewport(), qOverload<>(&QWidget::update));
    update_buttons();
}

CampaignWindow::~CampaignWindow() = default;

void CampaignWindow::make_choices() {
    path_ = new PathField(QStringLiteral("campaign_folder"), tr("&Folder").remove(QLatin1Char('&')),
                          Ask::Folder, this, tr("Folder of captured kernels"));
    folder_ = path_->line();
    folder_->setPlaceholderText(tr("folder of captured kernels (File > Capture kernel from program)"));
    budget_ = new QLineEdit(QStringLiteral("10m"), this);
    budget_->setObjectName(QStringLiteral("campaign_budget"));
    budget_->setToolTip(tr("Total budget per GPU: 20m, 2h or 100000steps"));
    kernel_ = new QLineEdit(this);
    kernel_->setObjectName(QStringLiteral("campaign_kernel"));
    kernel_->setPlaceholderText(tr("all kernels, a name, or regex:EXPRESSION"));
    kernel_->setClearButtonEnabled(true);
    agent_ = new QComboBox(this);
    for (const SearcherDescription& d : searcher_descriptions())
        agent_->addItem(QString::fromStdString(d.name), QString::fromStdString(d.name));
    choose(agent_, QString::fromLatin1(kDefaultAgent));
    evaluator_ = new QComboBox(this);
    evaluator_->addItem(tr("Auto"), QVariant::fromValue(EvaluatorPolicy::Auto));
    evaluator_->addItem(tr("GPU"), QVariant::fromValue(EvaluatorPolicy::Gpu));
    evaluator_->addItem(tr("Model"), QVariant::fromValue(EvaluatorPolicy::Model));
    auto* kernels = new QLabel(tr("&Kernels"), this);
    kernels->setBuddy(kernel_);
    kernel_->setAccessibleName(tr("&Kernels").remove(QLatin1Char('&')));
    auto* line = new QHBoxLayout;
    const auto add = [&](const QString& text, QWidget* field, int stretch) {
        auto* name = new QLabel(text, this);
        name->setBuddy(field);
        field->setAccessibleName(QString(text).remove(QLatin1Char('&')));
        if (line->count() > 0) {  // the first one's name is the form's
            line->addSpacing(12);
            line->addWidget(name);
            line->addSpacing(6);
        }
        line->addWidget(field, stretch);
        return name;
    };
    QLabel* first = add(tr("&Budget"), budget_, 1);
    add(tr("&Agent"), agent_, 0);
    add(tr("Evaluate on"), evaluator_, 0);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(14);
    path_->add_to(*form, tr("&Folder"));
    form->addRow(kernels, kernel_);
    form->addRow(first, line);
    static_cast<QVBoxLayout*>(layout())->addLayout(form);
    connect(path_, &PathField::chosen, messages_, &MessageBar::clear_all);
    // Another folder: what its campaign was given goes before what was typed for the last one.
    connect(folder_, &QLineEdit::textChanged, this, [this] { typed_ = false; });
    connect(budget_, &QLineEdit::textChanged, this, [this] { typed_ = true; });
    for (QLineEdit* each : {folder_, budget_, kernel_})
        connect(each, &QLineEdit::textChanged, this, [this] {
            messages_->clear(MessageKind::Error);  // it was of what stood there
            look();
        });
}

void CampaignWindow::make_table() {
    table_ = new_table(this, tr("Kernels of the campaign"), model_, 10);
    table_->setObjectName(QStringLiteral("campaign_table"));
    table_->setTextElideMode(Qt::ElideMiddle);
    const int advance = table_->fontMetrics().averageCharWidth();
    const int widths[] = {30, 10, 13, 14, 22, 22, 40};
    for (int c = 0; c < static_cast<int>(std::size(widths)); ++c)
        table_->setColumnWidth(c, widths[c] * advance);
    widen_to_heads(table_);
    stretch_column(table_, CampaignModel::KernelName,
                   {CampaignModel::State, CampaignModel::Spent, CampaignModel::Gain});
    empty_ = new EmptyNote(table_);
    empty_->setObjectName(QStringLiteral("campaign_empty"));
    empty_->setProperty("dim", true);
    (new QVBoxLayout(table_))->addWidget(empty_);
    empty_->setText(beginning());
    static_cast<QVBoxLayout*>(layout())->addWidget(table_, 1);
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &CampaignWindow::update_buttons);
    connect(table_, &QTableView::activated, this, &CampaignWindow::open_session);
}

QPushButton* CampaignWindow::button(const char* name, const QString& text, const QString& about,
                                    void (CampaignWindow::*run)()) {
    QPushButton* made = dialog_button(text, about, this);
    made->setObjectName(QString::fromLatin1(name));
    connect(made, &QPushButton::clicked, this, run);
    return made;
}

QWidget* CampaignWindow::bottom() {
    auto* row = new QWidget(this);
    start_ =
        button("campaign_start", tr("&Start"),
               tr("Tune the kernels that are not done, like `cubinlab campaign`"), &CampaignWindow::start);
    stop_ = button("campaign_stop", tr("S&top"),
                   tr("Write each kernel's best schedule and stop; the folder stays resumable"),
                   &CampaignWindow::stop);
    open_ = button("campaign_open", tr("&Open session"), tr("Open the session of the selected kernel"),
                   &CampaignWindow::open_session);
    report_ = button("campaign_report", tr("S&how report"), tr("Open the HTML report of the campaign"),
                     &CampaignWindow::open_report);
    progress_ = new QProgressBar(row);
    progress_->setAccessibleName(tr("Budget spent"));
    progress_->setRange(0, 1000);
    progress_->setTextVisible(false);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    for (QPushButton* each : {start_, stop_, open_, report_})
        layout->addWidget(each);
    layout->addStretch(1);
    layout->addWidget(progress_, 1);
    return row;
}

void CampaignWindow::set_folder(const QString& folder) {
    if (running()) return;
    messages_->clear_all();
    folder_->setText(folder);
}

void CampaignWindow::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    if (folder_->text().isEmpty()) folder_->setFocus();
    look();
}

QString CampaignWindow::out_folder() const {
    return QDir(folder_->text().trimmed()).filePath(QStringLiteral("campaign"));
}

// What a campaign was given before holds until another amount of the same unit is typed.
Result<CampaignWindow::Seen> CampaignWindow::seen_in(const Asked& asked, SeenSessions& sessions) {
    const auto amount = Budget::parse(asked.budget);
    auto begun = begun_campaign(asked.out);
    const bool its_own =
        begun && (!asked.typed || !amount || begun->counts_steps == amount->time.has_value());
    if (!amount && (!its_own || asked.typed)) return cubinlab::fail(amount.error());
    const auto plan_with = [&](const Budget& budget) {
        return plan_campaign(asked.folder, asked.out, budget, asked.gpus, asked.kernel);
    };
    auto plan = TRY(plan_with(amount.value_or(Budget{})));
    QString restored;
    if (its_own)
        if (const auto given = budget_of_begun(plan, *begun, asked.gpus)) {
            plan = TRY(plan_with(*given));
            restored = words_of(*given);
        }
    if (!amount && restored.isEmpty()) return cubinlab::fail(amount.error());
    return Seen{report_campaign(plan, &sessions), std::move(begun), restored};
}

void CampaignWindow::look() {
    const QString folder = folder_->text().trimmed();
    if (folder.isEmpty()) return show_seen(cubinlab::fail(ErrorCode::BadUse, "", ""));
    window_.jobs->run<Result<Seen>>(
        QStringLiteral("campaign"),
        [asked = Asked{folder.toStdString(), out_folder().toStdString(), budget_->text().toStdString(),
                       kernel_->text().trimmed().toStdString(), gpus_of(window_.settings->gpu()), typed_},
         sessions = sessions_](std::stop_token) { return seen_in(asked, *sessions); },
        [self = QPointer<CampaignWindow>(this)](Result<Seen> seen) {
            if (self) self->show_seen(std::move(seen));
        },
        JobRunner::Scope::Window);
}

void CampaignWindow::show_seen(Result<Seen> seen) {
    if (seen) {
        // What it was begun with holds for the whole.
        if (seen->begun) {
            choose(agent_, QString::fromStdString(seen->begun->agent));
            choose(evaluator_, QVariant::fromValue(seen->begun->evaluator));
        }
        if (!seen->budget.isEmpty()) budget_->setText(seen->budget);
        typed_ = typed_ || seen->begun.has_value();
        again_ = seen->begun.has_value();
        model_->set_report(std::move(seen->report));
        give_reasons_room();
        if (!table_->currentIndex().isValid() && model_->rowCount() > 0) table_->selectRow(0);
    } else {
        model_->set_report({});
        again_ = false;
        const QString folder = folder_->text().trimmed();
        empty_->setText(folder.isEmpty() ? beginning() : said(seen.error(), folder));
    }
    set_bad(*empty_, !seen && !folder_->text().trimmed().isEmpty());
    empty_->setVisible(model_->rowCount() == 0);
    note_->setText(summary());
    update_buttons();
    Q_EMIT looked();
}

// Why a kernel is not tuned stands in the cells that it leaves empty too.
void CampaignWindow::give_reasons_room() {
    table_->clearSpans();
    for (int row = 0; row < model_->rowCount(); ++row)
        if (!model_->row(row)->kernel.skipped.empty())
            table_->setSpan(row, CampaignModel::State, 1, CampaignModel::Gain - CampaignModel::State + 1);
}

QString CampaignWindow::summary() const {
    const std::vector<CampaignRow>& rows = model_->rows();
    if (rows.empty()) return {};
    const auto count = [&](const char* state) {
        return std::count_if(rows.begin(), rows.end(),
                             [&](const CampaignRow& row) { return row.state.state == state; });
    };
    QStringList parts = {tr("%1 of %2 kernels done").arg(count("done")).arg(rows.size())};
    if (const auto n = count("running")) parts << tr("%1 running").arg(n);
    if (const auto n = count("interrupted")) parts << tr("%1 interrupted").arg(n);
    if (const auto n = count("waiting")) parts << tr("%1 waiting").arg(n);
    if (const auto n = count("failed")) parts << tr("%1 failed").arg(n);
    if (const auto n = count("skipped")) parts << tr("%1 skipped").arg(n);
    QString out = parts.join(QStringLiteral(", ")) + QLatin1Char('.');
    if (const auto estimate = model_->log_speedup_of_captured())
        out +=
            QLatin1Char(' ') +
            tr("Estimated gain in the captured kernels' total time: %1 (from each kernel's measurement and "
               "share). To run the program with these schedules: cubinlab run --with %2 -- PROGRAM ARGS")
                .arg(percent_text(*estimate), out_folder());
    return out;
}

void CampaignWindow::update_buttons() {
    const bool known = model_->rowCount() > 0;
    for (QWidget* each :
         {static_cast<QWidget*>(path_), static_cast<QWidget*>(budget_), static_cast<QWidget*>(kernel_)})
        each->setEnabled(!running());
    agent_->setEnabled(!running() && !again_);
    evaluator_->setEnabled(!running() && !again_);
    start_->setEnabled(known && !running());
    start_->setText(again_ ? tr("&Resume") : tr("&Start"));
    stop_->setEnabled(running() && !stopped_);
    open_->setEnabled(!session_of_row().isEmpty());
    report_->setEnabled(QFileInfo::exists(QDir(out_folder()).filePath(QStringLiteral("report.html"))));
    double spent = 0, allotted = 0;
    for (const CampaignRow& row : model_->rows()) {
        spent += static_cast<double>(std::min(row.state.spent, row.kernel.allotted));
        allotted += static_cast<double>(row.kernel.allotted);
    }
    progress_->setValue(allotted > 0 ? static_cast<int>(1000 * spent / allotted) : 0);
    progress_->setVisible(running() || spent > 0);
}

void CampaignWindow::fail(const QString& title, const QString& text) {
    messages_->post(MessageKind::Error, title, text);
}

void CampaignWindow::start() {
    if (running() || model_->rowCount() == 0) return;
    messages_->clear_all();
    stopped_ = false;
    typed_ = true;  // what stands there is what it is given
    const auto begun = begun_campaign(out_folder().toStdString());
    CampaignRequest request;
    request.folder = folder_->text().trimmed().toStdString();
    request.budget = budget_->text().trimmed().toStdString();
    request.kernel = kernel_->text().trimmed().toStdString();
    request.agent = agent_->currentData().toString().toStdString();
    request.evaluator = evaluator_->currentData().value<EvaluatorPolicy>();
    request.gpu = window_.settings->gpu();
    if (begun) {
        request.gpu.cache = begun->cache;
        request.gpu.cache_given = true;
    }
    if (begun) request.seed = begun->seed;
    request.program = program_;
    request.on_state = [changed = gui_call(this, [this] { look_soon(); })](
                           const CampaignKernel&, const CampaignState&) { changed(); };
    job_.start<Result<CampaignEnd>>([request](std::stop_token stop) { return tune_campaign(request, stop); },
                                    [this](Result<CampaignEnd> end) { finished(end); });
    table_->setFocus();  // the fields and Start are off now; else the keyboard would be at Choose
    update_buttons();
}

void CampaignWindow::look_soon() {
    if (!timer_->isActive()) timer_->start();
}

void CampaignWindow::stop() {
    if (!running()) return;
    stopped_ = true;
    job_.stop();
    note_->setText(tr("Stopping. Each kernel writes its best schedule..."));
    update_buttons();
}

void CampaignWindow::finished(const Result<CampaignEnd>& end) {
    timer_->stop();
    if (!end && end.error().code != ErrorCode::Cancelled)
        fail(tr("Cannot start the campaign"),
             said(QString::fromStdString(end.error().where), QString::fromStdString(end.error().what)));
    else if (stopped_)
        messages_->post(MessageKind::Info, tr("Stopped"),
                        tr("All results are saved. Resume continues the campaign."));
    stopped_ = false;
    update_buttons();
    look();
}

QString CampaignWindow::session_of_row() const {
    const CampaignRow* row =
        table_->selectionModel()->hasSelection() ? model_->row(table_->currentIndex().row()) : nullptr;
    if (row == nullptr) return {};
    const QString path =
        QString::fromStdString(campaign_file(model_->plan(), row->kernel, ".cubinlab.db").string());
    return QFileInfo::exists(path) ? path : QString();
}

void CampaignWindow::open_session() {
    const QString path = session_of_row();
    if (!path.isEmpty() && !window_.show_where_open(path)) window_.open_here(path);
}

void CampaignWindow::open_report() {
    QDesktopServices::openUrl(
        QUrl::fromLocalFile(QDir(out_folder()).absoluteFilePath(QStringLiteral("report.html"))));
}

}  // namespace cubinlab::ui
