// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a program to its end and collects what it prints. The child has its own process group, and a timeout
// or a stop request kills the whole group, so nothing it started stays behind.
#pragma once
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace cubinlab {

struct ChildOutput {
    int exit_status = 0;  // as of exit(); 128 + signal where a signal ended it
    std::string out;
    std::string err;  // the first 64 KiB
};

// `command[0]` is a path. Errors: Io (cannot start), Cancelled (stop), Worker (timeout, or more than 1 GiB).
Result<ChildOutput> run_child(const std::vector<std::string>& command, int timeout_ms,
                              std::stop_token stop = {});

// As exec and posix_spawn want words, with the null behind the last; `words` must outlive it.
std::vector<char*> argv_of(const std::vector<std::string>& words);

}  // namespace cubinlab
