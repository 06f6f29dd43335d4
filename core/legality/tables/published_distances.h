// SPDX-License-Identifier: GPL-3.0-or-later
// The published figures that required_distance() (latency.h, which names the sources) combines with those of
// compiled code. Cycles; 0: no entry. Internal to core/legality/tables.
#pragma once
#include "core/legality/dependency_graph.h"
#include "core/legality/tables/latency_classes.h"
#include "core/sass/instruction.h"

namespace cubinlab::published {

inline constexpr int kNoEntry = 0;
using Row = int[12];  // columns in the order of latency::Writer

// `generation` as table_generation() has it.
int distance(int generation, DependenceKind kind, const Instruction& first, const Operand& a,
             const Instruction& second, const Operand& b, unsigned reg);
// The figures of sm_75 to sm_90; also of a later generation where it has none of its own.
int before_blackwell(int generation, DependenceKind kind, const Instruction& first, const Operand& a,
                     const Instruction& second, const Operand& b, unsigned reg);
// sm_100, sm_103 (100) and sm_120 (120).
int blackwell(int generation, DependenceKind kind, const Instruction& first, const Operand& a,
              const Instruction& second, const Operand& b, unsigned reg);

// A general register read after a write, sm_75 to sm_90.
int raw_gpr(int generation, latency::Writer writer, latency::Reader reader);
// FP16 arithmetic forwards to FP16 arithmetic one cycle earlier.
bool same_fp16_kind(const Instruction& first, const Instruction& second);

}  // namespace cubinlab::published
