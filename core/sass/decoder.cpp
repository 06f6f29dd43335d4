// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/decoder.h"

#include "core/sass/opcode_table.h"
#include "core/sass/operand_reader.h"

namespace cubinlab {
namespace {

using namespace sass;

// Uniform-datapath instructions are guarded by uniform predicates.
bool has_uniform_guard(const OpcodeRow& row, const Word& word) {
    switch (row.unit) {
        case Unit::Udp:
        case Unit::UdpFast:
        case Unit::S2ur:
            return true;
        case Unit::AsyncGroup:
            return word.bits(0, 12) == 0x5b2;  // SYNCS.EXCH works on uniform registers only
        default:
            return false;
    }
}

void decode_guard(OperandReader& reader, const OpcodeRow& row, const Word& word, Instruction& out) {
    out.guard = static_cast<std::uint8_t>(word.bits(12, 3));
    out.guard_negated = word.bit(15);
    out.uniform_guard = has_uniform_guard(row, word);
    reader.add(out.uniform_guard ? RegFile::UPred : RegFile::Pred, out.guard, 1, Role::Guard, true, false);
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
