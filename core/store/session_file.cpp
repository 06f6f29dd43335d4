// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/session_file.h"

#include <sqlite3.h>

#include <algorithm>
#include <system_error>

#include "core/base/file.h"
#include "core/store/schema.h"
#include "core/store/session_checks.h"
#include "core/store/session_lock.h"

namespace cubinlab {
namespace {

constexpr std::int64_t kPageSize = 8192;  // bytes; only for new files

// A file that lost its end opens without complaint and fails at some later row: compare with what page 1
// says.
Status check_whole(const sqlite::Database& database, const std::filesystem::path& path) {
    if (size_of_file(wal_of(path)) > 0) return {};  // pages may still be in the log
    auto pages = TRY(database.integer("PRAGMA page_count"));
    auto size = TRY(database.integer("PRAGMA page_size"));
    const std::uint64_t expected = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size);
    const std::uint64_t there = size_of_file(path);
    if (there >= expected) return {};
    return fail(ErrorCode::Corrupt,
                "the session file is truncated: " + std::to_string(there) + " of " +
                    std::to_string(expected) +
                    " bytes are there; copy it again, together with its -wal file if there is "
                    "one, or recover what is left with: sqlite3 FILE .recover",
                path.string());
}

Status prepare_for_writing(sqlite::Database& database, const std::filesystem::path& path,
                           std::uint64_t max_bytes) {
    // Before anything is changed: the file may be a stranger's.
    auto version = TRY(schema_version(database));
    TRY(check_whole(database, path));
    if (version != 0) TRY(check_session_file(database, size_of_file(path)));
    if (version == 0) TRY(database.exec("PRAGMA page_size = " + std::to_string(kPageSize)));
    auto mode = TRY(database.text("PRAGMA journal_mode = WAL"));
    if (mode != "wal")
        return fail(ErrorCode::Io,
                    "this file system cannot hold a session (no shared memory for its log); put it on a "
                    "local disk",
                    path.string());
    TRY(
        database.exec("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; "
                      "PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY"));
    if (max_bytes > 0) {
        auto page = TRY(database.integer("PRAGMA page_size"));
        const auto pages = std::max<std::int64_t>(static_cast<std::int64_t>(max_bytes) / page, 1);
        TRY(database.integer("PRAGMA max_page_count = " + std::to_string(pages)));
    }
    if (version == kSchema) return {};
    return migrate(database);
}

}  // namespace

std::filesystem::path wal_of(const std::filesystem::path& path) {
    return path.string() + "-wal";
}

std::uint64_t size_of_file(const std::filesystem::path& path) {
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    return error ? 0 : static_cast<std::uint64_t>(size);
}

Result<sqlite::Database> open_session_for_writing(const std::filesystem::path& path,
                                                  std::uint64_t max_bytes) {
    auto database = TRY(sqlite::Database::open(path, sqlite::Mode::Create));
    TRY(prepare_for_writing(database, path, max_bytes));
    return database;
}

Result<sqlite::Database> open_session_for_checkpoints(const std::filesystem::path& path) {
    auto database = TRY(sqlite::Database::open(path, sqlite::Mode::ReadWrite));
    // A checkpoint that has to wait gives up soon: it may hold the write lock while it waits for readers.
    sqlite3_busy_timeout(database.handle(), 20);
    return database;
}

Result<sqlite::Database> open_session_for_reading(const std::filesystem::path& path, bool plain,
                                                  int& schema) {
    auto database =
        TRY(sqlite::Database::open(path, plain ? sqlite::Mode::Immutable : sqlite::Mode::ReadOnly));
    auto version = schema_version(database);
    if (!version && version.error().code == ErrorCode::Io && !plain)
        return fail(ErrorCode::Io,
                    "the newest steps are in " + wal_of(path).filename().string() +
                        ", which can only be read in a folder that you may write to; copy both files there",
                    path.string());
    if (!version) return fail(version.error());
    if (*version == 0)
        return fail(
            ErrorCode::BadInput,
            "an empty file, not a session: a run that is stopped before its first step can leave one, and "
            "a new run may begin in it",
            path.string());
    TRY(check_whole(database, path));
    TRY(check_session_file(database, size_of_file(path)));
    schema = *version;
    return database;
}

Status migrate_session(const std::filesystem::path& path, int version) {
    const std::string what = "this session was written by an older CubinLab (schema " + std::to_string(version) +
                             ") and could "
                             "not be brought up to date";
    auto lock = SessionLock::acquire(path);
    if (!lock) return fail(lock.error().code, what + ": " + lock.error().message(), path.string());
    auto database = open_session_for_writing(path, 0);
    if (!database)
        return fail(database.error().code, what + ": " + database.error().message(), path.string());
    return {};
}

void tidy_session(const std::filesystem::path& path) {
    auto lock = SessionLock::acquire(path, std::chrono::milliseconds(0));
    if (!lock) return;  // whoever has it will
    // The last connection that may write moves the log into the file and removes it.
    auto database = sqlite::Database::open(path, sqlite::Mode::ReadWrite);
    if (database) (void)database->integer("SELECT count(*) FROM sqlite_master");
}

bool is_session_file(const std::filesystem::path& path) {
    constexpr std::string_view kSqlite = "SQLite format 3";
    const auto start = read_start(path, kSqlite.size());
    return start && *start == kSqlite;
}

}  // namespace cubinlab
