// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/choose_end.h"

#include <algorithm>
#include <set>

#include "core/gpu/client/mean_outcome.h"

namespace cubinlab {
namespace {

// Of several cache states their mean, as the runs were judged.
Outcome over_states(const std::vector<Measured>& measured, double same_within) {
    std::vector<Outcome> outcomes;
    std::vector<Cache> states;
    for (const Measured& one : measured) {
        outcomes.push_back(one.comparison.outcome);
        states.push_back(one.cache);
    }
    return outcomes.size() == 1 ? outcomes.front() : over_caches(outcomes, states, false, same_within);
}

void take(std::optional<ChosenEnd>& best, std::size_t which, const Outcome& outcome) {
    if (!outcome.ok() || outcome.speedup.log <= 0) return;
    if (!best || outcome.speedup.log > best->speedup.log) best = ChosenEnd{which, outcome.speedup};
}

}  // namespace

std::vector<TuningEnd> promising_ends(std::vector<TuningEnd> ends) {
    std::ranges::stable_sort(
        ends, [](const TuningEnd& a, const TuningEnd& b) { return a.estimate.log > b.estimate.log; });
    std::set<std::string> seen;
    std::erase_if(ends, [&](const TuningEnd& end) {
        return end.estimate.log <= 0 || seen.size() == kComparedEnds ||
               !seen.insert(end.best.hash().hex()).second;
    });
    return ends;
}

Result<std::optional<ChosenEnd>> choose_by(Evaluator& evaluator, const KernelPtr& original,
                                           std::span<const TuningEnd> ends, const std::stop_token& stop) {
    std::optional<ChosenEnd> best;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const auto outcomes =
            TRY(evaluator.evaluate({&ends[i].best, 1}, Schedule(original),
                                   evaluator.exact() ? Effort::Screen : Effort::Confirm, stop));
        take(best, i, outcomes.front());
    }
    return best;
}

Result<std::optional<ChosenEnd>> choose_in_fresh_processes(
    const KernelPtr& original, std::span<const TuningEnd> ends, const Workload& workload, GpuSettings gpu,
    std::vector<Calibration> calibrations, const std::function<Status(const MeasurementRecord&)>& record,
    const std::stop_token& stop) {
    gpu.seed += 2;  // the final measurement has the next one
    const double same_within = gpu.same_within;
    const MeasureSettings settings{.gpu = std::move(gpu),
                                   .loads = kChoiceProcesses,
                                   .energy = false,
                                   .calibrations = std::move(calibrations)};
    std::optional<ChosenEnd> best;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const auto measured = TRY(measure_schedule(original, ends[i].best, workload, settings, stop));
        for (const Measured& one : measured)
            TRY(record(one.record(ends[i].run.id, ends[i].step, kChoicePurpose)));
        take(best, i, over_states(measured, same_within));
    }
    return best;
}

}  // namespace cubinlab
