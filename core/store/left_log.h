// SPDX-License-Identifier: GPL-3.0-or-later
// What lies beside a session that nobody writes, and that SQLite would take for the session's own without a word: a log
// (-wal) whose pages would take the place of the session's, a journal (-journal) that would be rolled back into it.
#pragma once
#include <filesystem>

#include "core/base/result.h"

namespace cubinlab {

// Corrupt: the log is not the one that this session's writer left, or is none. Nothing was changed: the session as it
// stands without it can be read once it is moved away. Asked while nobody writes.
Status check_left_log(const std::filesystem::path& session);
// Corrupt: a journal that no session leaves. Asked while nobody writes.
Status check_left_journal(const std::filesystem::path& session);

}  // namespace cubinlab
