// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/claims/step_measurement.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/bounded_json.h"
#include "core/measure/caches_evaluator.h"
#include "core/measure/statistics.h"

namespace cubinlab {
namespace {

using nlohmann::json;

struct Group {
    PooledMeasurement out;
    std::string uuid;
    std::vector<std::vector<float>> by_load;
    double pair_deviation = 0, load_deviation = 0, same_within = 0;
};

void judge(Group& group) {
    const LoadsVerdict judged =
        judge_loads(group.by_load, group.pair_deviation, group.load_deviation, kConfirmAlpha);
    group.out.loads = group.by_load.size();
    for (const auto& samples : group.by_load)
        group.out.pairs += samples.size();
    group.out.log_speedup = judged.loads.mean;
    group.out.low = judged.interval.low;
    group.out.high = judged.interval.high;
    group.out.verdict = verdict_of(judged.interval, group.same_within);
}

// Throws what nlohmann throws where the record was not made by measurement_record.
void add(std::vector<Group>& groups, const MeasurementRecord& record) {
    const json more = parse_json_or_discard(record.json);
    auto by_load = more.at("by_load").get<std::vector<std::vector<float>>>();
    const std::string uuid = more.at("uuid").get<std::string>();
    const std::string cache = more.at("cache").get<std::string>();
    const double pair = more.at("calibration").at("pair_deviation").get<double>();
    const double load = more.at("calibration").at("load_deviation").get<double>();
    const double same_within = more.at("same_within").get<double>();
    const std::string device = more.at("device").get<std::string>();
    if (by_load.empty()) return;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) {
        return g.uuid == uuid && g.out.cache == cache && g.same_within == same_within;
    });
    if (group == groups.end()) {
        groups.push_back({});
        group = groups.end() - 1;
        group->uuid = uuid;
        group->out.device = device;
        group->out.cache = cache;
        group->same_within = same_within;
    }
    ++group->out.measurements;
    group->pair_deviation = std::max(group->pair_deviation, pair);
    group->load_deviation = std::max(group->load_deviation, load);
    for (auto& samples : by_load)
        group->by_load.push_back(std::move(samples));
}

Outcome outcome_of(const PooledMeasurement& pooled) {
    Outcome out;
    out.kind = OutcomeKind::Ok;
    out.log_speedup = pooled.log_speedup;
    out.low = pooled.low;
    out.high = pooled.high;
    out.verdict = pooled.verdict;
    return out;
}

PooledMeasurement mean_of_caches(const PooledMeasurement& hot, const PooledMeasurement& cold) {
    PooledMeasurement out = hot;
    const Outcome mean = over_caches(outcome_of(hot), outcome_of(cold), true, GpuSettings().same_within);
    out.cache = "both";
    out.measurements += cold.measurements;
    out.loads += cold.loads;
    out.pairs += cold.pairs;
    out.log_speedup = mean.log_speedup;
    out.low = mean.low;
    out.high = mean.high;
    out.verdict = mean.verdict;
    return out;
}

}  // namespace

json energy_json(const EnergyComparison& energy) {
    if (energy.windows == 0) return nullptr;
    return {{"windows", energy.windows},
            {"original_mj", energy.a_mj},
            {"candidate_mj", energy.b_mj},
            {"log_ratio", energy.log_ratio},
            {"low", energy.low},
            {"high", energy.high},
            {"original_watts", energy.a_watts},
            {"candidate_watts", energy.b_watts}};
}

MeasurementRecord measurement_record(const Comparison& measured, RunId run, StepId step,
                                     const std::string& purpose, bool cold) {
    MeasurementRecord out;
    out.run = run;
    out.step = step;
    out.purpose = purpose;
    out.outcome = measured.outcome;
    const json machine = parse_json_or_discard(measured.machine.json);
    const auto part = [&](const char* key) {
        return machine.is_object() && machine.contains(key) ? machine[key] : json(nullptr);
    };
    const json facts = part("facts");
    const json document = {{"by_load", measured.samples_by_load},
                           {"alpha", measured.outcome.alpha},
                           {"cache", cold ? "cold" : "hot"},
                           {"outputs_equal", measured.outputs_equal},
                           {"input_sets", measured.input_sets},
                           {"cost_original_us", measured.cost_a_us},
                           {"energy", energy_json(measured.energy)},
                           {"device", measured.machine.device},
                           {"uuid", facts.is_object() && facts.contains("uuid") ? facts["uuid"] : json("")},
                           {"calibration", part("calibration")},
                           {"same_within", part("same_within")},
                           {"seed", part("seed")}};
    out.json = document.dump(-1, ' ', false, json::error_handler_t::replace);
    return out;
}

std::vector<PooledMeasurement> pool_measurements(const std::vector<MeasurementRecord>& records, StepId step) {
    std::vector<Group> groups;
    for (const MeasurementRecord& record : records) {
        if (record.step != step || !record.outcome.ok()) continue;
        try {
            add(groups, record);
        } catch (const std::exception&) {
            continue;  // a record of another maker: it has no samples by load
        }
    }
    std::vector<PooledMeasurement> out;
    for (Group& group : groups) {
        judge(group);
        out.push_back(group.out);
    }
    return out;
}

std::optional<PooledMeasurement> measured_with_cache(const std::vector<MeasurementRecord>& records,
                                                     StepId step, const std::string& cache) {
    const auto pooled = pool_measurements(records, step);
    // By the most loads; `device`: of that one alone, where it is named.
    const auto most = [&](const std::string& with, const std::string& device = {}) {
        const PooledMeasurement* found = nullptr;
        for (const PooledMeasurement& m : pooled)
            if (m.cache == with && (device.empty() || m.device == device) &&
                m.loads > (found ? found->loads : 0))
                found = &m;
        return found;
    };
    const PooledMeasurement* hot = most("hot");
    const PooledMeasurement* cold = most("cold", hot && cache == "both" ? hot->device : "");
    if (cache == "both" && hot && cold) return mean_of_caches(*hot, *cold);
    if (cache == "cold" && cold) return *cold;
    return hot ? std::optional(*hot) : std::nullopt;
}

const MeasurementRecord* failed_measurement(const std::vector<MeasurementRecord>& records, StepId step) {
    for (const MeasurementRecord& record : records)
        if (record.step == step && !record.outcome.ok()) return &record;
    return nullptr;
}

Error refusal_to_export(const MeasurementRecord& failed, const std::string& session) {
    return {ErrorCode::Refused,
            "not exported: measured again on " + failed.made + " this step gave " +
                to_string(failed.outcome.kind) + ": " + failed.outcome.detail,
            session};
}

}  // namespace cubinlab
