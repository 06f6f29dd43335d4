// SPDX-License-Identifier: GPL-3.0-or-later
// Who writes a session: a lock on the database's own file, so that no name of it (a hard link, another path)
// gives a second writer, and nothing lies beside it that a received folder could have turned into a link.
//
// An open-file-description lock on bytes far behind any database: SQLite's own locks are POSIX locks, which
// end when this process closes any descriptor of the file. For the same reason a descriptor that was opened
// here stays open until nobody in this process uses that file any more: hold the SessionFile longer than any
// SQLite connection to it.
//
//   auto file = SessionFile::open(path, SessionFile::Access::Read);
//   if (file->share()) { ... nobody writes until unshare() ... }
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "core/base/result.h"

namespace cubinlab {

class SessionFile {
  public:
    enum class Access { Read, Write };  // Write: made if absent
    // Errors: NotFound, BadInput (no regular file; for Write also a link, or a file of several names), Io.
    static Result<SessionFile> open(const std::filesystem::path& path, Access access);

    SessionFile() = default;
    SessionFile(SessionFile&& other) noexcept;
    SessionFile& operator=(SessionFile&& other) noexcept;
    ~SessionFile();

    // Nobody else may write from here on. Busy names the process that does; readers, and whoever only tidies
    // up, are waited for.
    Status become_writer(const std::filesystem::path& session, std::chrono::milliseconds patience);
    bool share();  // true: nobody writes, and nobody begins to until unshare()
    void unshare();
    // Process id of the writer (another SessionFile's), 0 if that is not known; empty: nobody writes.
    std::optional<int> writer() const;

    // What changes with every change of the file while nobody writes through it at this moment.
    struct State {
        std::int64_t changed_ns = 0;
        std::uint64_t bytes = 0;
        std::uint64_t names = 1;  // hard links
        bool operator==(const State&) const = default;
    };
    State state() const;

  private:
    struct Inode;
    void give_back();
    std::shared_ptr<Inode> inode_;
    int descriptor_ = -1;
    bool writable_ = false;
};

// The writer's lock on a session, from before its first connection until after its last; or on a file that lies
// beside another for this alone (a window's journal is replaced as a whole).
class SessionLock {
  public:
    static Result<SessionLock> acquire(const std::filesystem::path& session,
                                       std::chrono::milliseconds patience = std::chrono::seconds(30));
    static std::optional<int> holder(const std::filesystem::path& session);
    void release() { file_ = {}; }

  private:
    SessionFile file_;
};

}  // namespace cubinlab
