// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/containers/file_bytes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/file.h"

namespace cubinlab {

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
        ::close(fd);
        if (at == MAP_FAILED)
            return fail(ErrorCode::Io, fmt::format("cannot map: {}", std::strerror(code)), path.string());
        std::shared_ptr<FileBytes> out(new FileBytes);
        out->mapped_ = static_cast<const std::byte*>(at);
        out->size_ = size;
        return std::shared_ptr<const FileBytes>(std::move(out));
    }
    auto bytes = read_file(path, 2 * kMostCopied);
    if (!bytes) return fail(bytes.error());
    return of(std::move(*bytes));
}

std::shared_ptr<const FileBytes> FileBytes::of(std::vector<std::byte> bytes) {
    std::shared_ptr<FileBytes> out(new FileBytes);
    out->copied_ = std::move(bytes);
    return out;
}

FileBytes::~FileBytes() {
    if (mapped_) ::munmap(const_cast<std::byte*>(mapped_), size_);
}

}  // namespace cubinlab
