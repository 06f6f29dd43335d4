// SPDX-License-Identifier: GPL-3.0-or-later
// The tone of a line of text: a hint or an error.
#pragma once

class QLabel;

namespace cubinlab::ui {

// Uses the style sheet only: a palette would keep the colours of the theme in which it was created.
void set_bad(QLabel& label, bool bad);

}  // namespace cubinlab::ui
