// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/result/outcome_json.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <type_traits>

#include "core/base/bounded_json.h"

namespace cubinlab {
namespace {

template <class T>
constexpr bool kRaw = std::is_same_v<T, std::vector<float>> || std::is_same_v<T, std::vector<GpuReading>>;

const char* key_of(const char* field) {
    return std::string_view(field) == "samples" ? "log_ratio_samples" : field;
}

nlohmann::ordered_json written(const std::vector<GpuReading>& readings) {
    return flat(readings);
}
nlohmann::ordered_json written(const Hash128& hash) {
    return hash == Hash128{} ? std::string() : hash.hex();
}
nlohmann::ordered_json written(OutcomeKind kind) {
    return to_string(kind);
}
nlohmann::ordered_json written(Verdict verdict) {
    return to_string(verdict);
}
template <class T>
nlohmann::ordered_json written(const T& value) {
    return value;
}

// What makes a figure; every other field may be missing.
bool is_needed(std::string_view key) {
    constexpr std::string_view kNeeded[] = {"outcome", "verdict", "log_speedup", "low", "high", "cost"};
    return std::find(std::begin(kNeeded), std::end(kNeeded), key) != std::end(kNeeded);
}

void read(const nlohmann::json& value, OutcomeKind& into) {
    into = parse_outcome(value.get<std::string>()).value_or(OutcomeKind::Error);
}
void read(const nlohmann::json& value, Verdict& into) {
    into = parse_verdict(value.get<std::string>()).value_or(Verdict::Unclear);
}
void read(const nlohmann::json& value, std::vector<GpuReading>& into) {
    auto readings = readings_from(value.get<std::vector<float>>());
    if (!readings) throw std::runtime_error("the GPU's states are not whole");
    into = std::move(*readings);
}
void read(const nlohmann::json& value, Hash128& into) {
    const auto text = value.get<std::string>();
    const auto hash = text.empty() ? Hash128{} : Hash128::from_hex(text);
    if (!hash) throw std::runtime_error("a hash is not 32 hexadecimal digits");
    into = *hash;
}
template <class T>
void read(const nlohmann::json& value, T& into) {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
        into = whole_number<T>(value);
    else
        value.get_to(into);
}

}  // namespace

nlohmann::ordered_json outcome_json(const Outcome& outcome, RawSamples raw) {
    nlohmann::ordered_json out = nlohmann::ordered_json::object();
    visit_fields(outcome, [&](const char* field, const auto& value) {
        if (!kRaw<std::remove_cvref_t<decltype(value)>> || raw == RawSamples::Included)
            out[key_of(field)] = written(value);
    });
    return out;
}

Outcome read_outcome(const nlohmann::json& object) {
    Outcome out;
    visit_fields(out, [&](const char* field, auto& value) {
        const char* key = key_of(field);
        if (is_needed(key) || object.contains(key)) read(object.at(key), value);
    });
    return out;
}

}  // namespace cubinlab
