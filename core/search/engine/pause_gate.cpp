// SPDX-License-Identifier: GPL-3.0-or-later
#include <chrono>
#include <thread>

#include "core/search/engine/tune_run.h"

namespace cubinlab {

void PauseGate::wait(const std::stop_token& stop) const {
    // Polls, because an atomic wait cannot also wait for a stop request.
    while (paused() && !stop.stop_requested())
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

}  // namespace cubinlab
