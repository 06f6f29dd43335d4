// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/hazard.h"

#include "core/base/enum_names.h"
#include "core/base/number_of.h"

namespace cubinlab {

const char* to_string(Rule rule) {
    return enum_name<Rule::UnknownOpcode>(
        {"raw-distance", "war-distance", "waw-distance", "raw-scoreboard", "war-scoreboard", "waw-scoreboard",
         "set-to-wait", "issue-floor", "memory-order", "fence-order", "async-group", "warp-order", "reuse",
         "stall-yield", "pinned", "dependence", "structure", "unknown-opcode"},
        rule, "?");
}

const char* title_of(Rule rule) {
    return enum_name<Rule::UnknownOpcode>(
        {"Read too early after a fixed-latency write", "Overwritten too early after a fixed-latency read",
         "Second write too early after a fixed-latency write",
         "Read of a result that no barrier proves complete",
         "Overwrites an operand that may not have been read yet",
         "Overwrites a register whose older write may land later",
         "Barrier waited on less than two cycles after it is set",
         "Stall count below what this instruction needs", "Memory accesses that may overlap changed order",
         "Something crossed a fence or barrier", "Asynchronous copy or tensor group changed",
         "Warp-wide operation crossed a convergence point", "Reuse flag that could deliver a stale operand",
         "Stall and yield do not go together", "The word must keep its place",
         "Producer and consumer changed order", "Not a reschedule of the original",
         "Instruction that cannot be decoded"},
        rule, "?");
}

std::string summary_of(const Legality& hazards) {
    return "(" + number_of(hazards.size(), "finding") + "): " + hazards.front().explanation;
}

}  // namespace cubinlab
