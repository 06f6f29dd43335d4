// SPDX-License-Identifier: GPL-3.0-or-later
// Times the launches of a kernel inside the program, with events on the launch's own stream. With `list` it times the first
// launches and some of the others, since events cost more than a launch. With --ab it alternates original and tuned, two
// launches of the same size and context per pair, in random order, and keeps the logarithm of their ratio. For that
// the stream is held back until event, launch and event are queued (gate.h), a pair of events with nothing between them is
// also timed, and a kernel's first pair, which loads code, does not count. It never waits: later launches and the end of the
// process read completed events; while none is free, launches are not timed.
#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "app/inject/driver.h"
#include "app/inject/timed_launches.h"

namespace cubinlab::inject {

struct LaunchSize {
    unsigned grid[3], block[3], shared;
    friend auto operator<=>(const LaunchSize&, const LaunchSize&) = default;
};
inline LaunchSize size_of(const LaunchConfig& config) {
    const unsigned(&grid)[3] = config.grid, (&block)[3] = config.block;
    return {{grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]}, config.shared};
}

// 0 of none.
double median_of(std::vector<float> values);

class Timings {
  public:
    explicit Timings(bool pairs) : pairs_(pairs) {}
    bool pairs() const { return pairs_; }

    struct Half {
        bool original = false;  // this launch runs the original code
        std::uint64_t pair = 0;
        unsigned stands_for = 1;  // number of launches, this one included
    };
    using Launches = TimedLaunches<Half>;
    using Ticket = Launches::Ticket;
    // Before and after the launch, on `stream`; `per_thread`: its default stream is the thread's own. Call
    // only the launch between the two.
    Ticket begin(const LaunchSize& size, Handle stream, bool per_thread, unsigned stands_for = 1);
    // Without pairs: how many launches the time of the `number`th stands for; 0: it is not timed.
    static unsigned stands_for(std::uint64_t number);
    void end(const Ticket& ticket, Handle stream, bool per_thread) { launches_.end(ticket, stream, per_thread); }
    // Reads completed events; at the end of the process it waits briefly.
    void harvest(bool last);

    // The result.
    struct Summary {
        std::uint64_t timed = 0;
        double total_us = 0;                   // `timed` times the mean of all launches
        std::vector<float> log_ratios;         // ln(original / tuned) of each pair, without `empty_us`
        double original_us = 0, tuned_us = 0;  // medians, without `empty_us`
        bool queued = false;                   // launches were queued before the GPU started them
        double empty_us =
            0;  // median time between events with nothing between them; 0: kernels as short as that
    };
    Summary summary();

  private:
    struct Pair {
        double original = 0, tuned = 0;
        int queued = 0;
    };
    // Separate for launches that were queued first and others; the result contains one of them.
    struct Kept {
        std::vector<std::pair<float, float>> pairs;  // original, tuned
        std::vector<float> originals, tuned, empty;
    };
    bool choose(const LaunchSize& size, Ticket& out);
    void take(const Half& half, const Launches::Time& time);

    const bool pairs_;
    std::mutex mutex_;
    Launches launches_{256};  // launches that are not read yet
    std::uint64_t random_ = 0x9e3779b97f4a7c15ull, next_pair_ = 1;
    struct Waiting {
        std::uint64_t pair = 0;
        bool first_was_original = false;
    };
    std::map<std::pair<Handle, LaunchSize>, Waiting> waiting_;  // by context: each has its own code and clock
    std::map<std::uint64_t, Pair> half_;
    Kept kept_[2];
    std::uint64_t timed_ = 0;
    double weighted_us_ = 0, weight_ = 0;
};

}  // namespace cubinlab::inject
