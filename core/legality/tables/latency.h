// SPDX-License-Identifier: GPL-3.0-or-later
// Minimum issue distances between two instructions that access the same register, by architecture and pair of
// execution units. Units: cycles from the issue of the first to the issue of the second.
//
//   auto need = required_distance(arch, DependenceKind::Raw, fadd, fadd.operands[0], hmma, hmma.operands[1], 4);
//   // 7 on sm_80..90: a tensor operand written by the ALU or FMA pipe
//
// Sources: the tables of Mesa NAK (sm75/sm80_instr_latencies.rs) corrected by H200 measurements, and minima
// over ptxas output (observed_distances.h); `combined_distance` combines them. sm_90 has no public table: it uses
// the minima of ptxas, which equal sm_80 except for VIADD, FP64, R2UR and the tensor units. sm_100: Mesa's
// src/nouveau/compiler/latencies/sm100/*.csv (commit 477533ee0082); sm_120: what nak/sm120_instr_latencies.rs
// (commit 0e1761ccbe73) adds. These two are not measured by this project. A pair without a
// figure has no entry. See resources/docs/legality.md.
#pragma once
#include <optional>

#include "core/legality/dependency_graph.h"
#include "core/legality/hazard_checker.h"
#include "core/legality/tables/observed_distances.h"
#include "core/isa/arch.h"
#include "core/sass/instruction.h"

namespace cubinlab {

// `first` issues before `second`; `reg` is the common register (absolute number, inside both operands).
// `kind` is Raw, War or Waw. nullopt: no table covers the pair. There are no entries for pairs whose first
// half completes by a scoreboard (see completes_by_scoreboard). Absolute mode must accept compiled code:
// where its distance is below the published table, it is used. A search uses the larger of the two, but never
// needs more than the original has.
std::optional<int> required_distance(const Arch& arch, DependenceKind kind, const Instruction& first,
                                     const Operand& first_operand, const Instruction& second,
                                     const Operand& second_operand, unsigned reg,
                                     CheckMode mode = CheckMode::Absolute);

// Cycles that are required in addition to a wait: for instructions with a barrier and a latency of their own
// (FP64 before sm_90, tensor units of sm_75 ...). 0: none.
int distance_with_wait(const Arch& arch, DependenceKind kind, const Instruction& first,
                       const Operand& first_operand, const Instruction& second, const Operand& second_operand,
                       unsigned reg, CheckMode mode);
bool keeps_distance_with_wait(const Instruction& first);

// Combines the published figure (0: none) and the row of compiled code.
int combined_distance(int published, const ObservedDistance* seen, DependenceKind kind, CheckMode mode);
int table_generation(const Arch& arch);  // 75; 80 for sm_80 to sm_89; 90; 100 for sm_100 and sm_103; 120

// True if only a scoreboard signals the instruction's write (or the read of its sources).
bool completes_by_scoreboard(const Arch& arch, const Instruction& instruction);

// True for operands that are read after issue, so that a barrier must signal the read: vector registers of
// queued instructions, and uniform registers of bulk copies and SYNCS.EXCH (ptxas waits for them, but
// overwrites those of loads, stores and other SYNCS without a wait). Guards and predicates are read at issue.
bool read_after_issue(const Instruction& instruction, RegFile file);

// Minimum stall of this instruction (BAR, DEPBAR, NANOSLEEP ...); 0: none.
int stall_floor(const Arch& arch, const Instruction& instruction);

// Cycles from a barrier or memory fence to the next memory operation; 0: none.
int fence_to_memory_floor(const Arch& arch, const Instruction& instruction, CheckMode mode);

// Cycles from the first half of a cluster barrier to the second. ptxas keeps at least 6, whatever is between;
// a second half at 1 is a launch failure (fuzzing on an H100).
int arrive_to_wait_floor(const Instruction& instruction);

// Cycles from a block barrier to the next branch, EXIT or convergence instruction, and to instructions of
// `keeps_behind_barrier`; 0: none. ptxas issues arithmetic one cycle after a BAR, but none of these.
int barrier_floor(const Arch& arch, const Instruction& instruction);
bool is_control_transfer(const Instruction& instruction);  // a branch, an exit or a convergence instruction
// Another barrier or fence, and non-memory instructions that are queued; UMOV and ULDC.
bool keeps_behind_barrier(const Instruction& instruction);

// Cycles from the previous instruction to a change of the register count, if the original has as many: ptxas
// has 8 in 170 of 171 places.
inline constexpr int kBeforeRegisterCount = 8;
bool changes_register_count(const Instruction& instruction);

// Cycles from WARPGROUP.ARRIVE to the next wgmma; 0: another instruction. H200: results are wrong at 1; ptxas
// keeps at least 6 (16 cases, exactly 6 in 10).
int arrive_to_wgmma_floor(const Instruction& instruction);

// WARPGROUP.DEPBAR, and its distance from the last wgmma of its group, similar to set-to-wait. H200: results
// are wrong at 1; ptxas keeps at least 3 (15 cases, exactly 3 in 9).
bool waits_for_wgmma(const Instruction& instruction);
inline constexpr int kWgmmaToDepbar = 3;

// Upper limit of all table entries and of distances taken from the original.
inline constexpr int kDistanceCap = 64;

}  // namespace cubinlab
