// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/result/speedup.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/enum_names.h"

namespace cubinlab {
namespace {

constexpr const char* kVerdicts[] = {"FASTER", "SAME", "SLOWER", "UNCLEAR"};

}  // namespace

const char* to_string(Verdict verdict) {
    return enum_name<Verdict::Unclear>(kVerdicts, verdict, "UNCLEAR");
}

std::optional<Verdict> parse_verdict(std::string_view text) {
    return enum_value<Verdict::Unclear>(kVerdicts, text);
}

double factor_of(double log_speedup) {
    return std::exp(log_speedup);
}

double percent_of(double log_speedup) {
    return 100 * std::expm1(log_speedup);
}

std::string percent_text(double log_speedup, int decimals) {
    return fmt::format("{:+.{}f} %", percent_of(log_speedup), decimals);
}

std::string factor_text(double log_speedup) {
    return fmt::format("{:.4f}x", factor_of(log_speedup));
}

std::string percent_text(const Speedup& speedup) {
    return fmt::format("{} [{:+.2f}, {:+.2f}]", percent_text(speedup.log), percent_of(speedup.low),
                       percent_of(speedup.high));
}

std::string factor_text(const Speedup& speedup) {
    return fmt::format("{} [{:.4f}, {:.4f}]", factor_text(speedup.log), factor_of(speedup.low),
                       factor_of(speedup.high));
}

Verdict Speedup::verdict(double same_within) const {
    if (low > same_within) return Verdict::Faster;
    if (high < -same_within) return Verdict::Slower;
    return low >= -same_within && high <= same_within ? Verdict::Same : Verdict::Unclear;
}

}  // namespace cubinlab
