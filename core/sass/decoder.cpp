// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/decoder.h"

#include "core/sass/opcode_table.h"
#include "core/sass/operand_reader.h"

namespace cubinlab {
namespace {

using namespace sass;

// Which predicate file guards an instruction: the uniform datapath has its own, and compilers guard UTMASTG
// with it (they make P0 true right before @!UP0). For VOTEU and the rest of the copy unit nothing tells the
// two apart, so there both files count as read.
enum class GuardFile { Vector, Uniform, Either };

GuardFile guard_file(const OpcodeRow& row, const Instruction& in) {
    switch (row.unit) {
        case Unit::Udp:
        case Unit::S2ur:
            return GuardFile::Uniform;
        case Unit::UdpFast:
            return in.has(Trait::WarpWide) ? GuardFile::Either : GuardFile::Uniform;
        case Unit::AsyncGroup:
            // SYNCS.EXCH on uniform registers only, UTMASTG
            if (in.opcode == 0x5b2 || in.opcode == 0x3b5) return GuardFile::Uniform;
            return row.mnemonic[0] == 'U' ? GuardFile::Either : GuardFile::Vector;
        default:
            return GuardFile::Vector;
    }
}

void decode_guard(OperandReader& reader, const OpcodeRow& row, const Word& word, Instruction& out) {
    out.guard = static_cast<std::uint8_t>(word.bits(12, 3));
    out.guard_negated = word.bit(15);
    const GuardFile file = guard_file(row, out);
    out.uniform_guard = file != GuardFile::Vector;
    if (file != GuardFile::Vector) reader.add(RegFile::UPred, out.guard, 1, Role::Guard, true, false);
    if (file != GuardFile::Uniform) reader.add(RegFile::Pred, out.guard, 1, Role::Guard, true, false);
}

}  // namespace

Instruction decode(const Arch& arch, const Word& word, std::uint32_t offset) {
    Instruction out;
    out.word = word;
    out.opcode = static_cast<std::uint16_t>(word.bits(0, 12));
    OperandReader reader(arch, word, offset, out);
    const OpcodeRow* row = arch.decodable() ? find_opcode(arch.sm, out.opcode) : nullptr;
    if (!row) {
        out.guard = static_cast<std::uint8_t>(word.bits(12, 3));
        out.guard_negated = word.bit(15);
        reader.unverified();
        return out;
    }
    out.mnemonic = row->mnemonic;
    out.unit = row->unit;
    out.traits = row->traits;
    if (row->operands) row->operands(reader);
    decode_guard(reader, *row, word, out);
    return out;
}

}  // namespace cubinlab
