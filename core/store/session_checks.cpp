// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/session_checks.h"

#include "core/store/schema.h"

namespace cubinlab {

Status check_session_file(const sqlite::Database& database, int version, std::uint64_t file_bytes) {
    TRY(check_schema(database, version, session_migrations()));
    if (file_bytes > kCheckedWhole) return {};
    auto found = TRY(database.text("PRAGMA quick_check(1)"));
    if (found == "ok") return {};
    return fail(
        ErrorCode::Corrupt,
        "the session file is damaged (" + found + "); what is left can be read with: sqlite3 FILE .recover",
        database.where());
}

}  // namespace cubinlab
