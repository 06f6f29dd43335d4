// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/step_measurement.h"

#include <algorithm>
#include <optional>
#include <set>

#include "core/evidence/claim_parts.h"
#include "core/evidence/measured_shapes.h"
#include "core/gpu/client/mean_outcome.h"
#include "core/gpu/protocol/statistics.h"

namespace cubinlab {
namespace {

struct Group {
    PooledMeasurement out;
    std::string uuid;
    double same_within = 0;
    std::vector<MeasurementDetails> shapes;  // with the samples of all records
};

std::vector<std::string> names_of(const Group& group) {
    std::vector<std::string> out;
    for (const MeasurementDetails& shape : group.shapes)
        out.push_back(shape.name);
    return out;
}

Outcome judged_alone(const MeasurementDetails& shape, double alpha, double same_within) {
    const Calibration& calibration = *shape.calibration;
    const LoadsVerdict judged =
        judge_loads(shape.by_load, calibration.pair_deviation, calibration.load_deviation, alpha);
    Outcome out;
    out.kind = OutcomeKind::Ok;
    out.speedup = judged.speedup();
    out.verdict = out.speedup.verdict(same_within);
    return out;
}

// As a search judges several shapes: each for its share of the error probability.
void judge(Group& group, double alpha_of_all) {
    const double alpha = alpha_of_all / static_cast<double>(group.shapes.size());
    std::vector<Outcome> outcomes;
    group.out.loads = group.shapes.front().by_load.size();
    for (const MeasurementDetails& shape : group.shapes) {
        group.out.loads = std::min(group.out.loads, shape.by_load.size());
        for (const auto& samples : shape.by_load)
            group.out.pairs += samples.size();
        outcomes.push_back(judged_alone(shape, alpha, group.same_within));
    }
    const bool several = outcomes.size() > 1;
    const Outcome all =
        several ? over_shapes(outcomes, names_of(group), group.same_within) : outcomes.front();
    group.out.speedup = all.speedup;
    group.out.verdict = all.verdict;
    for (std::size_t k = 0; several && k < outcomes.size(); ++k)
        group.out.shapes.push_back(shape_figure(group.shapes[k].name, outcomes[k]));
}

bool same_shapes(const Group& group, const std::vector<ShapeMeasurement>& shapes) {
    return std::equal(
        group.shapes.begin(), group.shapes.end(), shapes.begin(), shapes.end(),
        [](const MeasurementDetails& a, const ShapeMeasurement& b) { return a.name == b.details.name; });
}

void add(std::vector<Group>& groups, const MeasurementRecord& record) {
    std::vector<ShapeMeasurement> shapes = measured_shapes(record);
    const std::optional<Cache> cache = record.details.cache;
    if (shapes.empty() || !cache) return;
    const double same_within = *shapes.front().details.same_within;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) {
        return g.uuid == record.details.uuid && g.out.cache == cache && g.same_within == same_within &&
               same_shapes(g, shapes);
    });
    if (group == groups.end()) {
        groups.emplace_back();
        group = groups.end() - 1;
        group->out.device = record.details.device;
        group->out.cache = *cache;
        group->uuid = record.details.uuid;
        group->same_within = same_within;
        for (const ShapeMeasurement& shape : shapes) {
            MeasurementDetails& into = group->shapes.emplace_back();
            into.name = shape.details.name;
            into.calibration.emplace();
        }
    }
    ++group->out.measurements;
    for (std::size_t k = 0; k < shapes.size(); ++k) {
        const Calibration& from = *shapes[k].details.calibration;
        Calibration& into = *group->shapes[k].calibration;
        into.pair_deviation = std::max(into.pair_deviation, from.pair_deviation);
        into.load_deviation = std::max(into.load_deviation, from.load_deviation);
        for (auto& samples : shapes[k].details.by_load)
            group->shapes[k].by_load.push_back(std::move(samples));
    }
}

ShapeFigure figure_of(const PooledMeasurement& pooled) {
    return {{}, pooled.verdict, pooled.speedup};
}

Outcome mean_of_caches(Cache mean, const ShapeFigure& first, const ShapeFigure& second) {
    return over_caches({outcome_of(first), outcome_of(second)}, measured_states(mean), true,
                       GpuSettings().same_within);
}

// `first` and `second` have the states of `mean`.
PooledMeasurement mean_of_caches(Cache mean, const PooledMeasurement& first,
                                 const PooledMeasurement& second) {
    PooledMeasurement out = first;
    const Outcome all = mean_of_caches(mean, figure_of(first), figure_of(second));
    out.cache = mean;
    out.measurements += second.measurements;
    out.loads += second.loads;
    out.pairs += second.pairs;
    out.speedup = all.speedup;
    out.verdict = all.verdict;
    // Each cache's mean may gain where one of its shapes loses.
    const bool slower = !slower_shapes(first.shapes).empty() || !slower_shapes(second.shapes).empty();
    if (slower && out.verdict == Verdict::Faster) out.verdict = Verdict::Unclear;
    for (std::size_t k = 0; k < out.shapes.size(); ++k)
        out.shapes[k] =
            shape_figure(first.shapes[k].name, mean_of_caches(mean, first.shapes[k], second.shapes[k]));
    return out;
}

bool of_the_same(const PooledMeasurement& a, const PooledMeasurement& b) {
    return std::equal(a.shapes.begin(), a.shapes.end(), b.shapes.begin(), b.shapes.end(),
                      [](const ShapeFigure& x, const ShapeFigure& y) { return x.name == y.name; });
}

std::vector<PooledMeasurement> pool(const std::vector<MeasurementRecord>& records, StepId step,
                                    double alpha) {
    const auto counts = [&](const MeasurementRecord& record) {
        return record.step == step && record.outcome.ok();
    };
    const bool apart = std::ranges::any_of(records, [&](const MeasurementRecord& record) {
        return counts(record) && record.purpose != kChoicePurpose;
    });
    std::vector<Group> groups;
    for (const MeasurementRecord& record : records)
        if (counts(record) && !(apart && record.purpose == kChoicePurpose)) add(groups, record);
    std::vector<PooledMeasurement> out;
    for (Group& group : groups) {
        judge(group, alpha);
        out.push_back(group.out);
    }
    return out;
}

// Of all shapes where one is; `beside`: of that one's GPU and shapes alone. Null: none.
const PooledMeasurement* most_loads(const std::vector<PooledMeasurement>& pooled, Cache cache,
                                    const PooledMeasurement* beside = nullptr) {
    const auto more = [](const PooledMeasurement& a, const PooledMeasurement& b) {
        return std::pair(!a.shapes.empty(), a.loads) > std::pair(!b.shapes.empty(), b.loads);
    };
    const PooledMeasurement* found = nullptr;
    for (const PooledMeasurement& m : pooled)
        if (m.cache == cache && m.loads > 0 &&
            (!beside || (m.device == beside->device && of_the_same(m, *beside))) &&
            (!found || more(m, *found)))
            found = &m;
    return found;
}

}  // namespace

MeasurementRecord measurement_record(const ShapesComparison& all, RunId run, StepId step,
                                     const std::string& purpose, Cache cache) {
    MeasurementRecord out{measured_shape(all, 0, cache), run, step, purpose, {}, {}, all.without_figure()};
    if (!all.outcome.ok()) out.outcome = all.outcome;
    for (std::size_t k = all.outcome.ok() ? 1 : 0; all.several() && k < all.shapes.size(); ++k)
        out.shapes.push_back(measured_shape(all, k, cache));
    return out;
}

std::vector<PooledMeasurement> pool_measurements(const std::vector<MeasurementRecord>& records, StepId step) {
    return pool(records, step, kConfirmAlpha);
}

std::optional<PooledMeasurement> measured_with_cache(const std::vector<MeasurementRecord>& records,
                                                     StepId step, std::optional<Cache> cache) {
    if (is_mean(cache)) {
        // Each for half of the error probability, so that both intervals hold together, and then so does their mean.
        const auto halves = pool(records, step, kConfirmAlpha / 2);
        const std::vector<Cache> states = measured_states(*cache);
        const PooledMeasurement* first = most_loads(halves, states.front());
        const PooledMeasurement* second = most_loads(halves, states.back(), first);
        if (first && second) return mean_of_caches(*cache, *first, *second);
    }
    const auto pooled = pool(records, step, kConfirmAlpha);
    for (const Cache state : {measured_states(cache.value_or(Cache::Hot)).front(), Cache::Hot})
        if (const PooledMeasurement* found = most_loads(pooled, state)) return *found;
    return std::nullopt;
}

const MeasurementRecord* failed_measurement(const std::vector<MeasurementRecord>& records, StepId step) {
    std::set<std::optional<Cache>> whole;
    for (const MeasurementRecord& record : records) {
        if (record.step != step) continue;
        if (seen_to_fail(record.outcome.kind)) return &record;
        if (record.outcome.ok()) whole.insert(record.details.cache);
    }
    for (const MeasurementRecord& record : records)
        if (record.step == step && !record.outcome.ok() && !whole.contains(record.details.cache))
            return &record;
    return nullptr;
}

std::string without_figure(const MeasurementRecord& failed) {
    return failed.without_figure.empty() ? to_string(failed.outcome.kind) : failed.without_figure;
}

Error refusal_to_export(const MeasurementRecord& failed, const std::string& session) {
    return {ErrorCode::Refused,
            "not exported: re-measured on " + failed.made + " this step gave " +
                to_string(failed.outcome.kind) + ": " + failed.outcome.detail,
            session};
}

}  // namespace cubinlab
