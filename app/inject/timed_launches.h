// SPDX-License-Identifier: GPL-3.0-or-later
// Launches timed inside the program with events on their own stream: one before and one after the launch, and on request
// another before them, so that two events with nothing between them are timed as well. The stream may be held back until
// all of it is queued (gate.h). Free events are kept by context; while none is free, launches are not timed. It waits
// only at the end of the process.
#pragma once
#include <time.h>

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

#include "app/inject/driver.h"
#include "app/inject/gate.h"
#include "app/inject/tally.h"

namespace cubinlab::inject {

// `Of`: data of the caller, returned with the time.
template <class Of>
class TimedLaunches {
  public:
    explicit TimedLaunches(std::size_t most_unread) : most_(most_unread) {}

    struct Ticket : Of {
        bool timed = false;
        bool times_empty = false;  // `empty` was recorded, before `before`
        Handle context = nullptr, empty = nullptr, before = nullptr, after = nullptr;
        ClosedGate gate;
    };
    struct Time {
        double us = 0, empty_us = 0;
        bool held = false;    // a gate was closed
        bool queued = false;  // and open only after all of it was queued
    };

    // Reads the context. False: the launch cannot be timed.
    static bool can_time(Ticket& out, bool per_thread) {
        const Calls& cuda = calls();
        return cuda.context_current && cuda.event_create && recorder(per_thread) &&
               cuda.context_current(&out.context) == kSuccess;
    }
    // Before and after the launch; call only the launch between the two.
    void begin(Ticket& out, Handle stream, bool per_thread, bool hold, bool times_empty) {
        if (!take_events(out, times_empty)) return;
        const auto record = recorder(per_thread);
        if (hold) out.gate = close_gate(stream, per_thread);
        fault_point("gate");
        out.times_empty = times_empty;
        out.timed = (!times_empty || record(out.empty, stream) == kSuccess) &&
                    record(out.before, stream) == kSuccess;
        if (out.timed) return;
        open_gate(out.gate);
        give_back(out);
    }
    void end(const Ticket& ticket, Handle stream, bool per_thread) {
        if (!ticket.timed) return;
        const bool good = recorder(per_thread)(ticket.after, stream) == kSuccess;
        const bool queued = open_gate(ticket.gate);
        if (!good) return give_back(ticket);
        const std::lock_guard lock(mutex_);
        unread_.push_back({ticket, queued});
    }
    // Reads completed events in the order of their launches: `take(ticket, time)`. `last` waits briefly for the others.
    template <class Take>
    void harvest(bool last, Take take) {
        const Calls& cuda = calls();
        if (!cuda.event_query || !cuda.event_elapsed) return;
        constexpr Code kStillRuns = 600;
        for (int naps = 0;;) {
            Unread one{};
            {
                const std::lock_guard lock(mutex_);
                if (unread_.empty()) return;
                one = unread_.front();
                unread_.pop_front();
            }
            const Ticket& t = one.ticket;
            const Code state = cuda.event_query(t.after);
            if (state == kStillRuns) {
                {
                    const std::lock_guard lock(mutex_);
                    unread_.push_front(one);
                }
                if (!last || ++naps > 2000) return;
                const timespec nap{0, 1'000'000};
                ::nanosleep(&nap, nullptr);
                continue;
            }
            float ms = 0, empty_ms = 0;
            const bool good = state == kSuccess && cuda.event_elapsed(&ms, t.before, t.after) == kSuccess &&
                              (!t.times_empty || cuda.event_elapsed(&empty_ms, t.empty, t.before) == kSuccess);
            if (!good) continue;  // the context or the driver is gone, and its events with it
            take(t, Time{static_cast<double>(ms) * 1000, static_cast<double>(empty_ms) * 1000, bool(t.gate), one.queued});
            give_back(t);
        }
    }

  private:
    struct Unread {
        Ticket ticket;
        bool queued = false;
    };
    static auto recorder(bool per_thread) -> decltype(Calls::event_record) {
        return per_thread ? calls().event_record_per_thread : calls().event_record;
    }
    bool take_events(Ticket& out, bool with_empty) {
        {
            const std::lock_guard lock(mutex_);
            auto& free = free_[out.context];
            if (!free.empty()) {
                out.empty = free.back().empty;
                out.before = free.back().before;
                out.after = free.back().after;
                free.pop_back();
            } else if (made_++ >= most_) {
                --made_;
                return false;
            }
        }
        const auto made = [](Handle& event) {
            return event || calls().event_create(&event, 0) == kSuccess;
        };
        return made(out.before) && made(out.after) && (!with_empty || made(out.empty));
    }
    void give_back(const Ticket& ticket) {
        const std::lock_guard lock(mutex_);
        free_[ticket.context].push_back({ticket.empty, ticket.before, ticket.after});
    }

    struct Events {
        Handle empty, before, after;
    };
    const std::size_t most_;
    std::mutex mutex_;
    std::deque<Unread> unread_;
    std::map<Handle, std::vector<Events>> free_;  // by context
    std::size_t made_ = 0;
};

}  // namespace cubinlab::inject
