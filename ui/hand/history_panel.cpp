// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hand/history_panel.h"

#include <QHeaderView>
#include <QLabel>
#include <QStackedLayout>
#include <QStyle>
#include <QTableView>
#include <algorithm>

#include "ui/base/fitting_label.h"
#include "ui/base/format.h"
#include "ui/base/table.h"
#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {

constexpr int kLeastEditCharacters = 24;

}  // namespace

QString figure_text(const HandFigure& figure) {
    if (figure.outcome != OutcomeKind::Ok) return QLatin1String(to_string(figure.outcome));
    if (figure.kind == EvaluatorKind::Model) return percent_text(figure.speedup.log);
    return percent_interval_text(figure.speedup) + QLatin1Char(' ') +
           QLatin1String(to_string(figure.verdict));
}

HistoryModel::HistoryModel(Document* document, QObject* parent)
    : QAbstractTableModel(parent), document_(document) {
    connect(document, &Document::opened, this, &HistoryModel::reload);
    connect(document, &Document::closed, this, &HistoryModel::reload);
    connect(&document->hand(), &HandEditor::tree_changed, this, &HistoryModel::update);
    reload();
}

void HistoryModel::reload() {
    beginResetModel();
    rows_ = document_->is_open() ? static_cast<int>(document_->hand().tree().nodes().size()) : 0;
    endResetModel();
    update();
}

void HistoryModel::update() {
    if (!document_->is_open()) return;
    const HandTree& tree = document_->hand().tree();
    const int now = static_cast<int>(tree.nodes().size());
    if (now < rows_) {  // another tree
        reload();
        return;
    }
    if (now > rows_) {
        beginInsertRows({}, rows_, now - 1);
        rows_ = now;
        endInsertRows();
    }
    done_.clear();
    ahead_.clear();
    const std::vector<std::size_t> path = tree.path_to(tree.current());
    done_.insert(path.begin(), path.end());
    done_.insert(0);
    for (const std::size_t node : tree.line())
        if (!done_.contains(node)) ahead_.insert(node);
    Q_EMIT dataChanged(index(0, 0), index(rows_ - 1, Columns - 1));
}

int HistoryModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : rows_;
}

int HistoryModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(Columns);
}

QString HistoryModel::state_of(std::size_t node) const {
    if (node == document_->hand().tree().current()) return QStringLiteral("current");
    if (done_.contains(node)) return QStringLiteral("done");
    return ahead_.contains(node) ? QStringLiteral("redo") : QStringLiteral("branch");
}

QString HistoryModel::text_of(std::size_t node) const {
    if (node == 0) return tr("Initial state");
    const HandNode& edit = document_->hand().tree().nodes()[node];
    // An edit that does not follow the row above names its parent.
    return edit.parent + 1 == node ? edit.label
                                   : tr("%1   (after %2)").arg(edit.label, QString::number(edit.parent));
}

QVariant HistoryModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rows_ || !document_->is_open()) return {};
    const auto node = static_cast<std::size_t>(index.row());
    if (node >= document_->hand().tree().nodes().size()) return {};  // another kernel was opened just now
    const HandNode& edit = document_->hand().tree().nodes()[node];
    const QString state = state_of(node);
    const ThemeColors& c = Theme::instance().colors();
    switch (role) {
        case Qt::DisplayRole:
            switch (index.column()) {
                case Number:
                    return state == QLatin1String("current") ? QStringLiteral("\u25b6 %1").arg(node)
                                                             : QString::number(node);
                case Edit:
                    return text_of(node);
                case Modelled:
                    return edit.modelled ? figure_text(*edit.modelled) : QString();
                case Measured:
                    return edit.measured ? figure_text(*edit.measured) : QString();
                default:
                    return {};
            }
        case Qt::ToolTipRole: {
            QString tip = node == 0 ? tr("The schedule in the file")
                                    : QString::fromStdString(edit.forward.text(*document_->kernel()));
            if (state == QLatin1String("redo")) tip += tr("\nundone; Redo applies it");
            if (state == QLatin1String("branch")) tip += tr("\non another branch; click to go there");
            if (edit.measured) tip += QStringLiteral("\n") + edit.measured->detail;
            return tip;
        }
        case Qt::ForegroundRole:
            if (state == QLatin1String("redo") || state == QLatin1String("branch")) return c.text_dim;
            return c.text;
        case Qt::BackgroundRole:
            return state == QLatin1String("current") ? QVariant(c.selection) : QVariant();
        case Qt::FontRole: {
            QFont font = Theme::instance().ui_font();
            font.setItalic(state == QLatin1String("redo") || state == QLatin1String("branch"));
            font.setBold(state == QLatin1String("current"));
            return font;
        }
        case Qt::TextAlignmentRole:
            return index.column() == Edit ? int(Qt::AlignLeft | Qt::AlignVCenter)
                                          : int(Qt::AlignRight | Qt::AlignVCenter);
        case Qt::AccessibleDescriptionRole:
        case StateRole:
            return state;
        default:
            return {};
    }
}

QVariant HistoryModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Edit ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    return QStringList{tr("Edit"), tr("Change"), tr("Model"), tr("Measured")}.value(section);
}

HistoryPanel::HistoryPanel(Document* document, QWidget* parent) : QWidget(parent), document_(document) {
    model_ = new HistoryModel(document, this);
    table_ = new_table(this, tr("Hand edits"), model_, 7);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    empty_ = new EmptyNote(this);
    empty_->setProperty("dim", true);
    empty_->setContentsMargins(24, 0, 24, 0);
    auto* layout = new QStackedLayout(this);
    layout->addWidget(table_);
    layout->addWidget(empty_);
    const auto go = [this](const QModelIndex& index) {
        document_->hand().go_to_edit(static_cast<std::size_t>(index.row()));
    };
    connect(table_, &QTableView::clicked, this, go);
    connect(table_, &QTableView::activated, this, go);  // Enter
    connect(document_, &Document::opened, this, &HistoryPanel::update_texts);
    connect(document_, &Document::closed, this, &HistoryPanel::update_texts);
    connect(&document_->hand(), &HandEditor::tree_changed, this, [this] {
        update_texts();
        if (document_->is_open())
            table_->scrollTo(model_->index(static_cast<int>(document_->hand().tree().current()), 0));
        fit_columns();
    });
    connect(&Theme::instance(), &Theme::changed, table_->viewport(), qOverload<>(&QWidget::update));
    update_texts();
}

// This column gets the remaining width, at least a few words; then the table scrolls.
void HistoryPanel::fit_columns() {
    int others = 0;
    for (const int column : {HistoryModel::Number, HistoryModel::Modelled, HistoryModel::Measured}) {
        table_->resizeColumnToContents(column);
        others += table_->columnWidth(column);
    }
    const int least = table_->fontMetrics().averageCharWidth() * kLeastEditCharacters;
    table_->setColumnWidth(
        HistoryModel::Edit,
        std::max(least, width() - others - style()->pixelMetric(QStyle::PM_ScrollBarExtent)));
}

void HistoryPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit_columns();
}

void HistoryPanel::update_texts() {
    const bool any = document_->is_open() && document_->hand().tree().nodes().size() > 1;
    empty_->setText(document_->is_open()
                        ? tr("No hand edits yet. Press Alt+Up or Alt+Down to move the selected instruction, "
                             "press Enter to edit its control code, or drag it.")
                        : tr("No kernel is open."));
    static_cast<QStackedLayout*>(layout())->setCurrentWidget(any ? static_cast<QWidget*>(table_) : empty_);
}

}  // namespace cubinlab::ui
