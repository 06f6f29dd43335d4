// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/stop_on_signal.h"

#include <unistd.h>
#include <csignal>
#include <ctime>

namespace cubinlab::cli {
namespace {

sigset_t ending_signals() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
}

}  // namespace

StopOnSignal::StopOnSignal() {
    const sigset_t set = ending_signals();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    watcher_ = std::jthread([this](const std::stop_token& done) {
        const sigset_t wanted = ending_signals();
        while (!done.stop_requested()) {
            const timespec wait{0, 100'000'000};
            if (sigtimedwait(&wanted, nullptr, &wait) < 0) continue;
            if (source_.stop_requested()) _exit(130);
            source_.request_stop();
        }
    });
}

StopOnSignal::~StopOnSignal() {
    watcher_.request_stop();
    watcher_.join();
    const sigset_t set = ending_signals();
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace cubinlab::cli
