// SPDX-License-Identifier: GPL-3.0-or-later
// Holds a stream back until a timed launch is queued completely: event, kernel and event. An empty stream
// starts each as it arrives, so the time between the events includes the program's time for the launch call,
// which hides differences and varies between functions.
//
// A closed gate makes the stream wait for a number in a word of host memory (cuStreamWaitValue32); opening
// writes it. A call that waits for the GPU meanwhile (a launch that loads first, a full queue that another
// thread holds, a launch under CUDA_LAUNCH_BLOCKING) would wait forever, so a thread of our own opens a gate
// after 2 ms. If that happens repeatedly, or the driver refuses, the library stops using gates.
#pragma once
#include <cstdint>

#include "app/inject/driver.h"

namespace cubinlab::inject {

struct ClosedGate {
    int place = -1;  // -1: no gate, the stream runs
    std::uint32_t number = 0;
    std::int64_t at_ns = 0;
    explicit operator bool() const { return place >= 0; }
};

// Closes a gate in the current context; neither this stream nor any other may be in capture.
ClosedGate close_gate(Handle stream, bool per_thread);
// False: it had been opened early, so the work after it may have started before it was queued.
bool open_gate(const ClosedGate& gate);

}  // namespace cubinlab::inject
