// SPDX-License-Identifier: GPL-3.0-or-later
// Results of compilations in the user's cache folder, by what was compiled. A file is written whole or not at all, and
// states the hash of its contents: one that does not match is not used. If the files take more than the limit, those
// that were not used for the longest time are removed. A folder that cannot be written only costs time.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/hash.h"

namespace cubinlab {

// $XDG_CACHE_HOME/cubinlab, else ~/.cache/cubinlab; empty: there is none.
std::filesystem::path user_cache_folder();

// Safe for several threads and processes.
class CompileCache {
  public:
    // `folder` empty: keeps nothing.
    CompileCache(std::filesystem::path folder, std::uint64_t most_bytes)
        : folder_(std::move(folder)), most_bytes_(most_bytes) {}
    std::optional<std::vector<std::byte>> find(const Hash128& key) const;
    void keep(const Hash128& key, std::span<const std::byte> bytes);

  private:
    std::filesystem::path path_of(const Hash128& key) const;
    void trim() const;

    std::filesystem::path folder_;
    std::uint64_t most_bytes_;
    std::mutex mutex_;
    std::uint64_t until_trim_ = 0;  // bytes
};

}  // namespace cubinlab
