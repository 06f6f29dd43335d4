// SPDX-License-Identifier: GPL-3.0-or-later
// One writer for a file that is replaced as a whole (a window's journal): an advisory lock (flock) on a side
// file NAME.lock, which the system drops when its holder dies, however it dies. For folders of our own only:
// in a received one the side file may be anything. Sessions are locked themselves (session_lock.h).
#pragma once
#include <filesystem>
#include <optional>

#include "core/base/result.h"

namespace cubinlab {

class WriterLock {
  public:
    // Busy names the file and the process that holds it.
    static Result<WriterLock> acquire(const std::filesystem::path& session);
    // Process id of the present writer, 0 if it holds the lock but its number is unreadable; empty: no
    // writer.
    static std::optional<int> holder(const std::filesystem::path& session);
    static std::filesystem::path file_for(const std::filesystem::path& session);

    WriterLock() = default;
    WriterLock(WriterLock&& other) noexcept;
    WriterLock& operator=(WriterLock&& other) noexcept;
    ~WriterLock() { release(); }
    void release();

  private:
    int descriptor_ = -1;
    std::filesystem::path file_;
};

}  // namespace cubinlab
