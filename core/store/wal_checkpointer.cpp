// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/wal_checkpointer.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "core/store/session_file.h"

namespace cubinlab {
namespace {
constexpr std::uint64_t kLargeWal = std::uint64_t{64} << 20;  // bytes
}

WalCheckpointer::WalCheckpointer(sqlite::Database database, std::filesystem::path session)
    : database_(std::move(database)),
      session_(std::move(session)),
      thread_([this](const std::stop_token& stop) { loop(stop); }) {}

void WalCheckpointer::stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
}

void WalCheckpointer::loop(const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    while (true) {
        wake.wait_for(lock, stop, std::chrono::seconds(1), [] { return false; });
        if (stop.stop_requested()) break;
        // A checkpoint that fails loses nothing: the log keeps the pages, and the writer meets a full disk
        // itself.
        if (size_of_file(wal_of(session_)) > 0) (void)database_.exec("PRAGMA wal_checkpoint(PASSIVE)");
        if (size_of_file(wal_of(session_)) > kLargeWal)
            (void)database_.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    }
    database_ = {};
}

}  // namespace cubinlab
