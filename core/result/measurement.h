// SPDX-License-Identifier: GPL-3.0-or-later
// What a comparison with the original over fresh loads found, and what its figure is judged with.
//
// visit_fields is the one list of the fields of a struct. The protocol of the worker (core/gpu/protocol/protocol.cpp), the
// record of the session and `--json` (core/result/measurement_json.h) follow from it: a new field of a measurement is a
// member and a line in this file, and the line of the worker that measures it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result/cache.h"
#include "core/result/fields.h"
#include "core/result/outcome.h"

namespace cubinlab {

struct SamplePlan {
    int launches = 0;  // per sample; 0: not calibrated, use the samples of the effort
    int pairs = 0;
    double deviation = 0;  // of one pair within a load, log
    friend bool operator==(const SamplePlan&, const SamplePlan&) = default;
};

struct Calibration {
    double timer_step_us = 0;
    double original_us = 0;     // one launch, in the cache state of the settings
    double pair_deviation = 0;  // of a screening pair of two loads of the original, log
    double load_deviation = 0;  // of the mean over one load pair, beyond what its pairs explain, log
    double false_verdicts = 0;  // share of A/A load pairs that a screening calls FASTER or SLOWER
    double detectable = 0;      // log speed-up that a refined comparison resolves
    bool deterministic = true;
    // Sample plans for Sampling::by_noise: of one load (Screen), of each of several fresh loads (Refine).
    SamplePlan test_plan, refine_plan;
    // Time that the launches of a long kernel may add to the watchdog's limit.
    int longest_wait_ms() const { return static_cast<int>(original_us * 60 / 1000); }
};

template <FieldsOf<Calibration> T>
void visit_fields(T& c, auto&& visit) {
    visit("timer_step_us", c.timer_step_us);
    visit("original_us", c.original_us);
    visit("pair_deviation", c.pair_deviation);
    visit("load_deviation", c.load_deviation);
    visit("false_verdicts", c.false_verdicts);
    visit("detectable", c.detectable);
    visit("deterministic", c.deterministic);
    visit("test_launches", c.test_plan.launches);
    visit("test_pairs", c.test_plan.pairs);
    visit("test_deviation", c.test_plan.deviation);
    visit("closer_launches", c.refine_plan.launches);
    visit("closer_pairs", c.refine_plan.pairs);
    visit("closer_deviation", c.refine_plan.deviation);
}

// Energy of both sides from NVML's counter, over alternating windows of launches. `windows` 0: no figure.
struct EnergyComparison {
    int windows = 0;            // per side
    double a_mj = 0, b_mj = 0;  // millijoules per launch, including the idle power of the GPU
    double log_ratio = 0;       // ln(A / B): positive if B needs less
    double low = 0, high = 0;   // 95 % t interval over the pairs of windows
    double a_watts = 0, b_watts = 0;
};

template <FieldsOf<EnergyComparison> T>
void visit_fields(T& e, auto&& visit) {
    visit("windows", e.windows);
    visit("original_mj", e.a_mj);
    visit("candidate_mj", e.b_mj);
    visit("log_ratio", e.log_ratio);
    visit("low", e.low);
    visit("high", e.high);
    visit("original_watts", e.a_watts);
    visit("candidate_watts", e.b_watts);
}

struct MeasurementDetails {
    std::string name;  // of the shape; empty: the workload has one
    // Log-ratios. From the worker one list a fresh load; over several workers one list a process.
    std::vector<std::vector<float>> by_load;
    double cost_original_us = 0;  // one launch, median
    std::uint32_t loads = 0;      // fresh module loads of each side
    bool outputs_equal = false;
    int input_sets = 0;
    EnergyComparison energy;
    // What judges the figure; the client knows it. Empty: not said.
    std::optional<Cache> cache;
    std::string device, uuid;
    std::optional<Calibration> calibration;
    std::optional<double> same_within;
    std::optional<std::uint64_t> seed;
};

template <FieldsOf<MeasurementDetails> T>
void visit_fields(T& d, auto&& visit) {
    visit("name", d.name);
    visit("by_load", d.by_load);
    visit("cost_original_us", d.cost_original_us);
    visit("loads", d.loads);
    visit("outputs_equal", d.outputs_equal);
    visit("input_sets", d.input_sets);
    visit("energy", d.energy);
    visit("cache", d.cache);
    visit("device", d.device);
    visit("uuid", d.uuid);
    visit("calibration", d.calibration);
    visit("same_within", d.same_within);
    visit("seed", d.seed);
}

// The measurement of one shape of a workload.
struct ShapeMeasurement {
    Outcome outcome;
    MeasurementDetails details;
};

}  // namespace cubinlab
