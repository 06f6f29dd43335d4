// SPDX-License-Identifier: GPL-3.0-or-later
// How good is a candidate? One interface, two implementations: the SM model (this folder) and the GPU
// (core/measure). Whoever shows a number says which one produced it; a model's cycles are never shown as
// time.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

enum class EvaluatorKind : std::uint8_t { Model, Gpu };
const char* to_string(EvaluatorKind kind);  // "model", "gpu"

enum class OutcomeKind : std::uint8_t {
    Ok,           // evaluated; figures are valid
    Illegal,      // refused by the checker, never ran
    WrongResult,  // outputs differ from the original's
    WildStore,    // a guard zone or an input was overwritten
    Fault,        // the GPU reported an error (illegal address, trap ...)
    Hang,         // no end within the watchdog's time
    WorkerLost,   // the measuring process vanished or spoke nonsense
    Error,        // anything else; see detail
};
const char* to_string(OutcomeKind kind);

enum class Verdict : std::uint8_t { Faster, Same, Slower, Unclear };
const char* to_string(Verdict verdict);  // "FASTER" ...

// Cost of one schedule. `log_speedup` = ln(cost of the reference / cost of the candidate): positive is
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
    std::uint16_t set_aside = 0;  // blocks of pairs not counted, because the GPU was throttled during them
    // Error probability of the interval, corrected for the candidates tried before; 0: not said.
    double alpha = 0;
    double energy_mj = 0, reference_energy_mj = 0;  // millijoules a launch; 0: not measured
    // Four numbers for each block of pairs (a module load), in the order of `samples`: SM clock in MHz,
    // temperature in Celsius, power in watts, NVML's clock event (throttle) reasons. -1: not known.
    std::vector<float> states{};
    bool ok() const { return kind == OutcomeKind::Ok; }
};

// How much certainty to buy. The model ignores it.
enum class Effort : std::uint8_t { Screen, Promote, Confirm };

struct EvaluatorInfo {
    EvaluatorKind kind = EvaluatorKind::Model;
    std::string device;         // "NVIDIA H200, driver 580.159.04" or "SM model sm_90"
    std::string unit;           // "us" or "modelled cycles"
    double original_cost = 0;   // of the unmodified kernel
    double timer_step_us = 0;   // GPU: calibration
    double aa_spread = 0;       // GPU: standard deviation of an original-against-original log-ratio pair
    double detectable = 0;      // GPU: smallest log-speed-up that a promoted comparison finds
    bool deterministic = true;  // the original gives the same bits every time
    std::string json;           // everything else worth keeping (clocks, versions), one JSON object
};

class Evaluator {
  public:
    virtual ~Evaluator() = default;
    virtual const EvaluatorInfo& info() const = 0;

    // Evaluates candidates against `reference` (usually the incumbent best), results in the order given.
    // Candidates are legal already. An error means that the evaluator itself is unusable from now on;
    // anything a single candidate does (fault, hang, wrong result) is its Outcome.
    virtual Result<std::vector<Outcome>> evaluate(std::span<const Schedule> candidates,
                                                  const Schedule& reference, Effort effort,
                                                  std::stop_token stop) = 0;
};

}  // namespace cubinlab
