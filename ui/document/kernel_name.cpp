// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/kernel_name.h"

#include "core/binary/kernel_label.h"
#include "core/binary/kernel_list.h"

namespace cubinlab::ui {

static QString demangled_name(const QString& name) {
    return QString::fromStdString(demangled(name.toStdString()));
}

QString called(const QString& name) {
    return QString::fromStdString(kernel_label(name.toStdString()));
}

QString short_called(const QString& name, int most) {
    QString label = called(name);
    if (label.size() <= most) return label;
    if (const qsizetype arguments = label.indexOf(QLatin1Char('<')); arguments > 0)
        label = label.left(arguments) + QStringLiteral("<...>");
    return label.size() <= most ? label : label.left(most - 1) + QChar(0x2026);
}

QStringList called(const QStringList& names) {
    std::vector<std::string> whole;
    for (const QString& name : names)
        whole.push_back(demangled(name.toStdString()));
    QStringList out;
    for (const std::string& label : kernel_labels(whole))
        out << QString::fromStdString(label);
    return out;
}

QString whole_name(const QString& name) {
    const QString whole = demangled_name(name);
    return whole == name ? name : whole + QLatin1Char('\n') + name;
}

}  // namespace cubinlab::ui
