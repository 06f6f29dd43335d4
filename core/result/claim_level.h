// SPDX-License-Identifier: GPL-3.0-or-later
// What a claim is: how well measured, and of what kind of code. These are the only lists of both: stamps, bundles, reports
// and `--json` read them.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/enum_names.h"

namespace cubinlab {

enum class ClaimLevel : std::uint8_t {
    Unmeasured,  // it has no figure
    Modelled,    // cycles of the SM model
    Screened,    // on a GPU, with data that helped to choose the schedule
    Measured,    // on a GPU, confirmed over fresh loads
};

// Ascending by what differs from the original: who accepts a kind accepts those before it.
enum class CodeKind : std::uint8_t {
    Original,
    Reschedule,  // the same instructions in another order, with other control codes
    Hinted,      // also other cache hints
    Recompiled,  // made by ptxas from the same PTX
};
inline constexpr CodeKind kLastCodeKind = CodeKind::Recompiled;
inline constexpr const char* kCodeKindNames[] = {"original", "reschedule", "hinted", "recompiled"};

inline const char* to_string(CodeKind kind) {
    return enum_name<kLastCodeKind>(kCodeKindNames, kind, "recompiled");
}
inline std::optional<CodeKind> parse_code_kind(std::string_view text) {
    return enum_value<kLastCodeKind>(kCodeKindNames, text);
}

}  // namespace cubinlab
