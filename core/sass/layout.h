// SPDX-License-Identifier: GPL-3.0-or-later
// The layout of an instruction is told once, by a chain of parts in the order of nvdisasm's text:
//
//   l.flag(74, "X").d().carry(81).a(kAdd).b(kAdd).c(kAdd)        IADD3.X R4, P0, R6, R8, R10
//
// Each part adds its operand to the instruction and, where a text is wanted, writes itself. Internal to
// core/sass; the rows that use it are in ops_*.cpp.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/sass/arch.h"
#include "core/sass/instruction.h"

namespace cubinlab::sass {

constexpr std::uint32_t bit_of(Trait t) {
    return static_cast<std::uint32_t>(t);
}
constexpr std::uint32_t operator|(Trait a, Trait b) {
    return bit_of(a) | bit_of(b);
}
constexpr std::uint32_t operator|(std::uint32_t a, Trait b) {
    return a | bit_of(b);
}

// Of an opcode that is not in the tables, and of a variant of a known one that no evidence covers.
inline constexpr std::uint32_t kUnverified = Trait::UnknownOpcode | Trait::Fence | Trait::Pinned;

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

// How a source operand may be modified. Bit numbers, 0 = no such modifier.
struct SourceBits {
    unsigned negate = 0;
    unsigned absolute = 0;
    unsigned swizzle = 0;     // two bits, half-word selection
    bool complement = false;  // the negate bit means bitwise not
};

// Immediate notation.
enum class Imm { Signed, Unsigned, Float, Double, Halves };

// The sources of an arithmetic instruction: modifiers of a, of the field at 32, and of the one at 64 where it
// holds b and where it holds c.
struct Sources {
    SourceBits a{}, low{}, high_b{}, high_c{};
    Imm imm = Imm::Unsigned;
};

// Where a part stands among the operands of the instruction, whose order is not that of the text: results,
// then what is read, then predicates.
enum class Rank : std::uint8_t { Result, Source, Predicate };

class Layout {
  public:
    // `text` null: operands only. The instruction's mnemonic, unit and traits are those of its row.
    Layout(const Arch& arch, const Word& word, std::uint32_t offset, Instruction& instruction,
           std::string* text);

    Instruction& out;

    std::uint64_t bits(unsigned first, unsigned count) const { return word_.bits(first, count); }
    bool bit(unsigned index) const { return word_.bit(index); }
    std::int64_t signed_bits(unsigned first, unsigned count) const;
    const Word& word() const { return word_; }
    unsigned form() const { return static_cast<unsigned>(bits(9, 3)); }
    int sm() const { return sm_; }
    std::uint32_t offset() const { return offset_; }
    bool uniform() const { return uniform_; }  // of the uniform datapath: its registers are UR and UP

    void trait(Trait t) { out.traits |= bit_of(t); }
    // Known opcode, but a variant that no evidence covers: pinned and fencing like an unknown one.
    void unverified() { out.traits |= kUnverified; }

    // ---- text alone ----
    bool writing() const { return text_ != nullptr; }
    Layout& mod(std::string_view name);  // ".NAME"; an empty name adds nothing
    Layout& mod_if(bool condition, std::string_view name) { return condition ? mod(name) : *this; }
    // By value, names separated by "|": "|RM|RP|RZ".
    Layout& mod_of(std::uint64_t value, std::string_view names);
    Layout& mod(unsigned at, unsigned count, std::string_view names) {
        return mod_of(bits(at, count), names);
    }
    Layout& flag(unsigned at, std::string_view name) { return mod_if(bit(at), name); }
    Layout& unless(unsigned at, std::string_view name) { return mod_if(!bit(at), name); }
    Layout& arg(std::string_view text);  // " text" first, ", text" after
    Layout& glue(std::string_view text);
    Layout& number(std::int64_t value);
    Layout& number_glued(std::int64_t value) { return writing() ? glue(" " + hex(value)) : *this; }
    Layout& imm(unsigned at, unsigned count) { return number(static_cast<std::int64_t>(bits(at, count))); }
    Layout& label(std::int64_t target);
    static std::string hex(std::int64_t value);  // "-0x10", "0x10"
    std::string name(RegFile file, unsigned at) const;
    // Operands that follow are not written where `shown` is false.
    Layout& shown(bool shown);

    // ---- operands alone ----
    // Zero registers and a count of 0 add nothing.
    Layout& add(RegFile file, std::uint64_t first, unsigned count, Role role, bool read, bool write,
                Rank rank = Rank::Source);
    Layout& reads(RegFile file, unsigned at, Role role, unsigned count = 1);
    Layout& writes(RegFile file, unsigned at, unsigned count = 1);

    // ---- both ----
    Layout& reg(RegFile file, unsigned at, Role role, unsigned count = 1);
    Layout& gpr(unsigned at, Role role, unsigned count = 1) { return reg(RegFile::Gpr, at, role, count); }
    Layout& ugpr(unsigned at, Role role, unsigned count = 1) { return reg(RegFile::UGpr, at, role, count); }
    Layout& reg_def(RegFile file, unsigned at, unsigned count = 1);
    Layout& ur_def(unsigned at = 16, unsigned count = 1) { return reg_def(RegFile::UGpr, at, count); }

    // In the file of the instruction, vector or uniform: result at 16, operands a, b, c.
    Layout& d(unsigned count = 1) { return reg_def(vector_or(RegFile::UGpr), 16, count); }
    Layout& a(const Sources& s, unsigned count = 1);
    Layout& b(const Sources& s, unsigned count = 1);
    Layout& c(const Sources& s, unsigned count = 1);
    Layout& ab(const Sources& s) { return a(s).b(s); }
    Layout& abc(const Sources& s) { return a(s).b(s).c(s); }
    // Second operand of FADD and its kin: slot c in every form, though form 1 keeps it in the b field.
    Layout& second(const Sources& s, unsigned count = 1);
    // Register at a field, as the operand of a slot (Role::A, B or C), whatever the form.
    Layout& slot(unsigned at, Role role, unsigned count = 1, std::string_view suffix = {},
                 const SourceBits& bits = {});

    // Predicates: a comparison's result, one beside a register result, one that is printed only if it is
    // used; a source, negated by the bit after its field, and one that is printed only if it is not PT.
    Layout& result(unsigned at) { return pred_def(at, Rank::Result); }
    Layout& aside(unsigned at) { return pred_def(at, Rank::Source); }
    Layout& carry(unsigned at, Rank rank = Rank::Predicate);
    Layout& p(unsigned at) { return pred(vector_or(RegFile::UPred), at); }
    Layout& pred(RegFile file, unsigned at);
    Layout& p_if_used(unsigned at);
    Layout& upred_def(unsigned at);
    // All predicates of a file, as one operand.
    Layout& all_preds(bool written);

    // The guard is a uniform predicate, which the unit does not tell.
    void uniform_guard() { uniform_guard_ = true; }
    bool has_uniform_guard() const { return uniform_guard_; }

  private:
    RegFile vector_or(RegFile uniform) const;
    Layout& pred_def(unsigned at, Rank rank);
    Layout& pred_def(RegFile file, unsigned at, Rank rank);
    Layout& constant(const SourceBits& bits);
    Layout& immediate(Imm imm);
    std::string decorated(std::string name, const SourceBits& bits, int slot, std::string_view suffix) const;

    Word word_;
    int sm_;
    std::uint32_t offset_;
    bool uniform_;
    bool uniform_guard_ = false;
    std::string* text_;
    std::string* hidden_ = nullptr;  // the text, while parts are not shown
    bool any_arg_ = false;
    std::array<Rank, kMaxOperands> ranks_{};
};

using LayoutFn = void (*)(Layout&);

}  // namespace cubinlab::sass
