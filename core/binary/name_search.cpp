// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/binary/name_search.h"

#include <fmt/format.h>

#include <cstddef>
#include <iterator>

namespace cubinlab {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostSearched = 2048;  // bytes of a name: std::regex uses stack for each
constexpr std::size_t kMostPattern = 512;
constexpr std::size_t kMostSteps = 100'000;                     // of one backtracking search
constexpr Clock::duration kMostTime = std::chrono::seconds(3);  // of all linear searches together

struct GivenUp {};

// Remaining steps and the deadline.
struct Allowance {
    std::size_t steps = 0;
    Clock::time_point until = Clock::time_point::max();

    void spend() {
        if (steps-- != 0) return;
        constexpr std::size_t kBetweenLooks = 4096;
        if (until == Clock::time_point::max() || Clock::now() >= until) throw GivenUp{};
        steps = kBetweenLooks;
    }
};

// Counts a step whenever std::regex compares or reads a position.
class CountedPlace {
  public:
    using iterator_category = std::bidirectional_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountedPlace() = default;
    CountedPlace(const char* at, Allowance* allowance) : at_(at), allowance_(allowance) {}

    reference operator*() const {
        spend();
        return *at_;
    }
    CountedPlace& operator++() {
        ++at_;
        return *this;
    }
    CountedPlace operator++(int) { return {at_++, allowance_}; }
    CountedPlace& operator--() {
        --at_;
        return *this;
    }
    CountedPlace operator--(int) { return {at_--, allowance_}; }
    friend bool operator==(const CountedPlace& a, const CountedPlace& b) {
        a.spend();
        return a.at_ == b.at_;
    }

  private:
    void spend() const {
        if (allowance_) allowance_->spend();
    }
    const char* at_ = nullptr;
    Allowance* allowance_ = nullptr;
};

// Empty: gave up.
std::optional<bool> search(std::string_view text, const std::regex& expression, Allowance allowance,
                           std::regex_constants::match_flag_type how) {
    const CountedPlace first(text.data(), &allowance), last(text.data() + text.size(), &allowance);
    try {
        return std::regex_search(first, last, expression, how);
    } catch (const GivenUp&) {
        return {};
    }
}

// libstdc++ can follow all alternatives at once and read each character once, unless the expression has back
// references. The prefix matches everything before a match, so that the search starts at one position only.
std::optional<std::regex> made_linear(const std::string& pattern) {
#ifdef __GLIBCXX__
    try {
        return std::regex("[\\s\\S]*?(?:" + pattern + ")",
                          std::regex::ECMAScript | std::regex_constants::__polynomial);
    } catch (const std::regex_error&) {
        return {};
    }
#else
    (void)pattern;
    return {};
#endif
}

}  // namespace

Result<NameSearch> NameSearch::of(const std::string& pattern) {
    NameSearch out;
    out.pattern_ = pattern;
    try {
        if (pattern.size() > kMostPattern) throw std::regex_error(std::regex_constants::error_complexity);
        out.expression_ = std::regex(pattern, std::regex::ECMAScript | std::regex::optimize);
    } catch (const std::regex_error& error) {
        return fail(ErrorCode::BadUse,
                    fmt::format("'{}' is not a usable regular expression ({})", pattern, error.what()),
                    "--kernel");
    }
    return out;
}

Result<bool> NameSearch::finds(std::string_view name) {
    const std::string_view text = name.substr(0, kMostSearched);
    if (!linear_) {
        if (const auto found = search(text, expression_, {kMostSteps, Clock::time_point::max()},
                                      std::regex_constants::match_default))
            return *found;
        linear_ = made_linear(pattern_);
    }
    const Clock::time_point from = Clock::now();
    std::optional<bool> found;
    if (linear_)
        found =
            search(text, *linear_, {0, from + (kMostTime - slow_)}, std::regex_constants::match_continuous);
    slow_ += Clock::now() - from;
    if (found) return *found;
    return fail(
        ErrorCode::BadUse,
        fmt::format("'{}' takes too long to look for in these names; write it without a repeat inside of a "
                    "repeat, such as (.*)*, and without \\1",
                    pattern_),
        "--kernel");
}

}  // namespace cubinlab
