// SPDX-License-Identifier: GPL-3.0-or-later
// Paired timing: launches of two loaded kernels on the same buffers, interleaved in random order, between
// events of one stream, so that nothing of the host lies inside a sample.
#pragma once
#include <functional>
#include <random>
#include <span>
#include <vector>

#include "core/gpu/worker/gpu_arena.h"
#include "core/gpu/worker/gpu_device.h"

namespace cubinlab {

struct PairSample {
    double reference_us = 0, candidate_us = 0;  // one launch
    float log_ratio() const;  // ln(reference / candidate): positive, the candidate is faster
};

struct SampleShape {
    int launches = 1;           // timed launches of one sample
    bool warm_launch = true;    // one untimed launch before each sample
    int first_warm = 1;         // so many before the first of all, where there is one
    bool reference_first = false;  // of each pair; else either, at random
    int batch = 16;             // pairs enqueued before the host waits for them
    bool flush_l2 = false;      // every timed launch after a sweep through a buffer larger than L2
    bool restore_each = false;  // every timed launch alone, from its set's first state
    // Studies only (StudyShape): timed launches on top that the division by `launches` does not know of.
    int extra_reference = 0, extra_candidate = 0;
};

class GpuTimer {
  public:
    GpuTimer(GpuDevice& device, const Workload& workload, std::uint64_t seed)
        : device_(device), workload_(workload), random_(seed) {}

    void reseed(std::uint64_t seed) { random_.seed(seed); }
    // A shape whose samples last at least `target_us`, for a kernel of `kernel_us`.
    SampleShape shape_for(double kernel_us, double target_us, bool flush_l2) const;
    // The same with so many launches in each sample.
    static SampleShape with_launches(SampleShape shape, int launches, double kernel_us);
    // That of a look, which has only one or two pairs, right after a load and a check. Whichever side came first lost up to
    // half a launch there (bmm_mma on an H200: the same schedule stood at 9.1 or 10.4 % by the toss of the order).
    // So the first sample is warmed for longer, and what is left hits the reference of every look alike.
    static SampleShape for_plan(SampleShape shape, int launches, double kernel_us);
    // `behind` enqueues more behind the last of them, before the host waits for all.
    Result<std::vector<PairSample>> pairs(const LoadedKernel& reference, const LoadedKernel& candidate,
                                          const GpuArena& arena, const SampleShape& shape, int count,
                                          const std::function<Status()>& behind = {});
    // Rounds of one sample of each candidate between two of the reference, which neighbouring rounds share; as pairs, by
    // candidate: its sample, and the reference's as it would have been at that moment, between the two by their distance.
    Result<std::vector<std::vector<PairSample>>> together(const LoadedKernel& reference,
                                                          std::span<const LoadedKernel* const> candidates,
                                                          const GpuArena& arena, const SampleShape& shape,
                                                          int rounds, const std::function<Status()>& behind);
    // For kernels that do other work when they find their own results.
    void restore_each(bool each) { restore_each_ = each; }
    // Mean of `launches` launches after three untimed ones, microseconds.
    Result<double> single_us(const LoadedKernel& kernel, const GpuArena& arena, int launches);
    // Smallest difference between event times that is ever seen, microseconds.
    Result<double> timer_step_us();
    std::uint64_t launches() const { return launches_; }
    // Sweeps through a buffer larger than L2, on the device's stream.
    Status flush();

  private:
    struct Span {
        std::size_t first = 0, count = 0;  // event pairs of one sample
    };
    Result<Span> enqueue_sample(const LoadedKernel& kernel, const GpuArena& arena, const SampleShape& shape,
                                int warm, int extra);
    // A small memset behind a sample: where the next launch follows at once its end is less even (by a fifth on an H100).
    Status separate();
    Result<double> read(const Span& span, const SampleShape& shape) const;
    Status start(const LoadedKernel& kernel, const GpuArena& arena);
    Status restore(const LoadedKernel& kernel, const GpuArena& arena);

    GpuDevice& device_;
    const Workload& workload_;
    std::mt19937_64 random_;
    DeviceMemory flush_buffer_, separator_;
    std::size_t next_event_ = 0;
    std::uint64_t launches_ = 0;
    bool restore_each_ = false;
};

}  // namespace cubinlab
