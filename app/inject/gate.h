// SPDX-License-Identifier: GPL-3.0-or-later
// What holds a stream back until a timed launch is queued as a whole: event, kernel and event. A stream that is empty
// begins each as it comes, and the time between the events then holds the program's own time for the launch's call, which
// hides differences, and is another for another function.
//
// A closed gate is a wait of the stream for a number in a word of host memory (cuStreamWaitValue32); opening writes it. A
// call that itself waits for the GPU meanwhile (a launch that is loaded first, a full queue that another thread holds, a
// launch under CUDA_LAUNCH_BLOCKING) would wait for ever, so a thread of our own opens what was not opened within 2 ms.
// Where that happens again and again, or the driver refuses, gates are given up, which is noted.
#pragma once
#include <cstdint>

#include "app/inject/driver.h"

namespace cubinlab::inject {

struct ClosedGate {
    int place = -1;  // none: the stream goes on
    std::uint32_t number = 0;
    std::int64_t at_ns = 0;
    explicit operator bool() const { return place >= 0; }
};

// In the current context, on a stream that is not in capture while none is.
ClosedGate close_gate(Handle stream, bool per_thread);
// False: it had to be opened before, and what is behind it may have been begun before it was queued.
bool open_gate(const ClosedGate& gate);

}  // namespace cubinlab::inject
