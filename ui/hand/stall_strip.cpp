// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hand/stall_strip.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/base/plain_text.h"
#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {
constexpr int kCell = 21;
constexpr int kHeight = 20;
}  // namespace

StallStrip::StallStrip(QWidget* parent) : QWidget(parent) {
    setFixedSize(sizeHint());
    setAccessibleName(tr("Stall counts, legal and illegal"));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize StallStrip::sizeHint() const {
    return {16 * kCell + 1, kHeight};
}

QRect StallStrip::cell(int stall) const {
    return {stall * kCell, 0, kCell, kHeight - 1};
}

void StallStrip::set_value(int stall, int present) {
    value_ = stall;
    present_ = present;
    update();
}

void StallStrip::set_reasons(const std::array<QString, 16>& reasons) {
    reasons_ = reasons;
    update();
}

int StallStrip::stall_at(const QPoint& at) const {
    const int stall = at.x() / kCell;
    return rect().contains(at) && stall >= 0 && stall < 16 ? stall : -1;
}

void StallStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& c = Theme::instance().colors();
    painter.setFont(Theme::instance().small_font());
    for (int stall = 0; stall < 16; ++stall) {
        const QRect box = cell(stall);
        const bool legal = reasons_[static_cast<std::size_t>(stall)].isEmpty();
        painter.fillRect(box, stall == value_ ? c.accent_soft : legal ? c.surface : c.bad_soft);
        painter.setPen(stall == value_ ? c.accent : c.border);
        painter.drawRect(box.adjusted(0, 0, stall == 15 ? 0 : -1, 0));
        painter.setPen(legal ? c.text : c.text_dim);
        painter.drawText(box, Qt::AlignCenter, QString::number(stall));
        if (!legal) {  // a sign beside the colour
            painter.setPen(c.bad);
            painter.drawLine(box.topLeft() + QPoint(3, 3), box.bottomRight() - QPoint(3, 3));
        }
        if (stall == present_) painter.fillRect(box.left() + 4, box.bottom() - 2, kCell - 8, 2, c.text_dim);
    }
}

void StallStrip::mousePressEvent(QMouseEvent* event) {
    if (const int stall = stall_at(event->position().toPoint()); stall >= 0) Q_EMIT chosen(stall);
}

bool StallStrip::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    const int stall = stall_at(help->pos());
    if (stall < 0) return true;
    const QString& reason = reasons_[static_cast<std::size_t>(stall)];
    QToolTip::showText(help->globalPos(),
                       reason.isEmpty() ? tr("%n cycle(s): legal", "", stall) : plain_tip(reason), this);
    return true;
}

}  // namespace cubinlab::ui
