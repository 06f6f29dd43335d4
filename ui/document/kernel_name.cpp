// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/kernel_name.h"

#include <QHash>

#include "core/containers/kernel_list.h"

namespace cubinlab::ui {

static QString demangled_name(const QString& name) {
    return QString::fromStdString(demangled(name.toStdString()));
}

QString called(const QString& name) {
    const std::string whole = demangled(name.toStdString());
    return QString::fromStdString(std::string(short_name(whole)));
}

QStringList called(const QStringList& names) {
    QHash<QString, int> times;
    QStringList out;
    for (const QString& name : names) {
        out << called(name);
        ++times[out.back()];
    }
    for (qsizetype i = 0; i < names.size(); ++i)
        if (times[out[i]] > 1) out[i] = demangled_name(names[i]);
    return out;
}

QString whole_name(const QString& name) {
    const QString whole = demangled_name(name);
    return whole == name ? name : whole + QLatin1Char('\n') + name;
}

}  // namespace cubinlab::ui
