// SPDX-License-Identifier: GPL-3.0-or-later
// Display names of the agent's metrics. The log has names for programs (`brought_climb`).
#pragma once
#include <QString>

namespace cubinlab::ui {

// An unknown name is shown with spaces for underscores.
QString metric_title(const QString& name);

}  // namespace cubinlab::ui
