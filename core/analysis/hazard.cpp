// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/hazard.h"

namespace cubinlab {

const char* to_string(Rule rule) {
    switch (rule) {
        case Rule::RawDistance:
            return "raw-distance";
        case Rule::WarDistance:
            return "war-distance";
        case Rule::WawDistance:
            return "waw-distance";
        case Rule::RawScoreboard:
            return "raw-scoreboard";
        case Rule::WarScoreboard:
            return "war-scoreboard";
        case Rule::WawScoreboard:
            return "waw-scoreboard";
        case Rule::SetToWait:
            return "set-to-wait";
        case Rule::IssueFloor:
            return "issue-floor";
        case Rule::MemoryOrder:
            return "memory-order";
        case Rule::FenceOrder:
            return "fence-order";
        case Rule::AsyncGroup:
            return "async-group";
        case Rule::WarpOrder:
            return "warp-order";
        case Rule::Reuse:
            return "reuse";
        case Rule::StallYield:
            return "stall-yield";
        case Rule::Pinned:
            return "pinned";
        case Rule::Dependence:
            return "dependence";
        case Rule::Structure:
            return "structure";
        case Rule::UnknownOpcode:
            return "unknown-opcode";
    }
    return "?";
}

const char* title_of(Rule rule) {
    switch (rule) {
        case Rule::RawDistance:
            return "Read too early after a fixed-latency write";
        case Rule::WarDistance:
            return "Overwritten too early after a fixed-latency read";
        case Rule::WawDistance:
            return "Second write too early after a fixed-latency write";
        case Rule::RawScoreboard:
            return "Read of a result that no barrier proves complete";
        case Rule::WarScoreboard:
            return "Overwrites an operand that may not have been read yet";
        case Rule::WawScoreboard:
            return "Overwrites a register whose older write may land later";
        case Rule::SetToWait:
            return "Barrier waited on less than two cycles after it is set";
        case Rule::IssueFloor:
            return "Stall count below what this instruction needs";
        case Rule::MemoryOrder:
            return "Memory accesses that may overlap changed order";
        case Rule::FenceOrder:
            return "Something crossed a fence or barrier";
        case Rule::AsyncGroup:
            return "Asynchronous copy or tensor group changed";
        case Rule::WarpOrder:
            return "Warp-wide operation crossed a convergence point";
        case Rule::Reuse:
            return "Reuse flag that could deliver a stale operand";
        case Rule::StallYield:
            return "Stall and yield do not go together";
        case Rule::Pinned:
            return "The word must keep its place";
        case Rule::Dependence:
            return "Producer and consumer changed order";
        case Rule::Structure:
            return "Not a reschedule of the original";
        case Rule::UnknownOpcode:
            return "Instruction that cannot be decoded";
    }
    return "?";
}

}  // namespace cubinlab
