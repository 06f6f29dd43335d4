// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/starts/starts_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "core/search/engine/default_agent.h"
#include "ui/base/fitting_label.h"
#include "ui/base/format.h"
#include "ui/base/table.h"
#include "ui/document/document.h"
#include "ui/run/run_controller.h"
#include "ui/run/session_hub.h"
#include "ui/run/step_panel.h"
#include "ui/starts/start_comparison.h"
#include "ui/starts/start_table.h"
#include "ui/starts/starts_chart.h"

namespace cubinlab::ui {
namespace {

constexpr int kEveryMs = 700;                            // of a live run
constexpr int kTable = 0, kCurves = 1, kComparison = 2;  // tabs
constexpr int kLettersForBoth = 120;  // of width, from which on the table and a page have room side by side

}  // namespace

StartsPanel::StartsPanel(Document* document, RunController* runs, JobRunner* jobs, QWidget* parent)
    : QWidget(parent), document_(document), runs_(runs), jobs_(jobs) {
    setAccessibleName(tr("Starts"));
    build();
    timer_.setSingleShot(true);
    timer_.setInterval(kEveryMs);
    connect(&timer_, &QTimer::timeout, this, &StartsPanel::read);
    connect(document, &Document::leaving, this, [this] {
        if (!document_->changes_start()) forget();
    });
    connect(runs, &RunController::runs_changed, this, &StartsPanel::stale);
    connect(runs, &RunController::run_reset, this, &StartsPanel::stale);
    connect(runs, &RunController::steps_added, this, &StartsPanel::stale);
    connect(runs, &RunController::state_changed, this, &StartsPanel::stale);
    forget();
}

void StartsPanel::build() {
    model_ = new StartTable(this);
    sorted_ = new QSortFilterProxyModel(this);
    sorted_->setSourceModel(model_);
    sorted_->setSortRole(StartTable::kSortRole);
    view_ = new_table(this, tr("Starts of the tuning"), sorted_, 4);
    view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view_->setSortingEnabled(true);
    view_->sortByColumn(StartTable::Gain, Qt::DescendingOrder);
    set_column_widths(view_, {76, 96, 96, 156, 56, 148, 104, 66, 52, 48, 76, 62});
    connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &StartsPanel::compare_chosen);
    connect(view_, &QTableView::activated, this, &StartsPanel::show_chosen);
    state_ = new FittingLabel;
    state_->setContentsMargins(8, 3, 8, 3);
    state_->setAccessibleName(tr("State of the search over starts"));
    chart_ = new StartsChart;
    connect(chart_, &StartsChart::step_chosen, runs_, &RunController::show_run_at);
    comparison_ = new ComparisonView;
    compared_ = new FittingLabel;
    compared_->setContentsMargins(8, 3, 8, 3);
    compared_->setAccessibleName(tr("Summary of the comparison"));
    auto* compared = new QWidget;
    auto* compared_column = new QVBoxLayout(compared);
    compared_column->setContentsMargins(0, 0, 0, 0);
    compared_column->setSpacing(0);
    compared_column->addWidget(compared_);
    compared_column->addWidget(comparison_, 1);
    tabs_ = new QTabBar;
    tabs_->addTab(tr("Table"));
    tabs_->addTab(tr("Curves"));
    tabs_->addTab(tr("Comparison"));
    tabs_->setTabToolTip(kComparison,
                         tr("Select one start to compare it with the original, or two to compare them"));
    tabs_->setDrawBase(false);
    tabs_->setExpanding(false);
    tabs_->setAccessibleName(tr("Pages of the starts"));
    pages_ = new QStackedWidget;
    pages_->addWidget(chart_);
    pages_->addWidget(compared);
    connect(tabs_, &QTabBar::currentChanged, this, &StartsPanel::show_page);
    split_ = new QSplitter(Qt::Horizontal);
    split_->setChildrenCollapsible(false);
    split_->addWidget(view_);
    split_->addWidget(pages_);
    split_->setStretchFactor(0, 3);
    split_->setStretchFactor(1, 2);
    empty_ = new EmptyNote(view_->viewport());
    empty_->setContentsMargins(16, 0, 16, 0);
    empty_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    empty_->setText(
        tr("No starts yet. The agent auto searches other compilations of the kernel where it has the "
           "kernel's PTX (Agent > PTX file)."));
    auto* over = new QVBoxLayout(view_->viewport());
    over->setContentsMargins(0, 0, 0, 0);
    over->addWidget(empty_);
    state_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(0, 0, 4, 0);
    top->addWidget(state_, 1);
    top->addWidget(tabs_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(top);
    column->addWidget(split_, 1);
    tabs_->setCurrentIndex(kCurves);
    fit();
}

// Side by side, or one of them where there is no room for both.
void StartsPanel::fit() {
    both_ = width() >= kLettersForBoth * fontMetrics().averageCharWidth();
    tabs_->setTabVisible(kTable, !both_);
    if (both_ && tabs_->currentIndex() == kTable) tabs_->setCurrentIndex(kCurves);
    show_page();
}

void StartsPanel::show_page() {
    const int tab = tabs_->currentIndex();
    if (tab > kTable) pages_->setCurrentIndex(tab - kCurves);
    view_->setVisible(both_ || tab == kTable);
    pages_->setVisible(both_ || tab != kTable);
}

void StartsPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void StartsPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    stale();
}

void StartsPanel::forget() {
    jobs_->cancel(QStringLiteral("starts"));
    jobs_->cancel(QStringLiteral("compare-starts"));
    log_.reset();
    reading_ = again_ = false;
    known_ = 0;
    parts_.clear();
    model_->set_rows({});
    chart_->clear();
    comparison_->show(nullptr);
    compared_->set_texts({tr("Select a start to compare it with the original, or two to compare them.")});
    tabs_->setCurrentIndex(both_ ? kCurves : kTable);
    say_state();
}

RunId StartsPanel::wanted_tuning() const {
    RunId newest = 0;
    for (const RunInfo& run : runs_->runs())
        if (run.agent == kStartsAgent) newest = run.id;
    if (!runs_->shown_run()) return newest;
    const std::vector<RunInfo> of_shown = runs_->tuning_of(runs_->shown_run()->id);
    return of_shown.empty() ? newest : of_shown.front().id;
}

void StartsPanel::stale() {
    const RunId wanted = wanted_tuning();
    if (wanted == 0) return;
    if (wanted > known_) {
        known_ = wanted;
        Q_EMIT starts_found();
    }
    if (!isVisible() || timer_.isActive()) return;
    runs_->active() && log_ && log_->over_starts() == wanted ? timer_.start() : read();
}

void StartsPanel::read() {
    const auto session = runs_->session();
    const RunId wanted = wanted_tuning();
    if (!session || wanted == 0) return;
    if (reading_) {
        again_ = true;
        return;
    }
    if (!log_ || log_->over_starts() != wanted) log_ = std::make_shared<TuningLog>(wanted);
    reading_ = true;
    jobs_->run<Result<Snapshot>>(
        QStringLiteral("starts"),
        [session, log = log_](std::stop_token) -> Result<Snapshot> {
            TRY(session->read([&](SessionReader& reader) { return log->read(reader, session->kernel()); }));
            return Snapshot{log->over_starts(), log->starts(), log->parts(), log->evaluator()};
        },
        [this, log = log_](Result<Snapshot> found) {
            if (log != log_) return;
            reading_ = false;
            if (found)
                take(std::move(*found));
            else
                state_->set_text(
                    tr("Cannot read the starts: %1").arg(QString::fromStdString(found.error().message())));
            if (std::exchange(again_, false) || log->over_starts() != wanted_tuning()) stale();
        },
        JobRunner::Scope::Window, JobRunner::Lane::Slow);
}

void StartsPanel::take(Snapshot found) {
    model_->set_evaluator(found.evaluator);
    const auto& before = model_->rows();
    const bool same = before.size() == found.starts.size() && !before.empty() &&
                      std::ranges::equal(before, found.starts, {}, &TunedStart::code, &TunedStart::code);
    // The selection is kept by code while rows are added.
    std::vector<Hash128> chosen;
    if (!same)
        for (const QModelIndex& at : view_->selectionModel()->selectedRows())
            chosen.push_back(model_->row(sorted_->mapToSource(at).row())->code);
    std::vector<QString> names;
    for (const TuningPart& part : found.parts)
        names.push_back(part.over_starts ? tr("starts") : start_name(found.starts[part.start].step));
    {
        const QSignalBlocker quiet(view_->selectionModel());
        model_->set_rows(std::move(found.starts), same);
        for (std::size_t i = 0; i < model_->rows().size() && !chosen.empty(); ++i)
            if (std::ranges::find(chosen, model_->rows()[i].code) != chosen.end())
                view_->selectionModel()->select(sorted_->mapFromSource(model_->index(static_cast<int>(i), 0)),
                                                QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    view_->viewport()->update();
    view_->setColumnHidden(
        StartTable::Fresh,
        std::ranges::all_of(model_->rows(), [](const TunedStart& start) { return start.fresh.empty(); }));
    parts_ = found.parts;
    const bool live = runs_->active() && !parts_.empty() && parts_.back().run.end.empty();
    chart_->show_tuning(std::move(found.parts), std::move(names),
                        found.evaluator.kind == EvaluatorKind::Model, live);
    say_state();
}

void StartsPanel::say_state() {
    const auto& rows = model_->rows();
    empty_->setVisible(rows.empty());
    if (rows.empty()) return state_->set_texts({});
    std::size_t failed = 0, searched = 0;
    double best = 0;
    for (const TunedStart& start : rows) {
        if (start.step == 0) continue;
        failed += start.outcome != OutcomeKind::Ok;
        searched += start.searched();
        if (start.outcome == OutcomeKind::Ok) best = std::max(best, start.log_speedup);
    }
    const QString count = tr("%n start(s)", "", static_cast<int>(rows.size()) - 1);
    const QString figure = tr("best %1 as compiled").arg(percent_text(best));
    const QString more = tr("%1 with a schedule search").arg(searched);
    QString long_text = count + QStringLiteral("  \u00b7  ") + figure + QStringLiteral("  \u00b7  ") + more;
    if (failed > 0) long_text += QStringLiteral("  \u00b7  ") + tr("%1 failed").arg(failed);
    state_->set_texts({long_text, count + QStringLiteral("  \u00b7  ") + figure, count});
}

// One start with the original, two with each other: the one with the lower step on the left.
void StartsPanel::compare_chosen() {
    std::vector<TunedStart> chosen;
    for (const QModelIndex& at : view_->selectionModel()->selectedRows())
        if (const TunedStart* start = model_->row(sorted_->mapToSource(at).row())) chosen.push_back(*start);
    if (chosen.empty() || chosen.size() > 2 || !runs_->session()) return;
    std::ranges::sort(chosen, {}, &TunedStart::step);
    const TunedStart left = chosen.size() == 2 ? chosen.front() : model_->rows().front(),
                     right = chosen.back();
    if (left.code == right.code) return;
    if (both_) tabs_->setCurrentIndex(kComparison);
    compared_->set_text(tr("Comparing %1 with %2...").arg(start_name(left.step), start_name(right.step)));
    using Answer = Result<std::shared_ptr<const StartComparison>>;
    jobs_->run<Answer>(
        QStringLiteral("compare-starts"),
        [session = runs_->session(), run = log_->over_starts(), left, right](std::stop_token) -> Answer {
            const auto kernel_of = [&](const TunedStart& start) -> Result<KernelPtr> {
                if (start.step == 0) return session->kernel();
                auto record = TRY(session->read(
                    [&](SessionReader& reader) { return reader.start(session->kernel(), run, start.name); }));
                if (!record || !record->kernel)
                    return fail(ErrorCode::NotFound, "the session has no code of this start");
                return record->kernel;
            };
            const KernelPtr a = TRY(kernel_of(left)), b = TRY(kernel_of(right));
            return std::make_shared<const StartComparison>(
                compare_starts(a, start_name(left.step), b, start_name(right.step)));
        },
        [this](const Answer& found) {
            if (!found) return compared_->set_text(QString::fromStdString(found.error().message()));
            comparison_->show(*found);
            compared_->set_text((*found)->summary());
        },
        JobRunner::Scope::Window, JobRunner::Lane::Slow);
}

// Enter or a double click: the listings show its best schedule, else the start as it was compiled.
void StartsPanel::show_chosen(const QModelIndex& at) {
    const TunedStart* start = model_->row(sorted_->mapToSource(at).row());
    if (start == nullptr || !log_) return;
    if (start->best_step != 0) return runs_->show_run_at(start->best_run, start->best_step);
    if (start->step != 0) runs_->show_run_at(log_->over_starts(), start->step);
}

}  // namespace cubinlab::ui
