// SPDX-License-Identifier: GPL-3.0-or-later
// Prints the measured distances as tables: readers by writers, predicated writers next to the same pairs
// without a predicate, and every class with its counts, each with the checker's table and the smallest
// distance in compiled kernels.
#pragma once
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "app/lab/probe/probe_study.h"
#include "core/schedule/kernel.h"

namespace cubinlab::probe {

// kind, register file, first and second as in a ClassSummary
using ClassKey = std::tuple<std::string, std::string, std::string, std::string>;

struct Mined {
    int least = 0;           // cycles from issue to issue
    std::uint64_t seen = 0;  // pairs
};
using MinedClasses = std::map<ClassKey, Mined>;

// Adds what the compiler left in one kernel: pairs in one block, the first of which completes by its fixed
// latency, with nothing that writes the register between them. A stall of 0 counts as 1.
void mine_distances(const Kernel& kernel, MinedClasses& out);

// Of a class; of any slot where several were joined.
Mined least_of(const MinedClasses& mined, const ClassSummary& c);

// "ALU", "FMA wide c-lo", "guard of ALU": what `number` of `file` is to the instruction.
std::string operand_class(const Instruction& known, RegFile file, unsigned number, bool reads);

struct GuardComparison {
    int pairs = 0, same = 0, less = 0;
    std::vector<std::string> more;  // names: the predicated writer needs more
};
// Predicated first writers against the same pair without; both measured.
GuardComparison compare_guarded(const std::vector<Row>& rows);

// Read after write of GPRs: measured, table and compiler's minimum of each cell. Readers that agree in all of
// it are one line.
std::string matrix_markdown(const std::vector<ClassSummary>& classes, const MinedClasses& mined);
std::string classes_markdown(const std::vector<ClassSummary>& classes, const MinedClasses& mined);

// Operand slots of a class that need the same are one line.
std::vector<ClassSummary> join_slots(const std::vector<ClassSummary>& classes);

}  // namespace cubinlab::probe
