// SPDX-License-Identifier: GPL-3.0-or-later
// A function that a job may call from its thread: it calls `call` on the GUI thread while `object` exists, and does
// nothing after that. A job may therefore outlive the dialog that started it.
#pragma once
#include <QCoreApplication>
#include <QMetaObject>
#include <QPointer>
#include <functional>
#include <utility>

namespace cubinlab::ui {

inline std::function<void()> gui_call(QObject* object, std::function<void()> call) {
    return [object = QPointer<QObject>(object), call = std::move(call)] {
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [object, call] {
                if (object) call();
            },
            Qt::QueuedConnection);
    };
}

}  // namespace cubinlab::ui
