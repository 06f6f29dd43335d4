// SPDX-License-Identifier: GPL-3.0-or-later
// When queued instructions read their operands: which older operands a barrier covers, and which operands can
// be overwritten without a barrier. For each there is a list of kinds with occurrences in compiled code;
// anything else is refused. Internal.
//
//   STS [R2], R4 ; STG [R8], R9 {read barrier 0} ; IADD3 R4, ... {wait 0}   a later barrier covers the STS
//   STS [R2], R4 ; LDS R4, [R6]                                             no barrier needed
//   LDG R9, [R4] ; LDS R4, [R6]                                             refused: ptxas always waits
#pragma once
#include <cstdint>

#include "core/legality/hazard_checker.h"
#include "core/isa/arch.h"
#include "core/sass/instruction.h"

namespace cubinlab {

// Instructions whose operands one barrier may cover.
enum class ReadClass : std::uint8_t {
    Shared,       // LDS LDSM STSM SHFL ATOMS STL ...: the shared-memory queue
    SharedStore,  // STS, of the same queue
    LocalLoad,    // LDL, of the same queue
    Mbarrier,     // SYNCS, separate
    Store,        // STG ST
    Reduction,    // RED
    Atomic,       // ATOMG ATOM
    Load,         // LDG LD
    AsyncCopy,    // LDGSTS
    CopyLoad,     // UTMALDG
    Copy,         // other copies: UTMASTG UBLKCP ...
    Xu,
    WideXu,  // conversions to and from 64 bits
    Fp64,
    S2ur,
    Tex,
    SurfaceStore,  // SUST SURED
    Redux,
    Tensor,  // sm_75
    None
};
inline constexpr std::size_t kReadClasses = static_cast<std::size_t>(ReadClass::None);
ReadClass read_class(const Instruction& instruction);

// Bit set of classes: older members have read their operands when a wait for a barrier of `setter` ends.
std::uint32_t read_classes_covered(const Arch& arch, const Instruction& setter, CheckMode mode);

// Bit set of classes whose operands are read when a block barrier after them in their queue completes.
std::uint32_t read_classes_drained(const Arch& arch, const Instruction& barrier, CheckMode mode);

// Kinds in the list of overwrites.
enum class QueueOp : std::uint8_t {
    Lds,
    Ldsm,
    Sts,
    Stsm,
    Shfl,
    Atoms,
    Movm,
    Ldl,
    Stl,
    Qspc,  // shared and local memory, lanes
    Ldg,
    Stg,
    Red,
    Atomg,
    Ld,
    St,
    Atom,
    Ldgsts,  // global and generic memory
    Syncs,
    Stas,
    Xu,
    WideXu,
    Fp64,
    Tensor,
    Tex,
    Redux,
    Other
};
inline constexpr std::size_t kQueueOps = static_cast<std::size_t>(QueueOp::Other) + 1;
QueueOp queue_op(const Instruction& instruction);

// True if `second` may overwrite an operand of `first` without a barrier: it always writes after the read.
bool overwrites_in_order(const Arch& arch, QueueOp first, QueueOp second, CheckMode mode);

}  // namespace cubinlab
