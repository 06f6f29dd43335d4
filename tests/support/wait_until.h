// SPDX-License-Identifier: GPL-3.0-or-later
// Waits for what other processes and threads do, not for a time.
#pragma once
#include <chrono>
#include <functional>
#include <thread>

namespace cubinlab::test {

// Looks every few milliseconds; false: not within `limit`, which a loaded machine must not reach.
inline bool wait_until(const std::function<bool()>& done,
                       std::chrono::milliseconds limit = std::chrono::seconds(20)) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!done()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

}  // namespace cubinlab::test
