// SPDX-License-Identifier: GPL-3.0-or-later
// What comes after an export: the program with the kernel, the kernel in the program, or its schedule in a rebuilt kernel.
#pragma once
#include <QString>
#include <filesystem>
#include <vector>

#include "ui/base/message_bar.h"

namespace cubinlab::ui {

// Opens the folder of the file, and copies the commands that use it (`cubinlab run`, `install`, `patch make`).
// `original`: what the kernel was opened from; a schedule is only offered as a patch where that file exists.
std::vector<MessageAction> ways_to_use(const QString& cubin, const std::filesystem::path& original);
// Of a recompiled kernel: programs take it whole (resources/docs/starts.md), and it is no patch of the original.
std::vector<MessageAction> ways_to_use_recompiled(const QString& cubin);

}  // namespace cubinlab::ui
