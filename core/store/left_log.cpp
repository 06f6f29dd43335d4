// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/left_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <vector>

#include "core/store/schema.h"
#include "core/store/session_checks.h"
#include "core/store/session_file.h"
#include "core/store/sqlite.h"

namespace cubinlab {
namespace {

constexpr std::uint64_t kLogHeader = 32, kOnePage = 8192;  // bytes
constexpr std::size_t kMostRuns = 4096;

// What a log that goes on can only add to.
struct LastSteps {
    std::string kernel;
    struct Run {
        std::string begun;  // when and at which schedule
        std::int64_t step = 0;
        std::string hash;  // of its last step
        std::int64_t id = 0;
    };
    std::vector<Run> runs;  // by id
};

Result<LastSteps> last_steps_of(const sqlite::Database& database) {
    LastSteps out;
    out.kernel = TRY(database.text("SELECT coalesce(max(hash), '') FROM kernels"));
    auto runs = TRY(database.prepare(
        "SELECT r.id, r.started || ' ' || r.start_hash, coalesce(m.step, "
        "0), "
        "coalesce(m.schedule_hash, '') FROM runs r LEFT JOIN mutations m ON m.run = r.id AND m.step = "
        "(SELECT max(step) FROM mutations WHERE run = r.id) ORDER BY r.id"));
    while (out.runs.size() < kMostRuns) {
        auto more = TRY(runs.step());
        if (!more) break;
        out.runs.push_back({runs.text(1), runs.integer(2), runs.text(3), runs.integer(0)});
    }
    return out;
}

// Why what the log makes of the session does not go on from what the session is without it; empty: it does.
Result<std::string> contradiction(const LastSteps& without, const sqlite::Database& with) {
    const LastSteps now = TRY(last_steps_of(with));
    if (!without.kernel.empty() && now.kernel != without.kernel)
        return std::string("it is of another kernel");
    auto find = TRY(with.prepare("SELECT schedule_hash FROM mutations WHERE run = ? AND step = ?"));
    for (const LastSteps::Run& run : without.runs) {
        const auto same = std::find_if(now.runs.begin(), now.runs.end(),
                                       [&](const LastSteps::Run& other) { return other.id == run.id; });
        if (same == now.runs.end() || same->begun != run.begun)
            return fmt::format("it has no run {} that began as this session's", run.id);
        if (run.step == 0) continue;
        TRY(find.bind(run.id, run.step));
        auto there = TRY(find.step());
        if (!there || find.text(0) != run.hash)
            return fmt::format("with it step {} of run {}, which the session has, is gone or another",
                               run.step, run.id);
    }
    return std::string();
}

Result<sqlite::Database> open_checked(const std::filesystem::path& session, sqlite::Mode mode) {
    auto database = TRY(sqlite::Database::open(session, mode));
    const int version = TRY(schema_version(database));
    if (version != 0) TRY(check_session_file(database, size_of_file(session)));
    return database;
}

// The session without its log; empty: nothing to hold against it, since the file is new, or its writer was killed while it
// moved pages there, which are in the log, too.
LastSteps without_log(const std::filesystem::path& session) {
    auto database = open_checked(session, sqlite::Mode::Immutable);
    if (!database) return {};
    return last_steps_of(*database).value_or(LastSteps{});
}

// Its writer was killed while it made the session: pages of that are in the log, no commit is.
bool still_empty(const sqlite::Database& database) {
    const auto version = schema_version(database);
    return version && *version == 0;
}

// With its log it is a session, of a version that this program does not know.
bool is_newer(const std::filesystem::path& session) {
    const auto database = sqlite::Database::open(session, sqlite::Mode::ReadOnly);
    if (!database) return false;
    const auto application = database->integer("PRAGMA application_id"),
               version = database->integer("PRAGMA user_version");
    return application && version && *application == kApplicationId && *version > kSchema;
}

Result<std::string> why_not_its_own(const std::filesystem::path& session) {
    const LastSteps before = without_log(session);
    auto with = open_checked(session, sqlite::Mode::ReadOnly);
    // Not what the log holds, but that the folder takes no side file, or somebody's lock: told by who opens it next.
    if (!with && (with.error().code == ErrorCode::Io || with.error().code == ErrorCode::Busy))
        return std::string();
    if (!with && before.kernel.empty()) return std::string();  // the file is no better without it
    if (!with && is_newer(session)) return fail(with.error());
    if (!with) return "with it the session is damaged: " + with.error().what;
    if (before.kernel.empty() && still_empty(*with)) return std::string();
    auto why = contradiction(before, *with);
    if (!why) return "with it the session cannot be read: " + why.error().what;
    return why;
}

bool known_log(const std::array<unsigned char, 4>& magic) {
    return magic[0] == 0x37 && magic[1] == 0x7f && magic[2] == 0x06 && (magic[3] & 0xfe) == 0x82;
}

}  // namespace

Status check_left_log(const std::filesystem::path& session) {
    const std::filesystem::path log = wal_of(session);
    if (size_of_file(log) < kLogHeader) return {};  // a writer that was killed before its first commit
    const auto refuse = [&](const std::string& why) {
        return fail(
            ErrorCode::Corrupt,
            fmt::format(
                "{0} beside it is not the log that its writer left: {1}. Nothing was changed; move {0} away "
                "to read the session as it is without it, or put back the one that belongs to it",
                log.filename().string(), why),
            session.string());
    };
    std::array<unsigned char, 4> magic{};
    std::ifstream file(log, std::ios::binary);
    file.read(reinterpret_cast<char*>(magic.data()), magic.size());
    if (!file) return {};  // told by SQLite
    if (!known_log(magic)) {
        // A power loss leaves a file whose bytes were never written.
        if (magic == std::array<unsigned char, 4>{}) return {};
        return refuse("it is no log of SQLite's, which would remove it");
    }
    const std::string why = TRY(why_not_its_own(session));
    return why.empty() ? Status{} : refuse(why);
}

Status check_left_journal(const std::filesystem::path& session) {
    const std::filesystem::path journal = session.string() + "-journal";
    const std::uint64_t bytes = size_of_file(journal);
    if (bytes == 0) return {};
    std::ifstream file(journal, std::ios::binary);
    if (file.get() == 0) return {};  // finished with: SQLite does not look at it either
    // One of a session that was being made, which holds nothing yet; it must name no other file to be removed.
    constexpr std::array<char, 8> kNamesAnother = {'\xd9', '\xd5', '\x05', '\xf9',
                                                   '\x20', '\xa1', '\x63', '\xd7'};
    std::array<char, 8> end{};
    if (bytes >= end.size()) {
        file.seekg(static_cast<std::streamoff>(bytes - end.size()));
        file.read(end.data(), end.size());
    }
    if (size_of_file(session) <= kOnePage && file && end != kNamesAnother) return {};
    return fail(
        ErrorCode::Corrupt,
        fmt::format(
            "{0} lies beside it, which no session leaves: it would be rolled back into the session. If "
            "another program left it there while it changed the session, let that program finish; else "
            "move {0} away. Nothing was changed",
            journal.filename().string()),
        session.string());
}

}  // namespace cubinlab
