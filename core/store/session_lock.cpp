// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/session_lock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace cubinlab {
namespace {

// Behind it one byte for each process id: locked by the writer, so that others can name it.
constexpr off_t kWriterByte = off_t{1} << 61;
constexpr off_t kMostPid = off_t{1} << 24;
constexpr auto kTidyingEnds = std::chrono::milliseconds(300);

struct flock range(short type, off_t start, off_t length) {
    struct flock out {};
    out.l_type = type;
    out.l_whence = SEEK_SET;
    out.l_start = start;
    out.l_len = length;
    return out;
}

bool set_lock(int descriptor, short type, off_t start, off_t length) {
    struct flock wanted = range(type, start, length);
    return ::fcntl(descriptor, F_OFD_SETLK, &wanted) == 0;
}

// The lock that would be in the way of writing these bytes.
std::optional<struct flock> obstacle(int descriptor, off_t start, off_t length) {
    struct flock found = range(F_WRLCK, start, length);
    if (::fcntl(descriptor, F_OFD_GETLK, &found) != 0 || found.l_type == F_UNLCK) return std::nullopt;
    return found;
}

using Identity = std::pair<dev_t, ino_t>;

Error cannot(const std::filesystem::path& path, const char* what, int code) {
    return {code == ENOENT ? ErrorCode::NotFound : ErrorCode::Io,
            std::string("the session ") + what + " (" + std::strerror(code) + ")", path.string()};
}

}  // namespace

// All descriptors of one file that this process has opened here. Idle ones wait for the next user: closing
// one would end SQLite's locks.
struct SessionFile::Inode {
    std::vector<int> idle_read, idle_write;
    std::vector<int> all;
    ~Inode() {
        for (const int descriptor : all)
            ::close(descriptor);
    }

    static std::mutex& mutex() {
        static std::mutex one;
        return one;
    }
    static std::shared_ptr<Inode> of(const Identity& identity) {
        static std::map<Identity, std::weak_ptr<Inode>> known;
        std::erase_if(known, [](const auto& entry) { return entry.second.expired(); });
        std::shared_ptr<Inode> inode = known[identity].lock();
        if (!inode) known[identity] = inode = std::make_shared<Inode>();
        return inode;
    }
};

Result<SessionFile> SessionFile::open(const std::filesystem::path& path, Access access) {
    const bool write = access == Access::Write;
    SessionFile file;  // gives back under the same mutex, so it goes after the guard
    const std::lock_guard guard(Inode::mutex());
    file.writable_ = write;
    struct stat info {};
    const bool there = (write ? ::lstat(path.c_str(), &info) : ::stat(path.c_str(), &info)) == 0;
    if (there && write && S_ISLNK(info.st_mode))
        return fail(ErrorCode::BadInput, "is a link; name the session itself to write to it", path.string());
    if (there && !S_ISREG(info.st_mode))
        return fail(ErrorCode::BadInput, "not a file; a session needs a file name", path.string());
    if (there) {
        file.inode_ = Inode::of({info.st_dev, info.st_ino});
        auto& idle = write ? file.inode_->idle_write : file.inode_->idle_read;
        if (!idle.empty()) {
            file.descriptor_ = idle.back();
            idle.pop_back();
        }
    }
    if (file.descriptor_ < 0) {
        const int flags = write ? O_RDWR | O_CREAT | O_NOFOLLOW : O_RDONLY;
        const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK, 0666);
        if (descriptor < 0)
            return fail(cannot(path,
                               write ? "cannot be written; choose a folder that exists and that you may "
                                       "write to"
                                     : "cannot be opened",
                               errno));
        struct stat opened {};
        ::fstat(descriptor, &opened);
        file.inode_ = Inode::of({opened.st_dev, opened.st_ino});
        file.inode_->all.push_back(descriptor);
        file.descriptor_ = descriptor;
        info = opened;
    }
    if (write && info.st_nlink > 1)
        return fail(ErrorCode::BadInput,
                    "the session has " + std::to_string(info.st_nlink) +
                        " names (hard links), and its newest steps are next to one of them only; copy it and "
                        "write to the copy",
                    path.string());
    return file;
}

SessionFile::SessionFile(SessionFile&& other) noexcept
    : inode_(std::move(other.inode_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      writable_(other.writable_) {}

SessionFile& SessionFile::operator=(SessionFile&& other) noexcept {
    if (this != &other) {
        give_back();
        inode_ = std::move(other.inode_);
        descriptor_ = std::exchange(other.descriptor_, -1);
        writable_ = other.writable_;
    }
    return *this;
}

SessionFile::~SessionFile() {
    give_back();
}

void SessionFile::give_back() {
    if (descriptor_ < 0) return;
    const std::lock_guard guard(Inode::mutex());
    (void)set_lock(descriptor_, F_UNLCK, kWriterByte, 0);
    (writable_ ? inode_->idle_write : inode_->idle_read).push_back(std::exchange(descriptor_, -1));
    inode_.reset();
}

Status SessionFile::become_writer(const std::filesystem::path& session, std::chrono::milliseconds patience) {
    const auto began = std::chrono::steady_clock::now();
    while (!set_lock(descriptor_, F_WRLCK, kWriterByte, 1)) {
        if (errno != EAGAIN && errno != EACCES && errno != EINTR)
            return fail(ErrorCode::Io,
                        std::string("the file system refuses locks (") + std::strerror(errno) +
                            "); put the session on a local disk",
                        session.string());
        const auto other = obstacle(descriptor_, kWriterByte, 1);
        const bool written = other && other->l_type == F_WRLCK;
        const auto waited = std::chrono::steady_clock::now() - began;
        if (waited >= patience || (written && waited >= kTidyingEnds)) {
            const int pid = writer().value_or(0);
            const std::string who = pid > 0 ? "process " + std::to_string(pid) : "another process";
            return fail(
                ErrorCode::Busy,
                who + (written ? " is writing this session; stop it, or write to another file (reading "
                                 "is possible)"
                               : " reads this session without a pause; try again"),
                session.string());
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    // For messages only; the lock itself does not depend on it.
    (void)set_lock(descriptor_, F_WRLCK, kWriterByte + 1 + ::getpid(), 1);
    return {};
}

bool SessionFile::share() {
    return set_lock(descriptor_, F_RDLCK, kWriterByte, 1);
}

void SessionFile::unshare() {
    (void)set_lock(descriptor_, F_UNLCK, kWriterByte, 1);
}

std::optional<int> SessionFile::writer() const {
    const auto lock = obstacle(descriptor_, kWriterByte, 1);
    if (!lock || lock->l_type != F_WRLCK) return std::nullopt;
    const auto named = obstacle(descriptor_, kWriterByte + 1, kMostPid);
    return named ? static_cast<int>(named->l_start - kWriterByte - 1) : 0;
}

SessionFile::State SessionFile::state() const {
    struct stat info {};
    if (::fstat(descriptor_, &info) != 0) return {};
    return {static_cast<std::int64_t>(info.st_mtim.tv_sec) * 1'000'000'000 + info.st_mtim.tv_nsec,
            static_cast<std::uint64_t>(info.st_size), static_cast<std::uint64_t>(info.st_nlink)};
}

Result<SessionLock> SessionLock::acquire(const std::filesystem::path& session,
                                         std::chrono::milliseconds patience) {
    SessionLock lock;
    while (true) {
        auto file = TRY(SessionFile::open(session, SessionFile::Access::Write));
        TRY(file.become_writer(session, patience));
        lock.file_ = std::move(file);
        // The file may have been removed or replaced between our open and our lock.
        if (lock.file_.state().names > 0) return lock;
        lock.file_ = {};
    }
}

std::optional<int> SessionLock::holder(const std::filesystem::path& session) {
    auto file = SessionFile::open(session, SessionFile::Access::Read);
    return file ? file->writer() : std::nullopt;
}

}  // namespace cubinlab
