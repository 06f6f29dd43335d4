// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/edit_kind.h"

#include <algorithm>
#include <cassert>

#include "core/base/enum_names.h"

namespace cubinlab {

const char* to_string(MutationKind kind) {
    return enum_name<MutationKind::Start>(
        {"move", "stall", "yield", "barrier", "wait", "reuse", "mixed", "move+stall", "reassign", "hint", "start"},
        kind, "unknown");
}

const FieldKind& field_of(EditKind kind) {
    const auto found =
        std::ranges::find_if(kFieldKinds, [&](const FieldKind* field) { return field->kind == kind; });
    assert(found != kFieldKinds.end());
    return **found;
}

Word without_fields(const Word& word) {
    Word out = word;
    for (const FieldKind* field : kFieldKinds)
        out = field->write(out, 0);
    return out;
}

}  // namespace cubinlab
