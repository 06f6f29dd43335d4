// SPDX-License-Identifier: GPL-3.0-or-later
// One step as replay describes it: what moved past what, which control bits changed, the gain over its parent
// and over the run's start, and its notes. load_details() reads the session (job thread); details_html()
// formats it (GUI thread).
#pragma once
#include <QString>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/insight/edit_description.h"
#include "core/store/session.h"

namespace cubinlab::ui {

class SessionHub;

struct StepDetails {
    RunInfo run;
    StepRecord record;
    std::string compiled;  // of a step that tries a start: how it was made, and what its code needs
    std::optional<Outcome> parent;  // empty: the run's start, or unknown
    std::vector<EditDescription> described;
    std::vector<NoteRecord> notes;  // of this step, oldest first
    std::string doing;              // the activity of `auto` at that step as text; else empty
    bool carrying = false;          // has an essential edit
};

Result<StepDetails> load_details(SessionHub& session, RunId run, StepId step);

// Gain of a step against its parent, with the intervals of both added in squares (they are measured apart).
std::optional<Speedup> effect_of(const StepDetails& details);

// One line for small docks: the gain, then the change.
QString details_in_short(const StepDetails& details, const Kernel& kernel);

// `text_of`: display text of an instruction. Links: "instr:N" selects an instruction, "step:N" goes to a
// step.
QString details_html(const StepDetails& details, const std::function<QString(InstrId)>& text_of);

}  // namespace cubinlab::ui
