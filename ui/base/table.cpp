// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/table.h"

#include <QEvent>
#include <QHeaderView>
#include <algorithm>
#include <functional>

#include "ui/base/text_size.h"

namespace cubinlab::ui {
namespace {

// Sizes made from a font or a width are made again when the widget has another one: later, when all of its parts have it.
class Follower : public QObject {
  public:
    Follower(QWidget* widget, QEvent::Type change, std::function<void()> fit)
        : QObject(widget), change_(change), fit_(std::move(fit)) {
        widget->installEventFilter(this);
        fit_();
    }
    bool eventFilter(QObject* widget, QEvent* event) override {
        if (event->type() == change_)
            QMetaObject::invokeMethod(
                this, [this] { fit_(); }, Qt::QueuedConnection);
        return QObject::eventFilter(widget, event);
    }

  private:
    QEvent::Type change_;
    std::function<void()> fit_;
};

}  // namespace

QTableView* new_table(QWidget* parent, const QString& accessible, QAbstractItemModel* model, int padding) {
    auto* table = new QTableView(parent);
    table->setAccessibleName(accessible);
    table->setModel(model);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setTabKeyNavigation(false);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->verticalHeader()->hide();
    if (padding > 0)
        new Follower(table, QEvent::FontChange, [table, padding] {
            table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + padding);
        });
    table->horizontalHeader()->setHighlightSections(false);
    return table;
}

void widen_to_heads(QTableView* table) {
    QHeaderView* heads = table->horizontalHeader();
    new Follower(heads, QEvent::FontChange, [table, heads, before = 0]() mutable {
        const int now = heads->fontMetrics().height();
        for (int c = 0; c < heads->count(); ++c) {
            if (heads->isSectionHidden(c)) continue;
            const int width = table->columnWidth(c) * now / std::max(1, before == 0 ? now : before);
            table->setColumnWidth(c, std::max(width, heads->sectionSizeHint(c)));
        }
        before = now;
    });
}

void set_column_widths(QTableView* table, const std::vector<int>& pixels) {
    for (std::size_t c = 0; c < pixels.size(); ++c)
        table->setColumnWidth(static_cast<int>(c), static_cast<int>(pixels[c] * text_scale()));
    widen_to_heads(table);
}

void stretch_column(QTableView* table, int column) {
    constexpr int kLeastCharacters = 20;
    QHeaderView* heads = table->horizontalHeader();
    const auto fit = [table, heads, column] {
        // What stands in it may be cut, a number beside it may not: the others come first, and scroll only where that
        // leaves no room for a few words. Not by what stands in it: it would jump with the rows, and scroll for a name.
        const int least = std::max(heads->sectionSizeHint(column),
                                   kLeastCharacters * table->fontMetrics().averageCharWidth());
        const int others = heads->length() - heads->sectionSize(column);
        const bool room = table->viewport()->width() - others >= least;
        heads->setSectionResizeMode(column, room ? QHeaderView::Stretch : QHeaderView::Interactive);
        if (!room) table->setColumnWidth(column, least);
    };
    new Follower(table->viewport(), QEvent::Resize, fit);
    QObject::connect(
        heads, &QHeaderView::sectionResized, table,
        [fit, column](int resized) {
            if (resized != column) fit();
        },
        Qt::QueuedConnection);
}

QStandardItem* new_cell(const QString& text, bool number) {
    auto* item = new QStandardItem(text);
    item->setEditable(false);
    item->setToolTip(text);
    if (number) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return item;
}

}  // namespace cubinlab::ui
