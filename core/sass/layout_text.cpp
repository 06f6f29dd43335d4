// SPDX-License-Identifier: GPL-3.0-or-later
// Prints the parts of a layout in the notation of nvdisasm.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <utility>

#include "core/sass/layout.h"

namespace cubinlab::sass {
namespace {

double half_value(std::uint64_t half) {
    const int exponent = static_cast<int>(half >> 10 & 31);
    const auto fraction = static_cast<double>(half & 1023);
    const double sign = half >> 15 ? -1.0 : 1.0;
    if (exponent == 31) return fraction != 0 ? std::copysign(std::nan(""), sign) : sign * HUGE_VAL;
    if (exponent == 0) return sign * std::ldexp(fraction, -24);
    return sign * std::ldexp(1024 + fraction, exponent - 25);
}

std::string real(double value) {
    if (std::isnan(value)) return std::signbit(value) ? "-QNAN " : "+QNAN ";
    if (std::isinf(value)) return value < 0 ? "-INF " : "+INF ";
    // nvdisasm prints 21 digits of numbers beyond 64-bit integers, otherwise 20.
    if (std::fabs(value) >= 0x1p63) return fmt::format("{:.20e}", value);
    return fmt::format("{:.20g}", value);
}

}  // namespace

Layout& Layout::write_mod(std::string_view name) {
    if (!name.empty()) (*text_ += '.') += name;
    return *this;
}

Layout& Layout::write_mod_of(std::uint64_t value, std::string_view names) {
    for (std::uint64_t i = 0; i < value; ++i) {
        const std::size_t bar = names.find('|');
        if (bar == std::string_view::npos) return write_mod(fmt::format("INVALID{}", value));
        names.remove_prefix(bar + 1);
    }
    return write_mod(names.substr(0, names.find('|')));
}

Layout& Layout::write_arg(std::string_view text) {
    text_->append(any_arg_ ? ", " : " ", any_arg_ ? 2 : 1).append(text);
    any_arg_ = true;
    return *this;
}

Layout& Layout::write_label(std::int64_t target) {
    return write_arg(target < 0 ? fmt::format("`(.L_x_-{:x})", -target)
                                : fmt::format("`(.L_x_{:x})", target));
}

Layout& Layout::write_pred(RegFile file, unsigned at) {
    return write_arg((bit(at + 3) ? "!" : "") + name(file, at));
}

Layout& Layout::write_slot(RegFile file, unsigned at, Role role, std::string_view suffix,
                           const SourceBits& modifiers) {
    const int slot = uniform_ ? -1 : static_cast<int>(role) - static_cast<int>(Role::A);
    return write_arg(decorated(name(file, at), modifiers, slot, suffix));
}

Layout& Layout::glue(std::string_view text) {
    if (writing()) *text_ += text;
    return *this;
}

Layout& Layout::number_64(std::uint64_t value) {
    return writing() ? write_arg(fmt::format("0x{:x}", value)) : *this;
}

Layout& Layout::shown(bool shown) {
    if (shown == (hidden_ != nullptr)) std::swap(text_, hidden_);
    return *this;
}

std::string Layout::hex(std::int64_t value) {
    return value < 0 ? fmt::format("-0x{:x}", -value) : fmt::format("0x{:x}", value);
}

std::string Layout::name(RegFile file, unsigned at) const {
    static constexpr std::string_view kPrefix[] = {"R", "P", "UR", "UP", "B"};
    static constexpr std::string_view kZero[] = {"RZ", "PT", "URZ", "UPT"};
    const auto index = static_cast<std::size_t>(file);
    const auto number = static_cast<unsigned>(bits(at, width(file)));
    if (file != RegFile::BReg && zero(file, at)) return std::string(kZero[index]);
    char text[8];
    std::size_t size = kPrefix[index].copy(text, 2);
    for (unsigned unit = number >= 100 ? 100 : number >= 10 ? 10 : 1; unit != 0; unit /= 10)
        text[size++] = static_cast<char>('0' + number / unit % 10);
    return {text, size};
}

std::string Layout::decorated(std::string name, const SourceBits& m, int slot,
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

Layout& Layout::immediate(Imm imm) {
    if (!writing()) return *this;
    const auto raw = static_cast<std::uint32_t>(bits(32, 32));
    switch (imm) {
        case Imm::Signed:
            return number(static_cast<std::int32_t>(raw));
        case Imm::Unsigned:
            return number(raw);
        case Imm::Float:
            return arg(real(static_cast<double>(std::bit_cast<float>(raw))));
        case Imm::Double:
            return arg(real(std::bit_cast<double>(static_cast<std::uint64_t>(raw) << 32)));
        case Imm::Halves:
            return arg(real(half_value(raw >> 16))).arg(real(half_value(raw & 0xffff)));
        case Imm::BrainHalves:
            return arg(real(static_cast<double>(std::bit_cast<float>(raw & 0xffff0000))))
                .arg(real(static_cast<double>(std::bit_cast<float>(raw << 16))));
    }
    return *this;
}

}  // namespace cubinlab::sass
