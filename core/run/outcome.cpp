// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/outcome.h"

#include <cstring>

namespace cubinlab {
namespace {

constexpr OutcomeKind kOutcomes[] = {OutcomeKind::Ok,         OutcomeKind::Illegal, OutcomeKind::WrongResult,
                                     OutcomeKind::WildStore,  OutcomeKind::Fault,   OutcomeKind::Hang,
                                     OutcomeKind::WorkerLost, OutcomeKind::Error};
constexpr Verdict kVerdicts[] = {Verdict::Faster, Verdict::Same, Verdict::Slower, Verdict::Unclear};
constexpr std::size_t kNumbers = sizeof(GpuReading) / sizeof(float);
static_assert(std::is_trivially_copyable_v<GpuReading> && sizeof(GpuReading) == 4 * sizeof(float));

}  // namespace

const char* to_string(OutcomeKind kind) {
    switch (kind) {
        case OutcomeKind::Ok:
            return "ok";
        case OutcomeKind::Illegal:
            return "illegal";
        case OutcomeKind::WrongResult:
            return "wrong-result";
        case OutcomeKind::WildStore:
            return "wild-store";
        case OutcomeKind::Fault:
            return "fault";
        case OutcomeKind::Hang:
            return "hang";
        case OutcomeKind::WorkerLost:
            return "worker-lost";
        case OutcomeKind::Error:
            return "error";
    }
    return "error";
}

const char* to_string(Verdict verdict) {
    switch (verdict) {
        case Verdict::Faster:
            return "FASTER";
        case Verdict::Same:
            return "SAME";
        case Verdict::Slower:
            return "SLOWER";
        case Verdict::Unclear:
            return "UNCLEAR";
    }
    return "UNCLEAR";
}

std::optional<OutcomeKind> parse_outcome(std::string_view text) {
    for (const OutcomeKind kind : kOutcomes)
        if (text == to_string(kind)) return kind;
    return std::nullopt;
}

std::optional<Verdict> parse_verdict(std::string_view text) {
    for (const Verdict verdict : kVerdicts)
        if (text == to_string(verdict)) return verdict;
    return std::nullopt;
}

std::vector<float> flat(std::span<const GpuReading> readings) {
    std::vector<float> numbers(readings.size() * kNumbers);
    if (!readings.empty()) std::memcpy(numbers.data(), readings.data(), readings.size_bytes());
    return numbers;
}

std::optional<std::vector<GpuReading>> readings_from(std::span<const float> numbers) {
    if (numbers.size() % kNumbers != 0) return std::nullopt;
    std::vector<GpuReading> readings(numbers.size() / kNumbers);
    if (!numbers.empty()) std::memcpy(static_cast<void*>(readings.data()), numbers.data(), numbers.size_bytes());
    return readings;
}

Outcome without_raw(Outcome outcome) {
    outcome.samples = {};
    outcome.states = {};
    return outcome;
}

}  // namespace cubinlab
