// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/option_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>

#include "core/base/parse_number.h"

namespace cubinlab::cli {
namespace {

// Edit distance: insertions, deletions, replacements and swapped neighbours.
std::size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i)
        d[i][0] = i;
    std::iota(d[0].begin(), d[0].end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i)
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = a[i - 1] == b[j - 1];
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (same ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[a.size()][b.size()];
}

// The word without leading dashes, in lower case.
std::string plain(const std::string& word) {
    std::string out = word.substr(std::min(word.find_first_not_of('-'), word.size()));
    for (char& c : out)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

}  // namespace

Check whole(std::uint64_t low, std::uint64_t high) {
    return [low, high](const std::string& text) -> std::string {
        const auto value = parse_number<std::uint64_t>(text);
        if (value && *value >= low && *value <= high) return {};
        constexpr std::uint64_t kNobodyMeansMore = 1'000'000'000'000'000;
        return high < kNobodyMeansMore
                   ? fmt::format("'{}' is not a whole number from {} to {}", text, low, high)
                   : fmt::format("'{}' is not a whole number of at least {} (at most 64 bits)", text, low);
    };
}

Check real(double low, double high) {
    return [low, high](const std::string& text) -> std::string {
        const auto value = parse_number<double>(text);
        if (value && *value >= low && *value <= high) return {};
        return fmt::format("'{}' is not a number from {:g} to {:g}", text, low, high);
    };
}

Check one_of(std::vector<std::string> values) {
    return [values = std::move(values)](const std::string& text) -> std::string {
        if (std::find(values.begin(), values.end(), text) != values.end()) return {};
        const std::string meant = nearest(text, values);
        return fmt::format("'{}' is not one of {}{}", text, fmt::join(values, ", "),
                           meant.empty() ? "" : "; did you mean " + meant + "?");
    };
}

Check not_empty() {
    return [](const std::string& text) { return text.empty() ? "must not be empty" : std::string(); };
}

std::string nearest(const std::string& typed, const std::vector<std::string>& known) {
    std::string best;
    if (typed.size() > 64) return best;
    const std::string meant = plain(typed);
    std::size_t least = std::max<std::size_t>(1, std::min<std::size_t>(meant.size() / 2, 3)) + 1;
    for (const std::string& word : known) {
        const std::string offered = plain(word);
        const bool begins = meant.size() >= 3 && offered.starts_with(meant);
        const std::size_t d = begins ? 1 : distance(meant, offered);
        if (d < least) {
            least = d;
            best = word;
        }
    }
    return best;
}

}  // namespace cubinlab::cli
