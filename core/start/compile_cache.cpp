// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/start/compile_cache.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/base/file.h"

namespace cubinlab {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kHashDigits = 32;
constexpr std::size_t kMostFile = std::size_t{1} << 28;      // bytes
constexpr auto kLeftBehind = std::chrono::hours(1);          // a temporary file of a process that was killed
constexpr std::uint64_t kPartBetweenTrims = 16, kKept = 90;  // of the limit: one part; percent

struct CachedFile {
    fs::path path;
    std::uint64_t bytes = 0;
    fs::file_time_type used;
};

std::string hash_text(std::span<const std::byte> bytes) {
    return hash_bytes(bytes).hex();
}

// Under a temporary name, which is then moved. The file is not flushed to the disk: contents that a power failure damaged do
// not have their hash, and are compiled again.
bool put(const fs::path& path, std::span<const std::byte> bytes) {
    std::string name = path.string() + ".XXXXXX";
    const int fd = ::mkostemp(name.data(), O_CLOEXEC);
    if (fd < 0) return false;
    const std::string hash = hash_text(bytes);
    bool whole = ::write(fd, hash.data(), hash.size()) == static_cast<ssize_t>(hash.size());
    for (std::size_t done = 0; whole && done < bytes.size();) {
        const ssize_t n = ::write(fd, bytes.data() + done, bytes.size() - done);
        if (n > 0)
            done += static_cast<std::size_t>(n);
        else
            whole = n < 0 && errno == EINTR;
    }
    whole = ::close(fd) == 0 && whole && ::rename(name.c_str(), path.c_str()) == 0;
    if (!whole) ::unlink(name.c_str());
    return whole;
}

}  // namespace

fs::path user_cache_folder() {
    const auto from = [](const char* variable) {
        const char* value = std::getenv(variable);
        return fs::path(value != nullptr ? value : "");
    };
    if (const fs::path cache = from("XDG_CACHE_HOME"); cache.is_absolute()) return cache / "cubinlab";
    if (const fs::path home = from("HOME"); home.is_absolute()) return home / ".cache" / "cubinlab";
    return {};
}

fs::path CompileCache::path_of(const Hash128& key) const {
    const std::string name = key.hex();
    return folder_ / name.substr(0, 2) / name;
}

std::optional<std::vector<std::byte>> CompileCache::find(const Hash128& key) const {
    if (folder_.empty()) return std::nullopt;
    const fs::path path = path_of(key);
    auto file = read_file(path, kMostFile);
    if (!file || file->size() < kHashDigits) return std::nullopt;
    std::vector<std::byte> out(file->begin() + kHashDigits, file->end());
    if (std::memcmp(file->data(), hash_text(out).data(), kHashDigits) != 0) return std::nullopt;
    std::error_code ignored;
    fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
    return out;
}

void CompileCache::keep(const Hash128& key, std::span<const std::byte> bytes) {
    if (folder_.empty() || bytes.size() > most_bytes_ / 2) return;
    const fs::path path = path_of(key);
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error || !put(path, bytes)) return;
    const std::lock_guard lock(mutex_);
    if (until_trim_ > bytes.size()) {
        until_trim_ -= bytes.size();
        return;
    }
    trim();
    until_trim_ = most_bytes_ / kPartBetweenTrims;
}

void CompileCache::trim() const {
    std::vector<CachedFile> files;
    std::uint64_t total = 0;
    std::error_code error;
    const auto now = fs::file_time_type::clock::now();
    for (fs::recursive_directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
        std::error_code none;
        if (!it->is_regular_file(none)) continue;
        CachedFile file{it->path(), it->file_size(none), it->last_write_time(none)};
        if (none) continue;
        if (file.path.filename().string().size() != kHashDigits && file.used + kLeftBehind < now) {
            fs::remove(file.path, none);
            continue;
        }
        total += file.bytes;
        files.push_back(std::move(file));
    }
    if (total <= most_bytes_) return;
    std::ranges::sort(files, {}, &CachedFile::used);
    for (const CachedFile& file : files) {
        if (total <= most_bytes_ / 100 * kKept) break;
        if (fs::remove(file.path, error)) total -= file.bytes;
    }
}

}  // namespace cubinlab
