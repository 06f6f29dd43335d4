// SPDX-License-Identifier: GPL-3.0-or-later
// What most commands of the window ask for, as the reason why they cannot be done (ui/base/commands.h).
#pragma once
#include "ui/base/commands.h"
#include "ui/base/run_request.h"

namespace cubinlab::ui {

class Document;
class Selection;

struct CommandRules {
    WhyNot open;      // a kernel is
    WhyNot editable;  // and its architecture and checker allow edits
    WhyNot selected;  // an instruction of it is
    WhyNot edited;    // one is selected, and can be edited
};
// Both must outlive the commands.
CommandRules command_rules(const Document& document, const Selection& selection);
// To show `head` on the right: it is there already.
WhyNot not_on_right(const Document& document, Head head);

}  // namespace cubinlab::ui
