// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/wal_checkpointer.h"

#include <chrono>
#include <utility>

#include "core/store/session_file.h"

namespace cubinlab {
namespace {
constexpr std::uint64_t kLargeWal = std::uint64_t{64} << 20;  // bytes
}

WalCheckpointer::WalCheckpointer(sqlite::Database database, std::filesystem::path session)
    : database_(std::move(database)), session_(std::move(session)), thread_([this] { loop(); }) {}

void WalCheckpointer::stop() {
    {
        const std::lock_guard guard(mutex_);
        stopping_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void WalCheckpointer::loop() {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, std::chrono::seconds(1), [this] { return stopping_; })) {
        lock.unlock();
        // A checkpoint that fails loses nothing: the log keeps the pages, and the writer meets a full disk
        // itself.
        if (size_of_file(wal_of(session_)) > 0) (void)database_.exec("PRAGMA wal_checkpoint(PASSIVE)");
        if (size_of_file(wal_of(session_)) > kLargeWal)
            (void)database_.exec("PRAGMA wal_checkpoint(TRUNCATE)");
        lock.lock();
    }
    database_ = {};
}

}  // namespace cubinlab
