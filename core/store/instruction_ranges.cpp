// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/instruction_ranges.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace cubinlab {
namespace {

std::optional<InstrId> index_of(std::string_view text) {
    InstrId id = 0;
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, id);
    if (error != std::errc{} || stopped != end || text.empty()) return {};
    return id;
}

}  // namespace

std::string ranges_text(std::span<const InstrId> ids) {
    const std::set<InstrId> sorted(ids.begin(), ids.end());
    std::string text;
    for (auto at = sorted.begin(); at != sorted.end();) {
        const InstrId first = *at;
        InstrId last = first;
        for (++at; at != sorted.end() && *at == last + 1; ++at)
            last = *at;
        if (!text.empty()) text += ' ';
        text += std::to_string(first);
        if (last != first) text += '-' + std::to_string(last);
    }
    return text;
}

std::optional<std::vector<InstrId>> ranges_from(std::string_view text, std::size_t size) {
    std::vector<InstrId> ids;
    while (!text.empty()) {
        const std::string_view part = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(text.size(), part.size() + 1));
        if (part.empty()) continue;
        const std::size_t dash = part.find('-');
        const auto first = index_of(part.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : index_of(part.substr(dash + 1));
        if (!first || !last || *last < *first || *last >= size) return {};
        if (*last - *first >= 2 * size - std::min(ids.size(), 2 * size)) return {};  // the same over and over
        for (InstrId id = *first; id <= *last; ++id)
            ids.push_back(id);
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
}

}  // namespace cubinlab
