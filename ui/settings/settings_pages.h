// SPDX-License-Identifier: GPL-3.0-or-later
// The settings pages that are plain forms.
#pragma once
#include <QWidget>

namespace cubinlab::ui {

struct WindowContext;

QWidget* make_look_page(const WindowContext& window, QWidget* parent);
QWidget* make_gpu_page(const WindowContext& window, QWidget* parent);
QWidget* make_agent_page(const WindowContext& window, QWidget* parent);
QWidget* make_files_page(const WindowContext& window, QWidget* parent);

}  // namespace cubinlab::ui
