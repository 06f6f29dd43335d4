// SPDX-License-Identifier: GPL-3.0-or-later
// The layout of an instruction is told once, by a chain of parts in the order of nvdisasm's text:
//
//   l.flag(74, "X").d().carry(81).a(kAdd).b(kAdd).c(kAdd)        IADD3.X R4, P0, R6, R8, R10
//
// Each part adds its operand to the instruction and, where a text is wanted, writes itself. Internal to
// core/sass; the rows that use it are in ops_*.cpp.
#pragma once
#include <algorithm>
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
enum class Imm { Signed, Unsigned, Float, Double, Halves, BrainHalves };

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
           std::string* text)
        : out(instruction), word_(word), sm_(arch.sm), offset_(offset), text_(text) {
        // VOTEU writes UR, but its predicates are those of the vector side.
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
    bool uniform() const { return uniform_; }  // of the uniform datapath: its registers are UR and UP

    void trait(Trait t) { out.traits |= bit_of(t); }
    // Known opcode, but a variant that no evidence covers: pinned and fencing like an unknown one.
    void unverified() { out.traits |= kUnverified; }

    // ---- text alone ----
    // Most walks only read: a checker decodes, a listing is written once.
    bool writing() const { return __builtin_expect(text_ != nullptr, false); }
    // ".NAME"; an empty name adds nothing.
    Layout& mod(std::string_view name) { return writing() ? write_mod(name) : *this; }
    Layout& mod_if(bool condition, std::string_view name) { return condition ? mod(name) : *this; }
    // By value, names separated by "|": "|RM|RP|RZ".
    Layout& mod_of(std::uint64_t value, std::string_view names) {
        return writing() ? write_mod_of(value, names) : *this;
    }
    Layout& mod(unsigned at, unsigned count, std::string_view names) {
        return mod_of(bits(at, count), names);
    }
    Layout& flag(unsigned at, std::string_view name) { return mod_if(bit(at), name); }
    Layout& unless(unsigned at, std::string_view name) { return mod_if(!bit(at), name); }
    // " text" first, ", text" after.
    Layout& arg(std::string_view text) { return writing() ? write_arg(text) : *this; }
    Layout& glue(std::string_view text);
    Layout& number(std::int64_t value) { return writing() ? write_arg(hex(value)) : *this; }
    Layout& number_glued(std::int64_t value) { return writing() ? glue(" " + hex(value)) : *this; }
    Layout& imm(unsigned at, unsigned count) { return number(static_cast<std::int64_t>(bits(at, count))); }
    Layout& label(std::int64_t target) { return writing() ? write_label(target) : *this; }
    static std::string hex(std::int64_t value);  // "-0x10", "0x10"
    std::string name(RegFile file, unsigned at) const;
    // Operands that follow are not written where `shown` is false.
    Layout& shown(bool shown);

    // ---- operands alone ----
    // Zero registers and a count of 0 add nothing.
    Layout& add(RegFile file, std::uint64_t first, unsigned count, Role role, bool read, bool write,
                Rank rank = Rank::Source) {
        const unsigned size = registers(file);
        if (count == 0 || first >= size) return *this;
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

    // In the file of the instruction, vector or uniform: result at 16, operands a, b, c.
    Layout& d(unsigned count = 1) { return reg_def(vector_or(RegFile::UGpr), 16, count); }
    Layout& a(const Sources& s, unsigned count = 1) { return slot(24, Role::A, count, {}, s.a); }
    Layout& b(const Sources& s, unsigned count = 1);
    Layout& c(const Sources& s, unsigned count = 1);
    Layout& ab(const Sources& s) { return a(s).b(s); }
    Layout& abc(const Sources& s) { return a(s).b(s).c(s); }
    // Second operand of FADD and its kin: slot c in every form, though form 1 keeps it in the b field.
    Layout& second(const Sources& s, unsigned count = 1);
    // Register at a field, as the operand of a slot (Role::A, B or C), whatever the form.
    Layout& slot(unsigned at, Role role, unsigned count = 1, std::string_view suffix = {},
                 const SourceBits& modifiers = {}) {
        const RegFile file = vector_or(RegFile::UGpr);
        reads(file, at, role, count);
        return writing() ? write_slot(file, at, role, suffix, modifiers) : *this;
    }

    // Predicates: a comparison's result, one beside a register result, one that is printed only if it is
    // used; a source, negated by the bit after its field, and one that is printed only if it is not PT.
    Layout& result(unsigned at) { return pred_def(at, Rank::Result); }
    Layout& aside(unsigned at) { return pred_def(at, Rank::Source); }
    Layout& carry(unsigned at) { return bits(at, 3) == 7 ? *this : pred_def(at, Rank::Predicate); }
    Layout& p(unsigned at) { return pred(vector_or(RegFile::UPred), at); }
    Layout& pred(RegFile file, unsigned at) {
        add(file, bits(at, 3), 1, Role::PredSource, true, false, Rank::Predicate);
        return writing() ? write_pred(file, at) : *this;
    }
    Layout& p_if_used(unsigned at) { return bits(at, 4) == 7 ? *this : p(at); }
    Layout& upred_def(unsigned at) { return pred_def(RegFile::UPred, at, Rank::Source); }
    // All predicates of a file, as one operand.
    Layout& all_preds(bool written);

    // The guard is a uniform predicate, which the unit does not tell.
    void uniform_guard() { uniform_guard_ = true; }
    bool has_uniform_guard() const { return uniform_guard_; }

  private:
    // Number of addressable registers of a file; the next index is its zero register.
    static constexpr unsigned registers(RegFile file) {
        constexpr unsigned kSizes[] = {255, 7, 63, 7, 16};
        return kSizes[static_cast<std::size_t>(file)];
    }
    // Bits of a field that names a register.
    static constexpr unsigned width(RegFile file) {
        constexpr unsigned kBits[] = {8, 3, 6, 3, 4};
        return kBits[static_cast<std::size_t>(file)];
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
    std::string* hidden_ = nullptr;  // the text, while parts are not shown
    bool any_arg_ = false;
    std::array<Rank, kMaxOperands> ranks_;  // of the operands so far
};

using LayoutFn = void (*)(Layout&);

}  // namespace cubinlab::sass
