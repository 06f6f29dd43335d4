// SPDX-License-Identifier: GPL-3.0-or-later
// Minimum issue distances between two instructions that touch the same register, by architecture and pair of
// execution units. Units: cycles from the issue of the first to the issue of the second.
//
//   auto need = required_distance(arch, DependenceKind::Raw, fadd, fadd.operands[0], hmma, hmma.operands[1],
//   4);
//   // 7 on sm_80..90: a tensor operand written by the ALU or FMA pipe
//
// Sources: Mesa NAK's tables (sm75/sm80_instr_latencies.rs) and the minima over ptxas output; the larger of
// the two. sm_90 has no public table: ptxas' minima, which reproduce sm_80 but for VIADD, FP64, R2UR and the
// tensor units. A pair with no figure has no entry: nothing is guessed. See resources/docs/legality.md.
#pragma once
#include <optional>

#include "core/analysis/dependency_graph.h"
#include "core/sass/arch.h"
#include "core/sass/instruction.h"

namespace cubinlab {

// `first` issues before `second`; `reg` is the register in common (absolute number, inside both operands).
// `kind` is Raw, War or Waw. nullopt: no table covers the pair.
// Pairs whose first half completes by a scoreboard (see completes_by_scoreboard) have no entry here.
std::optional<int> required_distance(const Arch& arch, DependenceKind kind, const Instruction& first,
                                     const Operand& first_operand, const Instruction& second,
                                     const Operand& second_operand, unsigned reg);

// True where the end of the instruction's write (or read, of its sources) is known by a scoreboard only.
bool completes_by_scoreboard(const Arch& arch, const Instruction& instruction);

// An operand that is read some time after issue, so that a barrier has to say when: vector registers of
// queued instructions, and the uniform registers of bulk copies and of SYNCS.EXCH (ptxas waits for them;
// those of loads, stores and other SYNCS it overwrites without). Guards and predicates are read at issue.
bool read_after_issue(const Instruction& instruction, RegFile file);

// Cycles an instruction of this kind keeps the warp from issuing at least (BAR, DEPBAR, NANOSLEEP ...); 0:
// none.
int stall_floor(const Arch& arch, const Instruction& instruction);

// Cycles from a barrier or memory fence to the next memory operation; 0: none.
int fence_to_memory_floor(const Arch& arch, const Instruction& instruction);

// Cycles from WARPGROUP.ARRIVE to the next wgmma; 0: another instruction. Found by fuzzing on an H200:
// results are wrong at 1, and ptxas is never below 6 (16 cases, minimum hit 10 times).
int arrive_to_wgmma_floor(const Instruction& instruction);

// WARPGROUP.DEPBAR, and the cycles it needs after the last wgmma of its group: the counterpart of
// set-to-wait. Found by fuzzing on an H200: results are wrong at 1, and ptxas is never below 3 (15 cases,
// minimum hit 9 times).
bool waits_for_wgmma(const Instruction& instruction);
inline constexpr int kWgmmaToDepbar = 3;

// No table has a longer entry, and no original's own distance is kept beyond this.
inline constexpr int kDistanceCap = 64;

}  // namespace cubinlab
