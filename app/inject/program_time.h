// SPDX-License-Identifier: GPL-3.0-or-later
// The GPU time of all kernels with the original and with the tuned ones, so that what a tuned kernel does to the
// caches of its neighbours is seen (CUBINLAB_AB_ALL). Off, a launch asks for nothing here.
//
//   observe | original | tuned | pairs | tuned | original | pairs | ...
//
// A stretch is some hundred launches (eight steps are enough where steps are short) and ends where the program launches its
// mark: the rarest kernel that it repeats, mostly once a step. In an original or a tuned stretch all kernels run in that
// form, and each launch is timed: it is held back until it is queued, with an event before and after it.
// Two stretches make a pair: of each kernel and size, as many launches of one count as there are of the other. Between pairs,
// launches are compared one by one (timings.h).
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <random>
#include <vector>

#include "app/inject/driver.h"
#include "app/inject/timed_launches.h"
#include "app/inject/timings.h"

namespace cubinlab::inject {

struct Kernel;

class ProgramTime {
  public:
    enum class Form : std::uint8_t { Original, Tuned, Pairs };
    struct Placed {
        Form form = Form::Pairs;  // of this launch
        std::uint32_t launch = 0, stretch = 0;
    };
    using Launches = TimedLaunches<Placed>;
    using Ticket = Launches::Ticket;
    // Before each launch that is in no graph; `end` after those that are timed.
    Ticket begin(const Kernel& kernel, const LaunchSize& size, Handle stream, bool per_thread);
    void end(const Ticket& ticket, Handle stream, bool per_thread) { launches_.end(ticket, stream, per_thread); }
    // Reads completed events; at the end of the process it waits briefly.
    void harvest(bool last);

    struct Summary {
        std::vector<float> original_us, tuned_us;  // of each pair of stretches, of the launches that both have
        std::uint64_t counted = 0, timed = 0;      // launches of such pairs; all that were timed
        std::uint64_t launches = 0;                // of the program, outside graphs
        double empty_us = 0;                       // of two events with nothing between them, subtracted
    };
    Summary summary();

  private:
    struct Times {
        std::uint32_t launches = 0;
        double us = 0;
    };
    struct Stretch {
        bool original = false;
        bool replaced = false;  // a tuned kernel, or its original, was launched
        bool complete = false;  // so is its pair
        std::vector<Times> by_launch;
    };
    struct Seen {
        std::uint32_t recently = 0;  // launches since the mark was chosen
        std::uint64_t last = 0;      // the program's launch with this number
        bool ran_original = false, ran_tuned = false;
    };
    Form place(std::uint32_t launch);
    void next_stretch();
    bool repeats() const;
    void choose_mark();
    void take(const Ticket& launch, const Launches::Time& time);

    std::mutex mutex_;
    std::map<std::pair<const Kernel*, LaunchSize>, std::uint32_t> numbers_;
    std::vector<Seen> seen_;
    std::vector<Stretch> stretches_;
    Form form_ = Form::Pairs;
    bool original_first_ = false;
    int part_ = kCompare;
    std::uint32_t mark_ = kNone;
    std::uint32_t since_ = 0;  // launches of this part
    std::uint32_t least_ = 0;  // launches of a stretch
    std::uint64_t placed_ = 0, chosen_at_ = 0;  // launches of the program; those before the mark was chosen
    std::minstd_rand random_{1};
    Launches launches_{1024};  // launches that are not read yet
    std::vector<float> empty_;
    std::atomic<std::uint64_t> timed_{0};
    static constexpr std::uint32_t kNone = ~0u;
    static constexpr int kFirst = 0, kSecond = 1, kCompare = 2;  // parts: two stretches, then launch by launch
};

// With CUBINLAB_AB_ALL=1; otherwise null. Never destroyed.
ProgramTime* program_time();
// In a forked child, which cannot use its parent's events.
void forget_program_time();

}  // namespace cubinlab::inject
