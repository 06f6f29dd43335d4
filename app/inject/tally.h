// SPDX-License-Identifier: GPL-3.0-or-later
// What happened in this process, for the line at the end and result.PID.json. Plain counters that outlive every
// destructor.
#pragma once
#include <atomic>
#include <cstdint>
#include <string>

namespace cubinlab::inject {

struct Tally {
    std::atomic<std::uint64_t> images{0};       // loads that succeeded
    std::atomic<std::uint64_t> kernels{0};      // distinct kernels that the program asked the driver for
    std::atomic<std::uint64_t> graph_nodes{0};  // kernel nodes added to graphs by hand
    std::atomic<std::uint64_t> graph_launches{0};
    std::atomic<std::uint64_t> captures_open{0};  // streams in capture now
    std::atomic<std::uint64_t> unknown{0};        // launches of functions that were never seen being got
    std::atomic<std::uint64_t> faults{0};         // of our own: passed through
    std::atomic<bool> forked{false};              // a child that has not started another program
};
Tally& tally();

// A sentence for the result, once each ("2 loads of PTX: compiled by the driver, nothing to replace").
void note(const std::string& text);

// Runs `work`; what fails inside is counted, and the program goes on.
template <class F>
void guarded(F work) noexcept {
    try {
        work();
    } catch (...) {
        tally().faults.fetch_add(1, std::memory_order_relaxed);
    }
}

// Throws if the tests asked for a failure here (CUBINLAB_FAULT).
void fault_point(const char* place);

// Writes the result and the line; what an ending process calls, once.
void finish();
// The system's own _exit.
[[noreturn]] void real_exit(int status);
// Called after the first load, so that it runs before the driver is shut down.
void finish_before_driver();

}  // namespace cubinlab::inject
