// SPDX-License-Identifier: GPL-3.0-or-later
// What the operand layouts of the opcode tables are written with: reads fields of one word and appends
// operands to the instruction. Internal to core/sass.
#pragma once
#include "core/sass/arch.h"
#include "core/sass/instruction.h"

namespace cubinlab::sass {

inline constexpr std::uint32_t bit_of(Trait t) {
    return static_cast<std::uint32_t>(t);
}
inline constexpr std::uint32_t operator|(Trait a, Trait b) {
    return bit_of(a) | bit_of(b);
}
inline constexpr std::uint32_t operator|(std::uint32_t a, Trait b) {
    return a | bit_of(b);
}

// Bits 9..11 of ALU opcodes: where operands b and c come from.
enum Form : unsigned {
    kRegReg = 1,    // b = R[32..39], c = R[64..71]
    kImmC = 2,      // b = R[64..71], c = imm[32..63]
    kConstC = 3,    // b = R[64..71], c = constant bank
    kImmB = 4,      // b = imm[32..63], c = R[64..71]
    kConstB = 5,    // b = constant bank, c = R[64..71]
    kUniformB = 6,  // b = UR[32..37], c = R[64..71]
    kUniformC = 7,  // b = R[64..71], c = UR[32..37]
};

class OperandReader {
  public:
    OperandReader(const Arch& arch, const Word& word, std::uint32_t offset, Instruction& instruction)
        : out(instruction), word_(word), sm_(arch.sm), offset_(offset) {}

    std::uint64_t bits(unsigned first, unsigned count) const { return word_.bits(first, count); }
    bool bit(unsigned index) const { return word_.bit(index); }
    const Word& word() const { return word_; }
    std::int64_t signed_bits(unsigned first, unsigned count) const;
    unsigned form() const { return static_cast<unsigned>(bits(9, 3)); }
    int sm() const { return sm_; }
    std::uint32_t offset() const { return offset_; }

    // Registers at a field. `count` 0 adds nothing; zero registers add nothing.
    void gpr(unsigned at, unsigned count, Role role) {
        add(RegFile::Gpr, bits(at, 8), count, role, true, false);
    }
    void gpr_def(unsigned at, unsigned count) {
        add(RegFile::Gpr, bits(at, 8), count, Role::Dest, false, true);
    }
    void ugpr(unsigned at, unsigned count, Role role) {
        add(RegFile::UGpr, bits(at, 6), count, role, true, false);
    }
    void ugpr_def(unsigned at, unsigned count) {
        add(RegFile::UGpr, bits(at, 6), count, Role::Dest, false, true);
    }
    void pred(unsigned at) { add(RegFile::Pred, bits(at, 3), 1, Role::PredSource, true, false); }
    void pred_def(unsigned at) { add(RegFile::Pred, bits(at, 3), 1, Role::PredDest, false, true); }
    void upred(unsigned at) { add(RegFile::UPred, bits(at, 3), 1, Role::PredSource, true, false); }
    void upred_def(unsigned at) { add(RegFile::UPred, bits(at, 3), 1, Role::PredDest, false, true); }
    void breg(unsigned at, bool read, bool write) {
        add(RegFile::BReg, bits(at, 4), 1, Role::Other, read, write);
    }
    void add(RegFile file, std::uint64_t first, unsigned count, Role role, bool read, bool write);

    // Operands b and c by form.
    void source_b(unsigned count, Role role = Role::B);
    void source_c(unsigned count);
    // Second operand of FADD and its kin: slot c in every form, though form 1 keeps it in the b field.
    void source_second(unsigned count);

    void trait(Trait t) { out.traits |= bit_of(t); }
    // Known opcode, but a variant that no evidence covers: pinned and fencing like an unknown one.
    void unverified() { out.traits |= Trait::UnknownOpcode | Trait::Fence | Trait::Pinned; }
    // PC-relative target of BRA and its kin.
    std::int64_t branch_displacement() const;

    Instruction& out;

  private:
    Word word_;
    int sm_;
    std::uint32_t offset_;
};

using OperandFn = void (*)(OperandReader&);

}  // namespace cubinlab::sass
