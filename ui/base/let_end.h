// SPDX-License-Identifier: GPL-3.0-or-later
// A child of this program that is asked to end while nobody here waits for it.
#pragma once

class QObject;
class QProcess;

namespace cubinlab::ui {

// It gets what a Ctrl-C or a closed terminal gives it and ends in its own time with its work written, also when this
// program is gone before it. What `listener` had connected is disconnected; `process` deletes itself.
void let_end(QProcess* process, const QObject* listener);

}  // namespace cubinlab::ui
