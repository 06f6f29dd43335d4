// SPDX-License-Identifier: GPL-3.0-or-later
// Moves the write-ahead log into the database once a second, on a thread and a connection of its own, so that
// no commit waits for the disk's fsync. When readers have kept the log from starting over and it has grown
// past 64 MiB, it asks them to let go.
#pragma once
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include "core/store/sqlite.h"

namespace cubinlab {

class WalCheckpointer {
  public:
    WalCheckpointer(sqlite::Database database, std::filesystem::path session);
    ~WalCheckpointer() { stop(); }
    void stop();

  private:
    void loop();

    sqlite::Database database_;
    std::filesystem::path session_;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace cubinlab
