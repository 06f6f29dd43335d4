// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace cubinlab {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// Tries to create a file: permissions, read-only mounts and quotas are decided by the system.
Status takes_a_file(const fs::path& path, std::uint64_t bytes) {
    const fs::path folder = folder_of(path);
    struct stat info {};
    if (::stat(folder.c_str(), &info) != 0)
        return fail(ErrorCode::NotFound, fmt::format("the folder cannot be used: {}", std::strerror(errno)),
                    path.string());
    if (!S_ISDIR(info.st_mode))
        return fail(ErrorCode::BadUse, fmt::format("{} is not a folder", folder.string()), path.string());
    std::string probe = path.string() + ".XXXXXX";
    const int made = ::mkostemp(probe.data(), O_CLOEXEC);
    if (made < 0)
        return fail(ErrorCode::Io, fmt::format("cannot be written: {}", std::strerror(errno)), path.string());
    ::unlink(probe.c_str());
    struct statvfs room {};
    const bool full = ::fstatvfs(made, &room) == 0 && room.f_frsize > 0 &&
                      static_cast<std::uint64_t>(room.f_bavail) * room.f_frsize < bytes;
    ::close(made);
    if (full)
        return fail(ErrorCode::Io, fmt::format("the disk has no room for it (about {} bytes)", bytes),
                    path.string());
    return {};
}

// /dev/stdout may point to a regular file, but must not be replaced.
bool leads_to_no_file(const fs::path& link) {
    struct stat target {};
    if (::stat(link.c_str(), &target) == 0 && !S_ISREG(target.st_mode)) return true;
    std::error_code error;
    const fs::path folder = fs::canonical(link.has_parent_path() ? link.parent_path() : fs::path("."), error);
    const std::string place = folder.string() + "/";
    return place.starts_with("/dev/") || place.starts_with("/proc/");
}

}  // namespace

bool same_file(const fs::path& a, const fs::path& b) {
    if (a.empty() || b.empty()) return false;
    struct stat first {};
    struct stat second {};
    const bool there = ::stat(a.c_str(), &first) == 0, other = ::stat(b.c_str(), &second) == 0;
    if (there && other) return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
    if (there != other) return false;
    std::error_code error, ignored;
    const fs::path one = fs::weakly_canonical(fs::absolute(a, error), error);
    const fs::path two = fs::weakly_canonical(fs::absolute(b, ignored), ignored);
    return !error && !ignored && one == two;
}

Result<std::string> check_output(const OutputFile& file) {
    const std::string where = file.path.string();
    const fs::path name = file.path.filename();
    if (name.empty() || name == "." || name == "..")
        return fail(ErrorCode::BadUse, "is not a file name", where.empty() ? "output" : where);
    for (const fs::path& input : file.inputs)
        if (same_file(file.path, input))
            return fail(ErrorCode::BadUse,
                        fmt::format("is the input file {}, which is never overwritten; choose another name",
                                    input.string()),
                        where);
    struct stat info {};
    if (::lstat(file.path.c_str(), &info) != 0) {
        if (errno != ENOENT && errno != ENOTDIR)
            return fail(ErrorCode::Io, fmt::format("cannot be written: {}", std::strerror(errno)), where);
        TRY(takes_a_file(file.path, file.bytes));
        return std::string();
    }
    if (S_ISDIR(info.st_mode)) return fail(ErrorCode::BadUse, "is a folder; give a file name", where);
    if (!S_ISREG(info.st_mode) && !S_ISLNK(info.st_mode))
        return fail(ErrorCode::BadUse, "is a pipe, socket or device, not a file", where);
    if (S_ISLNK(info.st_mode) && leads_to_no_file(file.path))
        return fail(ErrorCode::BadUse, "is a link to a folder, pipe, socket or device, not to a file", where);
    std::string replaced = S_ISLNK(info.st_mode) || !file.own ? std::string() : file.own(file.path);
    if (replaced.empty()) {
        if (!file.force)
            return fail(ErrorCode::BadUse,
                        S_ISLNK(info.st_mode)
                            ? "is a link; name the file itself, or give --force to replace the link"
                            : "exists already and is not of this program's making for this kernel; choose "
                              "another name, or give --force to replace it",
                        where);
        replaced = S_ISLNK(info.st_mode)
                       ? "a link"
                       : fmt::format("another file of {} bytes", static_cast<std::uint64_t>(info.st_size));
    }
    TRY(takes_a_file(file.path, file.bytes));
    return replaced;
}

}  // namespace cubinlab
