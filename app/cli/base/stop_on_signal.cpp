// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/stop_on_signal.h"

#include <unistd.h>
#include <chrono>
#include <csignal>
#include <ctime>

#include "app/cli/base/output.h"
#include "core/base/file_writes.h"

namespace cubinlab::cli {
namespace {

// Includes SIGHUP unless the parent ignores it (nohup).
sigset_t ending_signals() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    struct sigaction hangup {};
    if (::sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler != SIG_IGN) sigaddset(&set, SIGHUP);
    return set;
}

// `timeout` signals the process and then its group, so one request arrives twice within microseconds; batch
// systems send SIGTERM to a whole job and repeat it shortly after. No user types that fast.
std::chrono::milliseconds same_request(int signal) {
    return std::chrono::milliseconds(signal == SIGTERM ? 1000 : 20);
}

}  // namespace

StopOnSignal::StopOnSignal() {
    const sigset_t set = ending_signals();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    std::signal(SIGPIPE, SIG_IGN);  // a closed pipe fails the write instead: output_lost()
    watcher_ = std::jthread([this](const std::stop_token& done) {
        const sigset_t wanted = ending_signals();
        std::chrono::steady_clock::time_point asked{};  // time of the first signal
        while (!done.stop_requested()) {
            const timespec wait{0, 100'000'000};
            const int signal = sigtimedwait(&wanted, nullptr, &wait);
            if (output_lost()) source_.request_stop();
            if (signal < 0) continue;
            // A closed terminal sends SIGHUP more than once; only the user can end the process.
            if (signal == SIGHUP) {
                source_.request_stop();
                continue;
            }
            const auto now = std::chrono::steady_clock::now();
            if (source_.stop_requested() && now - asked > same_request(signal)) {
                // Ends at once, after any file that is being written.
                const std::unique_lock lock(file_writes(), std::chrono::seconds(1));
                _exit(130);
            }
            if (!source_.stop_requested()) asked = now;
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
