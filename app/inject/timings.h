// SPDX-License-Identifier: GPL-3.0-or-later
// Times of a kernel's launches inside the program, by events of the launch's own stream. With `list`: how long each
// took. With --ab: original and tuned in turn, two launches of the same size to a pair, in random order; what counts is
// the logarithm of their ratio. Nothing is waited for: events that are finished are read at later launches and at the
// end; while none are free, launches go by untimed.
#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "app/inject/driver.h"

namespace cubinlab::inject {

struct LaunchSize {
    unsigned grid[3], block[3], shared;
    friend auto operator<=>(const LaunchSize&, const LaunchSize&) = default;
};

class Timings {
  public:
    explicit Timings(bool pairs) : pairs_(pairs) {}

    struct Ticket {
        bool original = false;  // this launch is to run the original code
        bool timed = false;
        Handle context = nullptr, before = nullptr, after = nullptr;
        std::uint64_t pair = 0;
    };
    // Before and after the launch, on `stream`. `record`: the driver's cuEventRecord for this kind of stream.
    Ticket begin(const LaunchSize& size, Handle stream, Code (*record)(Handle, Handle));
    void end(const Ticket& ticket, Handle stream, Code (*record)(Handle, Handle));
    // Reads what is finished; at the end of the process it waits a little.
    void harvest(bool last);

    // For the result.
    struct Summary {
        std::uint64_t timed = 0;
        double total_us = 0;                   // of timed launches
        std::vector<float> log_ratios;         // ln(original / tuned), a pair each
        double original_us = 0, tuned_us = 0;  // medians
    };
    Summary summary();

  private:
    struct Open {
        Handle context, before, after;
        std::uint64_t pair;
        bool original;
    };
    struct Pair {
        double original = 0, tuned = 0;
    };
    void take(const Open& open, double us);

    const bool pairs_;
    std::mutex mutex_;
    std::vector<Open> open_;
    std::map<Handle, std::vector<std::pair<Handle, Handle>>> free_;  // events by context
    std::size_t made_ = 0;
    std::uint64_t random_ = 0x9e3779b97f4a7c15ull, next_pair_ = 1;
    struct Waiting {
        std::uint64_t pair = 0;
        bool first_was_original = false;
    };
    std::map<LaunchSize, Waiting> waiting_;
    std::map<std::uint64_t, Pair> half_;
    std::vector<float> log_ratios_, originals_, tuned_;
    std::uint64_t timed_ = 0;
    double total_us_ = 0;
};

}  // namespace cubinlab::inject
