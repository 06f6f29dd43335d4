// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of the library from environment variables (resources/docs/inject.md), read once at load.
#pragma once
#include <cstdint>
#include <string>

namespace cubinlab::inject {

struct Settings {
    std::string schedules;  // CUBINLAB_SCHEDULES: folder of *.schedule
    std::string out;        // CUBINLAB_OUT: folder for result.PID.json and captures
    bool quiet = false;     // CUBINLAB_QUIET=1: no line at the end
    bool require = false;  // CUBINLAB_REQUIRE=1: exit code 3 if the program ran kernels and none was replaced
    bool trial = false;    // CUBINLAB_AB=1: alternate original and tuned
    bool all = false;      // CUBINLAB_AB_ALL=1: with it, time all kernels with the original and the tuned ones
    bool gate = true;      // CUBINLAB_AB_GATE=0: do not hold such launches back until they are queued
    bool list = false;     // CUBINLAB_LIST=1: count and time every kernel
    bool time = false;     // CUBINLAB_TIME=1: time the kernels that the library works on
    // CUBINLAB_CAPTURE=NAME or regex:RE; CUBINLAB_CAPTURE_LAUNCH=N, first:K or sizes:K; CUBINLAB_CAPTURE_LIMIT=bytes
    std::string capture;
    std::uint64_t first = 1, count = 1;
    std::uint64_t sizes = 0;  // not 0: the first launch of each of so many sizes
    std::uint64_t limit = 4ull << 30;
    std::string fault;  // CUBINLAB_FAULT, for tests: names of operations that fail, "load,launch,capture"

    bool active() const { return !schedules.empty() || list || !capture.empty(); }
    bool swaps() const { return !schedules.empty(); }
};

const Settings& settings();

}  // namespace cubinlab::inject
