// SPDX-License-Identifier: GPL-3.0-or-later
// The shortest distances that compiled code keeps, by generation, kind of dependence, register file and the
// two classes of instructions: a table mined by app/lab/scripts/mine.sh and checked in (seen_distances.inc).
//
//   const ObservedDistance* row = observed_distance(75, {DependenceKind::Raw, RegFile::Gpr, ObservedClass::Fma,
//                                                ObservedClass::Lsu});     // 8 cycles, in 271 of 12,598 places
//
// Cycles from issue to issue, stall counts summed up; straight code only. Internal to core/analysis.
#pragma once
#include <cstdint>
#include <span>

#include "core/analysis/dependency_graph.h"
#include "core/sass/instruction.h"

namespace cubinlab {

// Execution units, split where members of one unit keep different distances.
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
    Guard,  // a predicate read as a guard, whatever reads it
    None
};
const char* to_string(ObservedClass c);
// `reg`: absolute register number; `writes`: as the writer of `operand` (else as its reader).
ObservedClass observed_class(const Instruction& instruction, const Operand& operand, unsigned reg,
                             bool writes);

struct ObservedKey {
    DependenceKind kind = DependenceKind::Raw;
    RegFile file = RegFile::Gpr;
    ObservedClass first = ObservedClass::None;
    ObservedClass second = ObservedClass::None;
    bool guarded = false;  // the first, of two writes
    bool waited = false;   // the first completes by a barrier: the distance stands beside the wait
    friend auto operator<=>(const ObservedKey&, const ObservedKey&) = default;
};
ObservedKey observed_key(DependenceKind kind, const Instruction& first, const Operand& first_operand,
                         const Instruction& second, const Operand& second_operand, unsigned reg, bool waited);

struct ObservedDistance {
    std::uint8_t generation = 0;  // 75; 80 for sm_80 to sm_89; 90
    ObservedKey key;
    std::uint16_t cycles = 0;      // the shortest
    std::uint32_t at_minimum = 0;  // places that keep exactly that
    std::uint32_t places = 0;
};

// Often enough, and the minimum itself often enough, that no shorter distance is expected from the compiler.
constexpr bool well_observed(const ObservedDistance& row) {
    return row.places >= 100 && row.at_minimum >= 10;
}

const ObservedDistance* observed_distance(int generation, const ObservedKey& key);
// Shorter than there or not there at all, in the public corpus: some of them in one place of millions, so for
// absolute mode alone.
const ObservedDistance* swept_distance(int generation, const ObservedKey& key);
std::span<const ObservedDistance> swept_distances();     // sorted the same way
std::span<const ObservedDistance> observed_distances();  // sorted by generation and key

}  // namespace cubinlab
