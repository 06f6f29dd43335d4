// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/table.h"

#include <QEvent>
#include <QHeaderView>
#include <algorithm>
#include <functional>

namespace cubinlab::ui {
namespace {

// Sizes made from a font are made again when the font of the view is another one: later, when all of its parts have it.
class FontFollower : public QObject {
  public:
    FontFollower(QWidget* view, std::function<void()> fit) : QObject(view), fit_(std::move(fit)) {
        view->installEventFilter(this);
        fit_();
    }
    bool eventFilter(QObject* view, QEvent* event) override {
        if (event->type() == QEvent::FontChange) QMetaObject::invokeMethod(this, fit_, Qt::QueuedConnection);
        return QObject::eventFilter(view, event);
    }

  private:
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
        new FontFollower(table, [table, padding] {
            table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + padding);
        });
    table->horizontalHeader()->setHighlightSections(false);
    return table;
}

void widen_to_heads(QTableView* table) {
    QHeaderView* heads = table->horizontalHeader();
    new FontFollower(heads, [table, heads] {
        for (int c = 0; c < heads->count(); ++c)
            if (!heads->isSectionHidden(c))
                table->setColumnWidth(c, std::max(table->columnWidth(c), heads->sectionSizeHint(c)));
    });
}

QStandardItem* new_cell(const QString& text, bool number) {
    auto* item = new QStandardItem(text);
    item->setEditable(false);
    item->setToolTip(text);
    if (number) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return item;
}

}  // namespace cubinlab::ui
