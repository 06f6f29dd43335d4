// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/probe/probe_spelling.h"

#include <array>
#include <string_view>

namespace cubinlab::probe {
namespace {

struct Spelling {
    std::string_view before, after;
};
// Places in constant bank 0: the memory descriptor and the three parameters of the frame.
constexpr std::array kPlaces = {
    Spelling{"c[0x0][0x208]", "c[0x0][0x358]"}, Spelling{"c[0x0][0x210]", "c[0x0][0x380]"},
    Spelling{"c[0x0][0x218]", "c[0x0][0x388]"}, Spelling{"c[0x0][0x220]", "c[0x0][0x390]"}};
// Mnemonics with two predicates behind the destination, which sm_90 leaves out where they are PT.
constexpr std::array kWithPredicates = {Spelling{"IADD3 ", "PT, PT, "}, Spelling{"UIADD3 ", "UPT, UPT, "},
                                        Spelling{"VIMNMX ", "PT, PT, "}};
constexpr std::array kMnemonics = {Spelling{"ULDC ", "LDCU "}, Spelling{"ULDC.64 ", "LDCU.64 "}};

bool replace(std::string& text, const Spelling& s) {
    const std::size_t at = text.find(s.before);
    if (at == std::string::npos) return false;
    text.replace(at, s.before.size(), s.after);
    return true;
}

// "@P1 IADD3 R20, R9, ..." has its operands behind the first comma.
void add_predicates(std::string& text, std::string_view mnemonic, std::string_view predicates) {
    const std::size_t at = text.find(mnemonic);
    const bool begins = at == 0 || (at != std::string::npos && text[at - 1] == ' ');
    const std::size_t comma = begins ? text.find(", ", at) : std::string::npos;
    if (comma == std::string::npos) return;
    const std::string_view first = predicates.substr(0, predicates.find(','));
    const std::string_view next = std::string_view(text).substr(comma + 2);
    // A carry is written already: one more predicate is missing.
    const bool carry = next.starts_with(first.front() == 'U' ? "UP" : "P");
    text.insert(carry ? text.find(", ", comma + 2) + 2 : comma + 2,
                carry ? predicates.substr(0, predicates.size() / 2) : predicates);
}

}  // namespace

std::string spelled_for(const Arch& arch, std::string text) {
    if (arch.sm < 100) return text;
    for (const Spelling& s : kPlaces)
        if (replace(text, s)) break;
    for (const Spelling& s : kMnemonics)
        if (replace(text, s)) break;
    for (const Spelling& s : kWithPredicates)
        add_predicates(text, s.before, s.after);
    return text;
}

}  // namespace cubinlab::probe
