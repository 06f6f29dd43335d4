// SPDX-License-Identifier: GPL-3.0-or-later
// Energy of a launch, from NVML's counter of the whole GPU. The counter advances every few tens of
// milliseconds, so a window lasts from one step to a later one while launches run all the time. Windows of A
// and B alternate; adjacent ones make a pair.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/gpu/worker/gpu_bench.h"

namespace cubinlab {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kWindows = 6;        // per side
constexpr double kChunkUs = 4000;  // time of the launches between two readings of the counter

// Two-sided 95 % quantile of Student's t for kWindows - 1 = 5 degrees of freedom.
constexpr double kStudent5 = 2.571;

struct Window {
    double joule = 0, seconds = 0;
    double launches = 0;
};

double seconds_between(Clock::time_point a, Clock::time_point b) {
    return std::chrono::duration<double>(b - a).count();
}

// Repeats `work` (which runs `per_chunk` launches and waits for them) from one step of the counter to the
// first step after `window_s`. Empty if the counter does not advance within three windows.
Result<std::optional<Window>> watch(const Nvml& nvml, double window_s, int per_chunk,
                                    const std::function<Status()>& work) {
    const auto start = Clock::now();
    const auto first = nvml.energy_mj();
    if (!first) return std::optional<Window>{};
    struct Mark {
        unsigned long long energy = 0;
        Clock::time_point at;
        double launches = 0;
    };
    std::optional<Mark> from;
    unsigned long long last = *first;
    double launches = 0;
    for (;;) {
        TRY(work());
        launches += per_chunk;
        const auto energy = nvml.energy_mj();
        const auto now = Clock::now();
        if (energy && *energy != last) {
            last = *energy;
            if (!from) {
                from = Mark{*energy, now, launches};
            } else if (seconds_between(from->at, now) >= window_s) {
                return std::optional(Window{static_cast<double>(*energy - from->energy) / 1000,
                                            seconds_between(from->at, now), launches - from->launches});
            }
        }
        if (seconds_between(start, now) > 3 * window_s + 0.5) return std::optional<Window>{};
    }
}

}  // namespace

EnergyComparison GpuBench::compare_energy(const std::vector<std::byte>& a, const std::vector<std::byte>& b,
                                          int window_ms) {
    EnergyComparison out;
    if (settings_.cache != Cache::Hot || !nvml_.energy_mj()) return out;
    auto kernel_a = load_fresh(a);
    auto kernel_b = load_fresh(b);
    if (!kernel_a || !kernel_b) return out;
    const int per_chunk =
        static_cast<int>(std::clamp(kChunkUs / std::max(calibration_.original_us, 0.5), 1.0, 256.0));
    const GpuArena& arena = arenas_[0];
    auto window_of = [&](const LoadedKernel& kernel) {
        return watch(nvml_, window_ms / 1000.0, per_chunk, [&]() -> Status {
            TRY(arena.restore_inout(device_));
            for (int i = 0; i < per_chunk; ++i)
                TRY(launch(device_, kernel, workload_, arena.params()));
            return device_.synchronize();
        });
    };
    std::vector<double> ratios, a_mj, b_mj, a_watts, b_watts;
    for (int i = 0; i < kWindows; ++i) {
        const bool a_first = i % 2 == 0;
        auto first = window_of(a_first ? *kernel_a : *kernel_b);
        if (!first || !*first) return out;
        auto second = window_of(a_first ? *kernel_b : *kernel_a);
        if (!second || !*second) return out;
        const Window& wa = a_first ? **first : **second;
        const Window& wb = a_first ? **second : **first;
        if (wa.launches <= 0 || wb.launches <= 0 || wa.joule <= 0 || wb.joule <= 0) return out;
        a_mj.push_back(wa.joule * 1000 / wa.launches);
        b_mj.push_back(wb.joule * 1000 / wb.launches);
        a_watts.push_back(wa.joule / wa.seconds);
        b_watts.push_back(wb.joule / wb.seconds);
        ratios.push_back(std::log(a_mj.back() / b_mj.back()));
        device_.heartbeat().progress.fetch_add(1);
    }
    double mean = 0, squares = 0;
    for (double r : ratios)
        mean += r / kWindows;
    for (double r : ratios)
        squares += (r - mean) * (r - mean);
    const double radius = kStudent5 * std::sqrt(squares / (kWindows - 1) / kWindows);
    out.windows = kWindows;
    out.a_mj = median(a_mj);
    out.b_mj = median(b_mj);
    out.a_watts = median(a_watts);
    out.b_watts = median(b_watts);
    out.log_ratio = mean;
    out.low = mean - radius;
    out.high = mean + radius;
    return out;
}

}  // namespace cubinlab
