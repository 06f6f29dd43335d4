// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/session_checks.h"

namespace cubinlab {

Status check_session_file(const sqlite::Database& database, std::uint64_t file_bytes) {
    // Views, triggers and virtual tables have no page of their own.
    const auto foreign =
        TRY(database.integer("SELECT count(*) FROM sqlite_master WHERE coalesce(rootpage, 0) = 0"));
    if (foreign != 0)
        return fail(
            ErrorCode::Corrupt,
            "the session file contains a view, a trigger or a virtual table, which no session has; another "
            "program made or changed it",
            database.where());
    if (file_bytes > kCheckedWhole) return {};
    auto found = TRY(database.text("PRAGMA quick_check(1)"));
    if (found == "ok") return {};
    return fail(
        ErrorCode::Corrupt,
        "the session file is damaged (" + found + "); what is left can be read with: sqlite3 FILE .recover",
        database.where());
}

}  // namespace cubinlab
