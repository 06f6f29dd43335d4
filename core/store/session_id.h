// SPDX-License-Identifier: GPL-3.0-or-later
// SQLite does not tie a log (NAME.db-wal) to its database: it reads any file of that name as the database's own. A
// session therefore holds a random id and counts its commits. Every commit writes both, so that every log holds them.
#pragma once
#include <filesystem>
#include <string>

#include "core/store/sqlite.h"

namespace cubinlab {

Result<std::string> session_id(const sqlite::Database& database);
// Part of every commit.
Status count_commit(sqlite::Database& database);

// Corrupt: the log or the journal next to the session belongs to another session, or to an earlier state of this one.
// Nothing is changed. For a session that nobody writes, before a connection that may write opens it.
Status check_side_files(const std::filesystem::path& session);

}  // namespace cubinlab
