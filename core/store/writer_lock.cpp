// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/writer_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <utility>

namespace cubinlab {
namespace {

int read_pid(int descriptor) {
    std::array<char, 32> text{};
    const ssize_t got = ::pread(descriptor, text.data(), text.size() - 1, 0);
    int pid = 0;
    if (got > 0) std::from_chars(text.data(), text.data() + got, pid);
    return pid;
}

// The lock file may have been removed by a writer that ended between our open and our flock.
bool still_named(int descriptor, const std::filesystem::path& file) {
    struct stat by_descriptor {};
    struct stat by_name {};
    return ::fstat(descriptor, &by_descriptor) == 0 && ::stat(file.c_str(), &by_name) == 0 &&
           by_descriptor.st_ino == by_name.st_ino && by_descriptor.st_dev == by_name.st_dev;
}

Error busy(const std::filesystem::path& session, int pid) {
    const std::string who = pid > 0 ? "process " + std::to_string(pid) : "another process";
    return {ErrorCode::Busy, who + " is writing this file", session.string()};
}

}  // namespace

std::filesystem::path WriterLock::file_for(const std::filesystem::path& session) {
    return session.string() + ".lock";
}

Result<WriterLock> WriterLock::acquire(const std::filesystem::path& session) {
    WriterLock lock;
    lock.file_ = file_for(session);
    int attempts = 0;
    while (true) {
        // CLOEXEC: a measuring process that outlives a killed writer must not keep the session locked.
        lock.descriptor_ =
            ::open(lock.file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
        struct stat info {};
        if (lock.descriptor_ >= 0 && (::fstat(lock.descriptor_, &info) != 0 || !S_ISREG(info.st_mode) ||
                                      info.st_nlink > 1 || info.st_size > 32)) {
            ::close(std::exchange(lock.descriptor_, -1));
            return fail(ErrorCode::Io, "is no lock file; remove it", lock.file_.string());
        }
        if (lock.descriptor_ < 0) {
            return fail(ErrorCode::Io,
                        std::string("the session's lock file cannot be made (") + std::strerror(errno) +
                            "); choose a folder that exists and that you may write to",
                        lock.file_.string());
        }
        if (::flock(lock.descriptor_, LOCK_EX | LOCK_NB) != 0) {
            const int reason = errno;
            const int pid = read_pid(lock.descriptor_);
            ::close(std::exchange(lock.descriptor_, -1));
            // holder() of another process takes a shared lock for an instant.
            if (reason == EWOULDBLOCK && ++attempts < 5) {
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
                continue;
            }
            if (reason == EWOULDBLOCK) return fail(busy(session, pid));
            return fail(ErrorCode::Io,
                        std::string("the file system refuses locks (") + std::strerror(reason) +
                            "); put the session on a local disk",
                        lock.file_.string());
        }
        if (still_named(lock.descriptor_, lock.file_)) break;
        ::close(std::exchange(lock.descriptor_, -1));
    }
    const std::string pid = std::to_string(::getpid()) + "\n";
    // The number is for messages only; the lock itself does not depend on it.
    if (::ftruncate(lock.descriptor_, 0) == 0) (void)!::pwrite(lock.descriptor_, pid.data(), pid.size(), 0);
    return lock;
}

std::optional<int> WriterLock::holder(const std::filesystem::path& session) {
    const int descriptor = ::open(file_for(session).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) return std::nullopt;
    std::optional<int> pid;
    if (::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK) pid = read_pid(descriptor);
    ::close(descriptor);
    return pid;
}

WriterLock::WriterLock(WriterLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), file_(std::move(other.file_)) {}

WriterLock& WriterLock::operator=(WriterLock&& other) noexcept {
    if (this != &other) {
        release();
        descriptor_ = std::exchange(other.descriptor_, -1);
        file_ = std::move(other.file_);
    }
    return *this;
}

void WriterLock::release() {
    if (descriptor_ < 0) return;
    ::unlink(file_.c_str());
    ::close(std::exchange(descriptor_, -1));
}

}  // namespace cubinlab
