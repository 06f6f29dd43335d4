// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/command_rules.h"

#include "ui/document/document.h"
#include "ui/document/selection.h"

namespace cubinlab::ui {

CommandRules command_rules(const Document& document, const Selection& selection) {
    CommandRules rules;
    rules.open = enabled_when([&document] { return document.is_open(); },
                              Document::tr("No kernel is open. Open a cubin or a session first (Ctrl+O)."));
    rules.editable = all_of(rules.open, [&document] { return document.hand().why_not_editable(); });
    rules.tunable = all_of(rules.open, [&document] {
        return document.ptx() && !document.kernel()->arch().editable() ? QString() : document.hand().why_not_editable();
    });
    const DisabledReason chosen =
        enabled_when([&selection] { return selection.has(); }, Document::tr("Select an instruction first."));
    rules.selected = all_of(rules.open, chosen);
    rules.edited = all_of(rules.editable, chosen);
    return rules;
}

DisabledReason not_on_right(const Document& document, ScheduleSlot slot) {
    return enabled_when([&document, slot] { return document.pair().right_slot() != slot; },
                        Document::tr("The right side shows it already."));
}

}  // namespace cubinlab::ui
