// SPDX-License-Identifier: GPL-3.0-or-later
// What the palette of a window offers: every command of the registry, offsets that are typed out, recent
// files, samples, the kernels of the open cubin, and the other open windows.
#pragma once
#include <QStringList>
#include <optional>
#include <vector>

#include "ui/shell/palette_model.h"

namespace cubinlab::ui {

class MainWindow;

// `lately`: commands that were chosen lately, newest first; they come first while nothing is typed.
std::vector<PaletteEntry> palette_entries(MainWindow& window, const QString& typed,
                                          const QStringList& lately);
// "0x1270", "1270", ":1270": bytes. Empty: not an offset.
std::optional<unsigned> parse_offset(const QString& text);

}  // namespace cubinlab::ui
