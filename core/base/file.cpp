// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/file_writes.h"

namespace cubinlab {
namespace {

Error system_error(const std::filesystem::path& path, const char* action, int code) {
    const ErrorCode kind = code == ENOENT ? ErrorCode::NotFound : ErrorCode::Io;
    return {kind, fmt::format("cannot {}: {}", action, std::strerror(code)), path.string()};
}

struct Descriptor {
    int fd = -1;
    ~Descriptor() {
        if (fd >= 0) ::close(fd);
    }
};

// At most `limit` bytes; a longer file is an error if it has to be `whole`.
template <class Container>
Result<Container> read_into(const std::filesystem::path& path, std::size_t limit, bool whole = true) {
    // O_NONBLOCK: a pipe without a writer must not hold us up before it is seen to be one.
    Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
    if (file.fd < 0) return fail(system_error(path, "open", errno));
    struct stat info {};
    if (::fstat(file.fd, &info) != 0) return fail(system_error(path, "stat", errno));
    if (S_ISDIR(info.st_mode)) return fail(ErrorCode::BadInput, "is a folder, not a file", path.string());
    if (!S_ISREG(info.st_mode))
        return fail(ErrorCode::BadInput, "is a pipe, socket or device, not a file", path.string());
    Container out;
    if (info.st_size > 0 && static_cast<std::size_t>(info.st_size) <= limit)
        out.reserve(static_cast<std::size_t>(info.st_size));
    char buffer[1 << 16];
    for (;;) {
        const ssize_t n = ::read(file.fd, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail(system_error(path, "read", errno));
        if (n == 0) return out;
        if (!whole && out.size() + static_cast<std::size_t>(n) >= limit) {
            const auto* first = reinterpret_cast<const typename Container::value_type*>(buffer);
            out.insert(out.end(), first, first + (limit - out.size()));
            return out;
        }
        if (out.size() + static_cast<std::size_t>(n) > limit)
            return fail(ErrorCode::BadInput, fmt::format("is larger than the limit of {} bytes", limit),
                        path.string());
        const auto* first = reinterpret_cast<const typename Container::value_type*>(buffer);
        out.insert(out.end(), first, first + n);
    }
}

// A file that is written and flushed beside its place and then moved there; removed where it is not.
class BesideItsPlace {
  public:
    BesideItsPlace() = default;
    BesideItsPlace(const BesideItsPlace&) = delete;
    BesideItsPlace& operator=(const BesideItsPlace&) = delete;
    ~BesideItsPlace() {
        if (!temporary_.empty()) ::unlink(temporary_.c_str());
    }
    Status write(const std::filesystem::path& path, std::span<const std::byte> bytes);
    Status move();

  private:
    std::filesystem::path path_;
    std::string temporary_;  // empty: there is none
};

Status BesideItsPlace::write(const std::filesystem::path& path, std::span<const std::byte> bytes) {
    path_ = path;
    struct stat before {};
    const bool replaces = ::lstat(path.c_str(), &before) == 0;
    if (replaces && S_ISDIR(before.st_mode))
        return fail(ErrorCode::BadUse, "is a folder; give a file name", path.string());
    if (replaces && !S_ISREG(before.st_mode) && !S_ISLNK(before.st_mode))
        return fail(ErrorCode::BadUse, "is a pipe, socket or device, not a file", path.string());
    std::string name = path.string() + ".XXXXXX";
    const Descriptor file{::mkostemp(name.data(), O_CLOEXEC)};
    if (file.fd < 0) return fail(system_error(path, "write", errno));
    temporary_ = name;
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t n = ::write(file.fd, bytes.data() + done, bytes.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail(system_error(path, "write", errno));
        done += static_cast<std::size_t>(n);
    }
    // What takes the place of a file keeps its owner and permissions; nobody may read more than before.
    mode_t mode = before.st_mode & 0777;
    if (replaces && S_ISREG(before.st_mode)) {
        if ((before.st_uid != ::geteuid() || before.st_gid != ::getegid()) &&
            ::fchown(file.fd, before.st_uid, before.st_gid) != 0)
            mode &= 0707;  // another group than before
    } else {
        const mode_t mask = ::umask(0);
        ::umask(mask);
        mode = 0666 & ~mask;
    }
    if (::fchmod(file.fd, mode) != 0) return fail(system_error(path, "set permissions", errno));
    if (::fsync(file.fd) != 0) return fail(system_error(path, "flush", errno));
    return {};
}

Status BesideItsPlace::move() {
    if (::rename(temporary_.c_str(), path_.c_str()) != 0)
        return fail(system_error(path_, "rename into place", errno));
    temporary_.clear();
    return {};
}

}  // namespace

Result<std::vector<std::byte>> read_file(const std::filesystem::path& path, std::size_t limit) {
    return read_into<std::vector<std::byte>>(path, limit);
}

Result<std::string> read_text(const std::filesystem::path& path, std::size_t limit) {
    return read_into<std::string>(path, limit);
}

Result<std::string> read_start(const std::filesystem::path& path, std::size_t bytes) {
    return read_into<std::string>(path, bytes, false);
}

std::timed_mutex& file_writes() {
    static std::timed_mutex mutex;
    return mutex;
}

Status write_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
    const FileToWrite one[] = {{path, bytes}};
    return write_files(one);
}

Status write_files(std::span<const FileToWrite> files) {
    const std::scoped_lock lock(file_writes());
    std::vector<BesideItsPlace> prepared(files.size());
    for (std::size_t i = 0; i < files.size(); ++i)
        TRY(prepared[i].write(files[i].path, files[i].bytes));
    for (BesideItsPlace& file : prepared)
        TRY(file.move());
    return {};
}

Status write_text(const std::filesystem::path& path, std::string_view text) {
    return write_file(path, std::as_bytes(std::span(text.data(), text.size())));
}

Result<std::vector<std::filesystem::path>> files_of_folder(const std::filesystem::path& folder,
                                                           std::string_view extension) {
    namespace fs = std::filesystem;
    std::vector<fs::path> out;
    std::error_code error, ignored;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        if (it->path().extension() == extension && it->is_regular_file(ignored)) out.push_back(it->path());
    if (error)
        return fail(ErrorCode::NotFound, "the folder cannot be read: " + error.message(), folder.string());
    return out;
}

}  // namespace cubinlab
