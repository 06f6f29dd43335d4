// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch takes at least, so that it can be said whether a speed-up is out of reach: the launch that does
// nothing, its memory and its arithmetic alone, the time of a pass of its main loop by varying how many there are, and
// what each resource takes of such a pass by the SM model.
//
// Only the first (Part::Nothing) and the resources that the model is sure of bound every schedule; a part alone keeps
// the order and the stall counts that the compiler gave it, another order of it may be faster.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/lab/study/cut_kernel.h"
#include "core/measure/workload.h"
#include "core/model/loop_bounds.h"

namespace cubinlab {

// A whole-number scalar of the workload that the main loop's passes are proportional to.
struct Varied {
    std::size_t param = 0;   // ordinal
    std::uint64_t step = 1;  // of it for one pass
};
// "bmm_mma:5/64": kernel, ordinal, step. Error: BadUse.
struct NamedVaried {
    std::string kernel;
    Varied varied;
};
Result<NamedVaried> parse_varied(const std::string& text);

// The workload with another value there. BadUse: there is no such whole-number scalar.
Result<Workload> with_scalar(const Workload& workload, std::size_t param, std::uint64_t value);
Result<std::uint64_t> scalar_of(const Workload& workload, std::size_t param);

struct BoundsMachine {
    std::string device, driver;
    int multiprocessors = 0, l2_bytes = 0;
    double clock_mhz = 0;  // of the SMs while it was measured
};
struct TimedLaunch {
    double us = 0, other_us = 0;                // medians of one launch
    double log_speedup = 0, low = 0, high = 0;  // of the other over the first
    BoundsMachine machine;
};
// One launch of `cubin`, timed; with `other` in turns with that one, whose outputs must be equal.
using TimeLaunch = std::function<Result<TimedLaunch>(
    const std::vector<std::byte>& cubin, const std::vector<std::byte>* other, const Workload& workload)>;

struct PartTime {
    Part part = Part::Nothing;
    double us = 0;
    std::size_t kept = 0, taken_away = 0;
    std::string failure;  // in place of a time
};
struct SizeTime {
    std::uint64_t size = 0;
    double us = 0, winner_us = 0;  // 0: no winner
};
// Least squares. `miss`: the largest distance of a point from it.
struct Line {
    double slope = 0, at_zero = 0, miss = 0;
};
Line line_through(const std::vector<std::pair<double, double>>& points);  // at least two different x

struct ResourceTime {
    std::string resource;
    double cycles = 0;  // of a pass of the loop, all warps that the busiest sub-core runs
    double at_most =
        0;  // speed-up of the launch if a pass took no longer than that; 0: a pass was not measured
    bool certain = true;
};

struct KernelBounds {
    std::string name;
    BoundsMachine machine;
    std::uint64_t blocks = 0, buffer_bytes = 0;
    int warps_on_sub_core =
        0;  // of all blocks that the busiest multiprocessor runs, one after the other or not
    double us = 0, winner_us = 0, log_speedup = 0, low = 0, high = 0;  // the launch as it is; 0: no winner
    std::vector<PartTime> parts;
    std::optional<Varied> varied;
    double passes = 0;            // by `varied`; 1: no loop, the whole path; 0: not said
    std::vector<SizeTime> sizes;  // largest first
    Line line, winner_line;       // microseconds against passes
    std::vector<ResourceTime> resources;

    double cycles_of(double time_us) const { return time_us * machine.clock_mhz; }
    const PartTime* part(Part which) const;  // where it was timed
};

struct BoundsInput {
    std::string name;
    KernelPtr kernel;
    Workload workload;
    std::vector<std::byte> winner;  // a schedule of the kernel; empty: none
    std::optional<Varied> varied;
};

// Errors: those of the whole kernel's timing; a part that cannot be cut or timed has its failure, sizes that cannot be
// timed are left out.
Result<KernelBounds> study_bounds(const BoundsInput& input, const TimeLaunch& time,
                                  const std::stop_token& stop);

std::string bounds_text(const KernelBounds& bounds);  // for people, several lines
std::string bounds_markdown(const std::vector<KernelBounds>& all);

}  // namespace cubinlab
