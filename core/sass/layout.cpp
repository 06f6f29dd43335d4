// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/layout.h"

#include <fmt/format.h>

#include <algorithm>

namespace cubinlab::sass {
namespace {

// Number of addressable registers of a file; the next index is its zero register.
unsigned file_size(RegFile file) {
    constexpr unsigned kSizes[] = {255, 7, 63, 7, 16};
    return kSizes[static_cast<std::size_t>(file)];
}

}  // namespace

Layout::Layout(const Arch& arch, const Word& word, std::uint32_t offset, Instruction& instruction,
               std::string* text)
    : out(instruction), word_(word), sm_(arch.sm), offset_(offset), text_(text) {
    // VOTEU writes UR but is told by vector predicates.
    uniform_ = out.unit == Unit::Udp || (out.unit == Unit::UdpFast && !out.has(Trait::WarpWide));
}

std::int64_t Layout::signed_bits(unsigned first, unsigned count) const {
    const unsigned shift = 64 - count;
    return static_cast<std::int64_t>(bits(first, count) << shift) >> shift;
}

RegFile Layout::vector_or(RegFile uniform) const {
    if (uniform_) return uniform;
    return uniform == RegFile::UGpr ? RegFile::Gpr : RegFile::Pred;
}

Layout& Layout::add(RegFile file, std::uint64_t first, unsigned count, Role role, bool read, bool write,
                    Rank rank) {
    const unsigned size = file_size(file);
    if (count == 0 || first >= size) return *this;
    const std::size_t n = out.operands.size();
    if (n >= kMaxOperands) {
        unverified();
        return *this;
    }
    count = std::min(count, size - static_cast<unsigned>(first));
    std::size_t at = n;
    for (; at > 0 && ranks_[at - 1] > rank; --at)
        ranks_[at] = ranks_[at - 1];
    ranks_[at] = rank;
    out.operands.insert(
        at, {file, static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(count), role, read, write});
    return *this;
}

Layout& Layout::reads(RegFile file, unsigned at, Role role, unsigned count) {
    static constexpr unsigned kBits[] = {8, 3, 6, 3, 4};
    return add(file, bits(at, kBits[static_cast<std::size_t>(file)]), count, role, true, false);
}

Layout& Layout::writes(RegFile file, unsigned at, unsigned count) {
    return add(file, bits(at, file == RegFile::Gpr ? 8 : 6), count, Role::Dest, false, true, Rank::Result);
}

Layout& Layout::reg(RegFile file, unsigned at, Role role, unsigned count) {
    reads(file, at, role, count);
    return writing() ? arg(name(file, at)) : *this;
}

Layout& Layout::reg_def(RegFile file, unsigned at, unsigned count) {
    writes(file, at, count);
    return writing() ? arg(name(file, at)) : *this;
}

Layout& Layout::slot(unsigned at, Role role, unsigned count, std::string_view suffix, const SourceBits& s) {
    const RegFile file = vector_or(RegFile::UGpr);
    reads(file, at, role, count);
    const int reuse = uniform_ ? -1 : static_cast<int>(role) - static_cast<int>(Role::A);
    return writing() ? arg(decorated(name(file, at), s, reuse, suffix)) : *this;
}

Layout& Layout::a(const Sources& s, unsigned count) {
    return slot(24, Role::A, count, {}, s.a);
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
            reads(RegFile::UGpr, 32, Role::B, count);
            return writing() ? arg(decorated(name(RegFile::UGpr, 32), s.low, -1, {})) : *this;
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
            reads(RegFile::UGpr, 32, Role::C, count);
            return writing() ? arg(decorated(name(RegFile::UGpr, 32), s.low, -1, {})) : *this;
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
            reads(RegFile::UGpr, 32, Role::C, count);
            return writing() ? arg(decorated(name(RegFile::UGpr, 32), s.low, -1, {})) : *this;
    }
}

// Bit 91: the bank is given by a descriptor in a uniform pair.
Layout& Layout::constant(const SourceBits& s) {
    const bool bindless = bit(91);
    if (bindless) reads(RegFile::UGpr, 32, Role::Descriptor, 2);
    if (!writing()) return *this;
    const std::string bank =
        bindless ? "cx[" + name(RegFile::UGpr, 32) + "]" : fmt::format("c[0x{:x}]", bits(54, 5));
    return arg(decorated(bank + fmt::format("[0x{:x}]", bits(38, 16)), s, -1, {}));
}

Layout& Layout::pred_def(unsigned at, Rank rank) {
    return pred_def(vector_or(RegFile::UPred), at, rank);
}

Layout& Layout::pred_def(RegFile file, unsigned at, Rank rank) {
    add(file, bits(at, 3), 1, Role::PredDest, false, true, rank);
    return writing() ? arg(name(file, at)) : *this;
}

Layout& Layout::carry(unsigned at, Rank rank) {
    return bits(at, 3) == 7 ? *this : pred_def(at, rank);
}

Layout& Layout::pred(RegFile file, unsigned at) {
    add(file, bits(at, 3), 1, Role::PredSource, true, false, Rank::Predicate);
    return writing() ? arg((bit(at + 3) ? "!" : "") + name(file, at)) : *this;
}

Layout& Layout::p_if_used(unsigned at) {
    return bits(at, 4) == 7 ? *this : p(at);
}

Layout& Layout::upred_def(unsigned at) {
    return pred_def(RegFile::UPred, at, Rank::Source);
}

Layout& Layout::all_preds(bool written) {
    return add(vector_or(RegFile::UPred), 0, 7, written ? Role::PredDest : Role::PredSource, true, written,
               Rank::Predicate);
}

}  // namespace cubinlab::sass
