// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/replay/patterns_page.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/base/empty_note.h"
#include "ui/base/format.h"
#include "ui/base/table.h"
#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {
constexpr std::size_t kStepsShown = 24;
}

PatternsPage::PatternsPage(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Learned patterns"));
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
    // What they are sorted by at first is in sight in a narrow dock, too.
    table_->horizontalHeader()->moveSection(PatternModel::Together, PatternModel::Steps);
    fit_columns();
    table_->installEventFilter(this);
    table_->viewport()->installEventFilter(this);
    setFocusProxy(table_);
    steps_ = new QLabel;
    steps_->setTextFormat(Qt::RichText);
    steps_->setAccessibleName(tr("Steps of the chosen pattern"));
    steps_->setContentsMargins(10, 4, 10, 6);
    steps_->setWordWrap(true);
    steps_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    message_ = new EmptyNote(table_);
    auto* over = new QVBoxLayout(table_);
    over->addWidget(message_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
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
    set_message(tr("No run yet. Start an agent or open a session to see what it learned."));
}

// The first column gets the rest, and what its longest pattern takes: without it the numbers are of nothing. Beside it
// the sum, which rows are sorted by at first, stays in sight, and the number of steps where a pattern keeps some words.
// It gets no narrower while the same run learns more.
void PatternsPage::fit_name() {
    constexpr int kLeast = 20, kWords = 30;  // characters
    const int letter = QFontMetrics(Theme::instance().mono_font()).averageCharWidth();
    const auto width = [this](int column) { return table_->columnWidth(column); };
    int others = 0;
    for (int c = PatternModel::Steps; c < PatternModel::kColumns; ++c)
        others += width(c);
    longest_ =
        std::max(longest_, static_cast<QAbstractItemView*>(table_)->sizeHintForColumn(PatternModel::Name));
    const int room = table_->viewport()->width(), beside_sum = room - width(PatternModel::Together);
    const int beside_steps = beside_sum - width(PatternModel::Steps);
    const int most = beside_steps >= kWords * letter ? beside_steps : beside_sum;
    table_->setColumnWidth(PatternModel::Name,
                           std::max({room - others, std::min(longest_ + 1, most), kLeast * letter}));
}

// As wide as what stands in them, the name and the sort arrow of the header included.
void PatternsPage::fit_columns() {
    const QFontMetrics metrics = table_->horizontalHeader()->fontMetrics();
    for (int c = PatternModel::Steps; c < PatternModel::kColumns; ++c) {
        const QString name = model_->headerData(c, Qt::Horizontal, Qt::DisplayRole).toString();
        table_->resizeColumnToContents(c);
        const int contents = model_->rowCount() > 0 ? table_->columnWidth(c) : 0;
        table_->setColumnWidth(c, std::max(metrics.horizontalAdvance(name) + 16, contents));
    }
    fit_name();
}

void PatternsPage::set_patterns(std::vector<Pattern> patterns, EvaluatorKind kind) {
    const bool none = patterns.empty();
    model_->set_patterns(std::move(patterns), kind);
    fit_columns();
    message_->setText(none ? tr("No accepted step so far: nothing was learned.") : QString());
    message_->setVisible(none);
    show_steps();
}

void PatternsPage::set_message(const QString& message, bool busy) {
    if (!busy) {
        model_->set_patterns({}, EvaluatorKind::Model);
        longest_ = 0;
    }
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
        steps_->setText(tr("Choose a pattern to see its steps."));
        return;
    }
    QStringList links;
    for (std::size_t i = 0; i < std::min(pattern->steps.size(), kStepsShown); ++i)
        links
            << QStringLiteral("<a href=\"%1\">%2</a>").arg(pattern->steps[i]).arg(grouped(pattern->steps[i]));
    if (pattern->steps.size() > kStepsShown)
        links << tr("and %1 more (Enter shows one after the other)").arg(pattern->steps.size() - kStepsShown);
    steps_->setText(tr("Made in step %1").arg(links.join(QStringLiteral(", "))));
}

void PatternsPage::next_step() {
    const Pattern* pattern = chosen();
    if (pattern == nullptr || pattern->steps.empty()) return;
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
