// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/protocol/protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/base/bounded_json.h"

namespace cubinlab {
namespace {

using nlohmann::json;

// One list of fields for both directions.
template <class Archive>
void fields(Archive& a, BenchSettings& s) {
    a("device", s.device), a("input_sets", s.input_sets), a("extra_sets", s.extra_sets), a("seed", s.seed);
    a("same_within", s.same_within), a("cache", s.cache),
        a("hang_after_ms", s.hang_after_ms);
    a("screen_us", s.screen_us), a("promote_us", s.promote_us), a("screen_pairs", s.screen_pairs);
    a("promote_pairs", s.promote_pairs), a("confirm_loads", s.confirm_loads),
        a("confirm_pairs", s.confirm_pairs), a("confirm_most_loads", s.confirm_most_loads);
    a("reload_every", s.reload_every), a("repeat_original", s.repeat_original), a("warm_up_ms", s.warm_up_ms);
    a("cubin_sm", s.cubin_sm), a("cubin_accelerated", s.cubin_accelerated);
}
template <class Archive, HasFields T>
void fields(Archive& a, T& value) {
    visit_fields(value, a);
}
// Two fields have other names in the protocol. Null: the client fills the field in, since a worker knows one shape.
const char* wire_name(const char* field) {
    const std::string_view name = field;
    if (name == "outcome") return "kind";
    if (name == "cost") return "cost_us";
    const bool clients =
        name == "pairs" || name == "device" || name == "shape_count" || name == "slower_shapes";
    return clients ? nullptr : field;
}
template <class Archive>
void fields(Archive& a, BenchOutcome& o) {
    visit_fields(static_cast<Outcome&>(o), [&](const char* field, auto& value) {
        if (const char* name = wire_name(field)) a(name, value);
    });
    a("reference_us", o.reference_us), a("loads", o.loads), a("fatal", o.fatal);
}
template <class Archive>
void fields(Archive& a, StartTimes& t) {
    a("open", t.open), a("memory", t.memory), a("check", t.check), a("calibrate", t.calibrate);
}
template <class Archive>
void fields(Archive& a, PhaseTimes& t) {
    a("load", t.load), a("check", t.check), a("timing", t.timing), a("unload", t.unload),
        a("protocol", t.protocol);
    a("candidates", t.candidates), a("loads", t.loads), a("launches", t.launches);
    a("set_aside", t.throttled_blocks);
}

template <class T>
json write(const T& value);
template <class T>
constexpr bool kIsOptional = false;
template <class T>
constexpr bool kIsOptional<std::optional<T>> = true;

// An optional that is empty is left out.
struct Writer {
    json out = json::object();
    template <class T>
    void operator()(const char* key, const T& value) {
        if constexpr (kIsOptional<T>) {
            if (value) (*this)(key, *value);
        } else if constexpr (HasFields<T>) {
            out[key] = write(value);
        } else if constexpr (std::is_enum_v<T>) {
            out[key] = static_cast<int>(value);
        } else if constexpr (std::is_same_v<T, std::vector<std::vector<float>>>) {
            out[key] = json::array();
            for (const std::vector<float>& samples : value)
                out[key].push_back(binary(std::as_bytes(std::span(samples))));
        } else if constexpr (std::is_same_v<T, std::vector<float>>) {
            out[key] = binary(std::as_bytes(std::span(value)));
        } else if constexpr (std::is_same_v<T, std::vector<GpuReading>>) {
            (*this)(key, flat(value));
        } else if constexpr (std::is_same_v<T, Hash128>) {
            out[key] = value == Hash128{} ? std::string() : value.hex();
        } else {
            out[key] = value;
        }
    }
};

std::vector<std::byte> bytes_of(const json& value) {
    const auto& data = value.get_ref<const json::binary_t&>();  // throws if it is something else
    std::vector<std::byte> out(data.size());
    if (!data.empty()) std::memcpy(out.data(), data.data(), data.size());
    return out;
}

// Checks of received figures: NaN and impossible sizes are errors.
constexpr double kLargestNumber = 1e18;
constexpr double kLargestLogRatio = 14;  // a factor of a million
constexpr std::size_t kMostSamples = std::size_t{1} << 20;
constexpr int kMostLaunches = 4096;  // of one sample

double number_of(const json& field, const char* key) {
    if (!field.is_number()) throw std::runtime_error(fmt::format("{} is not a number", key));
    const auto value = field.get<double>();
    // An interval over too few samples has infinite ends; require_sense() checks when that is allowed.
    const bool end = std::strcmp(key, "low") == 0 || std::strcmp(key, "high") == 0;
    if (!(std::abs(value) <= kLargestNumber) && !(end && std::isinf(value)))
        throw std::runtime_error(fmt::format("{} is {}, which is not a valid figure", key, value));
    return value;
}

template <class T>
T integer_in(const json& field, const char* key) {
    const auto bad = [&] { return std::runtime_error(fmt::format("{} is out of range", key)); };
    if (!field.is_number_integer()) throw std::runtime_error(fmt::format("{} is not an integer", key));
    if (field.is_number_unsigned()) {
        const auto value = field.get<std::uint64_t>();
        if (!std::in_range<T>(value)) throw bad();
        return static_cast<T>(value);
    }
    const auto value = field.get<std::int64_t>();
    if (!std::in_range<T>(value)) throw bad();
    return static_cast<T>(value);
}

std::vector<float> floats_of(const json& value) {
    const std::vector<std::byte> bytes = bytes_of(value);
    if (bytes.size() > kMostSamples * sizeof(float)) throw std::runtime_error("too many samples");
    std::vector<float> out(bytes.size() / sizeof(float));
    if (!out.empty()) std::memcpy(out.data(), bytes.data(), out.size() * sizeof(float));
    for (const float sample : out)
        if (!std::isfinite(sample)) throw std::runtime_error("a sample is not a number");
    return out;
}

void require(bool holds, const char* what) {
    if (!holds) throw std::runtime_error(what);
}

void require_sense(const BenchOutcome& o) {
    const auto possible = [](double ratio) { return std::abs(ratio) <= kLargestLogRatio; };
    require(possible(o.speedup.log), "a log ratio beyond a factor of a million");
    require((possible(o.speedup.low) && possible(o.speedup.high)) || o.verdict == Verdict::Unclear,
            "a verdict without an interval");
    require(o.speedup.low <= o.speedup.high, "an interval that ends before it begins");
    require(o.cost >= 0 && o.reference_us >= 0, "a negative time");
    require(o.energy_mj >= 0 && o.reference_energy_mj >= 0, "a negative energy");
    require(o.alpha >= 0 && o.alpha <= 1, "an error probability outside 0 to 1");
    require(o.pair_deviation >= 0, "a negative deviation");
}
void require_sense(const Calibration& c) {
    require(c.original_us >= 0 && c.original_us <= 1e10 && c.timer_step_us >= 0, "an impossible time");
    require(c.pair_deviation >= 0 && c.load_deviation >= 0 && c.detectable >= 0, "a negative deviation");
    require(c.false_verdicts >= 0 && c.false_verdicts <= 1, "a share outside 0 to 1");
    for (const SamplePlan& plan : {c.test_plan, c.refine_plan})
        require(plan.launches >= 0 && plan.launches <= kMostLaunches && plan.pairs >= 0 &&
                    plan.pairs <= kMostSampled && plan.deviation >= 0,
                "an impossible sample plan");
}
void require_sense(const EnergyComparison& e) {
    require(e.windows >= 0 && e.a_mj >= 0 && e.b_mj >= 0, "a negative energy");
    require(e.low <= e.high, "an interval that ends before it begins");
}
void require_sense(const MeasurementDetails& d) {
    require(d.cost_original_us >= 0, "a negative time");
    require(d.input_sets >= 0, "a negative count");
}
void require_sense(const BenchFacts& f) {
    require(f.multiprocessors >= 0 && f.input_sets >= 0 && f.extra_sets >= 0, "a negative count");
}
template <class T>
void require_sense(const T&) {}

// Enums are sent as numbers.
template <class T>
T named_by(const json& field, const char* key, T last) {
    const int number = integer_in<int>(field, key);
    if (number < 0 || number > static_cast<int>(last))
        throw std::runtime_error(fmt::format("unknown {}", key));
    return static_cast<T>(number);
}

template <class T>
T loaded(const json& from);

struct Loader {
    const json& in;
    template <class T>
    void operator()(const char* key, T& value) {
        if constexpr (kIsOptional<T>) {
            if (in.contains(key)) (*this)(key, value.emplace());
        } else {
            read(key, in.at(key), value);
        }
    }

  private:
    template <class T>
    static void read(const char* key, const json& field, T& value) {
        if constexpr (HasFields<T>) {
            value = loaded<T>(field);
        } else if constexpr (std::is_same_v<T, OutcomeKind>) {
            value = named_by(field, key, OutcomeKind::Error);
        } else if constexpr (std::is_same_v<T, Verdict>) {
            value = named_by(field, key, Verdict::Unclear);
        } else if constexpr (std::is_same_v<T, Cache>) {
            value = named_by(field, key, kLastCache);
        } else if constexpr (std::is_same_v<T, std::vector<GpuReading>>) {
            auto readings = readings_from(floats_of(field));
            if (!readings) throw std::runtime_error("the GPU's states are not whole");
            value = std::move(*readings);
        } else if constexpr (std::is_same_v<T, std::vector<float>>) {
            value = floats_of(field);
        } else if constexpr (std::is_same_v<T, std::vector<std::vector<float>>>) {
            for (const json& samples : field)
                value.push_back(floats_of(samples));
        } else if constexpr (std::is_same_v<T, Hash128>) {
            const auto text = field.get<std::string>();
            const auto hash = text.empty() ? Hash128{} : Hash128::from_hex(text);
            if (!hash) throw std::runtime_error(fmt::format("{} is not 32 hexadecimal digits", key));
            value = *hash;
        } else if constexpr (std::is_floating_point_v<T>) {
            value = number_of(field, key);
        } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
            value = integer_in<T>(field, key);
        } else {
            field.get_to(value);
        }
    }
};

template <class T>
json write(const T& value) {
    Writer writer;
    fields(writer,
           const_cast<T&>(value));  // the shared field list takes a non-const reference; Writer only reads
    return std::move(writer.out);
}

// Calls `read` and turns the exceptions of nlohmann (a malformed message) into an Error.
template <class F>
auto guarded(F read) -> Result<decltype(read())> {
    try {
        return read();
    } catch (const std::exception& error) {
        return fail(ErrorCode::Worker, fmt::format("the worker answered nonsense: {}", error.what()),
                    "protocol");
    }
}

template <class T>
T loaded(const json& from) {
    T out;
    Loader loader{from};
    fields(loader, out);
    require_sense(out);
    return out;
}

template <class T>
Result<T> load(const json& message) {
    return guarded([&] { return loaded<T>(message); });
}

json write_image(const WireImage& image) {
    json patches = json::array();
    for (const WirePatch& patch : image.patches)
        patches.push_back({{"at", patch.at}, {"bytes", binary(patch.bytes)}});
    json out = {{"patches", std::move(patches)}, {"hash", image.hash.hex()}};
    if (image.size != 0) out["size"] = image.size;
    if (image.of_reference) out["of_reference"] = true;
    return out;
}

WireImage read_image(const json& value) {
    WireImage out;
    for (const json& patch : value.at("patches"))
        out.patches.push_back({patch.at("at").get<std::uint64_t>(), bytes_of(patch.at("bytes"))});
    const auto hash = Hash128::from_hex(value.at("hash").get<std::string>());
    if (!hash) throw std::runtime_error("image hash is not 32 hexadecimal digits");
    out.hash = *hash;
    out.size = value.value("size", std::uint64_t{0});
    out.of_reference = value.value("of_reference", false);
    return out;
}

}  // namespace

std::string cannot_run(int sm, int cubin_sm, bool accelerated) {
    const bool fits = sm / 10 == cubin_sm / 10 && sm >= cubin_sm && (!accelerated || sm == cubin_sm);
    if (fits) return {};
    return fmt::format("the GPU is sm_{}, the cubin is for sm_{}{}", sm, cubin_sm, accelerated ? "a" : "");
}

json binary(std::span<const std::byte> bytes) {
    const auto* first = reinterpret_cast<const std::uint8_t*>(bytes.data());
    return json::binary(std::vector<std::uint8_t>(first, first + bytes.size()));
}

json to_message(const Calibration& calibration) {
    return write(calibration);
}
json to_message(const BenchFacts& facts) {
    return write(facts);
}
json to_message(const BenchOutcome& outcome) {
    return write(outcome);
}
json to_message(const PhaseTimes& times) {
    return write(times);
}
json to_message(const StartTimes& times) {
    return write(times);
}

json to_message(const PrepareRequest& request) {
    json files = json::object();
    for (const auto& [param, bytes] : request.files)
        files[std::to_string(param)] = binary(bytes);
    json out = {{"type", "prepare"},
                {"settings", write(request.settings)},
                {"workload", request.workload},
                {"cubin", binary(request.cubin)},
                {"files", std::move(files)}};
    for (const Calibration& one : request.calibrations)
        out["calibrations"].push_back(write(one));
    return out;
}

json to_message(const EvaluateRequest& request) {
    json candidates = json::array();
    for (const WireImage& image : request.candidates)
        candidates.push_back(write_image(image));
    json out = {{"type", "evaluate"},
                {"effort", static_cast<int>(request.effort)},
                {"alpha", request.alpha},
                {"reference", write_image(request.reference)},
                {"candidates", std::move(candidates)}};
    if (request.cache) out["cache"] = static_cast<int>(*request.cache);
    if (request.sampling.pairs != 0) out["pairs"] = request.sampling.pairs;
    if (request.sampling.loads != 0) out["loads"] = request.sampling.loads;
    if (request.sampling.by_noise) out["by_noise"] = true;
    if (request.together) out["together"] = true;
    if (request.together_at_most != kTogetherAtMost) out["together_at_most"] = request.together_at_most;
    return out;
}

json to_message(const CompareRequest& request) {
    json out = {{"type", "compare"},      {"a", binary(request.a)},          {"b", binary(request.b)},
                {"loads", request.loads}, {"alpha", request.alpha},          {"energy_ms", request.energy_ms},
                {"seed", request.seed},   {"warm_up_ms", request.warm_up_ms}};
    const StudyShape& study = request.study;
    if (study.pairs != 0 || study.launches != 0 || study.extra_launches != 0)
        out["study"] = {
            {"pairs", study.pairs}, {"launches", study.launches}, {"extra_launches", study.extra_launches}};
    return out;
}

json to_message(const BenchComparison& comparison) {
    return {{"outcome", write(comparison.outcome)}, {"details", write(comparison.details)}};
}

json to_message(const Error& error) {
    return {{"type", "error"},
            {"code", static_cast<int>(error.code)},
            {"what", error.what},
            {"where", error.where}};
}

Result<PrepareRequest> prepare_request_from(const json& message) {
    auto settings = TRY(guarded([&] { return message.at("settings"); }));
    auto read_settings = TRY(load<BenchSettings>(settings));
    std::vector<Calibration> calibrations;
    if (message.contains("calibrations")) calibrations = TRY(calibrations_from(message["calibrations"]));
    return guarded([&] {
        PrepareRequest out;
        out.settings = read_settings;
        out.calibrations = calibrations;
        out.workload = message.at("workload").get<std::string>();
        out.cubin = bytes_of(message.at("cubin"));
        for (const auto& [key, value] : message.at("files").items())
            out.files[std::stoi(key)] = bytes_of(value);
        return out;
    });
}

Result<EvaluateRequest> evaluate_request_from(const json& message) {
    return guarded([&] {
        EvaluateRequest out;
        const int effort = message.at("effort").get<int>();
        if (effort < 0 || effort > 2) throw std::runtime_error("unknown effort");
        out.effort = static_cast<Effort>(effort);
        if (message.contains("cache")) out.cache = named_by(message["cache"], "cache", kLastState);
        out.alpha = std::clamp(message.at("alpha").get<double>(), 0.0, 1.0);
        out.sampling.pairs = std::clamp(message.value("pairs", 0), 0, kMostSampled);
        out.sampling.loads = std::clamp(message.value("loads", 0), 0, kMostSampled);
        out.sampling.by_noise = message.value("by_noise", false);
        out.together = message.value("together", false);
        out.together_at_most = message.value("together_at_most", kTogetherAtMost);
        out.reference = read_image(message.at("reference"));
        for (const json& image : message.at("candidates"))
            out.candidates.push_back(read_image(image));
        return out;
    });
}

Result<CompareRequest> compare_request_from(const json& message) {
    return guarded([&] {
        CompareRequest out;
        out.a = bytes_of(message.at("a"));
        out.b = bytes_of(message.at("b"));
        out.loads = std::clamp(message.at("loads").get<int>(), 1, 10000);
        out.alpha = std::clamp(message.at("alpha").get<double>(), 0.0, 1.0);
        out.energy_ms = std::clamp(message.at("energy_ms").get<int>(), 0, 60000);
        out.seed = message.at("seed").get<std::uint64_t>();
        out.warm_up_ms = std::clamp(message.at("warm_up_ms").get<int>(), 0, 60000);
        if (message.contains("study")) {
            const json& study = message["study"];
            out.study.pairs = std::clamp(study.at("pairs").get<int>(), 0, 1000);
            out.study.launches = std::clamp(study.at("launches").get<int>(), 0, 2000);
            out.study.extra_launches = std::clamp(study.at("extra_launches").get<int>(), -2000, 2000);
        }
        return out;
    });
}

Result<std::vector<Calibration>> calibrations_from(const json& message) {
    return guarded([&] {
        std::vector<Calibration> out;
        for (const json& one : message)
            out.push_back(loaded<Calibration>(one));
        return out;
    });
}
Result<BenchFacts> facts_from(const json& message) {
    return load<BenchFacts>(message);
}
Result<BenchOutcome> outcome_from(const json& message) {
    return load<BenchOutcome>(message);
}
Result<PhaseTimes> times_from(const json& message) {
    return load<PhaseTimes>(message);
}
Result<StartTimes> start_times_from(const json& message) {
    return load<StartTimes>(message);
}

Result<BenchComparison> comparison_from(const json& message) {
    return guarded([&] {
        return BenchComparison{loaded<BenchOutcome>(message.at("outcome")),
                               loaded<MeasurementDetails>(message.at("details"))};
    });
}

Error error_from(const json& message) {
    Error out{ErrorCode::Worker, "the worker reported an error without a text", "worker"};
    auto read = guarded([&] {
        const int code = message.at("code").get<int>();
        if (code >= 0 && code <= static_cast<int>(ErrorCode::Cancelled))
            out.code = static_cast<ErrorCode>(code);
        out.what = message.at("what").get<std::string>();
        out.where = message.at("where").get<std::string>();
        return 0;
    });
    return out;
}

std::string type_of(const json& message) {
    return json_or(message, "type", "");
}

std::int64_t integer_of(const json& message, const char* key, std::int64_t otherwise) {
    return json_or(message, key, otherwise);
}

Result<std::vector<std::byte>> build_image(std::span<const std::byte> base, const WireImage& image) {
    std::vector<std::byte> out(base.begin(), base.end());
    if (image.size != 0) {
        if (image.patches.size() != 1 || image.patches.front().bytes.size() != image.size)
            return fail(ErrorCode::Worker, "an image of another size than its base is not sent whole", "protocol");
        out.resize(image.size);
    }
    for (const WirePatch& patch : image.patches) {
        if (patch.at > out.size() || patch.bytes.size() > out.size() - patch.at)
            return fail(ErrorCode::Worker,
                        fmt::format("a patch at byte {} reaches beyond the cubin's {}", patch.at, out.size()),
                        "protocol");
        std::copy(patch.bytes.begin(), patch.bytes.end(),
                  out.begin() + static_cast<std::ptrdiff_t>(patch.at));
    }
    if (hash_bytes(out) != image.hash)
        return fail(ErrorCode::Worker, "the patched cubin does not have the hash that was announced",
                    "protocol");
    return out;
}

WireImage difference(std::span<const std::byte> base, std::span<const std::byte> wanted) {
    WireImage out;
    out.hash = hash_bytes(wanted);
    if (base.size() != wanted.size()) {
        out.size = wanted.size();
        out.patches.push_back({0, {wanted.begin(), wanted.end()}});
        return out;
    }
    // A short run of equal bytes is cheaper to send than the overhead of another patch, up to a kilobyte.
    constexpr std::size_t kGap = 1024;
    std::size_t at = 0;
    while (at < wanted.size()) {
        if (base[at] == wanted[at]) {
            ++at;
            continue;
        }
        std::size_t end = at + 1, equal = 0;
        for (std::size_t i = end; i < wanted.size() && equal < kGap; ++i) {
            equal = base[i] == wanted[i] ? equal + 1 : 0;
            if (equal == 0) end = i + 1;
        }
        out.patches.push_back(
            {at, std::vector<std::byte>(wanted.begin() + static_cast<std::ptrdiff_t>(at),
                                        wanted.begin() + static_cast<std::ptrdiff_t>(end))});
        at = end;
    }
    return out;
}

}  // namespace cubinlab
