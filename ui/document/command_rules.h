// SPDX-License-Identifier: GPL-3.0-or-later
// The common conditions of the window's commands, as reasons why a command is disabled (ui/base/commands.h).
#pragma once
#include "ui/base/commands.h"
#include "ui/base/run_request.h"

namespace cubinlab::ui {

class Document;
class Selection;

struct CommandRules {
    DisabledReason open;      // a kernel is open
    DisabledReason editable;  // and its architecture and checker allow edits
    DisabledReason tunable;   // or its PTX is known, so that other compilations can be searched
    DisabledReason selected;  // an instruction is selected
    DisabledReason edited;    // an instruction is selected and editable
};
// Both must outlive the commands.
CommandRules command_rules(const Document& document, const Selection& selection);
// For commands that show `slot` on the right: disabled if it is there already.
DisabledReason not_on_right(const Document& document, ScheduleSlot slot);

}  // namespace cubinlab::ui
