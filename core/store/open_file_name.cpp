// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/open_file_name.h"

#include <sys/stat.h>

#include <system_error>

namespace cubinlab {

OpenFileName::OpenFileName(const std::filesystem::path& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) return;
    device_ = info.st_dev;
    number_ = info.st_ino;
}

std::filesystem::path OpenFileName::now() const {
    std::error_code error;
    for (const auto& descriptor : std::filesystem::directory_iterator("/proc/self/fd", error)) {
        struct stat info {};
        if (::stat(descriptor.path().c_str(), &info) != 0 || info.st_dev != device_ || info.st_ino != number_)
            continue;
        if (info.st_nlink == 0) return {};
        return std::filesystem::read_symlink(descriptor.path(), error);
    }
    return {};
}

}  // namespace cubinlab
