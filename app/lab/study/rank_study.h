// SPDX-License-Identifier: GPL-3.0-or-later
// Measured schedules that a model's order can be scored by: random legal walks, half of them from the
// original, half from a good schedule, each measured against the original over and over, every other time for
// the one half of its figures and for the other.
//
//   auto drawn = draw_schedules(checker, good, {});
//   auto rows = measure_ranks(*drawn, measure, settings, stop);     // core/jobs/rank_file.h
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/analysis/hazard_checker.h"
#include "core/jobs/rank_file.h"

namespace cubinlab {

struct RankSettings {
    std::size_t schedules = 320;  // both halves; without a good schedule all are near the original
    int longest = 12;             // edits of a walk, 1 to this many, as a searcher draws them
    double seconds = 45;          // of measuring; every schedule is measured twice, whatever it takes
    std::size_t batch = 20;       // schedules at a time
    std::uint64_t seed = 1;
};

struct DrawnSchedule {
    bool near_good = false;
    Mutation edits;  // from the original or the good schedule
    Schedule schedule;
};

// Each legal by the full check, no two alike; the first of each half is its start itself. Fewer than asked for where
// the kernel has no more.
std::vector<DrawnSchedule> draw_schedules(const CheckerPtr& checker, const std::optional<Schedule>& good,
                                          const RankSettings& settings);

// One look at some schedules: for each the mean log speed-up of every load, or why there is none.
struct RankLook {
    std::vector<double> loads;
    std::string failure;
};
using RankMeasure = std::function<Result<std::vector<RankLook>>(const std::vector<const Schedule*>&)>;

struct RankRows {
    std::vector<RankRow> rows;  // of those that never failed
    std::uint64_t failed = 0;
    std::vector<std::string> failures;  // the first few
    int passes = 0;
};
// Passes over all schedules, each in an order of its own, an even number. Errors: `measure` failed, stopped.
Result<RankRows> measure_ranks(const std::vector<DrawnSchedule>& drawn, const RankMeasure& measure,
                               const RankSettings& settings, const std::stop_token& stop);

}  // namespace cubinlab
