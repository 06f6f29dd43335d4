// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/flow_layout.h"

#include <QLayout>
#include <QWidget>
#include <algorithm>

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

FlowLayout::FlowLayout(QWidget* parent) : QLayout(parent) {}

FlowLayout::~FlowLayout() {
    qDeleteAll(items_);
}

void FlowLayout::addItem(QLayoutItem* item) {
    items_.append(item);
}

int FlowLayout::count() const {
    return static_cast<int>(items_.size());
}

QLayoutItem* FlowLayout::itemAt(int index) const {
    return items_.value(index);
}

QLayoutItem* FlowLayout::takeAt(int index) {
    return index >= 0 && index < items_.size() ? items_.takeAt(index) : nullptr;
}

Qt::Orientations FlowLayout::expandingDirections() const {
    return {};
}

bool FlowLayout::hasHeightForWidth() const {
    return true;
}

int FlowLayout::heightForWidth(int width) const {
    return place({0, 0, width, 0}, false);
}

QSize FlowLayout::minimumSize() const {
    QSize size;
    for (const QLayoutItem* item : items_)
        if (!item->isEmpty()) size = size.expandedTo(item->minimumSize());
    const QMargins m = contentsMargins();
    return size + QSize(m.left() + m.right(), m.top() + m.bottom());
}

QSize FlowLayout::sizeHint() const {
    QSize size;
    for (const QLayoutItem* item : items_) {
        if (item->isEmpty()) continue;
        const QSize wish = item->sizeHint();
        if (size.width() > 0) size.rwidth() += spacing();
        size.rwidth() += wish.width();
        size.setHeight(std::max(size.height(), wish.height()));
    }
    const QMargins m = contentsMargins();
    return size + QSize(m.left() + m.right(), m.top() + m.bottom());
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    place(rect, true);
}

int FlowLayout::place(const QRect& rect, bool move) const {
    const QMargins m = contentsMargins();
    const QRect inside = rect.marginsRemoved(m);
    const int gap = std::max(0, spacing());
    QList<QLayoutItem*> line;
    int x = 0, y = 0, line_height = 0;
    const auto end_line = [&] {
        // A partial line would cover the widgets below: it is hidden until there is more height.
        if (move && y > 0 && y + line_height > inside.height()) y = std::max(y, parentWidget()->height());
        int at = inside.x();
        for (QLayoutItem* item : std::as_const(line)) {
            const QSize size = item->sizeHint().boundedTo(item->maximumSize());
            if (move)  // centred in the line
                item->setGeometry({at, inside.y() + y + (line_height - size.height()) / 2,
                                   std::min(size.width(), std::max(1, inside.width())), size.height()});
            at += size.width() + gap;
        }
        line.clear();
    };
    for (QLayoutItem* item : items_) {
        if (item->isEmpty()) continue;
        const QSize size = item->sizeHint().boundedTo(item->maximumSize());
        if (!line.isEmpty() && x + size.width() > inside.width()) {
            end_line();
            y += line_height + std::min(gap, 4);
            x = 0;
            line_height = 0;
        }
        line.append(item);
        x += size.width() + gap;
        line_height = std::max(line_height, size.height());
    }
    end_line();
    return y + line_height + m.top() + m.bottom();
}

void tab_as_laid_out(QWidget& root) {
    QList<QWidget*> order;
    collect(root.layout(), order);
    for (qsizetype i = 1; i < order.size(); ++i)
        QWidget::setTabOrder(order[i - 1], order[i]);
}

}  // namespace cubinlab::ui
