// SPDX-License-Identifier: GPL-3.0-or-later
// How a line of text speaks: as a hint, or of what is wrong.
#pragma once

class QLabel;

namespace cubinlab::ui {

// By the style sheet alone: a palette of its own would keep the colours of the theme that it was made in.
void set_bad(QLabel& label, bool bad);

}  // namespace cubinlab::ui
