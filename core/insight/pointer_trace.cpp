// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/insight/pointer_trace.h"

#include <algorithm>
#include <optional>

namespace cubinlab {
namespace {

constexpr int kMostTraced = 24;  // definitions that a search visits
constexpr unsigned kPointerBytes = 8;
constexpr std::uint64_t kFirstBlockIndex = 0x25, kLastBlockIndex = 0x27;  // SR_CTAID.X to .Z

const KernelParam* pointer_at(const KernelInfo& info, std::uint32_t constant) {
    const auto holds = [&](const KernelParam& p) {
        const std::uint32_t first = info.param_base + p.offset;
        return p.size == kPointerBytes && constant >= first && constant < first + kPointerBytes;
    };
    const auto found = std::ranges::find_if(info.params, holds);
    return found == info.params.end() ? nullptr : &*found;
}

// The constant that an instruction reads: LDC, ULDC, or an operand in a constant bank. All have its offset in bits 38-53.
std::optional<std::uint32_t> constant_of(const Instruction& i) {
    const unsigned form = i.word.bits(9, 3);
    const bool operand = i.memory.space == MemorySpace::None && (form == 3 || form == 5);
    if (i.memory.space != MemorySpace::Constant && !operand) return std::nullopt;
    return static_cast<std::uint32_t>(i.word.bits(38, 16));
}

bool reads_block_index(const Instruction& i) {
    if (i.unit != Unit::S2r && i.unit != Unit::S2ur) return false;
    const std::uint64_t id = i.word.bits(72, 8);
    return id >= kFirstBlockIndex && id <= kLastBlockIndex;
}

}  // namespace

const KernelParam* PointerTrace::of(InstrId access) {
    const KernelParam* found = nullptr;
    found_in_address(access, [&](const Instruction& i) {
        if (const auto constant = constant_of(i)) found = pointer_at(kernel_.info(), *constant);
        return found != nullptr;
    });
    return found;
}

bool PointerTrace::depends_on_block(InstrId access) {
    return found_in_address(access, reads_block_index);
}

bool PointerTrace::found_in_address(InstrId access, const Wanted& wanted) {
    left_ = kMostTraced;
    return std::ranges::any_of(kernel_.instruction(access).operands, [&](const Operand& o) {
        return o.read && o.role == Role::Address && definition(o, access, wanted);
    });
}

bool PointerTrace::definition(const Operand& operand, InstrId before, const Wanted& wanted) {
    for (InstrId id = before; id-- > 0;) {
        const Instruction& i = kernel_.instruction(id);
        const bool defines = std::ranges::any_of(
            i.operands, [&](const Operand& o) { return o.write && o.overlaps(operand); });
        if (defines) return sources(i, id, wanted);
    }
    return false;
}

bool PointerTrace::sources(const Instruction& i, InstrId id, const Wanted& wanted) {
    if (left_-- <= 0) return false;
    if (wanted(i)) return true;
    return std::ranges::any_of(i.operands, [&](const Operand& o) {
        return o.read && (o.file == RegFile::Gpr || o.file == RegFile::UGpr) && o.role != Role::Descriptor &&
               definition(o, id, wanted);
    });
}

}  // namespace cubinlab
