// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/session_id.h"

#include <fmt/format.h>

#include <cstdint>

#include "core/store/session_file.h"

namespace cubinlab {
namespace {

struct Identification {
    std::string id;
    std::int64_t commits = 0;
};

Result<Identification> identity_of(const std::filesystem::path& session, sqlite::Mode mode) {
    const auto database = TRY(sqlite::Database::open(session, mode));
    auto id = TRY(session_id(database));
    const auto commits = TRY(database.integer("SELECT commits FROM session"));
    return Identification{std::move(id), commits};
}

}  // namespace

Result<std::string> session_id(const sqlite::Database& database) {
    return database.text("SELECT id FROM session");
}

Status count_commit(sqlite::Database& database) {
    return database.exec("UPDATE session SET commits = commits + 1");
}

Status check_side_files(const std::filesystem::path& session) {
    const std::filesystem::path log = wal_of(session), journal = session.string() + "-journal";
    const bool has_journal = size_of_file(journal) > 0;
    if (size_of_file(log) == 0 && !has_journal) return {};
    // Unreadable without the log: a new session, or one whose writer was killed while it moved the log's pages.
    const auto alone = identity_of(session, sqlite::Mode::Immutable);
    if (!alone) return {};
    const auto with = identity_of(session, sqlite::Mode::ReadOnly);
    if (with && with->id == alone->id && with->commits >= alone->commits) return {};
    // The folder takes no side file, or somebody holds a lock: the next connection reports it.
    const bool unread = !with && (with.error().code == ErrorCode::Io || with.error().code == ErrorCode::Busy);
    if (unread && !has_journal) return {};
    const std::string name = (has_journal ? journal : log).filename().string();
    return fail(
        ErrorCode::Corrupt,
        fmt::format("{0} does not belong to this session, or is older than it. Nothing was changed. Move {0} "
                    "away to read the session without it, or restore the file that belongs to it",
                    name),
        session.string());
}

}  // namespace cubinlab
