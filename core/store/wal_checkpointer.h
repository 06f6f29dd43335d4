// SPDX-License-Identifier: GPL-3.0-or-later
// Moves the write-ahead log into the database once a second, on a thread and a connection of its own, so that
// no commit waits for the disk's fsync. When readers have kept the log from starting over and it has grown
// past 64 MiB, it asks them to let go.
#pragma once
#include <filesystem>
#include <stop_token>
#include <thread>

#include "core/store/sqlite.h"

namespace cubinlab {

class WalCheckpointer {
  public:
    WalCheckpointer(sqlite::Database database, std::filesystem::path session);
    ~WalCheckpointer() { stop(); }
    void stop();  // and waits until the connection is closed

  private:
    void loop(const std::stop_token& stop);

    sqlite::Database database_;
    std::filesystem::path session_;
    std::jthread thread_;
};

}  // namespace cubinlab
