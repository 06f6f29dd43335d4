// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/replay/replay_panel.h"

#include <QDockWidget>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QObject>
#include <QStackedWidget>
#include <QTabBar>
#include <QTextBrowser>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/base/commands.h"
#include "ui/base/fitting_label.h"
#include "ui/base/flow_layout.h"
#include "ui/base/format.h"
#include "ui/base/job_runner.h"
#include "ui/base/settings.h"
#include "ui/base/theme.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/replay/edits_page.h"
#include "ui/replay/patterns_page.h"
#include "ui/replay/step_focus.h"
#include "ui/run/mutation_log.h"
#include "ui/run/replay_timeline.h"
#include "ui/run/run_controller.h"
#include "ui/run/step_panel.h"

namespace cubinlab::ui {
namespace {

constexpr int kPatternsMs = 400;
constexpr int kEditsPage = 2;  // of the tabs

QToolButton* named_button(const QString& text, const QString& tip, const char* name) {
    QToolButton* button = text_button(text, tip);
    button->setObjectName(QString::fromLatin1(name));
    return button;
}

}  // namespace

ReplayPanel::ReplayPanel(Document* document, Selection* selection, RunController* runs, JobRunner* jobs,
                         MutationModel* model, QWidget* parent)
    : QWidget(parent), document_(document), selection_(selection), runs_(runs), jobs_(jobs), model_(model) {
    setAccessibleName(tr("Replay"));
    tabs_ = new QTabBar;
    tabs_->addTab(tr("Steps"));
    tabs_->addTab(tr("Edit patterns"));
    tabs_->addTab(tr("Essential edits"));
    tabs_->setDrawBase(false);
    tabs_->setExpanding(false);
    tabs_->setAccessibleName(tr("Pages of the replay"));
    minimise_ =
        named_button(tr("Find essential edits"),
                     tr("Find the few edits that give the gain of the best schedule"), "replay-minimise");
    minimised_text_ = new FittingLabel;  // errors may be long
    minimised_text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    minimised_text_->setAccessibleName(tr("Essential edits"));
    auto* top = new QHBoxLayout;
    top->setContentsMargins(4, 0, 8, 0);
    top->setSpacing(6);
    top->addWidget(tabs_);
    in_short_ = new FittingLabel;
    in_short_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    in_short_->setContentsMargins(10, 0, 10, 0);
    in_short_->setAccessibleName(tr("Changes of this step"));
    in_short_->hide();
    top->addWidget(in_short_, 1);
    top->addWidget(minimised_text_, 1);
    top->addWidget(minimise_);
    write_note_ = named_button(tr("Note..."), tr("Write a note on this step"), "replay-write-note");
    write_note_->setCheckable(true);
    top->addWidget(write_note_);
    patterns_ = new PatternsPage;
    pages_ = new QStackedWidget;
    pages_->addWidget(build_steps_page());
    pages_->addWidget(patterns_);
    pages_->addWidget(edits_ = new EditsPage);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(top);
    column->addWidget(pages_, 1);
    patterns_timer_.setSingleShot(true);
    patterns_timer_.setInterval(kPatternsMs);
    connect_all();
    run_reset();
}

QWidget* ReplayPanel::build_steps_page() {
    auto* page = new QWidget;
    filters_ = new StepFilterBar(model_);
    steps_ = new StepPanel(document_, runs_, model_);
    details_ = new QTextBrowser;
    details_->setAccessibleName(tr("Changes of this step"));
    details_->setOpenLinks(false);
    details_->setFrameShape(QFrame::NoFrame);
    details_->document()->setDocumentMargin(10);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(filters_);
    column->addWidget(steps_);
    column->addWidget(details_, 1);
    column->addWidget(note_bar_ = build_note_row());
    return page;
}

// In a low dock what can be had elsewhere gives way, so that the timeline and its buttons stay whole: they and the
// filters take more rows where it is narrow, too.
void ReplayPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const int line = fontMetrics().height(), details = 4 * line, explanation = 10 * line;
    int left = height() - layout()->itemAt(0)->sizeHint().height() - steps_->heightForWidth(width());
    const int filters = filters_->heightForWidth(width());
    // The explanation comes first; the log next to it has the same filters.
    const bool room = left >= filters + explanation;
    filters_->setVisible(room);
    if (room) left -= filters;
    details_->setVisible(left >= details);
    show_in_short();
    note_bar_->setVisible(write_note_->isChecked());
}

// Shown instead of a result while there is none.
void ReplayPanel::show_in_short() {
    in_short_->setVisible(details_->isHidden() && minimised_text_->text().isEmpty());
    minimised_text_->setVisible(in_short_->isHidden());
}

void ReplayPanel::say_beside_tabs(const QString& text, const QStringList& shorter) {
    minimised_text_->set_texts(QStringList(text) + shorter);
    show_in_short();
}

QWidget* ReplayPanel::build_note_row() {
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 4, 8, 6);
    row->setSpacing(6);
    note_ = new QLineEdit;
    note_->setObjectName(QStringLiteral("replay-note"));
    note_->setPlaceholderText(tr("Note on this step, saved in the session"));
    note_->setAccessibleName(tr("Note on this step"));
    save_note_ = named_button(tr("Add note"), tr("Save the note in the session file"), "replay-save-note");
    row->addWidget(note_, 1);
    row->addWidget(save_note_);
    return bar;
}

void ReplayPanel::connect_all() {
    connect(tabs_, &QTabBar::currentChanged, this, [this](int page) {
        pages_->setCurrentIndex(page);
        count_patterns();
    });
    connect(filters_, &StepFilterBar::changed, this, [this] { steps_->set_filter(filters_->filter()); });
    connect(details_, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        const QString id = url.toString().section(QLatin1Char(':'), 1);
        if (url.scheme() == QLatin1String("instr")) selection_->select(id.toUInt());
    });
    connect(write_note_, &QToolButton::toggled, this, [this](bool on) {
        note_bar_->setVisible(on);
        if (on) note_->setFocus();
    });
    connect(note_, &QLineEdit::returnPressed, this, &ReplayPanel::save_note);
    connect(note_, &QLineEdit::textChanged, this,
            [this](const QString& text) { save_note_->setEnabled(shown_ && !text.trimmed().isEmpty()); });
    connect(save_note_, &QToolButton::clicked, this, &ReplayPanel::save_note);
    connect(minimise_, &QToolButton::clicked, this, &ReplayPanel::minimise);
    connect(patterns_, &PatternsPage::step_chosen, this, [this](qint64 step) { steps_->go_to(step); });
    connect(edits_, &EditsPage::edit_chosen, selection_, &Selection::select);
    connect(edits_, &EditsPage::first_asked, this, &ReplayPanel::use_first_edits);
    connect(runs_, &RunController::run_reset, this, &ReplayPanel::run_reset);
    connect(patterns_, &PatternsPage::scope_chosen, this, [this] {
        jobs_->cancel(QStringLiteral("replay-patterns"));
        patterns_timer_.setInterval(kPatternsMs);
        patterns_stale_ = true;
        count_patterns();
    });
    connect(runs_, &RunController::steps_added, this, [this] {
        patterns_stale_ = true;
        if (!patterns_timer_.isActive()) patterns_timer_.start();
        update_minimise();
    });
    connect(runs_, &RunController::state_changed, this, [this] {
        count_patterns();
        update_minimise();
    });
    connect(&patterns_timer_, &QTimer::timeout, this, &ReplayPanel::count_patterns);
    connect(&document_->pair(), &ComparedPair::changed, this, &ReplayPanel::step_in_view);
    connect(document_, &Document::listing_changed, this, &ReplayPanel::show_details);
    connect(&Theme::instance(), &Theme::changed, this, &ReplayPanel::show_details);
}

void ReplayPanel::run_reset() {
    shown_.reset();
    wanted_ = 0;
    minimised_.reset();
    minimising_ = false;
    jobs_->cancel(QStringLiteral("replay-step"));
    jobs_->cancel(QStringLiteral("replay-minimise"));
    jobs_->cancel(QStringLiteral("replay-patterns"));
    patterns_stale_ = true;
    patterns_->set_message({});
    mark_carrying();
    show_ranking();
    show_message(no_step_text());
    update_minimise();
    count_patterns();
}

QString ReplayPanel::no_step_text() const {
    return runs_->shown_run() ? tr("Select a step in the chart, log or timeline, or press Play.")
                              : tr("No run yet. Start an agent or open a session to see its steps.");
}

// ---- the step in view ----

void ReplayPanel::step_in_view() {
    const StepRef ref = document_->pair().viewed_step();
    const bool shows = document_->pair().right_slot() == ScheduleSlot::Viewed && runs_->shown_run() &&
                       runs_->shown_run()->id == ref.run;
    if (shows && ref.step > 0 && ref.step != wanted_) load_step(ref.step);
    if (shows && ref.step > 0) return;
    if (!shows && wanted_ == 0) return;
    shown_.reset();
    wanted_ = 0;
    show_message(shows ? tr("Start of the run: no edits yet.") : no_step_text());
}

void ReplayPanel::load_step(StepId step) {
    const auto session = runs_->session();
    if (!session || !runs_->shown_run()) return;
    wanted_ = step;
    if (!isVisible()) return;  // showEvent() asks again
    const RunId run = runs_->shown_run()->id;
    jobs_->run<Result<StepDetails>>(
        QStringLiteral("replay-step"),
        [session, run, step](std::stop_token) { return load_details(*session, run, step); },
        [this, run, step](Result<StepDetails> details) {
            if (!runs_->shown_run() || runs_->shown_run()->id != run || wanted_ != step) return;
            if (!details) {
                shown_.reset();
                show_message(tr("Cannot describe step %1: %2")
                                 .arg(step)
                                 .arg(QString::fromStdString(details.error().message())));
                return;
            }
            shown_ = std::move(*details);
            show_details();
        });
}

void ReplayPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (wanted_ > 0 && (!shown_ || shown_->record.step != wanted_)) load_step(wanted_);
    count_patterns();
}

void ReplayPanel::show_message(const QString& message) {
    details_->setPlainText(message);
    in_short_->set_texts({message, message.section(QStringLiteral(". "), 0, 0)});
    write_note_->setChecked(false);
    write_note_->setEnabled(false);
    note_->setEnabled(false);
    save_note_->setEnabled(false);
}

void ReplayPanel::show_details() {
    if (!shown_) return;
    shown_->carrying = minimised_ && std::binary_search(minimised_->carrying.begin(),
                                                        minimised_->carrying.end(), shown_->record.step);
    details_->setHtml(details_html(*shown_, [this](InstrId id) { return document_->text_of(id); }));
    details_->setAccessibleDescription(details_->toPlainText());
    in_short_->set_text(details_in_short(*shown_, *document_->kernel()));
    show_in_short();
    note_->setEnabled(true);
    write_note_->setEnabled(true);
    save_note_->setEnabled(!note_->text().trimmed().isEmpty());
}

void ReplayPanel::save_note() {
    const QString text = note_->text().trimmed();
    const auto session = runs_->session();
    if (!shown_ || text.isEmpty() || !session) return;
    const RunId run = shown_->run.id;
    const StepId step = shown_->record.step;
    note_->clear();
    write_note_->setChecked(false);
    jobs_->run<Status>(
        {},
        [session, run, step, words = text.toStdString()](std::stop_token) {
            return session->add_note(run, step, words);
        },
        [this, run, step, text](const Status& status) {
            if (!status) {
                note_->setText(text);  // keeps the text
                write_note_->setChecked(true);
                say_beside_tabs(
                    tr("Cannot save the note: %1").arg(QString::fromStdString(status.error().message())));
                return;
            }
            if (!shown_ || shown_->run.id != run || shown_->record.step != step) return;
            shown_->notes.push_back({run, step, text.toStdString(), {}});
            show_details();
        });
}

// ---- essential edits ----

void ReplayPanel::update_minimise() {
    const bool gain = runs_->shown_run() && runs_->progress().best_step > 0;
    minimise_->setEnabled(gain && !minimising_ && !runs_->active() && runs_->session() != nullptr);
    minimise_->setText(minimising_ ? tr("Finding essential edits...") : tr("Find essential edits"));
    if (minimising_) say_beside_tabs(tr("Removing edits that do not matter..."));
}

void ReplayPanel::minimise() {
    const auto session = runs_->session();
    if (!session || !runs_->shown_run() || minimising_) return;
    minimising_ = true;
    update_minimise();
    const RunId run = runs_->shown_run()->id;
    jobs_->run<Result<MinimisedRun>>(
        QStringLiteral("replay-minimise"),
        [session, run, workload = document_->workload(), gpu = runs_->gpu_settings()](std::stop_token stop) {
            return minimise_run(*session, run, workload, gpu, stop);
        },
        [this, run](Result<MinimisedRun> result) {
            if (!runs_->shown_run() || runs_->shown_run()->id != run) return;
            minimised_came(std::move(result));
        },
        JobRunner::Scope::Kernel, JobRunner::Lane::Slow);
}

void ReplayPanel::minimised_came(Result<MinimisedRun> result) {
    minimising_ = false;
    update_minimise();
    if (!result) {
        say_beside_tabs(QString::fromStdString(result.error().message()));
        return;
    }
    minimised_ = std::move(*result);
    patterns_stale_ = true;
    mark_carrying();
    offer_minimal();
    show_ranking();
    if (minimised_->ranking) tabs_->setCurrentIndex(kEditsPage);
    show_details();
    count_patterns();
}

void ReplayPanel::show_ranking() {
    if (minimised_ && minimised_->ranking)
        return edits_->set_ranking(*minimised_->ranking, minimised_->evaluator.kind == EvaluatorKind::Model);
    edits_->set_message(tr("Press Find essential edits to rank the edits of the best schedule."));
}

void ReplayPanel::use_first_edits(int count, bool to_export) {
    const EditRanking& ranking = *edits_->ranking();
    const auto schedule = ranking.with_first(static_cast<std::size_t>(count));
    if (!schedule) return;
    const auto& together = ranking.groups[static_cast<std::size_t>(count) - 1].together;
    const QString edits = tr("%1 of %2 edits").arg(count).arg(ranking.groups.size());
    const bool modelled = minimised_->evaluator.kind == EvaluatorKind::Model;
    document_->pair().set_minimal(
        std::make_shared<const Schedule>(*schedule),
        (modelled ? tr("%1, %2 in the model") : tr("%1, %2 measured"))
            .arg(edits, together ? percent_text(together->log) : QStringLiteral("?")),
        edits);
    document_->pair().show_right(ScheduleSlot::Minimal);
    if (to_export) Q_EMIT export_minimal_asked();
}

// The listings can show and export it where it comes from their best.
void ReplayPanel::offer_minimal() {
    const Minimised& m = minimised_->minimised;
    if (document_->pair().best_step() != StepRef{runs_->shown_run()->id, minimised_->lineage.back()} ||
        minimised_->keeps_whole())
        return;
    const QString edits = tr("%1 of %2 edits").arg(m.edits.edits.size()).arg(m.edits_before);
    const QString gain = percent_text(minimised_->outcome().speedup.log);
    document_->pair().set_minimal(
        std::make_shared<const Schedule>(m.schedule),
        (minimised_->fresh ? tr("%1, %2 measured") : tr("%1, %2 in the model")).arg(edits, gain), edits);
}

void ReplayPanel::mark_carrying() {
    steps_->timeline()->set_carrying(minimised_ ? minimised_->carrying : std::vector<StepId>{});
    if (!minimised_) return say_beside_tabs({});
    const Minimised& m = minimised_->minimised;
    const bool measured = runs_->shown_run()->evaluator.kind == EvaluatorKind::Gpu;
    const auto kept = m.edits.edits.size(), before = m.edits_before;
    if (minimised_->keeps_whole())
        return say_beside_tabs(tr("%1 of %2 edits are not confirmed in fresh processes: %3")
                                   .arg(kept)
                                   .arg(before)
                                   .arg(QString::fromStdString(minimised_->fresh->why_not)));
    const QString gain = percent_text(minimised_->outcome().speedup.log),
                  of = percent_text(minimised_->whole_outcome().speedup.log);
    say_beside_tabs(
        (measured ? tr("%1 of %2 edits give %3 of the %4") : tr("%1 of %2 edits give %3 of the %4 (model)"))
            .arg(kept)
            .arg(before)
            .arg(gain, of),
        // A model result always has the word, however narrow the dock.
        {(measured ? tr("%1 of %2 edits: %3") : tr("%1 of %2 edits: %3 modelled"))
             .arg(kept)
             .arg(before)
             .arg(gain),
         tr("%1 of %2 edits").arg(kept).arg(before), QStringLiteral("%1 / %2").arg(kept).arg(before)});
    minimised_text_->setToolTip(minimised_text_->text() + QLatin1Char('\n') +
                                tr("From %n step(s) on the path to the best schedule, marked with a star",
                                   nullptr, static_cast<int>(minimised_->carrying.size())));
}

// ---- patterns ----

void ReplayPanel::show_patterns() {
    tabs_->setCurrentIndex(1);
    patterns_->setFocus(Qt::OtherFocusReason);
}

void ReplayPanel::count_patterns() {
    if (!patterns_stale_ || !isVisible() || pages_->currentIndex() != 1) return;
    const auto session = runs_->session();
    PatternRequest request;
    request.scope = patterns_->scope();
    const bool one_run = request.scope == PatternScope::Run;
    if (one_run && (!session || !runs_->shown_run()))
        return patterns_->set_message(
            tr("No run yet. Start an agent or open a session to see its edit patterns."));
    if (request.scope == PatternScope::Kernel && !document_->is_open())
        return patterns_->set_message(tr("No kernel is open."));
    if (jobs_->busy(QStringLiteral("replay-patterns"))) return patterns_timer_.start();
    patterns_stale_ = false;
    counting_since_.start();
    patterns_->set_message(one_run ? tr("Reading the accepted steps...") : tr("Reading the sessions..."),
                           true);
    if (session) request.session = session->path();
    if (one_run) {
        request.run = runs_->shown_run()->id;
        if (minimised_) request.minimised = minimised_->minimised.edits;
    } else {
        request.folder = Settings().sessions_folder().toStdString();
        if (document_->is_open()) request.kernel = document_->kernel()->hash();
    }
    // A separate connection: the run may be long, and views keep reading.
    jobs_->run<Result<PatternReport>>(
        QStringLiteral("replay-patterns"),
        [request](std::stop_token stop) { return cubinlab::count_patterns(request, stop); },
        [this, scope = request.scope, run = request.run](Result<PatternReport> found) {
            if (patterns_->scope() != scope) return;
            if (scope == PatternScope::Run && (!runs_->shown_run() || runs_->shown_run()->id != run)) return;
            // During a run, a long log is rarely re-read, a folder of sessions even less often.
            const qint64 pause = (scope == PatternScope::Run ? 4 : 20) * counting_since_.elapsed();
            patterns_timer_.setInterval(static_cast<int>(std::max<qint64>(kPatternsMs, pause)));
            if (found)
                patterns_->set_report(std::move(*found));
            else
                patterns_->set_message(
                    tr("Cannot read the steps: %1").arg(QString::fromStdString(found.error().message())));
        },
        JobRunner::Scope::Window, JobRunner::Lane::Slow);
}

void add_replay_commands(Commands& commands, ReplayPanel* replay, StepFocus* focus, const RunController* runs,
                         QDockWidget* dock) {
    const char* place = "replay/step";
    DisabledReason rule =
        enabled_when([runs] { return runs->shown_run().has_value(); },
                     QObject::tr("No run is shown. Start an agent or open a session first."));
    const auto add = [&](const char* id, const QString& text, const QString& tip, std::function<void()> run) {
        commands.add(QString::fromLatin1(id), text, "", kNoKey, tip, {QString::fromLatin1(place)}, rule,
                     [dock, run = std::move(run)] {
                         dock->show();
                         dock->raise();
                         run();
                     });
    };
    StepPanel* steps = replay->steps();
    add("replay.play", QObject::tr("&Play or pause"),
        QObject::tr("Play the steps of the run that match the filter"),
        [steps] { steps->playing() ? steps->pause() : steps->play(); });
    add("replay.next", QObject::tr("&Next step"), QObject::tr("Show the next step that matches the filter"),
        [steps] { steps->jump(+1, false, false); });
    add("replay.previous", QObject::tr("P&revious step"),
        QObject::tr("Show the previous step that matches the filter"),
        [steps] { steps->jump(-1, false, false); });
    add("replay.next_best", QObject::tr("Next &improvement"),
        QObject::tr("Show the next step that became the best"), [steps] { steps->jump(+1, false, true); });
    add("replay.previous_best", QObject::tr("Previous i&mprovement"),
        QObject::tr("Show the previous step that became the best"),
        [steps] { steps->jump(-1, false, true); });
    QAction* before =
        commands.add_toggle("replay.step_before", QObject::tr("&Compare with previous step"), "", kNoKey,
                            QObject::tr("Show the parent schedule of each selected step on the left"),
                            {QString::fromLatin1(place)}, kAlways, focus->before_left(),
                            [focus](bool on) { focus->set_before_left(on); });
    QObject::connect(focus, &StepFocus::before_left_changed, before, &QAction::setChecked);
    place = "replay/learned";
    rule = all_of(rule, enabled_when([runs] { return !runs->active(); },
                                     QObject::tr("The run is active. Stop it first.")));
    add("replay.minimise", QObject::tr("&Find essential edits"),
        QObject::tr("Find the few edits that give the gain of the best schedule"),
        [replay] { replay->minimise(); });
    rule = kAlways;
    add("replay.patterns", QObject::tr("&Edit patterns"),
        QObject::tr("Accepted steps grouped by edit pattern"), [replay] { replay->show_patterns(); });
}

}  // namespace cubinlab::ui
