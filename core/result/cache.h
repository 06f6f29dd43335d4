// SPDX-License-Identifier: GPL-3.0-or-later
// The state of the GPU's caches that a figure holds for. No figure of one state is compared with one of another.
//
// The table is the one list of states: options, completion, settings, sessions and the worker's protocol read it.
#pragma once
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cubinlab {

enum class Cache : std::uint8_t { Hot, Cold, Both };
inline constexpr Cache kLastCache = Cache::Both;

struct CacheState {
    const char* name;
    const char* meaning;  // before each timed launch, or of a mean; for people. Hot: nothing
};
inline constexpr CacheState kCacheStates[] = {
    {"hot", ""}, {"cold", "the L2 cache flushed before each timed launch"}, {"both", "no loss in either"}};
static_assert(std::size(kCacheStates) == static_cast<std::size_t>(kLastCache) + 1);

// The states that a worker can prepare: `cache` itself, or those that its figure is the mean of.
inline std::vector<Cache> measured_states(Cache cache) {
    if (cache == Cache::Both) return {Cache::Hot, Cache::Cold};
    return {cache};
}

inline const char* to_string(Cache cache) {
    return kCacheStates[cache <= kLastCache ? static_cast<std::size_t>(cache) : 0].name;
}
inline std::optional<Cache> parse_cache(std::string_view text) {
    for (std::size_t i = 0; i < std::size(kCacheStates); ++i)
        if (text == kCacheStates[i].name) return static_cast<Cache>(i);
    return std::nullopt;
}
inline std::vector<std::string> cache_names() {
    std::vector<std::string> out;
    for (const CacheState& state : kCacheStates)
        out.emplace_back(state.name);
    return out;
}
// "cold: the L2 cache flushed before each timed launch"
inline std::string cache_meaning(Cache cache) {
    const std::string meaning = kCacheStates[static_cast<std::size_t>(cache)].meaning;
    return to_string(cache) + (meaning.empty() ? meaning : ": " + meaning);
}

// Empty, everywhere: no GPU measured, or nobody said with which cache.
inline const char* to_string(const std::optional<Cache>& cache) {
    return cache ? to_string(*cache) : "";
}
// Behind the name of a device: ", cold cache", ", mean of hot and cold cache"; then nothing.
inline std::string cache_words(const std::optional<Cache>& cache) {
    if (!cache) return {};
    std::string out;
    for (const Cache state : measured_states(*cache))
        out += (out.empty() ? "" : " and ") + std::string(to_string(state));
    return (measured_states(*cache).size() > 1 ? ", mean of " : ", ") + out + " cache";
}
// The order of lists: as in the table, then what is empty.
inline bool listed_before(const std::optional<Cache>& a, const std::optional<Cache>& b) {
    return a && (!b || *a < *b);
}

}  // namespace cubinlab
