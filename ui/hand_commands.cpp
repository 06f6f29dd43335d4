// SPDX-License-Identifier: GPL-3.0-or-later
// HandTools: its commands and where they are found.
#include <QMenu>

#include "ui/commands.h"
#include "ui/hand_tools.h"
#include "ui/selection.h"

namespace cubinlab::ui {

void HandTools::make_commands() {
    p_.commands->add({"edit.control", tr("Edit &control code..."), "", QKeySequence("Ctrl+Return"),
                      tr("Edit stall, yield, barriers, waits and reuse of the selected instruction")},
                     [this] { open_control_editor(); });
}

void HandTools::fill_edit_menu(QMenu* menu) const {
    menu->addSeparator();
    menu->addAction((*p_.commands)[QStringLiteral("edit.control")]);
}

void HandTools::fill_row_menu(QMenu* menu) const {
    menu->addSeparator();
    menu->addAction((*p_.commands)[QStringLiteral("edit.control")]);
}

void HandTools::update_enabled() const {
    const bool edits = p_.document->is_open() && p_.document->can_edit();
    const bool selected = edits && p_.selection->has();
    (*p_.commands)[QStringLiteral("edit.control")]->setEnabled(selected);
}

}  // namespace cubinlab::ui
