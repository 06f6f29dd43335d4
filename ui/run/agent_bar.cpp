// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/agent_bar.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "core/evidence/claim_parts.h"
#include "ui/base/commands.h"
#include "ui/base/fitting_label.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/run/run_controller.h"
#include "ui/run/step_panel.h"

namespace cubinlab::ui {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

constexpr int kEarlier = -1;              // item of the start list: original + previous bests
constexpr int kRaces = Qt::UserRole + 1;  // of an agent
// Of text; from here on the buttons, and before them Start alone, have room for their names.
constexpr int kWideBar = 200, kRoomForStart = 170;
constexpr int kPartOfAgent = 8;  // of a bar narrower than that

void choose(QComboBox* box, const QVariant& data) {
    const int index = box->findData(data);
    if (index >= 0) box->setCurrentIndex(index);
}

}  // namespace

SeedBox::SeedBox(QWidget* parent) : QAbstractSpinBox(parent) {
    set_seed(1);
}

void SeedBox::set_seed(std::uint64_t seed) {
    lineEdit()->setText(QString::number(seed));
    lineEdit()->setCursorPosition(0);
}

QValidator::State SeedBox::validate(QString& input, int&) const {
    if (input.isEmpty()) return QValidator::Intermediate;
    bool fits = false;
    input.toULongLong(&fits);
    const bool digits = std::ranges::all_of(input, [](QChar c) { return c >= u'0' && c <= u'9'; });
    return fits && digits ? QValidator::Acceptable : QValidator::Invalid;
}

void SeedBox::fixup(QString& input) const {
    if (input.isEmpty()) input = QLatin1Char('0');
}

void SeedBox::stepBy(int steps) {
    const std::uint64_t by = static_cast<std::uint64_t>(std::abs(steps)), now = seed();
    set_seed(steps < 0 ? now - std::min(by, now) : now + std::min(by, kMost - now));
    Q_EMIT editingFinished();
}

QAbstractSpinBox::StepEnabled SeedBox::stepEnabled() const {
    return (seed() > 0 ? StepDownEnabled : StepNone) | (seed() < kMost ? StepUpEnabled : StepNone);
}

AgentBar::AgentBar(RunController* controller, Commands* commands, QWidget* parent)
    : QToolBar(tr("Agent"), parent), controller_(controller) {
    setObjectName(QStringLiteral("agent_bar"));
    setMovable(false);
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setIconSize({14, 14});
    const auto label = [this](const QString& text, QWidget* buddy) {
        auto* name = new QLabel(text, this);
        name->setContentsMargins(8, 0, 3, 0);
        name->setBuddy(buddy);
        QAction* shown = addWidget(name);
        addWidget(buddy);
        return shown;
    };
    agent_ = new QComboBox(this);
    agent_->setAccessibleName(tr("Agent"));
    for (const SearcherDescription& d : searcher_descriptions()) {
        const QString name = QString::fromStdString(d.name);
        // Agents that learn by LibTorch are experiments (resources/docs/agents.md).
        agent_->addItem(d.needs_torch ? tr("%1 (experiment)").arg(name) : name, name);
        agent_->setItemData(agent_->count() - 1, QString::fromStdString(d.title + ". " + d.about),
                            Qt::ToolTipRole);
        agent_->setItemData(agent_->count() - 1, d.takes_schedules, kRaces);
    }
    agent_->view()->setMinimumWidth(agent_->sizeHint().width());
    evaluator_ = new QComboBox(this);
    evaluator_->setAccessibleName(tr("Evaluator"));
    evaluator_->addItem(tr("Auto"), QVariant::fromValue(EvaluatorPolicy::Auto));
    evaluator_->addItem(tr("GPU"), QVariant::fromValue(EvaluatorPolicy::Gpu));
    evaluator_->addItem(tr("Model"), QVariant::fromValue(EvaluatorPolicy::Model));
    evaluator_->setToolTip(tr("Auto: a GPU that supports this architecture, else the SM model"));
    start_ = new QComboBox(this);
    start_->setAccessibleName(tr("Starting schedule of the agent"));
    start_->addItem(tr("Original"), static_cast<int>(ScheduleSlot::Original));
    start_->addItem(tr("Hand"), static_cast<int>(ScheduleSlot::Hand));
    start_->addItem(tr("Original + previous bests"), kEarlier);
    start_->setItemData(start_->count() - 1,
                        tr("Race from the original, the hand schedule and the bests of previous runs of this "
                           "kernel in the session folder. Only for agents that race (auto)."),
                        Qt::ToolTipRole);
    connect(agent_, &QComboBox::currentIndexChanged, this, &AgentBar::show_starts);
    budget_ = new QComboBox(this);
    budget_->setEditable(true);
    budget_->setInsertPolicy(QComboBox::NoInsert);  // typing must not add items
    budget_->setAccessibleName(tr("Budget"));
    budget_->addItems({QStringLiteral("60s"), QStringLiteral("5m"), QStringLiteral("2000steps"),
                       QStringLiteral("20000steps")});
    budget_->setToolTip(tr("Time or evaluated candidates: 60s, 5m, 2000steps"));
    budget_->setMinimumContentsLength(11);
    seed_ = new SeedBox(this);
    seed_->setAccessibleName(tr("Seed"));
    seed_->setToolTip(tr("On the model, the same seed, step budget and evaluator give the same run"));
    seed_->setMinimumWidth(56);
    only_reschedules_ = new QCheckBox(tr("Only reschedules"), this);
    only_reschedules_->setObjectName(QStringLiteral("only-reschedules"));
    connect(agent_, &QComboBox::currentIndexChanged, this, &AgentBar::show_only_reschedules);
    label(tr("Agent"), agent_);
    label(tr("Start from"), start_);
    names_.push_back(label(tr("Evaluate on"), evaluator_));
    names_.push_back(label(tr("Budget"), budget_));
    addSeparator();
    for (const char* id : {"agent.start", "agent.pause", "agent.stop"}) {
        addAction((*commands)[QString::fromLatin1(id)]);
        widgetForAction((*commands)[QString::fromLatin1(id)])
            ->setAccessibleName((*commands)[QString::fromLatin1(id)]->text().remove(QLatin1Char('&')));
    }
    const auto button_of = [&](const char* id) {
        return qobject_cast<QToolButton*>(widgetForAction((*commands)[QString::fromLatin1(id)]));
    };
    run_ = button_of("agent.start");
    pause_ = button_of("agent.pause");
    stop_ = button_of("agent.stop");
    // After the buttons: a narrow bar hides the seed and its label first.
    auto* last = new QWidget(this);
    auto* row = new QHBoxLayout(last);
    row->setContentsMargins(8, 0, 0, 0);
    auto* seed_name = new QLabel(tr("Seed"), last);
    seed_name->setBuddy(seed_);
    row->addWidget(only_reschedules_);
    row->addSpacing(8);
    row->addWidget(seed_name);
    row->addWidget(seed_);
    addWidget(last);
    facts_line_ = addSeparator();
    progress_ = new QProgressBar(this);
    progress_->setTextVisible(false);
    progress_->setFixedWidth(110);
    progress_->setRange(0, 1000);
    progress_->setAccessibleName(tr("Part of the budget used"));
    progress_action_ = addWidget(progress_);
    facts_ = new FittingLabel(this);
    facts_->setContentsMargins(8, 0, 0, 0);
    facts_->setAccessibleName(tr("Progress of the run"));
    addWidget(facts_);
    connect(controller, &RunController::state_changed, this, &AgentBar::show_state);
    connect(controller, &RunController::progress_changed, this, &AgentBar::show_progress);
    connect(controller, &RunController::run_reset, this, [this] { measured_.reset(); });
    connect(controller, &RunController::measurements_changed, this, [this](const StepMeasurements& measured) {
        measured_ = measured;
        show_progress();
    });
    show_starts();
    show_state();
    show_progress();
}

// In a narrow window the best-known buttons have icons only.
void AgentBar::resizeEvent(QResizeEvent* event) {
    QToolBar::resizeEvent(event);
    const int letters = width() / std::max(1, fontMetrics().averageCharWidth());
    const auto show_name = [](QToolButton* button, bool on) {
        button->setToolButtonStyle(on ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    };
    show_name(run_, letters >= kRoomForStart);
    // Their values and tooltips say what they are.
    for (QAction* name : names_)
        name->setVisible(letters >= kRoomForStart);
    // The agent's name may be cut (the list has it in full); a button must not disappear.
    agent_->setMaximumWidth(letters >= kRoomForStart ? QWIDGETSIZE_MAX : width() / kPartOfAgent);
    for (QToolButton* button : {pause_, stop_})
        show_name(button, letters >= kWideBar);
}

RunRequest AgentBar::request() const {
    RunRequest request;
    request.agent = agent_->currentData().toString();
    request.agent_settings = agent_settings_;
    request.evaluator = evaluator_->currentData().value<EvaluatorPolicy>();
    request.earlier = start_->currentData().toInt() == kEarlier;
    request.start =
        request.earlier ? ScheduleSlot::Original : static_cast<ScheduleSlot>(start_->currentData().toInt());
    request.only_reschedules = only_reschedules_->isChecked();
    request.budget = budget_->currentText().trimmed();
    request.seed = seed_->seed();
    return request;
}

void AgentBar::set_request(const RunRequest& request) {
    choose(agent_, request.agent);
    choose(evaluator_, QVariant::fromValue(request.evaluator));
    budget_->setCurrentText(request.budget);
    budget_->lineEdit()->setCursorPosition(0);  // shows the beginning of a long text
    seed_->set_seed(request.seed);
    only_reschedules_->setChecked(request.only_reschedules);
    agent_settings_ = request.agent_settings;
}

void AgentBar::set_ptx(const QString& origin) {
    ptx_ = origin;
    show_only_reschedules();
}

// It concerns the one agent that searches starts, and a kernel that has PTX.
void AgentBar::show_only_reschedules() {
    const bool searches = agent_->currentData().toString() == QLatin1String(kDefaultAgent);
    only_reschedules_->setEnabled(searches && !ptx_.isEmpty() && !controller_->active());
    only_reschedules_->setToolTip(
        !searches        ? tr("This agent searches schedules only")
        : ptx_.isEmpty() ? tr("The PTX of this kernel is not known, so only schedules are searched; Agent > PTX file names it")
                         : tr("Do not search other compilations of the PTX (%1)").arg(ptx_));
}

void AgentBar::show_starts() {
    const int earlier = start_->findData(kEarlier);
    const bool races = agent_->currentData(kRaces).toBool();
    if (auto* items = qobject_cast<QStandardItemModel*>(start_->model()))
        items->item(earlier)->setEnabled(races);
    if (!races && start_->currentIndex() == earlier) start_->setCurrentIndex(0);
}

void AgentBar::show_state() {
    const bool idle = !controller_->active();
    for (QWidget* choice :
         {static_cast<QWidget*>(agent_), static_cast<QWidget*>(evaluator_), static_cast<QWidget*>(start_),
          static_cast<QWidget*>(budget_), static_cast<QWidget*>(seed_)})
        choice->setEnabled(idle);
    show_only_reschedules();
    show_progress();
}

// Longest first.
QStringList AgentBar::best_texts(const RunProgress& p) const {
    if (p.best_step == 0) return {tr("no improvement yet")};
    const StepMeasurement* measured = measured_at(measured_, p.best_step);
    if (measured && measured->like_run) {
        const HandFigure* fresh = &measured->figure;
        if (seen_to_fail(fresh->outcome)) return {tr("best failed in a fresh process"), tr("best failed")};
        if (fresh->outcome != OutcomeKind::Ok) {
            const QString said = factor_text(p.best_log_speedup);
            return {tr("best %1 UNCLEAR, final measurement incomplete").arg(said),
                    tr("best %1 UNCLEAR").arg(said)};
        }
        const QString figure = factor_text(fresh->speedup.log);
        if (const auto slower = slower_shapes(measured->shapes); !slower.empty()) {
            const QString names = QString::fromStdString(names_in_short(slower));
            return {tr("best %1 in fresh processes, SLOWER in %2").arg(figure, names),
                    tr("best %1, SLOWER in %2").arg(figure, names), tr("best %1, a shape SLOWER").arg(figure),
                    tr("%1, %2 SLOWER").arg(figure, QString::number(slower.size()))};
        }
        return {tr("best %1 in fresh processes").arg(figure), tr("best %1%2").arg(figure, QString())};
    }
    const QString figure = factor_text(p.best_log_speedup);
    // A model result always has the word, however narrow the bar.
    if (controller_->evaluator() && controller_->evaluator()->kind == EvaluatorKind::Model)
        return {tr("best %1%2").arg(figure, tr(" in modelled cycles")), tr("model %1").arg(figure)};
    return {tr("best %1%2").arg(figure, QString())};
}

void AgentBar::show_progress() {
    const RunProgress& p = controller_->progress();
    const bool preparing = controller_->state() == RunState::Preparing;
    const bool live = controller_->shows_live();
    progress_->setRange(0, preparing ? 0 : 1000);
    progress_->setValue(static_cast<int>(1000 * p.fraction));
    progress_action_->setVisible(preparing || live);
    QString state = controller_->active() ? title_of(controller_->state()) : QString();
    // The values next to "Running" are of the active run, not of another run shown meanwhile.
    const bool figures = p.steps != 0 && (!controller_->active() || live);
    facts_line_->setVisible(preparing || live || figures ||
                            !state.isEmpty());  // no separator without content
    if (!figures) return facts_->set_text(state);
    const QString dot = QStringLiteral("  \u00b7  ");
    if (!state.isEmpty()) state += dot;
    QString steps = p.steps == 1 ? tr("1 step") : tr("%1 steps").arg(grouped(p.steps));
    if (live && p.part_seconds > 0.2)
        steps += tr(", %1/s").arg(grouped(std::llround(static_cast<double>(p.part_steps) / p.part_seconds)));
    if (p.failed > 0) steps += tr(", %1 failed").arg(grouped(static_cast<qint64>(p.failed)));
    const QStringList best = best_texts(p);
    facts_->set_texts(QStringList{state + steps + dot + best[0], state + best[0]} + best +
                      QStringList{QString()});
}

RunChooser::RunChooser(RunController* runs, QWidget* parent) : ElidingCombo(parent), runs_(runs) {
    setAccessibleName(tr("Run of the session"));
    setToolTip(tr("Runs of the session. The charts and the log show the selected one."));
    setSizeAdjustPolicy(QComboBox::AdjustToContents);
    setPlaceholderText(tr("no run"));
    connect(runs, &RunController::runs_changed, this, &RunChooser::fill);
    connect(runs, &RunController::run_reset, this, &RunChooser::mark_shown);
    connect(this, &QComboBox::activated, this,
            [this](int index) { runs_->show_run(itemData(index).toLongLong()); });
    fill();
}

void RunChooser::fill() {
    QSignalBlocker quiet(this);
    clear();
    for (const RunInfo& run : runs_->runs()) {
        const QString name = tr("Run %1: %2").arg(run.id).arg(QString::fromStdString(run.agent));
        const StepRef start = runs_->start_of(run);
        addItem(start.run == 0 ? name : tr("%1, %2").arg(name, start_name(start.step)), static_cast<qlonglong>(run.id));
        setItemData(count() - 1,
                    tr("started %1, seed %2, on the %3")
                        .arg(QString::fromStdString(run.started), QString::number(run.seed),
                             run.evaluator.kind == EvaluatorKind::Gpu ? tr("GPU") : tr("Model")),
                    Qt::ToolTipRole);
    }
    mark_shown();
    quiet.unblock();
    Q_EMIT count_changed(count());
}

void RunChooser::mark_shown() {
    const QSignalBlocker quiet(this);
    const auto& shown = runs_->shown_run();
    setCurrentIndex(shown ? findData(static_cast<qlonglong>(shown->id)) : -1);
}

EvaluatorBadge::EvaluatorBadge(RunController* controller, QWidget* parent)
    : QLabel(parent), controller_(controller) {
    connect(controller, &RunController::evaluator_changed, this, &EvaluatorBadge::refresh);
    connect(&Theme::instance(), &Theme::changed, this, &EvaluatorBadge::refresh);
    setTextFormat(Qt::PlainText);
    QFont bold = Theme::instance().ui_font();
    bold.setWeight(QFont::DemiBold);
    setFont(bold);
    refresh();
}

void EvaluatorBadge::refresh() {
    const ThemeColors& c = Theme::instance().colors();
    QColor ink = c.text_dim, paper = c.raised;
    QString text, tip;
    if (const auto& used = controller_->evaluator()) {
        const bool gpu = used->kind == EvaluatorKind::Gpu;
        ink = gpu ? c.good : c.warn;
        paper = gpu ? c.good_soft : c.warn_soft;
        const QString device = QString::fromStdString(used->device);
        text = gpu ? tr("GPU  %1").arg(device) : tr("MODEL  %1, unmeasured").arg(device);
        tip = gpu ? tr("Measured on %1.\nTimer resolution %2 us, smallest effect that a promoted comparison "
                       "detects: %3 %.")
                        .arg(device, QString::number(used->timer_step_us, 'g', 3),
                             QString::number(percent_of(used->detectable), 'f', 2))
                  : tr("Cycles of a model of one SM sub-core. They explain and rank; they are not "
                       "measurements.");
    } else if (const auto& gpu = controller_->gpu()) {
        text = gpu->present ? tr("GPU found: %1").arg(QString::fromStdString(gpu->device))
                            : tr("No GPU: using SM model");
        tip = QString::fromStdString(gpu->present ? gpu->driver : gpu->reason);
    } else {
        text = tr("Looking for a GPU");
    }
    if (!controller_->evaluator_note().isEmpty()) tip += QStringLiteral("\n") + controller_->evaluator_note();
    setText(text);
    setMinimumWidth(fontMetrics().horizontalAdvance(text) + 24);
    setToolTip(tip);
    setAccessibleName(tr("Evaluator: %1").arg(text));
    setStyleSheet(
        QStringLiteral("QLabel { color: %1; background: %2; border-radius: 4px; padding: 2px 9px; }")
            .arg(ink.name(), paper.name()));
}

}  // namespace cubinlab::ui
