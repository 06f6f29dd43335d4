// SPDX-License-Identifier: GPL-3.0-or-later
// What came of one schedule: the value that worker, client, search, session, bundle and report share.
//
//   visit_fields(outcome, [](const Field& field, auto& member) { ... });
//
// The visitor is the one list of its fields. The worker's protocol (core/gpu/protocol/protocol.cpp), the session's
// rows (core/store/outcome_row.h) and JSON (core/result/outcome_json.h) are made from it, so that a new field is its
// member and its line in the visitor, with the number of the session schema that brings it.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/hash.h"

namespace cubinlab {

// Their numbers travel between client and worker.
enum class OutcomeKind : std::uint8_t {
    Ok,                // evaluated; figures are valid
    Illegal,           // refused by the checker, never ran
    WrongResult,       // outputs differ from the original's
    OutOfBoundsStore,  // a guard zone or an input was overwritten
    Fault,             // the GPU reported an error (illegal address, trap ...)
    Hang,              // no end within the watchdog's time
    WorkerLost,        // the measuring process vanished or spoke nonsense
    Error,             // anything else; see detail
};
const char* to_string(OutcomeKind kind);
std::optional<OutcomeKind> parse_outcome(std::string_view text);

enum class Verdict : std::uint8_t { Faster, Same, Slower, Unclear };
const char* to_string(Verdict verdict);  // "FASTER" ...
std::optional<Verdict> parse_verdict(std::string_view text);

// How certain the verdict must be, and so how much a measurement costs. The model ignores it.
enum class Effort : std::uint8_t { Screen, Refine, Confirm };

// The GPU during one block of pairs (a module load). -1: not known.
struct GpuReading {
    float sm_clock_mhz = -1;
    float temperature_c = -1;
    float power_w = -1;
    float throttle_reasons = -1;  // NVML's clock event reasons, a bit set
    friend bool operator==(const GpuReading&, const GpuReading&) = default;
};
// As sent and stored: four numbers a reading, in the order of the members.
std::vector<float> flat(std::span<const GpuReading> readings);
// Empty if the count is not a multiple of four.
std::optional<std::vector<GpuReading>> readings_from(std::span<const float> numbers);

// The outcome of one schedule. `log_speedup` = ln(cost of the reference / cost of the candidate): positive is
// faster.
struct Outcome {
    OutcomeKind kind = OutcomeKind::Error;
    Verdict verdict = Verdict::Unclear;
    double log_speedup = 0;      // against the reference given to evaluate()
    double low = 0, high = 0;    // interval of log_speedup (the model: equal to it)
    double cost = 0;             // microseconds a launch (GPU) or cycles (model)
    std::uint32_t pairs = 0;     // timing pairs taken
    std::vector<float> samples;  // raw pair log-ratios, GPU only
    std::string detail;          // for every kind but Ok: what was seen; Ok: remarks on the measurement
    // GPU only. One device made the whole outcome: an index into "devices" of EvaluatorInfo::json.
    std::uint16_t device = 0;
    std::uint32_t throttled_blocks = 0;  // blocks of pairs left out because the GPU was throttled
    // Error probability of the interval, corrected for the candidates tried before; 0: not said.
    double alpha = 0;
    double energy_mj = 0, reference_energy_mj = 0;  // millijoules a launch; 0: not measured
    std::vector<GpuReading> states{};               // of each block of pairs, in the order of `samples`
    // Calibrated deviation of one of these pairs, log, where samples had a length of their own; 0: the machine's.
    double pair_deviation = 0;
    // Of the code that was looked at, taken where that was done: by the worker of the bytes that it loads, by the model of
    // the schedule. It equals Schedule::hash() of what was meant. Zero: not said (nothing was loaded, or a version before).
    Hash128 code_hash{};
    // A mean over so many shapes of the workload, of which so many are SLOWER (over_shapes); 0: of one shape, or made by a
    // version before, whose `detail` says it.
    std::uint16_t shape_count = 0, slower_shapes = 0;
    bool ok() const { return kind == OutcomeKind::Ok; }
};

// `schema`: the session schema that brought the field. Files, bundles and workers of before do not have it.
struct Field {
    const char* name;
    int schema;
};

template <class Record, class Visit>
requires std::is_same_v<std::remove_const_t<Record>, Outcome>
constexpr void visit_fields(Record& o, Visit&& visit) {
    visit(Field{"outcome", 1}, o.kind);
    visit(Field{"verdict", 1}, o.verdict);
    visit(Field{"log_speedup", 1}, o.log_speedup);
    visit(Field{"low", 1}, o.low);
    visit(Field{"high", 1}, o.high);
    visit(Field{"cost", 1}, o.cost);
    visit(Field{"pairs", 1}, o.pairs);
    visit(Field{"samples", 1}, o.samples);
    visit(Field{"detail", 1}, o.detail);
    visit(Field{"device", 2}, o.device);
    visit(Field{"set_aside", 2}, o.throttled_blocks);
    visit(Field{"alpha", 2}, o.alpha);
    visit(Field{"energy_mj", 2}, o.energy_mj);
    visit(Field{"reference_energy_mj", 2}, o.reference_energy_mj);
    visit(Field{"states", 2}, o.states);
    visit(Field{"pair_deviation", 5}, o.pair_deviation);
    visit(Field{"code_hash", 7}, o.code_hash);
    visit(Field{"shape_count", 8}, o.shape_count);
    visit(Field{"slower_shapes", 8}, o.slower_shapes);
}
// What the first release knew: every session, bundle and worker says at least this much.
inline constexpr int kReleasedSchema = 3;

// A copy without samples and readings, which take most of the memory.
Outcome without_raw(Outcome outcome);

}  // namespace cubinlab
