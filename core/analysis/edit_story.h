// SPDX-License-Identifier: GPL-3.0-or-later
// What a mutation did to the schedule that it was applied to, edit by edit: what moved past what, and which
// control fields changed. For replay and for learned patterns; Mutation::text() is the one-line form.
//
//   auto described = describe(parent, step.mutation);
//   described[0].past == {HMMA, HMMA, IADD3}; described[0].direction() == -1       // moved up past three
#pragma once
#include <string>
#include <vector>

#include "core/schedule/mutation.h"

namespace cubinlab {

struct EditDescription {
    InstrId instr = 0;
    EditKind kind = EditKind::Control;
    Position from = 0, to = 0;  // before and after this edit
    std::vector<InstrId> past;  // moves: the instructions it passed, top to bottom
    ControlCode before, after;  // control edits
    int direction() const { return to < from ? -1 : to > from ? 1 : 0; }
};

// Edits in their order. Refused as Mutation::apply() refuses.
Result<std::vector<EditDescription>> describe(const Schedule& parent, const Mutation& mutation);

// Coarse class of an instruction, as an engineer groups them: "tensor", "shared memory", "global memory",
// "arithmetic", "uniform", "special function", "synchronisation", "control flow", "other".
const char* instruction_class(const Instruction& instruction);

// The fields that differ, by name and direction: "stall down", "yield on", "wait for less", "write barrier".
std::vector<std::string> control_changes(const ControlCode& before, const ControlCode& after);

}  // namespace cubinlab
