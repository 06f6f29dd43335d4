// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/let_end.h"

#include <QProcess>

namespace cubinlab::ui {

void let_end(QProcess* process, const QObject* listener) {
    process->disconnect(listener);
    // Of nobody: a QProcess that goes with its parent kills what it started.
    process->setParent(nullptr);
    QObject::connect(process, &QProcess::finished, process, &QObject::deleteLater);
    process->terminate();
}

}  // namespace cubinlab::ui
