// SPDX-License-Identifier: GPL-3.0-or-later
// Lays out and paints what a test has changed, without waiting for a time.
#pragma once
#include <QAbstractEventDispatcher>
#include <QThread>

namespace cubinlab::ui {

// Until no event is waiting: layouts post others, and these paints. What a timer or a job brings is waited for by what it
// brings. At most so many rounds, as something may always be moving.
inline void settle() {
    QAbstractEventDispatcher* events = QThread::currentThread()->eventDispatcher();
    for (int round = 0; round < 1000 && events->processEvents(QEventLoop::AllEvents); ++round) {
    }
}

}  // namespace cubinlab::ui
