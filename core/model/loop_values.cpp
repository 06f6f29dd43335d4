// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/loop_values.h"

#include <algorithm>
#include <optional>

#include "core/base/enum_names.h"
#include "core/schedule/control_flow.h"

namespace cubinlab {
namespace {

constexpr LoopValue unknown(ValueSource from) {
    return {0, from};
}
constexpr LoopValue number(std::uint32_t bits) {
    return {bits, ValueSource::Known};
}
// The first that is not known, else what `compute` gives.
template <class Compute, class... Rest>
LoopValue from_known(const Compute& compute, const Rest&... values) {
    for (const LoopValue& value : {values...})
        if (!value.known()) return value;
    return number(static_cast<std::uint32_t>(compute()));
}

unsigned field(const Instruction& i, unsigned at, unsigned count) {
    return static_cast<unsigned>(i.word.bits(at, count));
}
bool is_uniform(const Instruction& i) {
    return i.unit == Unit::Udp || i.unit == Unit::UdpFast;
}
// 3 source operands: where an immediate or a constant takes the place of the third one, the register of the second is at 64.
bool b_is_high(const Instruction& i) {
    const unsigned form = field(i, 9, 3);
    return form == 2 || form == 3 || form == 7;
}
bool has_immediate(const Instruction& i) {
    return field(i, 9, 3) == 2 || field(i, 9, 3) == 4;
}
// Bit `low` negates what is in the field at 32, bit `high` what is in the register at 64.
bool negates_b(const Instruction& i, unsigned low, unsigned high) {
    return b_is_high(i) ? high != 0 && i.word.bit(high) : !has_immediate(i) && i.word.bit(low);
}
bool negates_c(const Instruction& i, unsigned low, unsigned high) {
    return b_is_high(i) ? !has_immediate(i) && i.word.bit(low) : i.word.bit(high);
}
std::uint32_t signed_by(bool negated, const LoopValue& value) {
    return negated ? 0u - value.bits : value.bits;
}

}  // namespace

const char* to_string(ValueSource source) {
    return enum_name<ValueSource::Other>(
        {"the code", "threadIdx", "blockIdx", "a parameter or a dimension that no workload gives",
         "a value from memory", "which way the code takes", "an instruction that is not evaluated"},
        source, "");
}

LoopValues::LoopValues(const Kernel& kernel, const CodeLoop& loop, const LaunchValues& launch)
    : kernel_(kernel), launch_(launch), header_(loop.header), inside_(kernel.flow().blocks.size(), 0) {
    for (const BlockId b : loop.blocks)
        inside_[b] = 1;
    for (const BlockId b : kernel.flow().blocks[header_].predecessors)
        (inside_[b] ? latches_ : doors_).push_back(b);
}

// Backwards over every path from the position `end` of the block to the last writer of the register.
void LoopValues::collect(BlockId block, Position end, bool inside, const Register& reg,
                         std::vector<char>& seen, Definitions& out) const {
    const Block& at = kernel_.flow().blocks[block];
    for (Position p = end; p-- > at.first;) {
        const Instruction& i = kernel_.instruction(p);
        if (flow_kind(i) == FlowKind::Call) out.unknown = true;
        for (const Operand& operand : i.operands)
            if (operand.write && operand.file == reg.file && operand.first <= reg.number &&
                reg.number < operand.first + unsigned{operand.count}) {
                if (std::find(out.sites.begin(), out.sites.end(), p) == out.sites.end())
                    out.sites.push_back(p);
                return;
            }
    }
    if (inside && block == header_) {
        out.header = true;
        return;
    }
    out.unknown = out.unknown || at.unknown_predecessors || at.predecessors.empty();
    for (const BlockId before : at.predecessors) {
        if (out.unknown) return;
        if (seen[before]) continue;
        seen[before] = 1;
        collect(before, kernel_.flow().blocks[before].end(), inside, reg, seen, out);
    }
}

LoopValue LoopValues::value_of(const Definitions& definitions, const Register& reg) {
    if (definitions.unknown) return unknown(ValueSource::Other);
    std::optional<LoopValue> out;
    const auto agree = [&](const LoopValue& value) {
        if (!out) out = value;
        if (out->known() && *out != value) out = value.known() ? unknown(ValueSource::Paths) : value;
    };
    if (definitions.header) agree(header_value(reg));
    for (const InstrId site : definitions.sites)
        agree(defined(site, reg));
    return out.value_or(unknown(ValueSource::Other));
}

LoopValue LoopValues::value_before(InstrId id, const Register& reg) {
    const BlockId block = kernel_.block_of(id);
    auto [found, fresh] = definitions_.try_emplace({block, id, inside_[block] != 0, reg});
    if (fresh) {
        std::vector<char> seen(inside_.size(), 0);
        collect(block, id, inside_[block] != 0, reg, seen, found->second);
    }
    return value_of(found->second, reg);
}

LoopValue LoopValues::value_behind(const std::vector<BlockId>& blocks, bool inside, const Register& reg) {
    const BlockId first = blocks.empty() ? kNone : blocks.front();
    auto [found, fresh] = definitions_.try_emplace({first, kNone, inside, reg});
    if (fresh) {
        std::vector<char> seen(inside_.size(), 0);
        for (const BlockId b : blocks)
            collect(b, kernel_.flow().blocks[b].end(), inside, reg, seen, found->second);
    }
    return value_of(found->second, reg);
}

// In the first pass the start value. What an expression reads is the same in every pass, so all registers are found there.
LoopValue LoopValues::header_value(const Register& reg) {
    if (const auto found = at_header_.find(reg); found != at_header_.end()) return found->second;
    const bool entered = !kernel_.flow().blocks[header_].unknown_predecessors;
    const LoopValue start = entered ? value_behind(doors_, false, reg) : unknown(ValueSource::Other);
    return at_header_.emplace(reg, start).first->second;
}

void LoopValues::next_pass() {
    std::map<Register, LoopValue> next;
    // Evaluating one may find others.
    while (next.size() < at_header_.size()) {
        const std::map<Register, LoopValue> known = at_header_;
        for (const auto& [reg, value] : known)
            if (!next.contains(reg)) next[reg] = value_behind(latches_, true, reg);
    }
    at_header_ = std::move(next);
    in_pass_.clear();
}

LoopValue LoopValues::defined(InstrId site, const Register& reg) {
    Memo& memo = inside_[kernel_.block_of(site)] ? in_pass_ : outside_;
    // A definition that depends on itself is that of another loop.
    const auto [found, fresh] = memo.try_emplace({site, reg}, unknown(ValueSource::Paths));
    if (!fresh) return found->second;
    const Instruction& i = kernel_.instruction(site);
    const LoopValue guard =
        predicate(site, i.uniform_guard ? RegFile::UPred : RegFile::Pred, i.guard, i.guard_negated);
    const LoopValue value = !guard.known()    ? guard
                            : guard.bits != 0 ? computed(site, reg)
                                              : value_before(site, reg);
    return memo[{site, reg}] = value;
}

LoopValue LoopValues::taken(InstrId branch) {
    const Instruction& i = kernel_.instruction(branch);
    const LoopValue guard =
        predicate(branch, i.uniform_guard ? RegFile::UPred : RegFile::Pred, i.guard, i.guard_negated);
    LoopValue extra = predicate_at(branch, 87, RegFile::Pred);
    if (flow_kind(i) == FlowKind::Branch) {
        if (field(i, 32, 2) >= 2) extra = unknown(ValueSource::Other);  // .DIV and .CONV: do the lanes agree?
        if ((i.opcode & 0xfffu) == (0x147u | 2u << 9)) extra = predicate_at(branch, 24, RegFile::UPred);
    }
    if ((guard.known() && guard.bits == 0) || (extra.known() && extra.bits == 0)) return number(0);
    return from_known([] { return 1; }, guard, extra);
}

LoopValue LoopValues::predicate(InstrId id, RegFile file, unsigned number_of_it, bool negated) {
    const LoopValue value = number_of_it == 7 ? number(1) : value_before(id, {file, number_of_it});
    return from_known([&] { return (value.bits != 0) != negated; }, value);
}

LoopValue LoopValues::predicate_at(InstrId id, unsigned at, RegFile file) {
    const Instruction& i = kernel_.instruction(id);
    return predicate(id, file, field(i, at, 3), i.word.bit(at + 3));
}

LoopValue LoopValues::register_at(InstrId id, unsigned at, bool uniform) {
    const unsigned which = field(kernel_.instruction(id), at, uniform ? 6 : 8);
    if (which == (uniform ? 63u : 255u)) return number(0);
    return value_before(id, {uniform ? RegFile::UGpr : RegFile::Gpr, which});
}

LoopValue LoopValues::bank_value(const Instruction& i, unsigned offset, unsigned bytes) const {
    if (i.word.bit(91) || field(i, 54, 5) != 0) return unknown(ValueSource::Other);
    const auto value = launch_.value(offset, bytes);
    return value ? number(*value) : unknown(ValueSource::Launch);
}

LoopValue LoopValues::low_source(InstrId id) {
    const Instruction& i = kernel_.instruction(id);
    switch (field(i, 9, 3)) {
        case 2:
        case 4:
            return number(field(i, 32, 32));
        case 3:
        case 5:
            return bank_value(i, field(i, 38, 16), 4);
        case 6:
        case 7:
            return register_at(id, 32, true);
        default:
            return register_at(id, 32, is_uniform(i));
    }
}

LoopValue LoopValues::source_b(InstrId id) {
    const Instruction& i = kernel_.instruction(id);
    return b_is_high(i) ? register_at(id, 64, is_uniform(i)) : low_source(id);
}

LoopValue LoopValues::source_c(InstrId id) {
    const Instruction& i = kernel_.instruction(id);
    return b_is_high(i) ? low_source(id) : register_at(id, 64, is_uniform(i));
}

LoopValue LoopValues::special(const Instruction& i) const {
    const unsigned id = field(i, 72, 8);
    if (id >= 0x21 && id <= 0x23)
        return launch_.block[id - 0x21] == 1 ? number(0) : unknown(ValueSource::Thread);
    if (id >= 0x25 && id <= 0x27)
        return launch_.grid[id - 0x25] == 1 ? number(0) : unknown(ValueSource::Block);
    const bool of_thread = id == 0 || id == 0x20 || id == 0x24 || (id >= 0x38 && id <= 0x3c);
    return unknown(of_thread ? ValueSource::Thread : ValueSource::Other);
}

LoopValue LoopValues::compared(InstrId id, const Register& reg) {
    const Instruction& i = kernel_.instruction(id);
    if (i.word.bit(72)) return unknown(ValueSource::Other);  // .EX: the upper half of 64 bits
    const RegFile file = is_uniform(i) ? RegFile::UPred : RegFile::Pred;
    const LoopValue a = register_at(id, 24, is_uniform(i)), b = source_b(id),
                    with = predicate_at(id, 87, file);
    return from_known(
        [&] {
            const bool less = i.word.bit(73)
                                  ? static_cast<std::int32_t>(a.bits) < static_cast<std::int32_t>(b.bits)
                                  : a.bits < b.bits;
            // F LT EQ LE GT NE GE T: one bit each for less, equal, greater.
            const unsigned order = a.bits == b.bits ? 2 : less ? 1 : 4;
            const bool holds = ((field(i, 76, 3) & order) != 0) != (field(i, 81, 3) != reg.number);
            const bool other = with.bits != 0;
            const unsigned joined_by = field(i, 74, 2);  // AND OR XOR
            return joined_by == 0 ? holds && other : joined_by == 1 ? holds || other : holds != other;
        },
        a, b, with);
}

LoopValue LoopValues::predicate_logic(InstrId id) {
    const Instruction& i = kernel_.instruction(id);
    const RegFile file = is_uniform(i) ? RegFile::UPred : RegFile::Pred;
    const LoopValue a = predicate_at(id, 87, file), b = predicate_at(id, 77, file),
                    c = predicate_at(id, 68, i.word.bit(67) ? RegFile::UPred : file);
    const unsigned table = field(i, 72, 5) << 3 | field(i, 64, 3);
    return from_known([&] { return table >> (a.bits << 2 | b.bits << 1 | c.bits) & 1u; }, a, b, c);
}

LoopValue LoopValues::computed(InstrId id, const Register& reg) {
    const Instruction& i = kernel_.instruction(id);
    const bool uniform = is_uniform(i);
    const unsigned opcode = i.opcode & 0x1ffu;
    const bool predicate_wanted = reg.file == RegFile::Pred || reg.file == RegFile::UPred;
    if (i.has(Trait::UnknownOpcode)) return unknown(ValueSource::Other);
    if (predicate_wanted) {
        if (opcode == 0x00c || opcode == 0x08c) return compared(id, reg);  // ISETP
        const bool plop3 = opcode == 0x01c || opcode == 0x09c;
        return plop3 && field(i, 81, 3) == reg.number ? predicate_logic(id) : not_evaluated(id);
    }
    const bool first = field(i, 16, reg.file == RegFile::UGpr ? 6 : 8) == reg.number;
    const LoopValue other = unknown(i.memory.reads ? ValueSource::Memory : ValueSource::Other);
    const auto a = [&] { return register_at(id, 24, uniform); };
    switch (opcode) {
        case 0x002:  // MOV
            return field(i, 72, 4) == 15 ? source_b(id) : other;
        case 0x082:  // UMOV
            return low_source(id);
        case 0x0ca:  // R2UR
        case 0x1c2:
            return register_at(id, 24, false);
        case 0x031:  // HFMA2 of two zeros and an immediate: how nvcc puts a constant into a register
        case 0x035:
            return field(i, 9, 3) == 2 && field(i, 24, 8) == 255 && field(i, 64, 8) == 255 ? low_source(id)
                                                                                           : other;
        case 0x005:  // CS2R
            return field(i, 72, 8) == 0xff ? number(0) : other;
        case 0x119:  // S2R, S2UR
        case 0x1c3:
            return special(i);
        case 0x182:  // LDC
        case 0x0b9:  // ULDC
            if (i.unit == Unit::Ldc && (field(i, 9, 3) == 2 || field(i, 24, 8) != 255)) return other;
            if (field(i, 73, 3) < 4) return unknown(ValueSource::Launch);
            return bank_value(i, field(i, 38, 16) + (first ? 0 : 4), 4);
        default:
            break;
    }
    if (!first) return other;
    switch (opcode) {
        case 0x007:  // SEL
        case 0x087: {
            const LoopValue x = a(), y = source_b(id),
                            which = predicate_at(id, 87, uniform ? RegFile::UPred : RegFile::Pred);
            return which.known() ? (which.bits != 0 ? x : y) : which;
        }
        case 0x010:  // IADD3
        case 0x090:
        case 0x036: {  // VIADD
            const LoopValue x = a(), y = source_b(id), z = opcode == 0x036 ? number(0) : source_c(id);
            if (opcode != 0x036 && i.word.bit(74)) return other;  // .X
            const bool minus_b = opcode == 0x036 ? !has_immediate(i) && i.word.bit(63) : negates_b(i, 63, 75);
            return from_known(
                [&] {
                    return signed_by(i.word.bit(72), x) + signed_by(minus_b, y) +
                           signed_by(negates_c(i, 63, 75), z);
                },
                x, y, z);
        }
        case 0x024:  // IMAD
        case 0x0a4: {
            const LoopValue x = a(), y = source_b(id), z = source_c(id);
            if (i.word.bit(74)) return other;  // .X
            const auto value = [&] {
                return x.bits * signed_by(negates_b(i, 63, 0), y) + signed_by(negates_c(i, 63, 75), z);
            };
            const bool zero = (x.known() && x.bits == 0) || (y.known() && y.bits == 0);
            return zero ? from_known(value, z) : from_known(value, x, y, z);
        }
        case 0x011:  // LEA
        case 0x091: {
            const LoopValue x = a(), y = source_b(id);
            if (i.word.bit(74) || i.word.bit(72)) return other;                  // .X, -a
            const bool upper_half = i.word.bit(80), from_sign = i.word.bit(73);  // .HI, .SX32
            LoopValue high = number(0);
            if (upper_half && from_sign) high = number(0u - (x.bits >> 31));
            if (upper_half && !from_sign) high = source_c(id);
            return from_known(
                [&] {
                    const std::uint64_t moved = (std::uint64_t{high.bits} << 32 | x.bits) << field(i, 75, 5);
                    return static_cast<std::uint32_t>(upper_half ? moved >> 32 : moved) +
                           signed_by(negates_b(i, 63, 0), y);
                },
                x, y, high);
        }
        case 0x012:  // LOP3
        case 0x092: {
            const LoopValue x = a(), y = source_b(id), z = source_c(id);
            return from_known(
                [&] {
                    std::uint32_t out = 0;
                    for (unsigned row = 0; row < 8; ++row)
                        if ((field(i, 72, 8) >> row & 1u) != 0)
                            out |= ((row & 4u) != 0 ? x.bits : ~x.bits) &
                                   ((row & 2u) != 0 ? y.bits : ~y.bits) &
                                   ((row & 1u) != 0 ? z.bits : ~z.bits);
                    return out;
                },
                x, y, z);
        }
        case 0x019:  // SHF
        case 0x099: {
            const LoopValue low = a(), by = source_b(id), high = source_c(id);
            const unsigned type = field(i, 73, 2);  // S64 U64 S32 U32
            const std::uint32_t width = type < 2 ? 64 : 32;
            return from_known(
                [&] {
                    const std::uint32_t count =
                        i.word.bit(75) ? by.bits % width : std::min({by.bits, width, 63u});
                    const std::uint64_t value = std::uint64_t{high.bits} << 32 | low.bits;
                    const std::uint64_t moved =
                        !i.word.bit(76) ? value << count
                        : type == 0 || type == 2
                            ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >> count)
                            : value >> count;
                    return i.word.bit(80) ? moved >> 32 : moved;
                },
                low, by, high);
        }
        default:
            return not_evaluated(id);
    }
}

// The source that makes it depend on a thread, a block, the launch or memory, if there is one.
LoopValue LoopValues::not_evaluated(InstrId id) {
    const Instruction& i = kernel_.instruction(id);
    if (i.memory.reads) return unknown(ValueSource::Memory);
    for (const Operand& operand : i.operands)
        if (operand.read && operand.role != Role::Guard && operand.file != RegFile::BReg)
            if (const LoopValue value = value_before(id, {operand.file, operand.first});
                !value.known() && value.from != ValueSource::Paths)
                return value;
    return unknown(ValueSource::Other);
}

}  // namespace cubinlab
