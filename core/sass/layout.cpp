// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/layout.h"

#include <fmt/format.h>

namespace cubinlab::sass {
std::int64_t Layout::signed_bits(unsigned first, unsigned count) const {
    const unsigned shift = 64 - count;
    return static_cast<std::int64_t>(bits(first, count) << shift) >> shift;
}

Layout& Layout::uniform_source(Role role, unsigned count, const SourceBits& modifiers) {
    reads(RegFile::UGpr, 32, role, count);
    return writing() ? arg(decorated(name(RegFile::UGpr, 32), modifiers, -1, {})) : *this;
}

Layout& Layout::b(const Sources& s, unsigned count) {
    switch (form()) {
        case kRegReg:
            return slot(32, Role::B, count, {}, s.low);
        case kImmC:
        case kConstC:
        case kUniformC:
            return slot(64, Role::B, count, {}, s.high_b);
        case kImmB:
            return immediate(s.imm);
        case kConstB:
            return constant(s.low);
        case kUniformB:
            return uniform_source(Role::B, count, s.low);
        default:
            return *this;
    }
}

Layout& Layout::c(const Sources& s, unsigned count) {
    switch (form()) {
        case kImmC:
            return immediate(s.imm);
        case kConstC:
            return constant(s.low);
        case kUniformC:
            return uniform_source(Role::C, count, s.low);
        default:
            return slot(64, Role::C, count, {}, s.high_c);
    }
}

Layout& Layout::second(const Sources& s, unsigned count) {
    switch (form()) {
        case kRegReg:
            return slot(32, Role::C, count, {}, s.low);
        case kImmB:
        case kImmC:
            return immediate(s.imm);
        case kConstB:
        case kConstC:
            return constant(s.low);
        default:
            return uniform_source(Role::C, count, s.low);
    }
}

// Bit 91: a descriptor in a uniform pair selects the bank.
Layout& Layout::constant(const SourceBits& s) {
    const bool bindless = bit(91);
    if (bindless) reads(RegFile::UGpr, 32, Role::Descriptor, 2);
    if (!writing()) return *this;
    const std::string bank =
        bindless ? "cx[" + name(RegFile::UGpr, 32) + "]" : fmt::format("c[0x{:x}]", bits(54, 5));
    return arg(decorated(bank + fmt::format("[0x{:x}]", bits(38, 16)), s, -1, {}));
}

Layout& Layout::all_preds(bool written) {
    return add(vector_or(RegFile::UPred), 0, 7, written ? Role::PredDest : Role::PredSource, true, written,
               Rank::Predicate);
}

}  // namespace cubinlab::sass
