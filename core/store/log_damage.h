// SPDX-License-Identifier: GPL-3.0-or-later
// A session's write-ahead log (NAME.db-wal) that is damaged: SQLite takes what stands before the damage and drops the rest,
// with no word and for ever, since whoever opens the session next moves the log into the database.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>

#include "core/base/result.h"

namespace cubinlab {

struct LogDamage {
    std::uint64_t at = 0;       // byte of the log
    std::uint64_t commits = 0;  // whole ones behind it, which SQLite will not read
};
// None: there is no log, all of it can be read, or what cannot be was never committed (a writer that was killed in the
// middle of it). Nobody may be writing. The form: SQLite, "WAL-mode file format".
std::optional<LogDamage> damage_of_log(const std::filesystem::path& log);

// Of a session that nobody writes, before it is opened. Corrupt where its log is damaged: a copy of the log lies beside it
// then, as NAME.db-wal.damaged. Where such a copy is there already, of this log, nothing is said: what is left is read.
Status keep_damaged_log(const std::filesystem::path& session);

}  // namespace cubinlab
