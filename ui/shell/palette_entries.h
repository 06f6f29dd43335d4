// SPDX-License-Identifier: GPL-3.0-or-later
// The entries of a window's palette: every command, typed offsets, recent files, samples, kernels of the open
// cubin, other open windows.
#pragma once
#include <QStringList>
#include <optional>
#include <vector>

#include "ui/shell/palette_model.h"

namespace cubinlab::ui {

class MainWindow;

// `lately`: recently chosen commands, newest first; they come first while nothing is typed.
std::vector<PaletteEntry> palette_entries(MainWindow& window, const QString& typed,
                                          const QStringList& lately);
// "0x1270", "1270", ":1270": bytes. Empty: not an offset.
std::optional<unsigned> parse_offset(const QString& text);

}  // namespace cubinlab::ui
