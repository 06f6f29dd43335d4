// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/table.h"

#include <QHeaderView>
#include <algorithm>

namespace cubinlab::ui {

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
    if (padding > 0) table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + padding);
    table->horizontalHeader()->setHighlightSections(false);
    return table;
}

void widen_to_heads(QTableView* table) {
    QHeaderView* heads = table->horizontalHeader();
    for (int c = 0; c < heads->count(); ++c)
        table->setColumnWidth(c, std::max(table->columnWidth(c), heads->sectionSizeHint(c)));
}

QStandardItem* new_cell(const QString& text, bool number) {
    auto* item = new QStandardItem(text);
    item->setEditable(false);
    item->setToolTip(text);
    if (number) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return item;
}

}  // namespace cubinlab::ui
