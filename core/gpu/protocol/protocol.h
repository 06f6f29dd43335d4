// SPDX-License-Identifier: GPL-3.0-or-later
// The messages, as CBOR maps (core/gpu/protocol/frame.h). Every request carries "id", its answers repeat it.
//
//   probe    {device}                          -> probe {present, reason, facts}
//   warm     {device}                          -> warm | error (driver and context of a spare worker)
//   prepare  {settings, workload, cubin, files, calibrations?} -> prepared {facts, calibrations, seconds} | error
//   evaluate {effort, alpha, cache?, pairs?, loads?, by_noise?, together?, together_at_most?, reference: image,
//            candidates: [image]}
//                                              -> outcome {index, ...} each, then done {times} | error
//   compare  {a, b: bytes, loads, ...}         -> progress {done, total} each, then comparison {...} | error
//   trial    {device, cubin, kernel, number}   -> trial {words} | error (core/gpu/client/kernel_trial.h)
//   from the worker at any time: heartbeat {progress}, hang {id, index}, batch_failed {id, index, why?}
//
// A worker that is prepared with a mean of cache states measures in each of them: `calibrations` are by state, in the order
// of measured_states(), and `cache` of `evaluate` selects the state (default: the first).
//
// An image is {patches: [{at, bytes}], size?, of_reference?, hash}: byte ranges that replace those of its base, its size
// where that differs from the base's, and the XXH3-128 of the result. The base is the cubin of `prepare`, or the reference
// of the same request.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/hash.h"
#include "core/base/result.h"
#include "core/gpu/protocol/bench_types.h"
#include "core/result/sampling.h"

namespace cubinlab {

// The largest number of pairs per load, and of loads, that a comparison of a search may request.
inline constexpr int kMostSampled = 1000;

struct WirePatch {
    std::uint64_t at = 0;
    std::vector<std::byte> bytes;
};
struct WireImage {
    std::vector<WirePatch> patches;
    Hash128 hash;
    std::uint64_t size = 0;     // 0: that of the base. Other sizes are sent whole, as one patch
    bool of_reference = false;  // the base is the reference of the request
};

struct PrepareRequest {
    BenchSettings settings;
    std::string workload;
    std::vector<std::byte> cubin;
    std::map<int, std::vector<std::byte>> files;
    std::vector<Calibration>
        calibrations;  // of measured_states(settings.cache); empty: the worker calibrates
};
// The largest number of candidates in a batch that shares its two reference samples: those take a fifth of
// the timing of eight candidates, a third of that of four.
inline constexpr std::size_t kTogetherAtMost = 8;
struct EvaluateRequest {
    Effort effort = Effort::Screen;
    WireImage reference;
    std::vector<WireImage> candidates;
    double alpha = 0;  // error probability of the intervals; 0: that of the effort
    Sampling sampling = {};
    std::optional<Cache> cache = {};  // one of measured_states(); empty: the first
    // Whether the worker may measure candidates in batches that share the reference (by_noise, not Confirm).
    // If a batch fails, the worker sends "batch_failed" with the index of its first candidate and exits.
    bool together = false;
    std::size_t together_at_most = kTogetherAtMost;
};
struct CompareRequest {
    std::vector<std::byte> a, b;
    int loads = 10;
    StudyShape study = {};   // not available to `evaluate`
    double alpha = 0;        // 0: kConfirmAlpha
    int energy_ms = 0;       // length of one window of the energy measurement; 0: none
    std::uint64_t seed = 0;  // of order, input sets and addresses; 0: continue with the worker's generator
    int warm_up_ms = 0;      // untimed pairs before the first
};

nlohmann::json binary(std::span<const std::byte> bytes);
nlohmann::json to_message(const PrepareRequest& request);
nlohmann::json to_message(const EvaluateRequest& request);
nlohmann::json to_message(const CompareRequest& request);
nlohmann::json to_message(const Calibration& calibration);
nlohmann::json to_message(const BenchFacts& facts);
nlohmann::json to_message(const BenchOutcome& outcome);
nlohmann::json to_message(const BenchComparison& comparison);
nlohmann::json to_message(const PhaseTimes& times);
nlohmann::json to_message(const StartTimes& times);
nlohmann::json to_message(const Error& error);

// Errors: Worker, "message lacks ...". `message` is not trusted.
Result<PrepareRequest> prepare_request_from(const nlohmann::json& message);
Result<EvaluateRequest> evaluate_request_from(const nlohmann::json& message);
Result<CompareRequest> compare_request_from(const nlohmann::json& message);
Result<std::vector<Calibration>> calibrations_from(const nlohmann::json& message);
Result<BenchFacts> facts_from(const nlohmann::json& message);
Result<BenchOutcome> outcome_from(const nlohmann::json& message);
Result<BenchComparison> comparison_from(const nlohmann::json& message);
Result<PhaseTimes> times_from(const nlohmann::json& message);
Result<StartTimes> start_times_from(const nlohmann::json& message);
Error error_from(const nlohmann::json& message);
std::string type_of(const nlohmann::json& message);
std::int64_t integer_of(const nlohmann::json& message, const char* key, std::int64_t otherwise);

// Applies an image to `base`. Errors: Worker (a patch lies outside the base, the hash does not match).
Result<std::vector<std::byte>> build_image(std::span<const std::byte> base, const WireImage& image);
// The image that turns `base` into `wanted`: the runs of different bytes, or all of them where the sizes differ.
WireImage difference(std::span<const std::byte> base, std::span<const std::byte> wanted);

}  // namespace cubinlab
