// SPDX-License-Identifier: GPL-3.0-or-later
// Protects files from standard output: a program started with a closed stream (`cubinlab ... >&-`) would
// reuse its number for the next file it opens, and print into a session or an exported cubin.
#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace cubinlab {

// Opens closed streams on /dev/null in the wrong direction, so that using them still fails.
inline void hold_standard_streams() {
    for (int stream = 0; stream <= 2; ++stream) {
        if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
        // open() returns the lowest free number, which is this one.
        (void)!::open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
    }
}

}  // namespace cubinlab
