// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of a session file and how older files become newer ones. The schema version stands in
// `PRAGMA user_version`, the file's identity in `PRAGMA application_id`. Page for people who query it
// themselves: resources/docs/session-file.md.
#pragma once
#include <cstdint>
#include <functional>
#include <span>

#include "core/store/sqlite.h"

namespace cubinlab {

inline constexpr std::int64_t kApplicationId = 0x43754c62;  // "CuLb"

// One step of the ladder: what takes a file from version `to` - 1 to `to`.
struct Migration {
    int to = 0;
    std::function<Status(sqlite::Database&)> apply;
};

std::span<const Migration> session_migrations();
int current_schema_version();

// Version of an open file; 0 for an empty database. BadInput: another program's database, or a newer
// CubinLab's.
Result<int> schema_version(const sqlite::Database& database, std::span<const Migration> ladder);
// Brings the file to the top of the ladder in one transaction: on any error it stays as it was.
Status migrate(sqlite::Database& database, std::span<const Migration> ladder);

}  // namespace cubinlab
