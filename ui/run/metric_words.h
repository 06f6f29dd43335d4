// SPDX-License-Identifier: GPL-3.0-or-later
// What a curve of the agent's own is called in the window: the log has names for programs (`brought_climb`).
#pragma once
#include <QString>

namespace cubinlab::ui {

// A name that is not known here is shown with spaces for its underscores.
QString metric_title(const QString& name);

}  // namespace cubinlab::ui
