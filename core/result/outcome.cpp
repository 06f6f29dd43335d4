// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/result/outcome.h"

#include <cstring>

#include "core/base/enum_names.h"

namespace cubinlab {
namespace {

constexpr const char* kOutcomes[] = {"ok",    "illegal", "wrong-result", "wild-store",
                                     "fault", "hang",    "worker-lost",  "error"};
constexpr std::size_t kNumbers = sizeof(GpuReading) / sizeof(float);
static_assert(std::is_trivially_copyable_v<GpuReading> && sizeof(GpuReading) == 4 * sizeof(float));

}  // namespace

const char* to_string(OutcomeKind kind) {
    return enum_name<OutcomeKind::Error>(kOutcomes, kind, "error");
}

std::optional<OutcomeKind> parse_outcome(std::string_view text) {
    return enum_value<OutcomeKind::Error>(kOutcomes, text);
}

std::vector<float> flat(std::span<const GpuReading> readings) {
    std::vector<float> numbers(readings.size() * kNumbers);
    if (!readings.empty()) std::memcpy(numbers.data(), readings.data(), readings.size_bytes());
    return numbers;
}

std::optional<std::vector<GpuReading>> readings_from(std::span<const float> numbers) {
    if (numbers.size() % kNumbers != 0) return std::nullopt;
    std::vector<GpuReading> readings(numbers.size() / kNumbers);
    if (!numbers.empty())
        std::memcpy(static_cast<void*>(readings.data()), numbers.data(), numbers.size_bytes());
    return readings;
}

Outcome without_raw(Outcome outcome) {
    outcome.samples = {};
    outcome.states = {};
    return outcome;
}

}  // namespace cubinlab
