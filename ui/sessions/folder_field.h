// SPDX-License-Identifier: GPL-3.0-or-later
// A line edit that names a folder, with the button that chooses one: `look` is called where it was changed.
#pragma once
#include <QString>
#include <functional>

class QLineEdit;
class QPushButton;

namespace cubinlab::ui {

void make_folder_field(QLineEdit* folder, QPushButton* choose, const QString& title,
                       const std::function<void()>& look);

}  // namespace cubinlab::ui
