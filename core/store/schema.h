// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of a session file, schema 9, and how a file of schema 8 becomes one. `PRAGMA user_version` is the schema
// version, `PRAGMA application_id` the file's identity. Page for people who query it themselves:
// resources/docs/session-file.md.
#pragma once
#include <cstdint>

#include "core/store/sqlite.h"

namespace cubinlab {

inline constexpr std::int64_t kApplicationId = 0x43754c62;  // "CuLb"
inline constexpr int kSchema = 9;
inline constexpr int kOldestSchema = 8;  // migrate() brings it up to date

// Version of an open file, kOldestSchema to kSchema; 0: an empty database. BadInput: another program's database, a newer
// CubinLab's, or an older one's that this program does not read.
Result<int> schema_version(const sqlite::Database& database);
// Creates the tables in an empty database, or migrates them to schema 9, in one transaction: on any error the file stays
// as it was.
Status migrate(sqlite::Database& database);

}  // namespace cubinlab
