// SPDX-License-Identifier: GPL-3.0-or-later
// Minimum issue distances between two instructions that touch the same register, by architecture and pair of
// execution units. Units: cycles from the issue of the first to the issue of the second.
//
//   auto need = required_distance(arch, DependenceKind::Raw, fadd, fadd.operands[0], hmma, hmma.operands[1],
//   4);
//   // 7 on sm_80..90: a tensor operand written by the ALU or FMA pipe
//
// Sources: Mesa NAK's tables (sm75/sm80_instr_latencies.rs) with what an H200 showed, and the minima over
// ptxas output (seen_distances.h); combined by `combined_distance`. sm_90 has no public table: ptxas' minima,
// which reproduce sm_80 but for VIADD, FP64, R2UR and the tensor units. A pair with no figure has no entry:
// nothing is guessed. See resources/docs/legality.md.
#pragma once
#include <optional>

#include "core/analysis/dependency_graph.h"
#include "core/analysis/hazard_checker.h"
#include "core/analysis/seen_distances.h"
#include "core/sass/arch.h"
#include "core/sass/instruction.h"

namespace cubinlab {

// `first` issues before `second`; `reg` is the register in common (absolute number, inside both operands).
// `kind` is Raw, War or Waw. nullopt: no table covers the pair.
// Pairs whose first half completes by a scoreboard (see completes_by_scoreboard) have no entry here.
// Absolute mode has to accept what the compiler emits: where it is seen below the published table its figure
// holds. A search takes the larger of the two, for it never needs more than the original has.
std::optional<int> required_distance(const Arch& arch, DependenceKind kind, const Instruction& first,
                                     const Operand& first_operand, const Instruction& second,
                                     const Operand& second_operand, unsigned reg,
                                     CheckMode mode = CheckMode::Absolute);

// Cycles to keep although a wait proves the pair: instructions with a barrier and a latency of their own
// (FP64 before sm_90, tensor units of sm_75 ...). 0: none.
int distance_beside_wait(const Arch& arch, DependenceKind kind, const Instruction& first,
                         const Operand& first_operand, const Instruction& second,
                         const Operand& second_operand, unsigned reg, CheckMode mode);
bool keeps_distance_beside_wait(const Instruction& first);

// The rule of required_distance on its own: the published figure (0: none) and the row of compiled code.
int combined_distance(int published, const ObservedDistance* seen, DependenceKind kind, CheckMode mode);
int table_generation(const Arch& arch);  // 75; 80 for sm_80 to sm_89; 90

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
int fence_to_memory_floor(const Arch& arch, const Instruction& instruction, CheckMode mode);

// Cycles from the first half of a cluster's barrier to the second. ptxas has 6 and more, whatever stands between them,
// and 1 to a second half that follows at once is a launch failure (fuzz on an H100).
int arrive_to_wait_floor(const Instruction& instruction);

// Cycles from a block barrier to the next branch, EXIT or convergence instruction, and to what `keeps_behind_barrier`
// names; 0: none. ptxas puts arithmetic one cycle behind a BAR, and none of these closer than this in any place.
int barrier_floor(const Arch& arch, const Instruction& instruction);
bool steers(const Instruction& instruction);  // a branch, an exit, a convergence instruction
// Another barrier or fence, and what goes to a queue without being memory; UMOV and ULDC.
bool keeps_behind_barrier(const Instruction& instruction);

// Cycles from the instruction in front of a change of the register count to that change, where the original has as
// many: ptxas has 8 in 170 of 171 places.
inline constexpr int kBeforeRegisterCount = 8;
bool changes_register_count(const Instruction& instruction);

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
