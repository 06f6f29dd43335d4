// SPDX-License-Identifier: GPL-3.0-or-later
// What most commands of the window ask for, as the reason why they cannot be done (ui/base/commands.h).
#pragma once
#include "ui/base/commands.h"
#include "ui/base/schedule_slot.h"

namespace cubinlab::ui {

class Document;
class Selection;

struct CommandRules {
    DisabledReason open;      // a kernel is
    DisabledReason editable;  // and its architecture and checker allow edits
    DisabledReason selected;  // an instruction of it is
    DisabledReason edited;    // one is selected, and can be edited
};
// Both must outlive the commands.
CommandRules command_rules(const Document& document, const Selection& selection);
// To show `head` on the right: it is there already.
DisabledReason not_on_right(const Document& document, ScheduleSlot head);

}  // namespace cubinlab::ui
