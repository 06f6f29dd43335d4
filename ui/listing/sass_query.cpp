// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/listing/sass_query.h"

#include <algorithm>
#include <cctype>

#include "core/base/parse_number.h"
#include "core/sass/opcode_help.h"
#include "ui/listing/sass_view.h"

namespace cubinlab::ui {
namespace {

char lower(char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

std::string lowered(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), lower);
    return out;
}

std::string raised(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return out;
}

// "ur12" is register 12 of the uniform file.
bool register_of(std::string_view name, RegFile& file, unsigned& number) {
    const std::string text = lowered(name);
    struct Prefix {
        std::string_view letters;
        RegFile file;
    };
    constexpr Prefix prefixes[] = {
        {"ur", RegFile::UGpr}, {"up", RegFile::UPred}, {"r", RegFile::Gpr}, {"p", RegFile::Pred}};
    for (const Prefix& prefix : prefixes) {
        if (!text.starts_with(prefix.letters)) continue;
        const auto read = parse_number<unsigned>(text.substr(prefix.letters.size()));
        if (!read || *read > 255) continue;
        number = *read;
        file = prefix.file;
        return true;
    }
    return false;
}

bool covers(const Operand& operand, const SassQuery& query) {
    return operand.file == query.file && query.reg >= operand.first &&
           query.reg < static_cast<unsigned>(operand.first) + operand.count;
}

std::size_t find_text(std::string_view line, std::string_view wanted, std::size_t from) {
    const auto found = std::search(line.begin() + static_cast<long>(from), line.end(), wanted.begin(),
                                   wanted.end(), [](char a, char b) { return lower(a) == b; });
    return found == line.end() ? std::string_view::npos : static_cast<std::size_t>(found - line.begin());
}

}  // namespace

SassQuery SassQuery::parse(std::string_view text) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    SassQuery query;
    if (text.empty()) return query;
    if (lowered(text.substr(0, 5)) == "text:") {
        query.text = lowered(text.substr(5));
        query.kind = query.text.empty() ? QueryKind::Empty : QueryKind::Text;
        return query;
    }
    const bool named = lowered(text.substr(0, 3)) == "op:";
    if (named) text.remove_prefix(3);
    if (!named && register_of(text, query.file, query.reg)) {
        query.kind = QueryKind::Register;
        query.text = lowered(text);
        return query;
    }
    const std::string opcode = raised(text);
    const bool one_word = opcode.find_first_of(" .,@[") == std::string::npos;
    const OpcodeHelp* help = one_word ? opcode_help(opcode) : nullptr;
    if (named || (help != nullptr && help->name == opcode)) {
        query.kind = opcode.empty() ? QueryKind::Empty : QueryKind::Opcode;
        query.text = opcode;
        return query;
    }
    query.kind = QueryKind::Text;
    query.text = lowered(text);
    return query;
}

QueryHit match(const SassQuery& query, const Instruction& instruction, std::string_view line) {
    QueryHit hit;
    switch (query.kind) {
        case QueryKind::Empty:
            break;
        case QueryKind::Text:
            hit.hit = find_text(line, query.text, 0) != std::string_view::npos;
            break;
        case QueryKind::Opcode:
            hit.hit = query.text == instruction.mnemonic;
            break;
        case QueryKind::Register:
            for (const Operand& operand : instruction.operands) {
                if (!covers(operand, query)) continue;
                hit.reads = hit.reads || operand.read;
                hit.writes = hit.writes || operand.write;
            }
            hit.hit = hit.reads || hit.writes;
            break;
    }
    return hit;
}

std::vector<QueryMark> marks_in(const SassQuery& query, const Instruction& instruction,
                                std::string_view line) {
    std::vector<QueryMark> marks;
    if (query.kind == QueryKind::Text) {
        for (std::size_t at = find_text(line, query.text, 0); at != std::string_view::npos;
             at = find_text(line, query.text, at + query.text.size()))
            marks.push_back({at, query.text.size(), false});
        return marks;
    }
    if (!match(query, instruction, line).hit) return marks;
    std::size_t at = 0;
    std::vector<unsigned> written;  // destinations come first in the text
    for (const SassToken& token : tokens_of(line)) {
        std::string_view word = line.substr(at, token.length);
        const std::size_t start = at;
        at += token.length;
        if (query.kind == QueryKind::Opcode) {
            if (word == query.text) {
                marks.push_back({start, token.length, false});
                break;
            }
            continue;
        }
        std::size_t skip = word.find_first_not_of("@!");
        if (skip == std::string_view::npos) continue;
        RegFile file;
        unsigned number = 0;
        if (!register_of(word.substr(skip), file, number) || file != query.file) continue;
        bool reads = false, writes = false;
        for (const Operand& operand : instruction.operands) {
            if (operand.first != number || !covers(operand, query)) continue;
            reads = reads || operand.read;
            writes = writes || operand.write;
        }
        if (!reads && !writes) continue;
        const bool first = std::find(written.begin(), written.end(), number) == written.end();
        const bool write = writes && (!reads || first) && token.style != SassStyle::Guard;
        if (write) written.push_back(number);
        marks.push_back({start, token.length, write});
    }
    return marks;
}

}  // namespace cubinlab::ui
