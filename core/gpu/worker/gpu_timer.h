// SPDX-License-Identifier: GPL-3.0-or-later
// Paired timing: launches of two loaded kernels on the same buffers, interleaved in random order, between
// events of one stream, so that no sample contains host time.
#pragma once
#include <functional>
#include <random>
#include <span>
#include <vector>

#include "core/gpu/worker/gpu_arena.h"
#include "core/gpu/worker/gpu_device.h"
#include "core/gpu/worker/gpu_producer.h"
#include "core/result/cache.h"

namespace cubinlab {

struct PairSample {
    double reference_us = 0, candidate_us = 0;  // per launch
    float log_ratio() const;  // ln(reference / candidate): positive if the candidate is faster
};

struct SampleShape {
    int launches = 1;              // timed launches per sample
    bool warm_launch = true;       // one untimed launch before each sample
    int first_warm = 1;            // untimed launches before the first sample, if warm_launch
    bool reference_first = false;  // in each pair; otherwise random order
    int batch = 16;                // pairs enqueued before the host waits for them
    Cache cache = Cache::Hot;      // prepared before every timed launch
    bool restore_each = false;     // restore the input set before every timed launch
    // Studies only (StudyShape): additional timed launches; the time is still divided by `launches`.
    int extra_reference = 0, extra_candidate = 0;
};

class GpuTimer {
  public:
    GpuTimer(GpuDevice& device, const Workload& workload, std::uint64_t seed)
        : device_(device), workload_(workload), random_(seed) {}

    void reseed(std::uint64_t seed) { random_.seed(seed); }
    // A shape whose samples last at least `target_us` for a kernel of `kernel_us`.
    SampleShape shape_for(double kernel_us, double target_us, Cache cache) const;
    // `shape` with `launches` in each sample.
    static SampleShape with_launches(SampleShape shape, int launches, double kernel_us);
    // The shape for a SamplePlan: one or two pairs right after a load and a check. There the first side loses up to
    // half a launch (bmm_mma on an H200: 9.1 or 10.4 % for the same schedule, by the order). So the reference comes
    // first, after a longer warm-up, and the rest of the effect is the same in every measurement.
    static SampleShape for_plan(SampleShape shape, int launches, double kernel_us);
    // `behind` enqueues more work after the last pair, before the host waits.
    Result<std::vector<PairSample>> pairs(const LoadedKernel& reference, const LoadedKernel& candidate,
                                          const GpuArena& arena, const SampleShape& shape, int count,
                                          const std::function<Status()>& behind = {});
    // Rounds of one sample per candidate between two samples of the reference; adjacent rounds share one. Returns
    // pairs by candidate: its sample, and the reference interpolated between its two samples to the same moment.
    Result<std::vector<std::vector<PairSample>>> together(const LoadedKernel& reference,
                                                          std::span<const LoadedKernel* const> candidates,
                                                          const GpuArena& arena, const SampleShape& shape,
                                                          int rounds, const std::function<Status()>& behind);
    // For kernels whose work depends on their own results.
    void restore_each(bool each) { restore_each_ = each; }
    // Mean of `launches` launches after three untimed ones, microseconds.
    Result<double> single_us(const LoadedKernel& kernel, const GpuArena& arena, int launches);
    // The smallest difference between event times, microseconds.
    Result<double> timer_step_us();
    std::uint64_t launches() const { return launches_; }
    // Brings the caches into the state `cache` for a launch on `arena`, on the device's stream. Hot: nothing.
    Status prepare(Cache cache, const GpuArena& arena);

  private:
    struct Span {
        std::size_t first = 0, count = 0;  // event pairs of one sample
    };
    Result<Span> enqueue_sample(const LoadedKernel& kernel, const GpuArena& arena, const SampleShape& shape,
                                int warm, int extra);
    // A small memset after a sample: without it the end of the sample varies more (by a fifth on an H100).
    Status separate();
    Result<double> read(const Span& span, const SampleShape& shape) const;
    Status flush_l2();  // sweeps through a buffer larger than L2
    Status start(const LoadedKernel& kernel, const GpuArena& arena);
    Status restore(const LoadedKernel& kernel, const GpuArena& arena);

    GpuDevice& device_;
    const Workload& workload_;
    std::mt19937_64 random_;
    DeviceMemory flush_buffer_, separator_;
    GpuProducer producer_;
    std::size_t next_event_ = 0;
    std::uint64_t launches_ = 0;
    bool restore_each_ = false;
};

}  // namespace cubinlab
