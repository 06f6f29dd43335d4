// SPDX-License-Identifier: GPL-3.0-or-later
// What a GPU evaluator tells of its machine besides the figures of EvaluatorInfo. EvaluatorInfo::json is the stored
// form, and the visitor is the one list of its fields: a new field is a member and a line in the visitor.
//
//   const MachineInfo machine = machine_of(run.evaluator);
//   if (machine.cache == Cache::Both) ...
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/gpu/protocol/bench_types.h"
#include "core/result/cache.h"
#include "core/result/evaluator.h"

namespace cubinlab {

// A GPU of a pool. What follows `note` is known of one that was up.
struct MachineDevice {
    std::optional<std::string> worker;  // its command; "local": the default one
    std::optional<int> number;
    std::optional<std::string> note, device, uuid, warning;
    std::optional<Calibration> calibration;
};

// The worker that measures with a cold cache, where both count.
struct ColdWorker {
    std::optional<double> original_us, pair_deviation;
    std::optional<Calibration> calibration;
};

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
    const Calibration* calibration_of(const Outcome& outcome) const;
};

template <class Record, class Visit>
requires std::is_same_v<std::remove_const_t<Record>, MachineDevice>
void visit_fields(Record& d, Visit&& visit) {
    visit("worker", d.worker);
    visit("number", d.number);
    visit("note", d.note);
    visit("device", d.device);
    visit("uuid", d.uuid);
    visit("warning", d.warning);
    visit("calibration", d.calibration);
}
template <class Record, class Visit>
requires std::is_same_v<std::remove_const_t<Record>, ColdWorker>
void visit_fields(Record& c, Visit&& visit) {
    visit("original_us", c.original_us);
    visit("pair_deviation", c.pair_deviation);
    visit("calibration", c.calibration);
}
template <class Record, class Visit>
requires std::is_same_v<std::remove_const_t<Record>, MachineInfo>
void visit_fields(Record& m, Visit&& visit) {
    visit("facts", m.facts);
    visit("calibration", m.calibration);
    visit("seed", m.seed);
    visit("same_within", m.same_within);
    visit("cache", m.cache);
    visit("workers_started", m.workers_started);
    visit("devices", m.devices);
    visit("cold", m.cold);
}

MachineInfo machine_of(const EvaluatorInfo& evaluator);
std::string stored(const MachineInfo& machine);  // for EvaluatorInfo::json

}  // namespace cubinlab
