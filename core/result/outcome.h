// SPDX-License-Identifier: GPL-3.0-or-later
// What came of one schedule: the value that worker, client, search, session, bundle and report share.
//
//   visit_fields(outcome, [](const char* name, auto& member) { ... });
//
// The visitor is the one list of its fields. The worker's protocol (core/gpu/protocol/protocol.cpp), the session's
// rows (core/store/outcome_row.h) and JSON (core/result/outcome_json.h) are made from it: a new field is a member and
// a line in the visitor.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/hash.h"
#include "core/result/fields.h"
#include "core/result/speedup.h"

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

// How much certainty to buy. The model ignores it.
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

// Cost of one schedule.
struct Outcome {
    OutcomeKind kind = OutcomeKind::Error;
    Verdict verdict = Verdict::Unclear;
    Speedup speedup;             // against the reference given to evaluate()
    double cost = 0;             // microseconds a launch (GPU) or cycles (model)
    std::uint32_t pairs = 0;     // timing pairs taken
    std::vector<float> samples;  // raw pair log-ratios, GPU only
    std::string detail;          // for people alone: what was seen; of Ok: remarks on the measurement
    // GPU only. One device made the whole outcome: an index into MachineInfo::devices.
    std::uint16_t device = 0;
    std::uint32_t throttled_blocks = 0;  // blocks of pairs left out because the GPU was throttled
    // Error probability of the interval, corrected for the candidates tried before; 0: not said.
    double alpha = 0;
    double energy_mj = 0, reference_energy_mj = 0;  // millijoules a launch; 0: not measured
    std::vector<GpuReading> states{};               // of each block of pairs, in the order of `samples`
    // Calibrated deviation of one of these pairs, log, where samples had a length of their own; 0: the machine's.
    double pair_deviation = 0;
    // Of the code that was looked at, taken where that was done: by the worker of the bytes that it loads, by the model of
    // the schedule. It equals Schedule::hash() of what was meant. Zero: nothing was loaded.
    Hash128 code_hash{};
    // The number of shapes that the figure is the mean of (over_shapes) and the number of SLOWER ones; 0: one shape.
    std::uint16_t shape_count = 0, slower_shapes = 0;
    bool ok() const { return kind == OutcomeKind::Ok; }
};

template <FieldsOf<Outcome> T>
constexpr void visit_fields(T& o, auto&& visit) {
    visit("outcome", o.kind);
    visit("verdict", o.verdict);
    visit("log_speedup", o.speedup.log);
    visit("low", o.speedup.low);
    visit("high", o.speedup.high);
    visit("cost", o.cost);
    visit("pairs", o.pairs);
    visit("samples", o.samples);
    visit("detail", o.detail);
    visit("device", o.device);
    visit("set_aside", o.throttled_blocks);
    visit("alpha", o.alpha);
    visit("energy_mj", o.energy_mj);
    visit("reference_energy_mj", o.reference_energy_mj);
    visit("states", o.states);
    visit("pair_deviation", o.pair_deviation);
    visit("code_hash", o.code_hash);
    visit("shape_count", o.shape_count);
    visit("slower_shapes", o.slower_shapes);
}

// A copy without samples and readings, which take most of the memory.
Outcome without_raw(Outcome outcome);

}  // namespace cubinlab
