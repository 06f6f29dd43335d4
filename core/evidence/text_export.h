// SPDX-License-Identifier: GPL-3.0-or-later
// A schedule, a comparison and a log as text files that other tools read.
#pragma once
#include <span>
#include <string>

#include "core/result/evaluator.h"
#include "core/result/step_record.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

std::string block_line(const Kernel& kernel, BlockId id);  // "B3:  loop depth 1  -> B3 B4"
// One line an instruction in the order of `schedule`: offset, control code, text; a line before each block.
// `lines` is the display text by InstrId.
std::string listing_text(const Schedule& schedule, std::span<const std::string> lines);

// What turns `left` into `right`, block by block: lines that begin with "-" and "+" moved or changed, "~"
// changed its control code in place; three lines of context around them.
std::string diff_text(const Schedule& left, const Schedule& right, std::span<const std::string> lines,
                      const std::string& left_name, const std::string& right_name);

// RFC 4180, one row a step, behind one header row.
std::string mutation_csv_header();
// `evaluator`: what judged the step (evaluator_of() of its run).
std::string mutation_csv_row(const Kernel& kernel, const StepRecord& record, const EvaluatorInfo& evaluator);

}  // namespace cubinlab
