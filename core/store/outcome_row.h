// SPDX-License-Identifier: GPL-3.0-or-later
// An Outcome as columns of a row, by the field visitor of core/result/outcome.h. The tables `mutations` and
// `measurements` both have these columns, named as the fields. Enums are words, lists are blobs of little-endian
// float32. A field that schema 1 did not have, and a text or list, is NULL where it holds nothing.
#pragma once
#include <string>

#include "core/result/outcome.h"
#include "core/store/sqlite.h"

namespace cubinlab {

int outcome_column_count();
const std::string& outcome_columns();  // "outcome, verdict, ...", for SELECT and INSERT
// "?,?,...": as many parameters as `others` and an outcome take.
std::string outcome_parameters(int others);

// `first`: number of the parameter, from 1, that the outcome begins with.
Status bind_outcome(sqlite::Statement& statement, int first, const Outcome& outcome);
// `first`: number of the column, from 0. Corrupt, naming `where`: unknown words, numbers that are none.
Result<Outcome> read_outcome(const sqlite::Statement& row, int first, const std::string& where);

// What brings the two tables from schema - 1 to `schema`; empty where the outcome got no field.
std::string outcome_migration(int schema);
int newest_outcome_schema();

}  // namespace cubinlab
