// SPDX-License-Identifier: GPL-3.0-or-later
// What a GPU evaluator says of its machine besides the figures of EvaluatorInfo. visit_fields is the one list of the fields
// of a struct: the session and `--json` follow from it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result/measurement.h"

namespace cubinlab {

// The GPU and the workload, as the worker that prepared them knows them.
struct BenchFacts {
    std::string device, driver, uuid, pci, digest_note, cache_state,
        warning,   // about the workload: what its check cannot see
        expected;  // hash over all expected digests
    int sm = 0, multiprocessors = 0, l2_bytes = 0, clock_khz = 0, memory_clock_khz = 0;
    int input_sets = 0, extra_sets = 0;
    std::uint64_t arena_bytes = 0;
    int temperature_c = -1, power_w = -1, sm_clock_mhz = -1;
    int warm_up_ms =
        0;  // until the time of the original was steady; 0: a replacement, which does not warm up
    bool settled = true;  // the time was steady within BenchSettings::warm_up_ms
};

template <FieldsOf<BenchFacts> T>
void visit_fields(T& f, auto&& visit) {
    visit("device", f.device);
    visit("driver", f.driver);
    visit("uuid", f.uuid);
    visit("pci", f.pci);
    visit("digest_note", f.digest_note);
    visit("cache_state", f.cache_state);
    visit("warning", f.warning);
    visit("expected", f.expected);
    visit("sm", f.sm);
    visit("multiprocessors", f.multiprocessors);
    visit("l2_bytes", f.l2_bytes);
    visit("clock_khz", f.clock_khz);
    visit("memory_clock_khz", f.memory_clock_khz);
    visit("input_sets", f.input_sets);
    visit("extra_sets", f.extra_sets);
    visit("arena_bytes", f.arena_bytes);
    visit("temperature_c", f.temperature_c);
    visit("power_w", f.power_w);
    visit("sm_clock_mhz", f.sm_clock_mhz);
    visit("warm_up_ms", f.warm_up_ms);
    visit("settled", f.settled);
}

// A GPU of a pool. What follows `note` is known of one that was up.
struct MachineDevice {
    std::optional<std::string> worker;  // its command; "local": the default one
    std::optional<int> number;
    std::optional<std::string> note, device, uuid, warning;
    std::optional<Calibration> calibration;
};

template <FieldsOf<MachineDevice> T>
void visit_fields(T& d, auto&& visit) {
    visit("worker", d.worker);
    visit("number", d.number);
    visit("note", d.note);
    visit("device", d.device);
    visit("uuid", d.uuid);
    visit("warning", d.warning);
    visit("calibration", d.calibration);
}

// The worker that measures with a cold cache, where both count.
struct ColdWorker {
    std::optional<double> original_us, pair_deviation;
    std::optional<Calibration> calibration;
};

template <FieldsOf<ColdWorker> T>
void visit_fields(T& c, auto&& visit) {
    visit("original_us", c.original_us);
    visit("pair_deviation", c.pair_deviation);
    visit("calibration", c.calibration);
}

// Empty: the stored form does not say.
struct MachineInfo {
    std::optional<BenchFacts> facts;
    std::optional<Calibration> calibration;
    std::optional<std::uint64_t> seed;
    std::optional<double> same_within;
    std::optional<Cache> cache;
    std::optional<int> workers_started;
    std::vector<MachineDevice> devices;  // of the pool, by number; Outcome::device is an index
    std::optional<ColdWorker> cold;

    // Of the GPU that made the outcome. Null: not known.
    const Calibration* calibration_of(const Outcome& outcome) const {
        if (!devices.empty() && outcome.device >= devices.size()) return nullptr;
        const auto& found = devices.empty() ? calibration : devices[outcome.device].calibration;
        return found ? &*found : nullptr;
    }
};

template <FieldsOf<MachineInfo> T>
void visit_fields(T& m, auto&& visit) {
    visit("facts", m.facts);
    visit("calibration", m.calibration);
    visit("seed", m.seed);
    visit("same_within", m.same_within);
    visit("cache", m.cache);
    visit("workers_started", m.workers_started);
    visit("devices", m.devices);
    visit("cold", m.cold);
}

}  // namespace cubinlab
