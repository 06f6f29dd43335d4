// SPDX-License-Identifier: GPL-3.0-or-later
// An integer, logic or predicate instruction as a function of known values: its sources and results by slot of a
// state, and what it computes. Internal to core/model (core/model/scalar_code.h).
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "core/sass/instruction.h"

namespace cubinlab {

// Why a value is not known.
enum class Origin : std::uint8_t { Known, Thread, Block, Launch, Memory, Pass, Paths, Call, Other };

struct Scalar {
    std::uint32_t bits = 0;  // a predicate's: 0 or 1; 0 where it is not known
    Origin from = Origin::Known;
    bool known() const { return from == Origin::Known; }
    friend bool operator==(const Scalar&, const Scalar&) = default;
};
using ScalarState = std::vector<Scalar>;

enum class ScalarKind : std::uint8_t {
    Unknown,
    Copy,
    Select,
    Compare,
    Add,
    Multiply,
    MultiplyWide,
    MultiplyHigh,
    ShiftAdd,
    Logic,
    Shift,
    Permute,
    Extend,
    Least,
    Absolute,
    CountOnes,
    PredicateLogic,
};

struct ScalarSource {
    std::int16_t slot = -1;  // -1: the constant
    bool negate = false, complement = false;
    Scalar constant;
};

struct ScalarOp {
    ScalarKind kind = ScalarKind::Unknown;
    Origin from = Origin::Other;  // Unknown: of what it writes, where no source says more
    ScalarSource guard, a, b, c, c_high;
    std::array<ScalarSource, 3> preds{};  // inverted by `negate`
    std::int16_t dest = -1, dest_high = -1;
    std::array<std::int16_t, 2> pred_dest{-1, -1};
    std::uint8_t code = 0, code2 = 0;  // comparison, table of truth, shift
    bool is_signed = false, flag = false, extended = false, high = false, wide = false, left = false;
    std::vector<std::int16_t> writes;  // every slot that it writes
    std::vector<std::int16_t> reads;   // Unknown: what it is made of, to say where it comes from
};

// Slots of all registers and predicates, R0 to UP6; -1: RZ, PT and their like.
inline constexpr int kScalarSlots = 255 + 7 + 63 + 7;
int scalar_slot(RegFile file, unsigned number);

// Does what the instruction does, its guard included.
void execute(const ScalarOp& op, ScalarState& state);
Scalar value_of(const ScalarSource& source, const ScalarState& state);
Scalar predicate_of(const ScalarSource& source, const ScalarState& state);
Scalar both(const Scalar& a, const Scalar& b);  // of two truths

const char* to_string(Origin origin);  // "threadIdx", "a value from memory"

}  // namespace cubinlab
