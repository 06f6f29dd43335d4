// SPDX-License-Identifier: GPL-3.0-or-later
// Display names of kernels: "demo::saxpy<float, 4>" for _ZN4demo5saxpyIfLi4EEEvPT_PKS1_S1_i.
#pragma once
#include <QString>
#include <QStringList>

namespace cubinlab::ui {

QString called(const QString& name);  // `name` itself if it is not a C++ name

// For a title: at most `most` characters, shortened from the right: "gemm_device<...>", "kernel_cutlass_kernel_flash_a…".
QString short_called(const QString& name, int most = 60);

// The shortest unique display name of each.
QStringList called(const QStringList& names);

// For a tooltip: the full name, and the mangled name if it differs.
QString whole_name(const QString& name);

}  // namespace cubinlab::ui
