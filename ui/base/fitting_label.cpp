// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/fitting_label.h"

#include <QPainter>

namespace cubinlab::ui {
namespace {

// A figure that changes ten times a second changes its width by a digit: in steps of this, the window around it need
// not be laid out each time.
constexpr int kWidthStep = 48;

}  // namespace

FittingLabel::FittingLabel(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void FittingLabel::set_texts(const QStringList& longest_first) {
    if (texts_ == longest_first) return;
    const QSize wished = sizeHint();
    texts_ = longest_first;
    setToolTip(text());
    setAccessibleDescription(text());
    if (sizeHint() != wished) updateGeometry();
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
    const int text_width = fontMetrics().horizontalAdvance(text()) + 2;
    return {(text_width + kWidthStep - 1) / kWidthStep * kWidthStep + m.left() + m.right(),
            minimumSizeHint().height()};
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
