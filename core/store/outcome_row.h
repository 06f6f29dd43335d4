// SPDX-License-Identifier: GPL-3.0-or-later
// An Outcome as columns of a row, by the field visitor of core/result/outcome.h. The tables `mutations` and
// `measurements` both have these columns, named as the fields. Enums are words, lists are blobs of little-endian
// float32. An empty text, hash or list is NULL.
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

// The columns as CREATE TABLE declares them.
std::string outcome_definitions();
// What schema 8 has for each column, in the order of outcome_columns(): there a number that is 0 may be NULL.
std::string outcome_columns_of_8();

}  // namespace cubinlab
