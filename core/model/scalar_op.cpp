// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/scalar_op.h"

#include "core/base/enum_names.h"

#include <algorithm>
#include <bit>

namespace cubinlab {
namespace {

constexpr int kGprs = 255, kPreds = 7, kUniforms = 63;

Scalar known(std::uint32_t bits) {
    return {bits, Origin::Known};
}
Scalar truth(bool value) {
    return known(value ? 1 : 0);
}

// What is not known of two values is not known for the reason of the first that is not.
Origin blame(const Scalar& a, const Scalar& b) {
    return a.known() ? b.from : a.from;
}

}  // namespace

int scalar_slot(RegFile file, unsigned number) {
    const auto index = static_cast<int>(number);
    switch (file) {
        case RegFile::Gpr:
            return index < kGprs ? index : -1;
        case RegFile::Pred:
            return index < kPreds ? kGprs + index : -1;
        case RegFile::UGpr:
            return index < kUniforms ? kGprs + kPreds + index : -1;
        case RegFile::UPred:
            return index < kPreds ? kGprs + kPreds + kUniforms + index : -1;
        case RegFile::BReg:
            break;
    }
    return -1;
}

Scalar both(const Scalar& a, const Scalar& b) {
    if ((a.known() && a.bits == 0) || (b.known() && b.bits == 0)) return truth(false);
    if (a.known() && b.known()) return truth(true);
    return {0, blame(a, b)};
}

Scalar value_of(const ScalarSource& source, const ScalarState& state) {
    Scalar value = source.slot >= 0 ? state[static_cast<std::size_t>(source.slot)] : source.constant;
    if (!value.known()) return value;
    if (source.complement) value.bits = ~value.bits;
    if (source.negate) value.bits = 0u - value.bits;
    return value;
}

Scalar predicate_of(const ScalarSource& source, const ScalarState& state) {
    Scalar value = source.slot >= 0 ? state[static_cast<std::size_t>(source.slot)] : source.constant;
    if (value.known() && source.negate) value.bits ^= 1u;
    return value;
}

namespace {

Scalar either(const Scalar& a, const Scalar& b) {
    if ((a.known() && a.bits != 0) || (b.known() && b.bits != 0)) return truth(true);
    if (a.known() && b.known()) return truth(false);
    return {0, blame(a, b)};
}
Scalar one_of(const Scalar& a, const Scalar& b) {
    if (a.known() && b.known()) return truth(a.bits != b.bits);
    return {0, blame(a, b)};
}
Scalar inverted(const Scalar& a) {
    return a.known() ? truth(a.bits == 0) : a;
}

// F LT EQ LE GT NE GE T: one bit each for less, equal, greater.
bool holds(unsigned code, int order) {
    const unsigned bit = order < 0 ? 1 : order == 0 ? 2 : 4;
    return (code & bit) != 0;
}

int order_of(std::uint32_t a, std::uint32_t b, bool is_signed) {
    if (a == b) return 0;
    const bool less = is_signed ? static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) : a < b;
    return less ? -1 : 1;
}

// The term of a sum, as what it adds in 33 bits: a negated one is its complement and one.
std::uint64_t term(const Scalar& value, bool negated) {
    return negated ? std::uint64_t{~value.bits} + 1 : value.bits;
}

std::uint32_t shifted(std::uint32_t low, std::uint32_t high, std::uint32_t by, bool left, bool wide,
                      bool wraps, bool is_signed, bool take_high) {
    const std::uint32_t most = wide ? 64 : 32;
    const std::uint32_t count = wraps ? by % most : std::min(by, most);
    const std::uint64_t value = std::uint64_t{high} << 32 | low;
    std::uint64_t out = 0;
    if (left)
        out = count < 64 ? value << count : 0;
    else if (is_signed)
        out = static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >> std::min(count, 63u));
    else
        out = count < 64 ? value >> count : 0;
    return static_cast<std::uint32_t>(take_high ? out >> 32 : out);
}

std::uint32_t permuted(std::uint32_t a, std::uint32_t selector, std::uint32_t c) {
    const std::uint64_t all = std::uint64_t{c} << 32 | a;
    std::uint32_t out = 0;
    for (unsigned i = 0; i < 4; ++i) {
        const std::uint32_t pick = selector >> (4 * i) & 15u;
        auto byte = static_cast<std::uint32_t>(all >> (8 * (pick & 7u)) & 0xffu);
        if ((pick & 8u) != 0) byte = (byte & 0x80u) != 0 ? 0xffu : 0;
        out |= byte << (8 * i);
    }
    return out;
}

std::uint32_t extended(std::uint32_t a, std::uint32_t size, bool is_signed, bool wraps) {
    const std::uint32_t count = wraps ? size % 32 : std::min(size, 32u);
    if (count == 0) return 0;
    const std::uint32_t shift = 32 - count;
    return is_signed ? static_cast<std::uint32_t>(static_cast<std::int32_t>(a << shift) >> shift)
                     : a << shift >> shift;
}

Scalar of_table(unsigned table, const Scalar& a, const Scalar& b, const Scalar& c) {
    // Not known only where the table says different things of what is not known.
    unsigned seen = 0;
    for (unsigned row = 0; row < 8; ++row) {
        const auto fits = [&](const Scalar& s, unsigned bit) {
            return !s.known() || s.bits == (row >> bit & 1u);
        };
        if (fits(a, 2) && fits(b, 1) && fits(c, 0)) seen |= (table >> row & 1u) != 0 ? 2u : 1u;
    }
    if (seen != 3) return truth(seen == 2);
    return {0, a.known() ? blame(b, c) : a.from};
}

}  // namespace

void compute(const ScalarOp& op, ScalarState& state) {
    const auto put = [&](std::int16_t slot, const Scalar& value) {
        if (slot >= 0) state[static_cast<std::size_t>(slot)] = value;
    };
    const Scalar a = value_of(op.a, state), b = value_of(op.b, state), c = value_of(op.c, state);
    const Origin two = blame(a, b), three = a.known() ? blame(b, c) : a.from;
    const auto put_two = [&](std::uint32_t value) {
        put(op.dest, two == Origin::Known ? known(value) : Scalar{0, two});
    };
    const auto put_three = [&](std::uint32_t value) {
        put(op.dest, three == Origin::Known ? known(value) : Scalar{0, three});
    };
    const Scalar p = predicate_of(op.preds[0], state), q = predicate_of(op.preds[1], state);
    switch (op.kind) {
        case ScalarKind::Unknown:
            for (const std::int16_t slot : op.writes)
                put(slot, {0, op.from});
            break;
        case ScalarKind::Copy:
            put(op.dest, a);
            put(op.dest_high, op.wide ? op.c_high.constant : a);
            break;
        case ScalarKind::Select:
            put(op.dest, p.known() ? (p.bits != 0 ? a : b) : a == b ? a : Scalar{0, p.from});
            break;
        case ScalarKind::Compare: {
            Scalar result{0, two};
            if (two == Origin::Known) {
                const int order = order_of(a.bits, b.bits, op.is_signed);
                result = truth(holds(op.code, order));
                // Of the high halves, with what the low ones said: it decides where these are equal.
                if (op.extended && order == 0 && op.code != 0 && op.code != 7) result = q;
            }
            const auto joined = [&](const Scalar& value) {
                return op.code2 == 0 ? both(value, p) : op.code2 == 1 ? either(value, p) : one_of(value, p);
            };
            const Scalar first = joined(result), second = joined(inverted(result));
            put(op.pred_dest[0], first);
            put(op.pred_dest[1], second);
            break;
        }
        case ScalarKind::Add: {
            Scalar carry_in = known(0);
            Origin from = three;
            if (op.extended) {
                if (from == Origin::Known) from = blame(p, q);
                carry_in = known(p.bits + q.bits);
            }
            // The terms again, as they are before their sign: the carry is that of the 33-bit sum.
            const auto raw = [&](const ScalarSource& s, const Scalar& v) {
                return s.negate ? term(known(0u - v.bits), true) : std::uint64_t{v.bits};
            };
            const std::uint64_t sum = raw(op.a, a) + raw(op.b, b) + raw(op.c, c) + carry_in.bits;
            const auto told = [&](std::uint32_t value) {
                return from == Origin::Known ? known(value) : Scalar{0, from};
            };
            put(op.dest, told(static_cast<std::uint32_t>(sum)));
            put(op.pred_dest[0], told(sum >> 32 >= 1 ? 1 : 0));
            put(op.pred_dest[1], told(sum >> 32 >= 2 ? 1 : 0));
            break;
        }
        case ScalarKind::Multiply: {
            const bool zero = (a.known() && a.bits == 0) || (b.known() && b.bits == 0);
            Scalar out = zero ? c : Scalar{0, three};
            if (!zero && three == Origin::Known) out = known(a.bits * b.bits + c.bits);
            if (op.extended && out.known()) out = p.known() ? known(out.bits + p.bits) : p;
            put(op.dest, out);
            break;
        }
        case ScalarKind::MultiplyWide:
        case ScalarKind::MultiplyHigh: {
            const Scalar high = value_of(op.c_high, state);
            const Origin from = three == Origin::Known ? high.from : three;
            const std::uint64_t product =
                op.is_signed ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(a.bits)} *
                                                          std::int64_t{static_cast<std::int32_t>(b.bits)})
                             : std::uint64_t{a.bits} * b.bits;
            std::uint64_t addend = std::uint64_t{high.bits} << 32 | (op.c.negate ? 0u - c.bits : c.bits);
            if (op.c.negate) addend = 0 - addend;
            const std::uint64_t sum = product + addend;
            const auto told = [&](std::uint64_t value) {
                return from == Origin::Known ? known(static_cast<std::uint32_t>(value)) : Scalar{0, from};
            };
            const bool wide = op.kind == ScalarKind::MultiplyWide;
            put(op.dest, told(wide ? sum : sum >> 32));
            if (wide) put(op.dest_high, told(sum >> 32));
            break;
        }
        case ScalarKind::ShiftAdd: {
            const Scalar high = op.flag ? known(static_cast<std::int32_t>(a.bits) < 0 ? ~0u : 0u) : c;
            Origin from = two;
            if (op.high && from == Origin::Known) from = high.from;
            if (op.extended && from == Origin::Known) from = p.from;
            const std::uint64_t value = (op.high ? std::uint64_t{high.bits} << 32 : 0) | a.bits;
            const std::uint64_t moved = value << op.code;
            const std::uint64_t addend = op.b.negate ? term(known(0u - b.bits), true) : b.bits;
            const std::uint64_t sum = static_cast<std::uint32_t>(op.high ? moved >> 32 : moved) + addend +
                                      (op.extended ? p.bits : 0);
            const auto told = [&](std::uint32_t v) {
                return from == Origin::Known ? known(v) : Scalar{0, from};
            };
            put(op.dest, told(static_cast<std::uint32_t>(sum)));
            put(op.pred_dest[0], told(sum >> 32 != 0 ? 1 : 0));
            break;
        }
        case ScalarKind::Logic: {
            std::uint32_t value = 0;
            for (unsigned row = 0; row < 8; ++row)
                if ((op.code >> row & 1u) != 0)
                    value |= ((row & 4u) != 0 ? a.bits : ~a.bits) & ((row & 2u) != 0 ? b.bits : ~b.bits) &
                             ((row & 1u) != 0 ? c.bits : ~c.bits);
            put_three(value);
            const Scalar any = three == Origin::Known ? truth(value != 0) : Scalar{0, three};
            put(op.pred_dest[0], op.flag ? both(any, p) : either(any, p));
            break;
        }
        case ScalarKind::Shift:
            put_three(shifted(a.bits, c.bits, b.bits, op.left, op.wide, op.flag, op.is_signed, op.high));
            break;
        case ScalarKind::Permute:
            put_three(permuted(a.bits, b.bits, c.bits));
            break;
        case ScalarKind::Extend:
            put_two(extended(a.bits, b.bits, op.is_signed, op.flag));
            break;
        case ScalarKind::Least: {
            const Origin from = two == Origin::Known ? p.from : two;
            const bool first = (order_of(a.bits, b.bits, op.is_signed) < 0) == (p.bits != 0);
            put(op.dest, from == Origin::Known ? (first ? a : b) : Scalar{0, from});
            break;
        }
        case ScalarKind::Absolute:
            put_two(static_cast<std::int32_t>(a.bits) < 0 ? 0u - a.bits : a.bits);
            break;
        case ScalarKind::CountOnes:
            put_two(static_cast<std::uint32_t>(std::popcount(a.bits)));
            break;
        case ScalarKind::PredicateLogic: {
            const Scalar r = predicate_of(op.preds[2], state);
            const Scalar first = of_table(op.code, p, q, r), second = of_table(op.code2, p, q, r);
            put(op.pred_dest[0], first);
            put(op.pred_dest[1], second);
            break;
        }
    }
    // A carry of a product, a second result that is not computed: written, and not known.
    if (op.kind == ScalarKind::Unknown) return;
    for (const std::int16_t slot : op.writes)
        if (slot != op.dest && slot != op.dest_high && slot != op.pred_dest[0] && slot != op.pred_dest[1])
            put(slot, {0, op.from});
}

void execute(const ScalarOp& op, ScalarState& state) {
    const Scalar guard = predicate_of(op.guard, state);
    if (guard.known()) {
        if (guard.bits != 0) compute(op, state);
        return;
    }
    // Done or not: what stays the same either way is known still.
    std::array<Scalar, 16> before;
    const std::size_t count = std::min(op.writes.size(), before.size());
    for (std::size_t i = 0; i < count; ++i)
        before[i] = state[static_cast<std::size_t>(op.writes[i])];
    compute(op, state);
    for (std::size_t i = 0; i < op.writes.size(); ++i) {
        Scalar& now = state[static_cast<std::size_t>(op.writes[i])];
        if (i >= count || now != before[i]) now = {0, guard.from};
    }
}

const char* to_string(Origin origin) {
    return enum_name<Origin::Other>(
        {"the code", "threadIdx", "blockIdx", "a parameter or a dimension that no workload gives",
         "a value from memory", "a value of the pass of a loop", "which way a branch before it goes",
         "what a function returns", "an instruction that is not evaluated"},
        origin, "");
}

}  // namespace cubinlab
