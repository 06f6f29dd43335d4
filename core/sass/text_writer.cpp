// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/text_writer.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace cubinlab::sass {

TextWriter::TextWriter(const Arch& arch, const Word& word, std::uint32_t offset, const OpcodeRow& row)
    : word_(word), sm_(arch.sm), offset_(offset) {
    uniform_ =
        row.unit == Unit::Udp || (row.unit == Unit::UdpFast && row.mnemonic != std::string_view("VOTEU"));
    text_ = row.mnemonic;
}

std::int64_t TextWriter::signed_bits(unsigned first, unsigned count) const {
    const unsigned shift = 64 - count;
    return static_cast<std::int64_t>(bits(first, count) << shift) >> shift;
}

void TextWriter::mod(std::string_view name) {
    if (name.empty()) return;
    text_ += '.';
    text_ += name;
}

void TextWriter::mod_of(std::uint64_t value, std::span<const std::string_view> names) {
    if (value < names.size())
        mod(names[value]);
    else
        mod(fmt::format("INVALID{}", value));
}

void TextWriter::arg(std::string_view text) {
    text_ += any_arg_ ? ", " : " ";
    text_ += text;
    any_arg_ = true;
}

std::string TextWriter::gpr(unsigned at) const {
    const auto r = bits(at, 8);
    return r == 255 ? "RZ" : "R" + std::to_string(r);
}

std::string TextWriter::ugpr(unsigned at) const {
    const auto r = bits(at, 6);
    return r == 63 ? "URZ" : "UR" + std::to_string(r);
}

std::string TextWriter::vector_pred(std::uint64_t index, bool negated) {
    return std::string(negated ? "!" : "") + (index == 7 ? "PT" : "P" + std::to_string(index));
}

std::string TextWriter::uniform_pred(std::uint64_t index, bool negated) {
    return std::string(negated ? "!" : "") + (index == 7 ? "UPT" : "UP" + std::to_string(index));
}

std::string TextWriter::pred(unsigned at) const {
    return uniform_ ? uniform_pred(bits(at, 3)) : vector_pred(bits(at, 3));
}

std::string TextWriter::pred_source(unsigned at) const {
    return uniform_ ? uniform_pred(bits(at, 3), bit(at + 3)) : vector_pred(bits(at, 3), bit(at + 3));
}

std::string TextWriter::hex(std::int64_t value) const {
    return value < 0 ? fmt::format("-0x{:x}", -value) : fmt::format("0x{:x}", value);
}

std::string TextWriter::real(double value) {
    if (std::isnan(value)) return std::signbit(value) ? "-QNAN " : "+QNAN ";
    if (std::isinf(value)) return value < 0 ? "-INF " : "+INF ";
    // nvdisasm keeps 21 digits of numbers beyond the 64-bit integers, and 20 otherwise.
    if (std::fabs(value) >= 0x1p63) return fmt::format("{:.20e}", value);
    return fmt::format("{:.20g}", value);
}

std::string TextWriter::constant() const {
    const auto offset = bits(38, 16);
    if (bit(91)) return fmt::format("cx[{}][0x{:x}]", ugpr(32), offset);
    return fmt::format("c[0x{:x}][0x{:x}]", bits(54, 5), offset);
}

std::string TextWriter::decorate(std::string name, const SourceBits& m, int slot,
                                 std::string_view suffix) const {
    if (m.absolute != 0 && bit(m.absolute)) name = "|" + name + "|";
    if (m.negate != 0 && bit(m.negate)) name = (m.complement ? "~" : "-") + name;
    if (slot >= 0 && bit(122u + static_cast<unsigned>(slot))) name += ".reuse";
    if (m.swizzle != 0) {
        static constexpr std::string_view kHalves[4] = {"", ".F32", ".H0_H0", ".H1_H1"};
        name += kHalves[bits(m.swizzle, 2)];
    }
    name += suffix;
    return name;
}

void TextWriter::source(unsigned at, const SourceBits& m, int reuse_slot, std::string_view suffix) {
    arg(decorate(reg(at), m, uniform_ ? -1 : reuse_slot, suffix));
}

void TextWriter::operand_at_32(const SourceBits& m, int slot, std::string_view suffix,
                               bool uniform_register) {
    arg(uniform_register ? decorate(ugpr(32), m, -1, suffix)
                         : decorate(reg(32), m, uniform_ ? -1 : slot, suffix));
}

void TextWriter::constant_operand(const SourceBits& m) {
    arg(decorate(constant(), m, -1, {}));
}

namespace {

double half_value(std::uint64_t half) {
    const int exponent = static_cast<int>(half >> 10 & 31);
    const auto fraction = static_cast<double>(half & 1023);
    const double sign = half >> 15 ? -1.0 : 1.0;
    if (exponent == 31) return fraction != 0 ? std::copysign(std::nan(""), sign) : sign * HUGE_VAL;
    if (exponent == 0) return sign * std::ldexp(fraction, -24);
    return sign * std::ldexp(1024 + fraction, exponent - 25);
}

}  // namespace

void TextWriter::immediate(Imm imm) {
    const auto raw = static_cast<std::uint32_t>(bits(32, 32));
    switch (imm) {
        case Imm::Signed:
            arg(hex(static_cast<std::int32_t>(raw)));
            break;
        case Imm::Unsigned:
            arg(hex(raw));
            break;
        case Imm::Float:
            arg(real(static_cast<double>(std::bit_cast<float>(raw))));
            break;
        case Imm::Double:
            arg(real(std::bit_cast<double>(static_cast<std::uint64_t>(raw) << 32)));
            break;
        case Imm::Halves:
            arg(real(half_value(raw >> 16)));
            arg(real(half_value(raw & 0xffff)));
            break;
    }
}

void TextWriter::b(SourceBits low, SourceBits high, Imm imm, std::string_view suffix) {
    switch (form()) {
        case kRegReg:
            operand_at_32(low, 1, suffix, false);
            break;
        case kImmC:
        case kConstC:
        case kUniformC:
            source(64, high, 1, suffix);
            break;
        case kImmB:
            immediate(imm);
            break;
        case kConstB:
            constant_operand(low);
            break;
        case kUniformB:
            operand_at_32(low, -1, suffix, true);
            break;
        default:
            break;
    }
}

void TextWriter::c(SourceBits low, SourceBits high, Imm imm) {
    switch (form()) {
        case kImmC:
            immediate(imm);
            break;
        case kConstC:
            constant_operand(low);
            break;
        case kUniformC:
            operand_at_32(low, -1, {}, true);
            break;
        default:
            source(64, high, 2);
            break;
    }
}

void TextWriter::second(SourceBits low, Imm imm) {
    switch (form()) {
        case kRegReg:
            operand_at_32(low, 2, {}, false);
            break;
        case kImmB:
        case kImmC:
            immediate(imm);
            break;
        case kConstB:
        case kConstC:
            constant_operand(low);
            break;
        default:
            operand_at_32(low, -1, {}, true);
            break;
    }
}

std::int64_t TextWriter::branch_target() const {
    std::int64_t displacement = signed_bits(34, 48);
    if (sm_ >= 90) displacement = displacement * 256 + static_cast<std::int64_t>(bits(16, 8));
    return static_cast<std::int64_t>(offset_) + kWordBytes + displacement * 4;
}

void TextWriter::label(std::int64_t target) {
    arg(target < 0 ? fmt::format("`(.L_x_-{:x})", -target) : fmt::format("`(.L_x_{:x})", target));
}

}  // namespace cubinlab::sass
