// SPDX-License-Identifier: GPL-3.0-or-later
// The state of the GPU's caches that a figure holds for. No figure of one state is compared with one of another.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cubinlab {

enum class Cache : std::uint8_t {
    Hot,   // the same launch again
    Cold,  // L2 flushed before each timed launch
    Both,  // the mean of hot and cold, with a loss in neither
};
const char* to_string(Cache cache);  // "hot", "cold", "both"
std::optional<Cache> parse_cache(std::string_view text);

// Empty, everywhere: no GPU measured, or nobody said with which cache.
const char* to_string(const std::optional<Cache>& cache);  // then ""
// Behind the name of a device: ", cold cache", ", mean of hot and cold cache"; then nothing.
std::string cache_words(const std::optional<Cache>& cache);
// The order of lists: hot, cold, both, then what is empty.
bool listed_before(const std::optional<Cache>& a, const std::optional<Cache>& b);

}  // namespace cubinlab
