// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace cubinlab::testing {

// Runs `work` in a child that is nobody (file permissions do not bind root) and returns its exit code.
inline int as_nobody(const std::function<int()>& work) {
    const pid_t child = ::fork();
    if (child == 0) {
        if (::geteuid() == 0 && ::setresuid(65534, 65534, 65534) != 0) ::_exit(99);
        ::_exit(work());
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 98;
}

}  // namespace cubinlab::testing
