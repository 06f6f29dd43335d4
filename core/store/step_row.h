// SPDX-License-Identifier: GPL-3.0-or-later
// A StepRecord as a row of `mutations` and back.
#pragma once
#include <string>

#include "core/result/step_record.h"
#include "core/store/sqlite.h"

namespace cubinlab {

Result<sqlite::Statement> prepare_insert_step(const sqlite::Database& database);
Status insert_step(sqlite::Statement& insert, RunId run, const StepRecord& record);

// Columns that read_step expects, to be put between SELECT and FROM mutations.
const std::string& step_columns();
Result<StepRecord> read_step(const sqlite::Statement& row);

}  // namespace cubinlab
