// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/command_rules.h"

#include "ui/document/document.h"
#include "ui/document/selection.h"

namespace cubinlab::ui {

CommandRules command_rules(const Document& document, const Selection& selection) {
    CommandRules rules;
    rules.open = unless([&document] { return document.is_open(); },
                        Document::tr("No kernel is open. Open a cubin or a session first (Ctrl+O)."));
    rules.editable = both(rules.open, [&document] { return document.hand().why_not_editable(); });
    const WhyNot chosen =
        unless([&selection] { return selection.has(); }, Document::tr("Select an instruction first."));
    rules.selected = both(rules.open, chosen);
    rules.edited = both(rules.editable, chosen);
    return rules;
}

WhyNot not_on_right(const Document& document, Head head) {
    return unless([&document, head] { return document.pair().right_head() != head; },
                  Document::tr("It is on the right."));
}

}  // namespace cubinlab::ui
