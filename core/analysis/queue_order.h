// SPDX-License-Identifier: GPL-3.0-or-later
// When the operands of a queued instruction have been read: what one instruction's barrier says of others,
// and what may overwrite an operand with no barrier at all. Two different questions, each answered by a list
// of kinds with the places in compiled code that show it; what no list shows is not believed. Internal.
//
//   STS [R2], R4 ; STG [R8], R9 {read barrier 0} ; IADD3 R4, ... {wait 0}   a later barrier covers the STS
//   STS [R2], R4 ; LDS R4, [R6]                                             no barrier needed
//   LDG R9, [R4] ; LDS R4, [R6]                                             refused: ptxas always waits
#pragma once
#include <cstdint>

#include "core/analysis/hazard_checker.h"
#include "core/sass/arch.h"
#include "core/sass/instruction.h"

namespace cubinlab {

// Instructions whose operands one barrier may answer for.
enum class ReadClass : std::uint8_t {
    Shared,       // LDS LDSM STSM SHFL ATOMS STL ...: the shared-memory queue
    SharedStore,  // STS, of the same queue
    LocalLoad,    // LDL, of the same queue
    Mbarrier,     // SYNCS, by itself
    Store,        // STG ST
    Reduction,    // RED
    Atomic,       // ATOMG ATOM
    Load,         // LDG LD
    AsyncCopy,    // LDGSTS
    CopyLoad,     // UTMALDG
    Copy,         // the rest of the copy unit: UTMASTG UBLKCP ...
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

// Classes whose older members have read their operands once a barrier of `setter` is waited for, one bit
// each.
std::uint32_t read_classes_covered(const Arch& arch, const Instruction& setter, CheckMode mode);

// Classes that an instruction leaves behind with their operands read, with no wait: a block barrier behind
// them in their queue. One bit each.
std::uint32_t read_classes_drained(const Arch& arch, const Instruction& barrier, CheckMode mode);

// Instructions as the list of overwrites tells them apart.
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

// `second` may write what `first` reads with no barrier between them: it cannot land before `first` has read.
bool overwrites_in_order(const Arch& arch, QueueOp first, QueueOp second, CheckMode mode);

}  // namespace cubinlab
