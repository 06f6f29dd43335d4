// SPDX-License-Identifier: GPL-3.0-or-later
// Parses counts and device numbers, the only numbers on the command lines of the workers.
#pragma once
#include <cstdlib>

namespace cubinlab {

// argv[at] if it is there, else `otherwise`; -1: not a whole number from 0 to 1,000,000,000.
inline int count_argument(int argc, char** argv, int at, int otherwise) {
    if (argc <= at) return otherwise;
    char* end = nullptr;
    const long value = std::strtol(argv[at], &end, 10);
    return *argv[at] != 0 && *end == 0 && value >= 0 && value <= 1'000'000'000 ? static_cast<int>(value) : -1;
}

}  // namespace cubinlab
