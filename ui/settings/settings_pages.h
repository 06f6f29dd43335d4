// SPDX-License-Identifier: GPL-3.0-or-later
// The settings pages that are plain forms.
#pragma once
#include <QWidget>

namespace cubinlab::ui {

struct WindowAccess;

QWidget* make_look_page(const WindowAccess& window, QWidget* parent);
QWidget* make_gpu_page(const WindowAccess& window, QWidget* parent);
QWidget* make_agent_page(const WindowAccess& window, QWidget* parent);
QWidget* make_files_page(const WindowAccess& window, QWidget* parent);

}  // namespace cubinlab::ui
