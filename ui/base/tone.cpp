// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/tone.h"

#include <QLabel>
#include <QStyle>

namespace cubinlab::ui {

void set_bad(QLabel& label, bool bad) {
    if (label.property("bad").toBool() == bad && label.property("dim").toBool() != bad) return;
    label.setProperty("dim", !bad);
    label.setProperty("bad", bad);
    label.style()->unpolish(&label);
    label.style()->polish(&label);
    label.update();
}

}  // namespace cubinlab::ui
