// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/empty_note.h"

#include <QPainter>

namespace cubinlab::ui {
namespace {

constexpr int kFlags = Qt::AlignCenter | Qt::TextWordWrap;

}  // namespace

EmptyNote::EmptyNote(QWidget* parent) : QLabel(parent) {
    setAlignment(Qt::AlignCenter);
    setWordWrap(true);
    setTextFormat(Qt::PlainText);
    setAttribute(Qt::WA_TransparentForMouseEvents);
}

QRect EmptyNote::room() const {
    return contentsRect().marginsRemoved({margin(), margin(), margin(), margin()});
}

QString EmptyNote::shown() const {
    const qsizetype end = text().indexOf(QStringLiteral(". "));
    for (const QString& one : {text(), end < 0 ? QString() : text().left(end + 1)}) {
        const QRect taken = fontMetrics().boundingRect(room(), kFlags, one);
        if (taken.width() <= room().width() && taken.height() <= room().height()) return one;
    }
    return {};
}

void EmptyNote::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    drawFrame(&painter);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(room(), kFlags, shown());
}

}  // namespace cubinlab::ui
