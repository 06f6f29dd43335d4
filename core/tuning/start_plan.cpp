// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/start_plan.h"

#include <algorithm>
#include <chrono>
#include <unordered_map>

namespace cubinlab {

Budget part_of(const Budget& whole, double share) {
    Budget out;
    if (whole.steps)
        out.steps = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(static_cast<double>(*whole.steps) * share));
    if (whole.time)
        out.time = std::max(std::chrono::milliseconds(100),
                            std::chrono::milliseconds(static_cast<std::int64_t>(
                                static_cast<double>(whole.time->count()) * share)));
    return out;
}

// A run from the original has no start to tell it by, but the plan knows its budget.
bool is_part_of(const RunInfo& run, const RunInfo& starts, const StartSettings& settings) {
    if (run.id == starts.id || run.start_run == starts.id) return true;
    if (run.start_run != 0 || run.agent != settings.agent || run.seed != starts.seed) return false;
    if (run.budget == part_of(settings.budget, kFirstShare).text()) return true;
    if (run.budget == part_of(settings.budget, kSecondShare).text()) return true;
    for (std::size_t first = 1; first <= kFirstTries + 1; ++first)
        for (std::size_t second = 0; second <= kSecondTries; ++second)
            if (run.budget == part_of(settings.budget, share_left(first, second)).text()) return true;
    return false;
}

std::vector<RankedStart> ranked_starts(std::span<const StepRecord> steps) {
    struct Sum {
        StepId step = 0;
        double log = 0, pairs = 0;
        bool failed = false;
    };
    std::unordered_map<Hash128, Sum> sums;
    double screening = 0;  // pairs of the first figure that has some
    for (const StepRecord& record : steps) {
        if (record.repeated || record.mutation.start.empty()) continue;
        Sum& sum = sums[record.schedule_hash];
        if (sum.step == 0) sum.step = record.step;
        if (!record.outcome.ok()) {
            sum.failed = true;
            continue;
        }
        const double pairs = std::max(1u, record.outcome.pairs);
        if (screening == 0) screening = pairs;
        sum.log += record.outcome.speedup.log * pairs;
        sum.pairs += pairs;
    }
    std::vector<RankedStart> out;
    for (const auto& [code, sum] : sums)
        if (!sum.failed && sum.pairs > 0) out.push_back({sum.step, code, sum.log / (sum.pairs + screening / 4)});
    std::sort(out.begin(), out.end(), [](const RankedStart& a, const RankedStart& b) {
        return a.log_speedup != b.log_speedup ? a.log_speedup > b.log_speedup : a.step < b.step;
    });
    return out;
}

}  // namespace cubinlab
