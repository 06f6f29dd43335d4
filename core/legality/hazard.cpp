// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/hazard.h"

#include <fmt/format.h>

#include <cctype>

#include "core/base/enum_names.h"
#include "core/base/number_of.h"

namespace cubinlab {

const char* to_string(Rule rule) {
    return enum_name<Rule::Field>(
        {"raw-distance", "war-distance", "waw-distance", "raw-scoreboard", "war-scoreboard", "waw-scoreboard",
         "set-to-wait", "issue-floor", "memory-order", "fence-order", "async-group", "warp-order", "reuse",
         "stall-yield", "pinned", "dependence", "structure", "unknown-opcode", "field"},
        rule, "?");
}

const char* title_of(Rule rule) {
    return enum_name<Rule::Field>(
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
         "Instruction that cannot be decoded", "Cache hint that no compiler emits here"},
        rule, "?");
}

namespace {

// Position of an instruction name, "LDG.E 0x0120", in `text` at or after `from`; its offset ends the match.
struct NameAt {
    std::size_t begin = std::string::npos, end = 0;
};
NameAt find_name(const std::string& text, InstrId id, std::size_t from) {
    if (id == kNone) return {};
    const std::string offset = fmt::format(" 0x{:04x}", id * kWordBytes);
    for (std::size_t at = from; (at = text.find(offset, at)) != std::string::npos; at += offset.size()) {
        const std::size_t end = at + offset.size();
        if (end < text.size() && std::isxdigit(static_cast<unsigned char>(text[end]))) continue;
        const std::size_t space = at == 0 ? std::string::npos : text.rfind(' ', at - 1);
        const std::size_t begin = space == std::string::npos ? 0 : space + 1;
        if (begin < from) continue;
        return {begin, end};
    }
    return {};
}

}  // namespace

std::string explanation_by(const Hazard& hazard, const std::function<std::string(InstrId)>& name) {
    const std::string& text = hazard.explanation;
    std::string out;
    for (std::size_t from = 0;;) {
        const NameAt a = find_name(text, hazard.earlier, from), b = find_name(text, hazard.later, from);
        const NameAt& next = a.begin <= b.begin ? a : b;
        if (next.begin == std::string::npos) return out + text.substr(from);
        out +=
            text.substr(from, next.begin - from) + name(a.begin <= b.begin ? hazard.earlier : hazard.later);
        from = next.end;
    }
}

std::string summary_of(const Legality& hazards) {
    return "(" + number_of(hazards.size(), "finding") + "): " + hazards.front().explanation;
}

}  // namespace cubinlab
