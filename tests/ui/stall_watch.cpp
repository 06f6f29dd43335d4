// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/stall_watch.h"

#include <cxxabi.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include <chrono>
#include <cstdlib>

namespace cubinlab::ui::bench {
namespace {

constexpr int kFrames = 48;
void* g_frames[kFrames];
std::atomic<int> g_taken{0};

void take_sample(int) {
    if (g_taken.load() == 0) g_taken.store(backtrace(g_frames, kFrames));
}

std::int64_t ns_of(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return now.tv_sec * 1'000'000'000ll + now.tv_nsec;
}
std::int64_t wall_ns() {
    return ns_of(CLOCK_MONOTONIC);
}
std::int64_t cpu_ns() {
    return ns_of(CLOCK_THREAD_CPUTIME_ID);
}

// "program(_ZN3fooEv+0x12) [0x...]": the function's name, demangled.
std::string name_of(const char* symbol) {
    const std::string text(symbol);
    const auto open = text.find('('), plus = text.find('+', open);
    if (open == std::string::npos || plus == std::string::npos || plus <= open + 1) return text;
    const std::string mangled = text.substr(open + 1, plus - open - 1);
    int status = 0;
    char* plain = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
    const std::string name = status == 0 ? plain : mangled;
    std::free(plain);
    return name;
}

std::vector<std::string> sampled() {
    std::vector<std::string> names;
    const int taken = g_taken.load();
    if (char** symbols = backtrace_symbols(g_frames, taken)) {
        for (int i = 2; i < taken; ++i)
            names.push_back(name_of(symbols[i]));
        std::free(symbols);
    }
    return names;
}

}  // namespace

WatchedApplication::~WatchedApplication() {
    watcher_ = {};
}

void WatchedApplication::watch(int cpu_limit_ms) {
    limit_ms_ = cpu_limit_ms;
    void* first[1];
    backtrace(first, 1);  // loads what it needs now, not inside a signal
    struct sigaction action = {};
    action.sa_handler = take_sample;
    action.sa_flags = SA_RESTART;
    sigaction(SIGUSR1, &action, nullptr);
    clockid_t gui_clock{};
    pthread_getcpuclockid(pthread_self(), &gui_clock);
    watcher_ = std::jthread([this, gui_clock, gui = pthread_self()](std::stop_token stop) {
        std::int64_t sampled_for = 0;
        while (!stop.stop_requested()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            const std::int64_t entered = entered_ns_.load();
            if (entered == 0 || entered == sampled_for ||
                ns_of(gui_clock) - entered < limit_ms_ * 1'000'000ll)
                continue;
            sampled_for = entered;
            pthread_kill(gui, SIGUSR1);
        }
    });
}

void WatchedApplication::forget() {
    stalls_.clear();
    longest_cpu_ms_ = longest_wall_ms_ = 0;
}

bool WatchedApplication::notify(QObject* receiver, QEvent* event) {
    if (depth_ > 0) return QApplication::notify(receiver, event);
    const std::string who =
        std::string(receiver->metaObject()->className()) + " " + receiver->objectName().toStdString();
    const int type = event->type();
    ++depth_;
    g_taken.store(0);
    const std::int64_t wall = wall_ns(), cpu = cpu_ns();
    entered_ns_.store(cpu);
    const bool done = QApplication::notify(receiver, event);
    entered_ns_.store(0);
    --depth_;
    const double cpu_ms = static_cast<double>(cpu_ns() - cpu) * 1e-6;
    const double wall_ms = static_cast<double>(wall_ns() - wall) * 1e-6;
    longest_cpu_ms_ = std::max(longest_cpu_ms_, cpu_ms);
    longest_wall_ms_ = std::max(longest_wall_ms_, wall_ms);
    if (cpu_ms >= limit_ms_) stalls_.push_back({cpu_ms, wall_ms, step_, who, type, sampled()});
    return done;
}

}  // namespace cubinlab::ui::bench
