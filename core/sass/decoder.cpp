// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/decoder.h"

#include <fmt/format.h>

#include "core/sass/opcode_table.h"

namespace cubinlab {
namespace {

using namespace sass;

// The predicate file of the guard. The uniform datapath uses uniform predicates. So does the copy unit:
// compilers set its guards with VOTEU, often while the vector predicate of the same number has another value
// (tests/core/legality/random_ptx_test.cpp). nvdisasm prints a vector predicate for VOTEU itself.
// UTMACMDFLUSH is ambiguous, so it reads both files.
enum class GuardFile { Vector, Uniform, Either };

GuardFile guard_file(const OpcodeRow& row, const Layout& layout) {
    if (layout.has_uniform_guard() || layout.uniform()) return GuardFile::Uniform;
    switch (row.unit) {
        case Unit::S2ur:
            return GuardFile::Uniform;
        case Unit::AsyncGroup:
            return row.mnemonic[0] == 'U' ? GuardFile::Either : GuardFile::Vector;
        default:
            return GuardFile::Vector;
    }
}

void read_guard(const Word& word, Instruction& out) {
    out.guard = static_cast<std::uint8_t>(word.bits(12, 3));
    out.guard_negated = word.bit(15);
}

// Decodes the instruction of a row and, if `text` is given, the text after the guard.
void read(const Arch& arch, const OpcodeRow& row, std::uint32_t offset, Instruction& out, std::string* text) {
    out.mnemonic = row.mnemonic;
    out.unit = row.unit;
    out.traits = row.traits;
    if (text) *text = row.mnemonic;
    Layout layout(arch, out.word, offset, out, text);
    if (row.layout) row.layout(layout);
    const GuardFile file = guard_file(row, layout);
    out.uniform_guard = file != GuardFile::Vector;
    const auto guarded_by = [&](RegFile f) {
        layout.add(f, out.guard, 1, Role::Guard, true, false, Rank::Predicate);
    };
    if (file != GuardFile::Vector) guarded_by(RegFile::UPred);
    if (file != GuardFile::Uniform) guarded_by(RegFile::Pred);
}

Instruction start(const Word& word) {
    Instruction out;
    out.word = word;
    out.opcode = static_cast<std::uint16_t>(word.bits(0, 12));
    read_guard(word, out);
    return out;
}

const OpcodeRow* row_of(const Arch& arch, const Instruction& in) {
    return arch.decodable() ? find_opcode(arch.sm, in.opcode) : nullptr;
}

std::string guard_text(const Instruction& in) {
    if (!in.guarded()) return {};
    const std::string number = in.guard == 7 ? "T" : std::to_string(in.guard);
    return fmt::format("@{}{}P{} ", in.guard_negated ? "!" : "", in.uniform_guard ? "U" : "", number);
}

}  // namespace

Instruction decode(const Arch& arch, const Word& word, std::uint32_t offset) {
    Instruction out = start(word);
    if (const OpcodeRow* row = row_of(arch, out))
        read(arch, *row, offset, out, nullptr);
    else
        out.traits |= kUnverified;
    return out;
}

std::string render(const Arch& arch, const Word& word, std::uint32_t offset) {
    Instruction in = start(word);
    std::string text;
    const OpcodeRow* row = row_of(arch, in);
    if (row) read(arch, *row, offset, in, &text);
    // Opcodes with unknown operands print their bits too.
    if (!row || row->unit == Unit::Unknown) {
        const std::string name = row ? row->mnemonic : fmt::format("UNKNOWN_0x{:03x}", in.opcode);
        text = fmt::format("{} 0x{:016x} 0x{:016x}", name, word.lo, word.hi);
    }
    return guard_text(in) + text;
}

}  // namespace cubinlab
