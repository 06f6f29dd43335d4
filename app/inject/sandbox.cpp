// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/inject/sandbox.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <atomic>
#include <cstring>

#include "app/inject/lookup.h"
#include "app/inject/tally.h"

namespace cubinlab::inject {
namespace {

using Number = unsigned long;
using Prctl = int (*)(int, Number, Number, Number, Number);
using SystemCall = long (*)(long, Number, Number, Number, Number, Number, Number);

std::atomic<bool> g_restricted{false};

template <class Call>
Call next_of(const char* name) {
    static const auto next = reinterpret_cast<Call>(next_definition(name));
    return next;
}

// `call` restricts the system calls of the process, or fails.
template <class Call>
auto restrict_by(Call call) {
    const int before = errno;
    const bool first = !g_restricted.exchange(true);
    if (first) finish_before_restriction();
    errno = before;
    const auto result = call();
    if (result < 0 && first) {
        g_restricted.store(false);
        const int error = errno;
        take_finish_back();
        errno = error;
    }
    return result;
}

int our_prctl(int option, Number a, Number b, Number c, Number d) {
    const auto next = next_of<Prctl>("prctl");
    return option == PR_SET_SECCOMP ? restrict_by([&] { return next(option, a, b, c, d); }) : next(option, a, b, c, d);
}

long our_syscall(long number, Number a, Number b, Number c, Number d, Number e, Number f) {
    const auto next = next_of<SystemCall>("syscall");
    constexpr Number kSetMode = 2;  // SECCOMP_SET_MODE_STRICT, SECCOMP_SET_MODE_FILTER; the others ask
    const bool restricts = (number == SYS_seccomp && a < kSetMode) || (number == SYS_prctl && a == PR_SET_SECCOMP);
    const auto call = [&] { return next(number, a, b, c, d, e, f); };
    return restricts ? restrict_by(call) : call();
}

}  // namespace

void* watched_system_call(void* address) {
    if (!address) return address;
    if (address == reinterpret_cast<void*>(next_of<Prctl>("prctl"))) return reinterpret_cast<void*>(&our_prctl);
    if (address == reinterpret_cast<void*>(next_of<SystemCall>("syscall"))) return reinterpret_cast<void*>(&our_syscall);
    return address;
}

bool is_watched_system_call(const char* name) {
    return std::strcmp(name, "prctl") == 0 || std::strcmp(name, "syscall") == 0;
}

bool is_restricted() {
    return g_restricted.load(std::memory_order_relaxed);
}

}  // namespace cubinlab::inject
