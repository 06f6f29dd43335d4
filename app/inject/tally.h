// SPDX-License-Identifier: GPL-3.0-or-later
// Counts what the library did in this process, for its final line and result.PID.json. Never destroyed.
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
    std::atomic<std::uint64_t> links{0};  // run-time links by the driver
    std::atomic<std::uint64_t> captures_open{0};  // streams in capture now
    std::atomic<std::uint64_t> unknown{0};  // with list: launches of functions whose lookup was not seen
    std::atomic<std::uint64_t> faults{0};   // failures in the library; the program continued
    std::atomic<bool> forked{false};        // a child that has not called exec
};
Tally& tally();

// Adds a sentence to the result, once each ("2 loads of PTX: compiled by the driver, nothing to replace").
void note(const std::string& text);

// Runs `work`; a failure inside is counted, and the program continues.
template <class F>
void guarded(F work) noexcept {
    try {
        work();
    } catch (...) {
        tally().faults.fetch_add(1, std::memory_order_relaxed);
    }
}

// Throws if CUBINLAB_FAULT requests a failure here.
void fault_point(const char* place);

// Writes the result and the final line. A process calls it once, when it ends.
void finish();
// The same before the program restricts its system calls: nothing is written when the program ends. take_finish_back(): the
// restriction failed.
void finish_before_restriction();
void take_finish_back();
// The next _exit after ours.
[[noreturn]] void real_exit(int status);
// Called after the first load, so that it runs before the driver is shut down.
void finish_before_driver();

}  // namespace cubinlab::inject
