// SPDX-License-Identifier: GPL-3.0-or-later
// A chain of parts in the order of the nvdisasm text defines the layout of an instruction:
//
//   l.flag(74, "X").d().carry(81).a(kAdd).b(kAdd).c(kAdd)        IADD3.X R4, P0, R6, R8, R10
//
// Each part adds its operand and, if text is requested, prints itself. Internal to core/sass; ops_*.cpp
// define the rows.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/isa/arch.h"
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

// Traits of an opcode that is not in the tables, and of an unverified variant of a known opcode.
inline constexpr std::uint32_t kUnverified = Trait::UnknownOpcode | Trait::Fence | Trait::Pinned;

// Bits 9..11 of ALU opcodes: sources of operands b and c.
enum Form : unsigned {
    kRegReg = 1,    // b = R[32..39], c = R[64..71]
    kImmC = 2,      // b = R[64..71], c = imm[32..63]
    kConstC = 3,    // b = R[64..71], c = constant bank
    kImmB = 4,      // b = imm[32..63], c = R[64..71]
    kConstB = 5,    // b = constant bank, c = R[64..71]
    kUniformB = 6,  // b = UR[32..37], c = R[64..71]
    kUniformC = 7,  // b = R[64..71], c = UR[32..37]
};

// Modifiers of a source operand. Bit numbers; 0: no such modifier.
struct SourceBits {
    unsigned negate = 0;
    unsigned absolute = 0;
    unsigned swizzle = 0;     // two bits, half-word selection
    bool complement = false;  // the negate bit means bitwise not
};

// Immediate notation.
enum class Imm { Signed, Unsigned, Float, Double, Halves, BrainHalves };

// The sources of an arithmetic instruction: modifiers of a, of the field at bit 32, and of the field at bit
// 64 if it is b or if it is c.
struct Sources {
    SourceBits a{}, low{}, high_b{}, high_c{};
    Imm imm = Imm::Unsigned;
};

// Position among the operands of the Instruction, which differs from the text: results, then reads, then
// predicates.
enum class Rank : std::uint8_t { Result, Source, Predicate };

class Layout {
  public:
    // `text` null: operands only. Mnemonic, unit and traits come from the opcode row.
    Layout(const Arch& arch, const Word& word, std::uint32_t offset, Instruction& instruction,
           std::string* text)
        : out(instruction), word_(word), sm_(arch.sm), offset_(offset), text_(text) {
        // VOTEU writes UR, but its predicates are vector predicates.
        uniform_ = out.unit == Unit::Udp || (out.unit == Unit::UdpFast && !out.has(Trait::WarpWide));
    }

    Instruction& out;

    std::uint64_t bits(unsigned first, unsigned count) const { return word_.bits(first, count); }
    bool bit(unsigned index) const { return word_.bit(index); }
    std::int64_t signed_bits(unsigned first, unsigned count) const;
    const Word& word() const { return word_; }
    unsigned form() const { return static_cast<unsigned>(bits(9, 3)); }
    int sm() const { return sm_; }
    std::uint32_t offset() const { return offset_; }
    bool uniform() const { return uniform_; }  // uniform datapath: registers are UR and UP
    // The field names the zero register (RZ, URZ).
    bool zero(RegFile file, unsigned at) const {
        return bits(at, width(file)) == (1u << width(file)) - 1;
    }
    // Number of a uniform register that is added to an address; kNoUniform: URZ.
    std::uint8_t uniform_base(unsigned at) const {
        return zero(RegFile::UGpr, at) ? kNoUniform
                                       : static_cast<std::uint8_t>(bits(at, width(RegFile::UGpr)));
    }

    void trait(Trait t) { out.traits |= bit_of(t); }
    // Marks an unverified variant of a known opcode: pinned and a fence, as an unknown opcode.
    void unverified() { out.traits |= kUnverified; }

    // ---- text only ----
    // Most decoding needs no text.
    bool writing() const { return __builtin_expect(text_ != nullptr, false); }
    // ".NAME"; an empty name adds nothing.
    Layout& mod(std::string_view name) { return writing() ? write_mod(name) : *this; }
    Layout& mod_if(bool condition, std::string_view name) { return condition ? mod(name) : *this; }
    // The name at index `value`; names are separated by "|": "|RM|RP|RZ".
    Layout& mod_of(std::uint64_t value, std::string_view names) {
        return writing() ? write_mod_of(value, names) : *this;
    }
    Layout& mod(unsigned at, unsigned count, std::string_view names) {
        return mod_of(bits(at, count), names);
    }
    Layout& flag(unsigned at, std::string_view name) { return mod_if(bit(at), name); }
    Layout& unless(unsigned at, std::string_view name) { return mod_if(!bit(at), name); }
    // Prints " text" for the first operand, ", text" for others.
    Layout& arg(std::string_view text) { return writing() ? write_arg(text) : *this; }
    Layout& glue(std::string_view text);
    Layout& number(std::int64_t value) { return writing() ? write_arg(hex(value)) : *this; }
    Layout& number_64(std::uint64_t value);
    Layout& number_glued(std::int64_t value) { return writing() ? glue(" " + hex(value)) : *this; }
    Layout& imm(unsigned at, unsigned count) { return number(static_cast<std::int64_t>(bits(at, count))); }
    Layout& label(std::int64_t target) { return writing() ? write_label(target) : *this; }
    static std::string hex(std::int64_t value);  // "-0x10", "0x10"
    std::string name(RegFile file, unsigned at) const;
    // Hides the text of the following operands if `shown` is false.
    Layout& shown(bool shown);

    // ---- operands only ----
    // Ignores zero registers and a count of 0.
    Layout& add(RegFile file, std::uint64_t first, unsigned count, Role role, bool read, bool write,
                Rank rank = Rank::Source) {
        const unsigned size = registers(file);
        if (count == 0) return *this;
        if (first >= size) {
            if (first + 1 < 1u << width(file)) unverified();
            return *this;
        }
        const unsigned fitting = std::min(count, size - static_cast<unsigned>(first));
        return push(
            {file, static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(fitting), role, read, write},
            rank);
    }
    Layout& reads(RegFile file, unsigned at, Role role, unsigned count = 1) {
        return add(file, bits(at, width(file)), count, role, true, false);
    }
    Layout& writes(RegFile file, unsigned at, unsigned count = 1) {
        return add(file, bits(at, width(file)), count, Role::Dest, false, true, Rank::Result);
    }

    // ---- both ----
    Layout& reg(RegFile file, unsigned at, Role role, unsigned count = 1) {
        return reads(file, at, role, count).named(file, at);
    }
    Layout& gpr(unsigned at, Role role, unsigned count = 1) { return reg(RegFile::Gpr, at, role, count); }
    Layout& ugpr(unsigned at, Role role, unsigned count = 1) { return reg(RegFile::UGpr, at, role, count); }
    Layout& reg_def(RegFile file, unsigned at, unsigned count = 1) {
        return writes(file, at, count).named(file, at);
    }
    Layout& ur_def(unsigned at = 16, unsigned count = 1) { return reg_def(RegFile::UGpr, at, count); }

    // A uniform source at 32 of a vector instruction.
    Layout& b_or_c_uniform(Role role, unsigned count) { return uniform_source(role, count, {}); }

    // In the register file of the instruction, vector or uniform: result at bit 16, operands a, b, c.
    Layout& d(unsigned count = 1) { return reg_def(vector_or(RegFile::UGpr), 16, count); }
    Layout& a(const Sources& s, unsigned count = 1) { return slot(24, Role::A, count, {}, s.a); }
    Layout& b(const Sources& s, unsigned count = 1);
    Layout& c(const Sources& s, unsigned count = 1);
    Layout& ab(const Sources& s) { return a(s).b(s); }
    Layout& abc(const Sources& s) { return a(s).b(s).c(s); }
    // Second operand of FADD and similar: slot c in every form, although form 1 has it in the b field.
    Layout& second(const Sources& s, unsigned count = 1);
    // The register in a field, as operand of a slot (Role::A, B or C) in any form.
    Layout& slot(unsigned at, Role role, unsigned count = 1, std::string_view suffix = {},
                 const SourceBits& modifiers = {}) {
        const RegFile file = vector_or(RegFile::UGpr);
        reads(file, at, role, count);
        return writing() ? write_slot(file, at, role, suffix, modifiers) : *this;
    }

    // Predicates: the result of a comparison, one in addition to a register result, one that is printed only
    // if used; a source, negated by the bit after its field, and one that is printed only if it is not PT.
    Layout& result(unsigned at) { return pred_def(at, Rank::Result); }
    Layout& pred_result(unsigned at) { return pred_def(at, Rank::Source); }
    Layout& carry(unsigned at, bool always = false) {
        return bits(at, 3) == 7 && !always ? *this : pred_def(at, Rank::Predicate);
    }
    Layout& p(unsigned at) { return pred(vector_or(RegFile::UPred), at); }
    Layout& pred(RegFile file, unsigned at) {
        add(file, bits(at, 3), 1, Role::PredSource, true, false, Rank::Predicate);
        return writing() ? write_pred(file, at) : *this;
    }
    Layout& p_uniform(unsigned at) { return pred(RegFile::UPred, at); }
    Layout& p_if_used(unsigned at) { return bits(at, 4) == 7 ? *this : p(at); }
    Layout& upred_def(unsigned at) { return pred_def(RegFile::UPred, at, Rank::Source); }
    // All predicates of a file as one operand.
    Layout& all_preds(bool written);

    // A variant with a name of its own.
    Layout& rename(const char* mnemonic) {
        out.mnemonic = mnemonic;
        if (writing()) *text_ = mnemonic;
        return *this;
    }

    // The guard is a uniform predicate although the unit is not the uniform datapath.
    void uniform_guard() { uniform_guard_ = true; }
    bool has_uniform_guard() const { return uniform_guard_; }

  private:
    // Number of registers of a file. The zero register has the highest index of the field.
    unsigned registers(RegFile file) const {
        constexpr unsigned kSizes[] = {255, 7, 63, 7, 16};
        return file == RegFile::UGpr && sm_ >= 100 ? kUniformRegisters
                                                   : kSizes[static_cast<std::size_t>(file)];
    }
    // Width of a register field in bits.
    unsigned width(RegFile file) const {
        constexpr unsigned kBits[] = {8, 3, 6, 3, 4};
        return file == RegFile::UGpr && sm_ >= 100 ? 8 : kBits[static_cast<std::size_t>(file)];
    }
    RegFile vector_or(RegFile uniform) const {
        if (uniform_) return uniform;
        return uniform == RegFile::UGpr ? RegFile::Gpr : RegFile::Pred;
    }
    Layout& named(RegFile file, unsigned at) { return writing() ? write_arg(name(file, at)) : *this; }
    Layout& pred_def(unsigned at, Rank rank) { return pred_def(vector_or(RegFile::UPred), at, rank); }
    Layout& pred_def(RegFile file, unsigned at, Rank rank) {
        return add(file, bits(at, 3), 1, Role::PredDest, false, true, rank).named(file, at);
    }
    Layout& push(Operand operand, Rank rank) {
        std::size_t at = out.operands.size();
        if (at >= kMaxOperands) {
            unverified();
            return *this;
        }
        for (; at > 0 && ranks_[at - 1] > rank; --at)
            ranks_[at] = ranks_[at - 1];
        ranks_[at] = rank;
        out.operands.insert(at, operand);
        return *this;
    }
    Layout& uniform_source(Role role, unsigned count, const SourceBits& modifiers);
    Layout& constant(const SourceBits& modifiers);
    Layout& immediate(Imm imm);

    [[gnu::noinline]] Layout& write_mod(std::string_view name);
    [[gnu::noinline]] Layout& write_mod_of(std::uint64_t value, std::string_view names);
    [[gnu::noinline]] Layout& write_arg(std::string_view text);
    [[gnu::noinline]] Layout& write_label(std::int64_t target);
    [[gnu::noinline]] Layout& write_pred(RegFile file, unsigned at);
    [[gnu::noinline]] Layout& write_slot(RegFile file, unsigned at, Role role, std::string_view suffix,
                                         const SourceBits& modifiers);
    std::string decorated(std::string name, const SourceBits& modifiers, int slot,
                          std::string_view suffix) const;

    Word word_;
    int sm_;
    std::uint32_t offset_;
    bool uniform_;
    bool uniform_guard_ = false;
    std::string* text_;
    std::string* hidden_ = nullptr;  // the real text while parts are hidden
    bool any_arg_ = false;
    std::array<Rank, kMaxOperands> ranks_;  // of the operands added so far
};

using LayoutFn = void (*)(Layout&);

}  // namespace cubinlab::sass
