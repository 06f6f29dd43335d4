// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/result/cache.h"

#include "core/base/enum_names.h"

namespace cubinlab {
namespace {

constexpr const char* kCaches[] = {"hot", "cold", "both"};

}  // namespace

const char* to_string(Cache cache) {
    return enum_name<Cache::Both>(kCaches, cache, "hot");
}

std::optional<Cache> parse_cache(std::string_view text) {
    return enum_value<Cache::Both>(kCaches, text);
}

const char* to_string(const std::optional<Cache>& cache) {
    return cache ? to_string(*cache) : "";
}

std::string cache_words(const std::optional<Cache>& cache) {
    if (!cache) return {};
    return *cache == Cache::Both ? ", mean of hot and cold cache"
                                 : std::string(", ") + to_string(*cache) + " cache";
}

bool listed_before(const std::optional<Cache>& a, const std::optional<Cache>& b) {
    return a && (!b || *a < *b);
}

}  // namespace cubinlab
