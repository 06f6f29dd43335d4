// SPDX-License-Identifier: GPL-3.0-or-later
// How much faster one schedule is than another, with its interval, and the verdict on it.
//
//   Speedup s{0.02, 0.01, 0.03};
//   s.percent();            // 2.02
//   s.verdict(0.002);       // Verdict::Faster
//   percent_text(s);        // "+2.02 % [+1.01, +3.05]"
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cubinlab {

enum class Verdict : std::uint8_t { Faster, Same, Slower, Unclear };
const char* to_string(Verdict verdict);  // "FASTER" ...
std::optional<Verdict> parse_verdict(std::string_view text);

// Of a natural logarithm of a ratio of costs.
double factor_of(double log_speedup);
double percent_of(double log_speedup);
std::string percent_text(double log_speedup, int decimals = 2);  // "+3.21 %"
std::string factor_text(double log_speedup);                     // "1.0321x"

struct Speedup {
    double log = 0;            // ln(cost of the reference / cost of the candidate): positive is faster
    double low = 0, high = 0;  // interval of `log`; an exact figure has both ends equal to it

    static constexpr Speedup exactly(double log) { return {log, log, log}; }
    double factor() const { return factor_of(log); }
    double percent() const { return percent_of(log); }
    // The reference against the candidate.
    constexpr Speedup operator-() const { return {-log, -high, -low}; }
    // Of a chain of two comparisons. The sum of two independent intervals is wider than needed, never narrower.
    constexpr Speedup operator+(const Speedup& next) const {
        return {log + next.log, low + next.low, high + next.high};
    }
    // FASTER and SLOWER need the whole interval outside +-same_within, SAME needs it inside. Exact figures take 0.
    Verdict verdict(double same_within) const;
    friend bool operator==(const Speedup&, const Speedup&) = default;
};
std::string percent_text(const Speedup& speedup);  // "+3.21 % [+2.80, +3.60]"
std::string factor_text(const Speedup& speedup);   // "1.0321x [1.0280, 1.0360]"

}  // namespace cubinlab
