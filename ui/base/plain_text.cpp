// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/plain_text.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QHelpEvent>
#include <QLabel>
#include <QPointer>
#include <QToolTip>

namespace cubinlab::ui {
namespace {

// The tool tip of the item under the pointer, if `widget` is the inside of an item view.
QString item_tip(const QWidget* widget, const QPoint& at) {
    const auto* view = qobject_cast<const QAbstractItemView*>(widget->parentWidget());
    if (view == nullptr || view->viewport() != widget) return {};
    return view->indexAt(at).data(Qt::ToolTipRole).toString();
}

}  // namespace

QString plain_tip(const QString& text) {
    if (!Qt::mightBeRichText(text)) return text;
    return QStringLiteral("<span>%1</span>")
        .arg(text.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>")));
}

void PlainText::keep() {
    static QPointer<PlainText> kept;
    if (kept) return;
    kept = new PlainText(qApp);
    qApp->installEventFilter(kept);
}

bool PlainText::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Polish) {
        auto* label = qobject_cast<QLabel*>(watched);
        // Qt's own label of tool tips gets its text from those who show one.
        if (label != nullptr && label->textFormat() == Qt::AutoText && !label->inherits("QTipLabel"))
            label->setTextFormat(Qt::PlainText);
        return false;
    }
    if (event->type() != QEvent::ToolTip || !watched->isWidgetType()) return false;
    auto* widget = static_cast<QWidget*>(watched);
    const auto* help = static_cast<QHelpEvent*>(event);
    QString tip = item_tip(widget, help->pos());
    if (tip.isEmpty()) tip = widget->toolTip();
    if (!Qt::mightBeRichText(tip)) return false;
    QToolTip::showText(help->globalPos(), plain_tip(tip), widget);
    return true;
}

}  // namespace cubinlab::ui
