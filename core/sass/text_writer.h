// SPDX-License-Identifier: GPL-3.0-or-later
// What the text layouts are written with: appends modifiers and operands in nvdisasm's notation.
// Internal to core/sass.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "core/sass/opcode_table.h"

namespace cubinlab::sass {

// How a source operand may be modified. Bit numbers, 0 = no such modifier.
struct SourceBits {
    unsigned negate = 0;
    unsigned absolute = 0;
    unsigned swizzle = 0;     // two bits, half-word selection
    bool complement = false;  // the negate bit means bitwise not
};

// Immediate notation.
enum class Imm { Signed, Unsigned, Float, Double, Halves };

class TextWriter {
  public:
    TextWriter(const Arch& arch, const Word& word, std::uint32_t offset, const OpcodeRow& row);

    std::uint64_t bits(unsigned first, unsigned count) const { return word_.bits(first, count); }
    bool bit(unsigned index) const { return word_.bit(index); }
    const Word& word() const { return word_; }
    std::int64_t signed_bits(unsigned first, unsigned count) const;
    unsigned form() const { return static_cast<unsigned>(bits(9, 3)); }
    int sm() const { return sm_; }
    std::uint32_t offset() const { return offset_; }
    bool uniform() const { return uniform_; }

    // ".NAME"; an empty name adds nothing.
    void mod(std::string_view name);
    void mod_if(bool condition, std::string_view name) {
        if (condition) mod(name);
    }
    void mod_of(std::uint64_t value, std::span<const std::string_view> names);
    void mod_of(std::uint64_t value, std::initializer_list<std::string_view> names) {
        mod_of(value, std::span(names.begin(), names.size()));
    }

    void arg(std::string_view text);  // " text" first, ", text" after
    void glue(std::string_view text) { text_ += text; }

    // Register names, in the file of the instruction (vector or uniform).
    std::string gpr(unsigned at) const;
    std::string ugpr(unsigned at) const;
    std::string reg(unsigned at) const { return uniform_ ? ugpr(at) : gpr(at); }
    std::string pred(unsigned at) const;         // P or UP by the instruction's file
    std::string pred_source(unsigned at) const;  // with "!" from the bit after the field
    static std::string vector_pred(std::uint64_t index, bool negated = false);
    static std::string uniform_pred(std::uint64_t index, bool negated = false);
    std::string constant() const;               // c[0x0][0x28]
    std::string hex(std::int64_t value) const;  // "-0x10", "0x10"
    static std::string real(double value);

    void dest() { arg(reg(16)); }
    void source(unsigned at, const SourceBits& bits, int reuse_slot, std::string_view suffix = {});
    void a(SourceBits bits = {}, std::string_view suffix = {}) { source(24, bits, 0, suffix); }
    // Operands b and c by form; `low` are the modifier bits of the field at 32, `high` of the one at 64.
    void b(SourceBits low, SourceBits high, Imm imm, std::string_view suffix = {});
    void c(SourceBits low, SourceBits high, Imm imm);
    void second(SourceBits low, Imm imm);
    void immediate(Imm imm);

    void label(std::int64_t target);
    std::int64_t branch_target() const;

    std::string take() { return std::move(text_); }

  private:
    void operand_at_32(const SourceBits& bits, int slot, std::string_view suffix, bool uniform_register);
    void constant_operand(const SourceBits& bits);
    std::string decorate(std::string name, const SourceBits& bits, int slot, std::string_view suffix) const;

    Word word_;
    int sm_;
    std::uint32_t offset_;
    bool uniform_ = false;
    bool any_arg_ = false;
    std::string text_;
};

using TextFn = void (*)(TextWriter&);
struct TextRow {
    std::uint16_t base;
    TextFn text;
};

// Layout of an opcode's text by its nine low bits, null where there is none.
TextFn find_text(unsigned base);

std::span<const TextRow> integer_text();
std::span<const TextRow> float_text();
std::span<const TextRow> memory_text();
std::span<const TextRow> control_text();
std::span<const TextRow> matrix_text();

}  // namespace cubinlab::sass
