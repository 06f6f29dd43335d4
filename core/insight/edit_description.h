// SPDX-License-Identifier: GPL-3.0-or-later
// Describes a mutation edit by edit: what moved past what, and which fields changed. For replay and
// patterns; Mutation::text() is the one-line form.
//
//   auto edits = describe(parent, step.mutation);
//   (*edits)[0].past == {HMMA, HMMA, IADD3}; (*edits)[0].direction() == -1       // moved up past three
#pragma once
#include <string>
#include <vector>

#include "core/schedule/mutation.h"

namespace cubinlab {

struct EditDescription {
    InstrId instr = 0;
    EditKind kind = EditKind::Control;
    Position from = 0, to = 0;  // before and after this edit
    std::vector<InstrId> past;  // moves: the instructions it passed, in program order
    FieldBits before = 0, after = 0;  // the field, of the other kinds
    int direction() const { return to < from ? -1 : to > from ? 1 : 0; }
};

// In the order of the edits. Errors are those of Mutation::apply().
Result<std::vector<EditDescription>> describe(const Schedule& parent, const Mutation& mutation);

// Coarse instruction class: "tensor", "shared memory", "global memory", "arithmetic", "uniform", "special
// function", "synchronisation", "control flow", "lane exchange", "texture", "constant memory", "other".
const char* instruction_class(const Instruction& instruction);

}  // namespace cubinlab
