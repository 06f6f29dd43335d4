// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/fitting_label.h"

#include <QPainter>

namespace cubinlab::ui {

FittingLabel::FittingLabel(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void FittingLabel::set_texts(const QStringList& longest_first) {
    if (texts_ == longest_first) return;
    texts_ = longest_first;
    setToolTip(text());
    setAccessibleDescription(text());
    updateGeometry();
    update();
}

QString FittingLabel::shown_text() const {
    const int place = contentsRect().width();
    for (const QString& text : texts_)
        if (fontMetrics().horizontalAdvance(text) <= place) return text;
    return texts_.isEmpty() ? QString() : fontMetrics().elidedText(texts_.back(), Qt::ElideRight, place);
}

QSize FittingLabel::sizeHint() const {
    const QMargins m = contentsMargins();
    return {fontMetrics().horizontalAdvance(text()) + 2 + m.left() + m.right(), minimumSizeHint().height()};
}

QSize FittingLabel::minimumSizeHint() const {
    const QMargins m = contentsMargins();
    return {24 + m.left() + m.right(), fontMetrics().height() + 2 + m.top() + m.bottom()};
}

void FittingLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(contentsRect(), Qt::AlignVCenter | Qt::AlignLeft, shown_text());
}

}  // namespace cubinlab::ui
