// SPDX-License-Identifier: GPL-3.0-or-later
// A StepRecord as a row of `mutations` and back.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result/step_record.h"
#include "core/schedule/schedule.h"
#include "core/store/sqlite.h"

namespace cubinlab {

// Where a step's first edit took its instruction; empty for control edits.
struct MovedFrom {
    std::optional<std::uint32_t> from;  // position in the parent
    std::optional<std::uint32_t> to;    // position in the result
};

// Where the instruction of a first edit that moves it lies; empty: that edit is of another kind, or of no instruction.
std::optional<std::uint32_t> position_of_moved(const Mutation& mutation, const Schedule& schedule);

// The columns that repeat what a step's edit and outcome say, for whoever queries the table: as they are stored.
struct EditColumn {
    const char* name;
    const char* from;  // what it follows from: "edit", "outcome"
    std::optional<std::string> value;
};
const std::string& edit_columns();  // to be put between SELECT and FROM mutations
std::vector<EditColumn> edit_values(const StepRecord& record, const MovedFrom& moved);

Result<sqlite::Statement> prepare_insert_step(const sqlite::Database& database);
Status insert_step(sqlite::Statement& insert, RunId run, const StepRecord& record, const MovedFrom& moved);

// Columns that read_step expects, to be put between SELECT and FROM mutations.
const std::string& step_columns();
Result<StepRecord> read_step(const sqlite::Statement& row);

}  // namespace cubinlab
