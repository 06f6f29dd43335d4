// SPDX-License-Identifier: GPL-3.0-or-later
// A run and what judged it as rows of `runs` and `machines`, a StepRecord as a row of `mutations`, and back.
#pragma once
#include <string>

#include "core/store/session.h"
#include "core/store/sqlite.h"

namespace cubinlab {

// Locked instructions of all runs of a list together; far above what any session holds, far below what fills
// the memory.
inline constexpr std::size_t kMostLocked = std::size_t{1} << 22;

// The runs that the end of the statement selects ("WHERE r.id = ?"), as read_run takes them. Steps, best and
// later parts are in other tables.
std::string run_rows(const std::string& which);
Result<RunInfo> read_run(const sqlite::Statement& row);

// Columns of `machines m`, to be put into a SELECT; the first of them is column `at` of the row.
extern const char* const kMachineColumns;
EvaluatorInfo read_machine(const sqlite::Statement& row, int at);

Result<sqlite::Statement> prepare_insert_step(const sqlite::Database& database);
Status insert_step(sqlite::Statement& insert, RunId run, const StepRecord& record);

// Writes the number of steps into the run's row: the log is never shorter than this says.
Status store_step_count(sqlite::Database& database, RunId run);

// Columns that read_step expects, to be put between SELECT and FROM mutations.
const std::string& step_columns();
Result<StepRecord> read_step(const sqlite::Statement& row);

}  // namespace cubinlab
