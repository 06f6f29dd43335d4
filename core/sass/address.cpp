// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/address.h"

namespace cubinlab::sass {
namespace {

constexpr unsigned kRegister = 24;

bool is_zero(const Layout& l) {
    return l.bits(kRegister, 8) == 255;
}

void base_and_offset(Layout& l, unsigned registers, std::int64_t offset) {
    MemoryAccess& m = l.out.memory;
    m.base = static_cast<std::uint8_t>(l.bits(kRegister, 8));
    m.base_count = static_cast<std::uint8_t>(registers);
    m.offset = static_cast<std::int32_t>(offset);
    m.plain = true;
    l.reads(RegFile::Gpr, kRegister, Role::Address, registers);
}

std::string global_text(const Layout& l, const GlobalAddress& f, std::int64_t offset) {
    const std::string vector = l.name(RegFile::Gpr, kRegister);
    if (!l.bit(91)) return bracketed(vector, offset);
    const std::string uniform = l.name(RegFile::UGpr, f.uniform);
    const std::string width = l.bit(f.wide) ? ".64" : ".U32";
    if (!l.bit(f.descriptor))
        return bracketed(is_zero(l) && l.bit(f.wide) ? uniform : vector + width + "+" + uniform, offset);
    const bool bare = !is_zero(l) && !l.bit(f.wide);
    const std::string address = bracketed(vector + (bare ? "" : width), offset);
    return l.sm() >= 90 ? "desc[" + uniform + "]" + address : address;
}

}  // namespace

std::string bracketed(const std::string& base, std::int64_t offset) {
    if (offset == 0) return "[" + base + "]";
    return "[" + base + (base.empty() ? "" : "+") + Layout::hex(offset) + "]";
}

Layout& vector_address(Layout& l, unsigned registers) {
    base_and_offset(l, registers, l.signed_bits(40, 24));
    return l.writing() ? l.arg(bracketed(l.name(RegFile::Gpr, kRegister), l.out.memory.offset)) : l;
}

Layout& global_address(Layout& l, const GlobalAddress& f, std::int64_t offset) {
    base_and_offset(l, l.bit(l.bit(91) ? f.wide : 72) ? 2 : 1, offset);
    if (l.bit(91)) {
        const bool descriptor = l.bit(f.descriptor);
        l.reads(RegFile::UGpr, f.uniform, descriptor ? Role::Descriptor : Role::Address, 2);
        if (!descriptor) l.out.memory.uniform_base = l.uniform_base(f.uniform);
    }
    return l.writing() ? l.arg(global_text(l, f, offset)) : l;
}

Layout& shared_address(Layout& l, const SharedAddress& f) {
    static constexpr const char* kScale[4] = {"", ".X4", ".X8", ".X16"};
    static constexpr std::uint8_t kFactor[4] = {1, 4, 8, 16};
    MemoryAccess& m = l.out.memory;
    base_and_offset(l, 1, l.signed_bits(40, 24));
    if (f.scaled) m.base_scale = kFactor[l.bits(78, 2)];
    const bool uniform = f.uniform != 0 && l.bit(91);
    if (uniform) {
        l.reads(RegFile::UGpr, f.uniform, Role::Address);
        m.uniform_base = l.uniform_base(f.uniform);
    }
    if (!l.writing()) return l;
    const bool both = uniform && !l.zero(RegFile::UGpr, f.uniform);
    std::string text;
    if (!is_zero(l) || (!both && m.offset == 0)) text = l.name(RegFile::Gpr, kRegister);
    if (!is_zero(l) && f.scaled) text += kScale[l.bits(78, 2)];
    if (both) text += (text.empty() ? "" : "+") + l.name(RegFile::UGpr, f.uniform);
    return l.arg(bracketed(text, m.offset));
}

}  // namespace cubinlab::sass
