// SPDX-License-Identifier: GPL-3.0-or-later
// Shortest issue distances in compiled code, by generation, kind of dependence, register file and two
// instruction classes: a table that app/lab/scripts/mine.sh generates (seen_distances.inc).
//
//   const ObservedDistance* row = observed_distance(75, {DependenceKind::Raw, RegFile::Gpr, ObservedClass::Fma,
//                                                        ObservedClass::Lsu});   // 8 cycles, in 271 of 12,598
//
// Cycles from issue to issue (sums of stall counts), in straight-line code. Internal to core/legality.
#pragma once
#include <cstdint>
#include <span>

#include "core/legality/dependency_graph.h"
#include "core/sass/instruction.h"

namespace cubinlab {

// Execution units, split if members have different distances.
enum class ObservedClass : std::uint8_t {
    Alu,
    Vote,
    Fma,
    WideAb,
    WideLo,
    WideHi,
    HalfMath,
    HalfCompare,
    HalfWiden,
    H2Mma,
    Fp64,
    Imma88,
    Mma1x,
    Mma2x,
    Dmma,
    Gmma,
    Cs2r32,
    Cs2r64,
    Xu,
    S2r,
    S2ur,
    Ldc,
    R2ur,
    Redux,
    Mio,
    Lsu,
    Tex,
    Match,
    Udp,
    Uldc,
    Umov,
    Voteu,
    Cbu,
    Barrier,
    Fence,
    Depbar,
    Syncs,
    Elect,
    Bulk,
    Async,
    Nop,
    Guard,  // any predicate that is read as a guard
    None
};
const char* to_string(ObservedClass c);
// `reg`: absolute register number; `writes`: class as writer of `operand` (else as reader).
ObservedClass observed_class(const Instruction& instruction, const Operand& operand, unsigned reg,
                             bool writes);

struct ObservedKey {
    DependenceKind kind = DependenceKind::Raw;
    RegFile file = RegFile::Gpr;
    ObservedClass first = ObservedClass::None;
    ObservedClass second = ObservedClass::None;
    bool guarded = false;  // the first of two writes has a guard
    bool waited = false;   // the first completes by a barrier: the distance in addition to the wait
    friend auto operator<=>(const ObservedKey&, const ObservedKey&) = default;
};
ObservedKey observed_key(DependenceKind kind, const Instruction& first, const Operand& first_operand,
                         const Instruction& second, const Operand& second_operand, unsigned reg, bool waited);

struct ObservedDistance {
    std::uint8_t generation = 0;  // 75; 80 for sm_80 to sm_89; 90
    ObservedKey key;
    std::uint16_t cycles = 0;      // shortest distance
    std::uint32_t at_minimum = 0;  // occurrences at exactly this distance
    std::uint32_t places = 0;
};

// Enough occurrences overall and at the minimum: the compiler is not expected to emit a shorter distance.
constexpr bool well_observed(const ObservedDistance& row) {
    return row.places >= 100 && row.at_minimum >= 10;
}

const ObservedDistance* observed_distance(int generation, const ObservedKey& key);
// Shorter than in that table or missing there, from the public corpus. Some occur once in millions, so only
// absolute mode uses them.
const ObservedDistance* swept_distance(int generation, const ObservedKey& key);
std::span<const ObservedDistance> swept_distances();     // same order
std::span<const ObservedDistance> observed_distances();  // by generation and key

}  // namespace cubinlab
