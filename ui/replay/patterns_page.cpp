// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/replay/patterns_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QVBoxLayout>
#include <algorithm>

#include "core/gpu/client/gpu_evaluator.h"
#include "ui/base/fitting_label.h"
#include "ui/base/format.h"
#include "ui/base/table.h"
#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {

// The cell names the kind of gain if the header does not.
QString gain_text(const QString& gain, const Pattern& p, bool head_says_it) {
    return p.evaluator == EvaluatorKind::Gpu || head_says_it ? gain
                                                             : PatternModel::tr("%1 modelled").arg(gain);
}

QString sum_text(const Pattern& p, bool head_says_it) {
    const QString sum = percent_text(p.total_gain);
    if (p.evaluator == EvaluatorKind::Model) return gain_text(sum, p, head_says_it);
    return percent_interval_text(
        Speedup{p.total_gain, p.total_gain - p.half_width, p.total_gain + p.half_width});
}

QString name_text(const Pattern& p, PatternScope scope) {
    const QString name = QString::fromStdString(p.key.text());
    return scope == PatternScope::Run ? name : name + QString::fromStdString(cache_words(p.cache));
}

constexpr std::size_t kStepsShown = 24;

}  // namespace

PatternModel::PatternModel(QObject* parent) : RowsModel(parent) {
    name_columns();
}

void PatternModel::name_columns() {
    using Row = const Pattern&;
    const bool model = all_modelled_;
    set_fields(
        {{tr("Edit pattern"),
          tr("Moved opcode, direction, class it mostly moved past, changed control fields"), Qt::AlignLeft,
          [scope = scope_](Row p) { return name_text(p, scope); }},
         count(tr("Steps"), tr("Accepted steps with this pattern"), [](Row p) { return p.steps.size(); }),
         {model ? tr("Mean gain (model)") : tr("Mean gain"),
          tr("Mean gain of such a step over the previous step"), Qt::AlignRight,
          [model](Row p) { return gain_text(percent_text(p.mean_gain()), p, model); },
          [](Row p) { return p.mean_gain(); }},
         {model ? tr("Total gain (model)") : tr("Total gain"),
          tr("Sum of their gains; measured runs: with the interval of the sum"), Qt::AlignRight,
          [model](Row p) { return sum_text(p, model); }, [](Row p) { return p.total_gain; }},
         {tr("Best"), tr("Gain of the best such step"), Qt::AlignRight,
          [model](Row p) { return gain_text(percent_text(p.best_gain), p, model); },
          [](Row p) { return p.best_gain; }},
         {tr("Essential"), tr("Steps with an essential edit; Find essential edits counts them"), Qt::AlignRight,
          [](Row p) { return p.carrying == 0 ? QString() : grouped(static_cast<qint64>(p.carrying)); },
          [](Row p) { return static_cast<qulonglong>(p.carrying); }},
         count(tr("Runs"), tr("Runs with such a step"), [](Row p) { return p.runs; }),
         count(tr("Kernels"), tr("Kernels with such a step"), [](Row p) { return p.kernels; })});
}

void PatternModel::set_patterns(std::vector<Pattern> patterns, PatternScope scope) {
    scope_ = scope;
    all_modelled_ = std::all_of(patterns.begin(), patterns.end(),
                                [](const Pattern& p) { return p.evaluator == EvaluatorKind::Model; });
    name_columns();
    set_rows(std::move(patterns));
}

QVariant PatternModel::look(const Pattern& p, int column, int role) const {
    switch (role) {
        case Qt::ToolTipRole:
            return (scope_ == PatternScope::Run
                        ? tr("%1\n%n step(s). Press Enter to step through them.", nullptr,
                             static_cast<int>(p.steps.size()))
                        : tr("%1\n%n step(s).", nullptr, static_cast<int>(p.steps.size())))
                .arg(QString::fromStdString(p.key.text()));
        case Qt::FontRole:
            return column == Name ? QVariant(Theme::instance().mono_font()) : QVariant();
        case Qt::ForegroundRole:
            if (column == Carrying) return Theme::instance().colors().warn;
            if (column == Name || column == Steps || column == Runs || column == Kernels ||
                p.evaluator == EvaluatorKind::Model)
                return {};
            return p.total_gain - p.half_width > 0 ? QVariant(Theme::instance().colors().good) : QVariant();
        default:
            return {};
    }
}

PatternsPage::PatternsPage(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Edit patterns"));
    model_ = new PatternModel(this);
    sorted_ = new QSortFilterProxyModel(this);
    sorted_->setSourceModel(model_);
    sorted_->setSortRole(PatternModel::kSortRole);
    table_ = new_table(nullptr, tr("Patterns of the accepted steps"), sorted_, 7);
    table_->setSortingEnabled(true);
    table_->sortByColumn(PatternModel::Together, Qt::DescendingOrder);
    table_->setAlternatingRowColors(true);
    table_->setFrameShape(QFrame::NoFrame);
    table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    // The default sort column is visible in a narrow dock, too.
    table_->horizontalHeader()->moveSection(PatternModel::Together, PatternModel::Steps);
    show_columns();
    fit_columns();
    table_->installEventFilter(this);
    table_->viewport()->installEventFilter(this);
    setFocusProxy(table_);
    steps_ = new QLabel;
    steps_->setTextFormat(Qt::RichText);
    steps_->setAccessibleName(tr("Steps of the selected pattern"));
    steps_->setContentsMargins(10, 4, 10, 6);
    steps_->setWordWrap(true);
    steps_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    message_ = new EmptyNote(table_);
    auto* over = new QVBoxLayout(table_);
    over->addWidget(message_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(build_scope_row());
    column->addWidget(table_, 1);
    column->addWidget(steps_);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        next_ = 0;
        show_steps();
    });
    connect(table_, &QTableView::doubleClicked, this, [this] { next_step(); });
    connect(steps_, &QLabel::linkActivated, this,
            [this](const QString& step) { Q_EMIT step_chosen(step.toLongLong()); });
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        steps_
            ->clear();  // links have the colour of when their text was set, and the same text is not set again
        show_steps();
        table_->viewport()->update();
    });
    set_message(tr("No run yet. Start an agent or open a session to see its edit patterns."));
}

QWidget* PatternsPage::build_scope_row() {
    scope_ = new QComboBox;
    scope_->setObjectName(QStringLiteral("patterns_scope"));
    scope_->setAccessibleName(tr("Runs counted"));
    const auto add = [this](const QString& text, const QString& tip, PatternScope scope) {
        scope_->addItem(text, static_cast<int>(scope));
        scope_->setItemData(scope_->count() - 1, tip, Qt::ToolTipRole);
    };
    add(tr("This run"), tr("Accepted steps of the shown run"), PatternScope::Run);
    add(tr("This kernel"), tr("Accepted steps of all runs of the open kernel, in the sessions of the folder"),
        PatternScope::Kernel);
    add(tr("All sessions"), tr("Accepted steps of all runs in the sessions of the folder"),
        PatternScope::All);
    counted_ = new QLabel;
    counted_->setObjectName(QStringLiteral("patterns_counted"));
    counted_->setAccessibleName(tr("Counted steps and runs"));
    counted_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 4, 8, 4);
    row->addWidget(scope_);
    row->addWidget(counted_, 1);
    connect(scope_, &QComboBox::currentIndexChanged, this, [this] { Q_EMIT scope_chosen(); });
    return bar;
}

PatternScope PatternsPage::scope() const {
    return static_cast<PatternScope>(scope_->currentData().toInt());
}

// Essential edits belong to the shown run; runs and kernels are counted in wider scopes.
void PatternsPage::show_columns() {
    const bool one_run = shown_ == PatternScope::Run;
    table_->setColumnHidden(PatternModel::Carrying, !one_run);
    table_->setColumnHidden(PatternModel::Runs, one_run);
    table_->setColumnHidden(PatternModel::Kernels, shown_ != PatternScope::All);
}

// The first column gets the rest, and what its longest pattern takes: without it the numbers are of nothing. Beside it
// the sum, which rows are sorted by at first, stays in sight, and the number of steps where a pattern keeps some words.
// It gets no narrower while the same run continues.
void PatternsPage::fit_name() {
    constexpr int kLeast = 20, kWords = 30;  // characters
    const int letter = QFontMetrics(Theme::instance().mono_font()).averageCharWidth();
    const auto width = [this](int column) { return table_->columnWidth(column); };
    int others = 0;
    for (int c = PatternModel::Steps; c < PatternModel::kColumns; ++c)
        others += width(c);  // 0 of a hidden one
    longest_ =
        std::max(longest_, static_cast<QAbstractItemView*>(table_)->sizeHintForColumn(PatternModel::Name));
    const int room = table_->viewport()->width(), beside_sum = room - width(PatternModel::Together);
    const int beside_steps = beside_sum - width(PatternModel::Steps);
    const int most = beside_steps >= kWords * letter ? beside_steps : beside_sum;
    table_->setColumnWidth(PatternModel::Name,
                           std::max({room - others, std::min(longest_ + 1, most), kLeast * letter}));
}

// As wide as cells and header, with its sort arrow.
void PatternsPage::fit_columns() {
    const QFontMetrics metrics = table_->horizontalHeader()->fontMetrics();
    for (int c = PatternModel::Steps; c < PatternModel::kColumns; ++c) {
        if (table_->isColumnHidden(c)) continue;
        const QString name = model_->headerData(c, Qt::Horizontal, Qt::DisplayRole).toString();
        table_->resizeColumnToContents(c);
        const int contents = model_->rowCount() > 0 ? table_->columnWidth(c) : 0;
        table_->setColumnWidth(c, std::max(metrics.horizontalAdvance(name) + 16, contents));
    }
    fit_name();
}

void PatternsPage::set_report(PatternReport report) {
    const bool none = report.patterns.empty();
    QString text;
    if (report.scope != PatternScope::Run)
        text = tr("%n run(s)", nullptr, static_cast<int>(report.runs)) + QStringLiteral(", ") +
               tr("%n session(s)", nullptr, static_cast<int>(report.sessions));
    if (!report.unread.empty())
        text += QStringLiteral("; ") +
                tr("%n could not be read: %1", nullptr, static_cast<int>(report.unread.size()))
                    .arg(QString::fromStdString(report.unread.front().message()));
    counted_->setText(text);
    counted_->setToolTip(text);
    if (shown_ != report.scope) longest_ = 0;
    shown_ = report.scope;
    model_->set_patterns(std::move(report.patterns), shown_);
    show_columns();
    fit_columns();
    message_->setText(!none                         ? QString()
                      : shown_ == PatternScope::Run ? tr("No accepted step yet.")
                                                    : tr("No run of these sessions has an accepted step."));
    message_->setVisible(none);
    show_steps();
}

void PatternsPage::set_message(const QString& message, bool busy) {
    if (!busy) {
        model_->set_patterns({}, shown_);
        longest_ = 0;
    }
    counted_->clear();
    message_->setText(message);
    message_->setVisible(!message.isEmpty() && model_->rows().empty());
    show_steps();
}

const Pattern* PatternsPage::chosen() const {
    return model_->row(sorted_->mapToSource(table_->currentIndex()).row());
}

void PatternsPage::show_steps() {
    message_->setStyleSheet(QStringLiteral("color: %1").arg(Theme::instance().colors().text_dim.name()));
    const Pattern* pattern = chosen();
    steps_->setVisible(!model_->rows().empty());
    if (pattern == nullptr) {
        steps_->setText(tr("Select a pattern to see its steps."));
        return;
    }
    if (shown_ != PatternScope::Run) {
        steps_->setText(tr("Found in %n step(s)", nullptr, static_cast<int>(pattern->steps.size())) +
                        QStringLiteral(", ") + tr("%n run(s)", nullptr, static_cast<int>(pattern->runs)) +
                        QStringLiteral(", ") +
                        tr("%n kernel(s)", nullptr, static_cast<int>(pattern->kernels)));
        return;
    }
    QStringList links;
    for (std::size_t i = 0; i < std::min(pattern->steps.size(), kStepsShown); ++i)
        links
            << QStringLiteral("<a href=\"%1\">%2</a>").arg(pattern->steps[i]).arg(grouped(pattern->steps[i]));
    if (pattern->steps.size() > kStepsShown)
        links
            << tr("and %1 more (press Enter to step through them)").arg(pattern->steps.size() - kStepsShown);
    steps_->setText(tr("Found in step %1").arg(links.join(QStringLiteral(", "))));
}

void PatternsPage::next_step() {
    const Pattern* pattern = chosen();
    if (shown_ != PatternScope::Run || pattern == nullptr || pattern->steps.empty()) return;
    Q_EMIT step_chosen(pattern->steps[next_++ % pattern->steps.size()]);
}

bool PatternsPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == table_ && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            next_step();
            return true;
        }
    }
    if (watched == table_->viewport() && event->type() == QEvent::Resize) fit_name();
    return QWidget::eventFilter(watched, event);
}

}  // namespace cubinlab::ui
