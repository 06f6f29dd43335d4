// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/session_copy.h"

#include <unistd.h>

#include <system_error>
#include <vector>

#include "core/tuning/session_summary.h"
#include "core/store/session_lock.h"

namespace cubinlab {
namespace {

namespace fs = std::filesystem;

bool belongs_to_a_process(const fs::path& file) {
    return file.extension() == ".lock" || file.string().ends_with("-shm");
}

Status copy_one(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::copy_file(from, to, error);
    // A copy takes over the mode, of a read-only file too.
    if (!error)
        fs::permissions(to, fs::perms::owner_read | fs::perms::owner_write, fs::perm_options::add, error);
    if (error)
        return fail(ErrorCode::Io, "the session cannot be copied here: " + error.message(), to.string());
    return {};
}

}  // namespace

Status check_session_writable(const fs::path& session) {
    std::error_code error;
    if (!fs::exists(session, error))
        return fail(ErrorCode::NotFound, "no such session file", session.string());
    TRY(SessionFile::open(session, SessionFile::Access::Write));
    const fs::path folder = session.has_parent_path() ? session.parent_path() : fs::path(".");
    if (::access(folder.c_str(), W_OK) == 0) return {};
    return fail(ErrorCode::Io, "its folder cannot be written to, where the newest steps would stand",
                session.string());
}

Status copy_session(const fs::path& from, const fs::path& to) {
    std::error_code error;
    const fs::path real = fs::canonical(from, error);
    if (error) return fail(ErrorCode::NotFound, "no such session file", from.string());
    auto file = TRY(SessionFile::open(real, SessionFile::Access::Read));
    if (!file.share())
        return fail(ErrorCode::Busy, "is being written; copy it when that is over", from.string());
    std::vector<fs::path> made;
    for (const fs::path& each : files_of_session(real)) {
        if (belongs_to_a_process(each)) continue;
        const fs::path copy = to.string() + each.filename().string().substr(real.filename().string().size());
        if (auto copied = copy_one(each, copy); !copied) {
            for (const fs::path& half : made)
                fs::remove(half, error);
            return copied;
        }
        made.push_back(copy);
    }
    return {};
}

}  // namespace cubinlab
