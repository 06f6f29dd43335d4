// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace cubinlab {

void hold_standard_streams() {
    for (int stream = 0; stream <= 2; ++stream) {
        if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
        // open() returns the lowest free number, which is this one.
        (void)!::open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
    }
}

}  // namespace cubinlab
