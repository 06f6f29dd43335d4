// SPDX-License-Identifier: GPL-3.0-or-later
// What was opened and can be opened again: a file, and the kernel and image in it if it has several. Its text
// form (recent files, journals) is the path alone, or three lines.
#pragma once
#include <QCoreApplication>
#include <QFileInfo>
#include <QString>
#include <QStringList>

#include "ui/document/kernel_name.h"

namespace cubinlab::ui {

struct Place {
    QString path;
    QString kernel;  // mangled name; empty: the only one, or the largest of a cubin
    QString image;   // number as listed, from 1; empty: the only one

    QString text() const {
        return kernel.isEmpty() && image.isEmpty() ? path
                                                   : QStringList{path, kernel, image}.join(QLatin1Char('\n'));
    }
    static Place from(const QString& text) {
        const QStringList parts = text.split(QLatin1Char('\n'));
        if (parts.size() < 3) return {text, {}, {}};
        // The last two lines are ours, whatever the path holds.
        return {parts.mid(0, parts.size() - 2).join(QLatin1Char('\n')), parts[parts.size() - 2],
                parts.last()};
    }
    QString name() const {  // "program: total<float>, image 3"
        QString out = QFileInfo(path).fileName();
        if (!kernel.isEmpty()) out += QStringLiteral(": ") + called(kernel);
        if (!image.isEmpty()) out = QCoreApplication::translate("Place", "%1, image %2").arg(out, image);
        return out;
    }
    QString folder() const { return QFileInfo(path).absolutePath(); }
};

}  // namespace cubinlab::ui
