// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/tab_order.h"

#include <QLayout>
#include <QWidget>

namespace cubinlab::ui {
namespace {

void collect(QLayout* layout, QList<QWidget*>& order) {
    for (int i = 0; layout != nullptr && i < layout->count(); ++i) {
        QLayoutItem* item = layout->itemAt(i);
        if (item->layout() != nullptr) collect(item->layout(), order);
        QWidget* widget = item->widget();
        if (widget == nullptr) continue;
        if ((widget->focusPolicy() & Qt::TabFocus) != 0)
            order << widget;
        else
            collect(widget->layout(), order);
    }
}

}  // namespace

void tab_as_laid_out(QWidget& root) {
    QList<QWidget*> order;
    collect(root.layout(), order);
    for (qsizetype i = 1; i < order.size(); ++i)
        QWidget::setTabOrder(order[i - 1], order[i]);
}

}  // namespace cubinlab::ui
