// SPDX-License-Identifier: GPL-3.0-or-later
// Text of a word: guard, then the layout of its opcode. An opcode with no layout prints the operands that
// decode() knows; an unknown one prints its bits.
#include <fmt/format.h>

#include <array>

#include "core/sass/decoder.h"
#include "core/sass/register_name.h"
#include "core/sass/text_writer.h"

namespace cubinlab {
namespace sass {

TextFn find_text(unsigned base) {
    static const std::array<TextFn, 512> table = [] {
        std::array<TextFn, 512> out{};
        for (auto family : {integer_text(), float_text(), memory_text(), control_text(), matrix_text()})
            for (const TextRow& row : family) {
                assert(out[row.base] == nullptr && "two text layouts for one opcode");
                out[row.base] = row.text;
            }
        return out;
    }();
    return table[base & 511];
}

}  // namespace sass

namespace {

using namespace sass;

std::string guard_text(const Instruction& in) {
    if (!in.guarded()) return {};
    return "@" +
           (in.uniform_guard ? TextWriter::uniform_pred(in.guard, in.guard_negated)
                             : TextWriter::vector_pred(in.guard, in.guard_negated)) +
           " ";
}

void generic_operands(TextWriter& w, const Instruction& in) {
    for (const Operand& o : in.operands)
        if (o.role != Role::Guard) w.arg(std::string(register_prefix(o.file)) + std::to_string(o.first));
}

}  // namespace

std::string render(const Arch& arch, const Word& word, std::uint32_t offset) {
    const Instruction in = decode(arch, word, offset);
    const OpcodeRow* row = arch.decodable() ? find_opcode(arch.sm, in.opcode) : nullptr;
    // Opcodes known by name alone print their bits too: their operands are not known.
    if (!row || row->unit == Unit::Unknown) {
        const std::string name = row ? row->mnemonic : fmt::format("UNKNOWN_0x{:03x}", in.opcode);
        return guard_text(in) + fmt::format("{} 0x{:016x} 0x{:016x}", name, word.lo, word.hi);
    }
    TextWriter writer(arch, word, offset, *row);
    if (const TextFn text = find_text(row->base))
        text(writer);
    else
        generic_operands(writer, in);
    return guard_text(in) + writer.take();
}

}  // namespace cubinlab
