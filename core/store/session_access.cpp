// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/session_access.h"

#include <unistd.h>

#include <system_error>

#include "core/store/schema.h"
#include "core/store/session_file.h"
#include "core/store/session_id.h"

namespace cubinlab {

Result<std::unique_ptr<SessionAccess>> SessionAccess::open(const std::filesystem::path& path) {
    std::error_code error;
    if (path.has_parent_path() && !std::filesystem::exists(path.parent_path(), error))
        return fail(ErrorCode::NotFound,
                    "the folder does not exist; create it, or choose another place for the session",
                    path.parent_path().string());
    if (!std::filesystem::exists(path, error))
        return fail(ErrorCode::NotFound, "no such session file", path.string());
    if (!std::filesystem::is_regular_file(path, error))
        return fail(ErrorCode::BadInput, "not a file", path.string());
    // By its real name: side files lie beside the file, not beside a link to it.
    std::filesystem::path real = std::filesystem::canonical(path, error);
    std::unique_ptr<SessionAccess> access(new SessionAccess(error ? path : std::move(real)));
    access->file_ = TRY(SessionFile::open(access->path_, SessionFile::Access::Read));
    TRY(access->connect());
    if (access->plain_) access->file_.unshare();
    return access;
}

bool SessionAccess::still_as_it_was() {
    if (!plain_) return true;
    if (!file_.share()) return false;
    if (file_.state() == state_ && size_of_file(wal_of(path_)) == 0) return true;
    file_.unshare();
    return false;
}

Status SessionAccess::connect() {
    database_ = {};
    // An older file is brought up to date first; that may be refused, so it is tried once.
    for (bool migrated = false;; migrated = true) {
        const bool quiet = file_.share();
        state_ = file_.state();
        if (!quiet && state_.names > 1 && size_of_file(wal_of(path_)) == 0)
            return fail(ErrorCode::Busy, "is being written under another name (a hard link); use that name",
                        path_.string());
        plain_ = quiet && size_of_file(wal_of(path_)) == 0;
        Status checked = quiet ? check_side_files(path_) : Status{};
        if (quiet && (!plain_ || !checked)) file_.unshare();
        TRY(std::move(checked));
        int version = 0;
        auto database = open_session_for_reading(path_, plain_, version);
        if (database && version == kSchema) {
            database_ = std::move(*database);
            return {};
        }
        if (plain_) file_.unshare();
        plain_ = false;
        if (!database) return fail(database.error());
        *database = {};
        if (migrated)
            return fail(ErrorCode::Io, "the session could not be brought up to date", path_.string());
        TRY(migrate_session(path_, version));
    }
}

SessionAccess::~SessionAccess() {
    const bool logged = !plain_ && database_.handle() != nullptr;
    database_ = {};
    std::error_code error;
    const bool left = std::filesystem::exists(wal_of(path_), error) ||
                      std::filesystem::exists(path_.string() + "-shm", error);
    if (logged && left && ::access(path_.c_str(), W_OK) == 0) tidy_session(path_);
}

}  // namespace cubinlab
