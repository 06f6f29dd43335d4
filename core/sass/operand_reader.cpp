// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/operand_reader.h"

#include <algorithm>

namespace cubinlab::sass {
namespace {

// Number of addressable registers of a file; the next index is its zero register.
unsigned file_size(RegFile file) {
    switch (file) {
        case RegFile::Gpr:
            return 255;
        case RegFile::UGpr:
            return 63;
        case RegFile::Pred:
        case RegFile::UPred:
            return 7;
        case RegFile::BReg:
            return 16;
    }
    return 0;
}

}  // namespace

std::int64_t OperandReader::signed_bits(unsigned first, unsigned count) const {
    const unsigned shift = 64 - count;
    return static_cast<std::int64_t>(bits(first, count) << shift) >> shift;
}

void OperandReader::add(RegFile file, std::uint64_t first, unsigned count, Role role, bool read, bool write) {
    const unsigned size = file_size(file);
    if (count == 0 || first >= size) return;
    if (out.operands.size() >= kMaxOperands) {
        unverified();
        return;
    }
    count = std::min(count, size - static_cast<unsigned>(first));
    out.operands.push(
        {file, static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(count), role, read, write});
}

void OperandReader::source_b(unsigned count, Role role) {
    switch (form()) {
        case kRegReg:
            gpr(32, count, role);
            break;
        case kImmC:
        case kConstC:
        case kUniformC:
            gpr(64, count, role);
            break;
        case kConstB:
            if (bit(91)) ugpr(32, 2, Role::Descriptor);
            break;
        case kUniformB:
            ugpr(32, count, role);
            break;
        default:
            break;
    }
}

void OperandReader::source_c(unsigned count) {
    switch (form()) {
        case kRegReg:
        case kImmB:
        case kConstB:
        case kUniformB:
            gpr(64, count, Role::C);
            break;
        case kConstC:
            if (bit(91)) ugpr(32, 2, Role::Descriptor);
            break;
        case kUniformC:
            ugpr(32, count, Role::C);
            break;
        default:
            break;
    }
}

void OperandReader::source_second(unsigned count) {
    switch (form()) {
        case kRegReg:
            gpr(32, count, Role::C);
            break;
        case kConstC:
        case kConstB:
            if (bit(91)) ugpr(32, 2, Role::Descriptor);
            break;
        case kUniformB:
        case kUniformC:
            ugpr(32, count, Role::C);
            break;
        default:
            break;
    }
}

std::int64_t OperandReader::branch_displacement() const {
    // sm_75..89: 4-byte units in bits 34..81. sm_90: the low 8 bits moved to 16..23.
    if (sm_ < 90) return signed_bits(34, 48) * 4;
    return (signed_bits(34, 48) * 256 + static_cast<std::int64_t>(bits(16, 8))) * 4;
}

}  // namespace cubinlab::sass
