// SPDX-License-Identifier: GPL-3.0-or-later
// Why a command is off, in one sentence that says what to do. For commands whose owner gave no reason of its
// own (Commands::set_why_disabled).
#pragma once
#include <QString>

namespace cubinlab::ui {

class MainWindow;

QString why_disabled(MainWindow& window, const QString& command);

}  // namespace cubinlab::ui
