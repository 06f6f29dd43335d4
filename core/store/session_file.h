// SPDX-License-Identifier: GPL-3.0-or-later
// Opening the database of a session: identity, schema, journal mode, and the damage that can be seen at once.
#pragma once
#include <filesystem>

#include "core/store/sqlite.h"

namespace cubinlab {

// For the one writer (which holds the lock): created or migrated, in WAL mode. max_bytes 0: no limit.
Result<sqlite::Database> open_session_for_writing(const std::filesystem::path& path, std::uint64_t max_bytes);
// A further connection of the writing process, for checkpoints of the WAL.
Result<sqlite::Database> open_session_for_checkpoints(const std::filesystem::path& path);
// `plain`: nobody writes and there is no log, so the file alone is read and nothing is made beside it; the
// caller sees to that (session_access.h). Errors: BadInput (foreign, garbage, newer), Corrupt (truncated),
// Io.
Result<sqlite::Database> open_session_for_reading(const std::filesystem::path& path, bool plain, int& schema);
// An older file is brought up to date by whoever opens it first, if it may be written and nobody writes it.
Status migrate_session(const std::filesystem::path& path, int version);
// What readers of a log leave when its writer is gone (-wal, -shm) goes into the file, unless somebody uses
// it.
void tidy_session(const std::filesystem::path& path);

std::filesystem::path wal_of(const std::filesystem::path& path);
std::uint64_t size_of_file(const std::filesystem::path& path);  // bytes; 0 if there is none

}  // namespace cubinlab
