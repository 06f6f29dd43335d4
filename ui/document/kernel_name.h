// SPDX-License-Identifier: GPL-3.0-or-later
// Display names of kernels: "demo::saxpy<float, 4>" for _ZN4demo5saxpyIfLi4EEEvPT_PKS1_S1_i.
#pragma once
#include <QFileInfo>
#include <QObject>
#include <QString>
#include <QStringList>

namespace cubinlab::ui {

QString called(const QString& name);  // `name` itself if it is not a C++ name

// The shortest unique display name of each.
QStringList called(const QStringList& names);

// For a tooltip: the full name, and the mangled name if it differs.
QString whole_name(const QString& name);

// What was opened and can be opened again: a file, and the kernel and image in it if it has several. Its text
// form (recent files, journals) is the path alone, or three lines.
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
        if (!image.isEmpty()) out = QObject::tr("%1, image %2").arg(out, image);
        return out;
    }
    QString folder() const { return QFileInfo(path).absolutePath(); }
};

}  // namespace cubinlab::ui
