// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/binary/file_bytes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/file.h"

namespace cubinlab {
namespace {

// Returns the whole file if the file system does not support holes.
std::vector<Extent> written_in(int fd, std::size_t size) {
    constexpr std::size_t kMostParts = 4096;
    std::vector<Extent> out;
    for (std::size_t at = 0; at < size;) {
        const off_t data = ::lseek(fd, static_cast<off_t>(at), SEEK_DATA);
        if (data < 0 && errno == ENXIO) break;  // a hole up to the end
        const off_t hole = data < 0 || out.size() >= kMostParts ? -1 : ::lseek(fd, data, SEEK_HOLE);
        const std::size_t from = data < 0 ? at : static_cast<std::size_t>(data);
        const std::size_t to = hole <= data ? size : std::min(static_cast<std::size_t>(hole), size);
        if (from >= to) break;  // the file was truncated meanwhile
        out.push_back({from, to - from});
        at = to;
    }
    return out;
}

}  // namespace

Result<std::shared_ptr<const FileBytes>> FileBytes::open(const std::filesystem::path& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
        static_cast<std::size_t>(info.st_size) > kMostCopied) {
        const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
        if (fd < 0)
            return fail(ErrorCode::Io, fmt::format("cannot open: {}", std::strerror(errno)), path.string());
        const auto size = static_cast<std::size_t>(info.st_size);
        void* at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
        const int code = errno;
        std::vector<Extent> written = written_in(fd, size);
        ::close(fd);
        if (at == MAP_FAILED)
            return fail(ErrorCode::Io, fmt::format("cannot map: {}", std::strerror(code)), path.string());
        std::shared_ptr<FileBytes> out(new FileBytes);
        out->mapped_ = static_cast<const std::byte*>(at);
        out->size_ = size;
        out->data_extents_ = std::move(written);
        return std::shared_ptr<const FileBytes>(std::move(out));
    }
    auto bytes = TRY(read_file(path, 2 * kMostCopied));
    return of(std::move(bytes));
}

std::shared_ptr<const FileBytes> FileBytes::of(std::vector<std::byte> bytes) {
    std::shared_ptr<FileBytes> out(new FileBytes);
    out->copied_ = std::move(bytes);
    out->data_extents_ = {{0, out->copied_.size()}};
    return out;
}

FileBytes::~FileBytes() {
    if (mapped_) ::munmap(const_cast<std::byte*>(mapped_), size_);
}

}  // namespace cubinlab
