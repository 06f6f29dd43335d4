// SPDX-License-Identifier: GPL-3.0-or-later
// The state of the GPU's caches that a figure holds for. No figure of one state is compared with one of another.
//
// These are the only lists of states: options, completion, settings, sessions and the worker's protocol read them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_names.h"

namespace cubinlab {

enum class Cache : std::uint8_t { Hot, Cold, Produced, Both, Program };
inline constexpr Cache kLastCache = Cache::Program;
inline constexpr Cache kLastState = Cache::Produced;  // the states that a worker prepares; then come means

inline constexpr const char* kCacheNames[] = {"hot", "cold", "produced", "both", "program"};
// What is done before each timed launch, or what a mean demands; for people.
inline constexpr const char* kCacheMeanings[] = {
    "", "the L2 cache flushed before each timed launch",
    "the L2 cache flushed, then the inputs written, before each timed launch", "no loss hot or cold",
    "no loss produced or cold"};

// The states that a worker can prepare: `cache` itself, or those that its figure is the mean of.
inline std::vector<Cache> measured_states(Cache cache) {
    if (cache == Cache::Both) return {Cache::Hot, Cache::Cold};
    if (cache == Cache::Program) return {Cache::Produced, Cache::Cold};
    return {cache};
}
inline bool is_mean(const std::optional<Cache>& cache) {
    return cache && measured_states(*cache).size() > 1;
}

inline const char* to_string(Cache cache) {
    return enum_name<kLastCache>(kCacheNames, cache, "hot");
}
inline std::optional<Cache> parse_cache(std::string_view text) {
    return enum_value<kLastCache>(kCacheNames, text);
}
// "cold: the L2 cache flushed before each timed launch"
inline std::string cache_meaning(Cache cache) {
    const std::string meaning = enum_name<kLastCache>(kCacheMeanings, cache, "");
    return to_string(cache) + (meaning.empty() ? meaning : ": " + meaning);
}

// Empty, everywhere: no GPU measured, or nobody said with which cache.
inline const char* to_string(const std::optional<Cache>& cache) {
    return cache ? to_string(*cache) : "";
}
// "cold", "hot and cold"
inline std::string state_names(Cache cache) {
    std::string out;
    for (const Cache state : measured_states(cache))
        out += (out.empty() ? "" : " and ") + std::string(to_string(state));
    return out;
}
// Behind the name of a device: ", cold cache", ", mean of hot and cold cache"; then nothing.
inline std::string cache_words(const std::optional<Cache>& cache) {
    if (!cache) return {};
    return (is_mean(cache) ? ", mean of " : ", ") + state_names(*cache) + " cache";
}
// The order of lists: that of the states, then what is empty.
inline bool listed_before(const std::optional<Cache>& a, const std::optional<Cache>& b) {
    return a && (!b || *a < *b);
}

}  // namespace cubinlab
