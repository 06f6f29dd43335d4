// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a run computed from its steps: counts of outcomes, candidates per second, and the GPU's clock,
// temperature and power from NVML for each block of timing pairs. Constant memory. No Qt.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "core/result/work_time.h"
#include "core/search/engine/tune_run.h"

namespace cubinlab::ui {

struct GpuSample {
    float clock_mhz = -1, celsius = -1, watts = -1;  // -1: unknown
    std::uint32_t throttle = 0;                      // NVML clock event reasons that slow the GPU
};

class RunMonitor {
  public:
    static constexpr std::size_t kOutcomes = 8;      // of OutcomeKind
    static constexpr std::size_t kGpuSamples = 240;  // newest; older ones are dropped

    void clear();
    void add(const std::vector<StepRecord>& steps);

    std::uint64_t steps() const { return steps_; }
    std::uint64_t accepted() const { return accepted_; }
    std::uint64_t best() const { return best_; }
    std::uint64_t repeated() const { return repeated_; }
    std::uint64_t of(OutcomeKind kind) const { return outcomes_[static_cast<std::size_t>(kind)]; }
    std::uint64_t failed() const { return steps_ - of(OutcomeKind::Ok); }
    double rate() const;  // candidates/s over the last seconds; 0: unknown
    const std::deque<GpuSample>& gpu() const { return gpu_; }
    std::uint64_t throttled() const { return throttled_; }  // samples with a throttle reason

  private:
    std::uint64_t steps_ = 0, accepted_ = 0, best_ = 0, repeated_ = 0, throttled_ = 0;
    std::array<std::uint64_t, kOutcomes> outcomes_{};
    WorkTime work_;
    std::deque<std::pair<std::int64_t, std::uint64_t>> recent_;  // time_us of the part, steps until then
    std::deque<GpuSample> gpu_;
};

// Seconds until the budget is used up at the current rate; negative: unknown.
double seconds_left(double fraction, double seconds);

// NVML clock event reasons that mean the GPU was slowed down (nvml.h, nvmlClocksEventReason*): power caps and
// brakes, thermal slowdown. Idle and application clocks do not count.
std::uint32_t slowdown_reasons(std::uint32_t reasons);

}  // namespace cubinlab::ui
