// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/tables/latency_classes.h"

#include <cstring>

namespace cubinlab::latency {

bool is_named(const Instruction& instruction, const char* mnemonic) {
    return std::strcmp(instruction.mnemonic, mnemonic) == 0;
}

std::uint8_t waits_by_name(const Instruction& instruction) {
    if (!is_named(instruction, "DEPBAR")) return 0;
    unsigned mask = static_cast<unsigned>(instruction.word.bits(32, 6));
    if (instruction.named_count == 0 && instruction.named_scoreboard >= 0 && instruction.named_scoreboard < 6)
        mask |= 1u << instruction.named_scoreboard;
    return static_cast<std::uint8_t>(mask);
}

bool is_decoupled(const Instruction& instruction) {
    constexpr UnitSet kDecoupled(Unit::Xu, Unit::S2r, Unit::S2ur, Unit::Ldc, Unit::R2ur, Unit::Redux,
                                 Unit::Mio, Unit::Lsu, Unit::Tex, Unit::Match, Unit::AsyncGroup,
                                 Unit::Barrier, Unit::Fence, Unit::Depbar);
    return kDecoupled.has(instruction.unit);
}

bool is_mma(const Instruction& instruction) {
    return kMmaUnits.has(instruction.unit);
}

bool is_wide_conversion(const Instruction& instruction) {
    const unsigned operation = instruction.opcode & 0x1ffu;
    return instruction.unit == Unit::Xu && operation >= 0x110 && operation <= 0x113;
}

bool is_half_minimum(const Instruction& instruction) {
    return instruction.unit == Unit::Alu && is_named(instruction, "HMNMX2");
}

bool is_vector(const Instruction& instruction) {
    constexpr UnitSet kVector(Unit::Alu, Unit::Fma, Unit::FmaWide, Unit::Fp16, Unit::H2Mma, Unit::Fp64,
                              Unit::Cs2r);
    return kVector.has(instruction.unit);
}

Writer gpr_writer(const Instruction& instruction, const Operand& operand, unsigned reg) {
    switch (instruction.unit) {
        case Unit::Alu:
            return is_half_minimum(instruction) ? Writer::Fp16 : Writer::Alu;
        case Unit::Cs2r:  // the 32-bit form has the latency of the ALU
            return operand.count == 2 ? Writer::Cs2r : Writer::Alu;
        case Unit::Fma:
            return Writer::Fma;
        case Unit::FmaWide:  // IMAD.HI has one destination register: the high half
            return operand.count == 2 && reg == operand.first ? Writer::WideLo : Writer::WideHi;
        case Unit::Fp16:
            return Writer::Fp16;
        case Unit::H2Mma:
            return Writer::H2m;
        case Unit::Fp64:
            return Writer::Fp64;
        case Unit::MmaImma88:
            return Writer::Imma88;
        case Unit::Mma1x:
            return Writer::Mma1x;
        case Unit::Mma2x:
            return Writer::Mma2x;
        case Unit::Dmma:
            return Writer::Dmma;
        default:
            return Writer::None;
    }
}

Reader gpr_reader(const Instruction& instruction, const Operand& operand, unsigned reg) {
    switch (instruction.unit) {
        case Unit::Alu:
            return is_half_minimum(instruction) ? Reader::Fp16 : Reader::Alu;
        case Unit::Fma:
            return Reader::Fma;
        case Unit::FmaWide:
            if (operand.role != Role::C) return Reader::WideAb;
            return operand.count == 2 && reg == operand.first ? Reader::Fma : Reader::WideChi;
        case Unit::Fp16:
            return Reader::Fp16;
        case Unit::H2Mma:
            return Reader::H2m;
        case Unit::Fp64:
            return Reader::Fp64;
        case Unit::MmaImma88:
        case Unit::Mma1x:
        case Unit::Mma2x:
        case Unit::Dmma:
            return Reader::Mma;
        case Unit::Xu:
        case Unit::Ldc:
        case Unit::Match:
        case Unit::Redux:
        case Unit::R2ur:
        case Unit::Cbu:
            return Reader::Xu;
        case Unit::Mio:
        case Unit::Lsu:
        case Unit::Tex:
        case Unit::Barrier:
        case Unit::AsyncGroup:
            return Reader::Memory;
        default:
            return Reader::None;
    }
}

PredWriter pred_writer(const Instruction& instruction) {
    switch (instruction.unit) {
        case Unit::Alu:
            return PredWriter::Alu;
        case Unit::Fma:
        case Unit::FmaWide:
            return PredWriter::Fma;
        case Unit::Fp16:
            return PredWriter::Fp16;
        case Unit::Fp64:
            return PredWriter::Fp64;
        default:
            return PredWriter::None;
    }
}

PredReader pred_reader(const Instruction& instruction, const Operand& operand) {
    if (operand.role == Role::Guard || is_named(instruction, "VOTE") || is_named(instruction, "VOTEU"))
        return PredReader::Guard;
    switch (instruction.unit) {
        case Unit::Alu:
            return is_half_minimum(instruction) ? PredReader::Fp16 : PredReader::Alu;
        case Unit::Fma:
        case Unit::FmaWide:
            return PredReader::Fma;
        case Unit::Fp16:
            return PredReader::Fp16;
        case Unit::Fp64:
            return PredReader::Fp64;
        default:
            return PredReader::Guard;
    }
}

UniformWriter uniform_writer(const Instruction& instruction) {
    switch (instruction.unit) {
        case Unit::Udp:
            return UniformWriter::Udp;
        case Unit::UdpFast:
            return is_named(instruction, "ULDC") ? UniformWriter::Ldc : UniformWriter::Mov;
        case Unit::R2ur:
            return UniformWriter::R2ur;
        default:
            return UniformWriter::None;
    }
}

UniformReader uniform_reader(const Instruction& instruction, const Operand& operand) {
    if (operand.role == Role::Guard) return UniformReader::Guard;
    if (is_vector(instruction)) return UniformReader::Vector;
    switch (instruction.unit) {
        case Unit::Udp:
            return UniformReader::Udp;
        case Unit::UdpFast:
            return is_named(instruction, "ULDC") ? UniformReader::Bindless : UniformReader::Fast;
        case Unit::Ldc:
            return is_named(instruction, "LDCU") ? UniformReader::Bindless : UniformReader::Memory;
        case Unit::Cbu:
            return UniformReader::Control;
        case Unit::Gmma:
        case Unit::R2ur:
        case Unit::S2ur:
            return UniformReader::Memory;
        default:
            return is_decoupled(instruction) ? UniformReader::Memory : UniformReader::None;
    }
}

}  // namespace cubinlab::latency
