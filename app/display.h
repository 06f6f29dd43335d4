// SPDX-License-Identifier: GPL-3.0-or-later
// Checks for a display before Qt starts, because Qt aborts without one.
#pragma once
#include <string>

namespace cubinlab {

// Why there is no display; empty: there may be one. Respects QT_QPA_PLATFORM and -platform (off-screen needs
// no display), and tries the sockets that DISPLAY and WAYLAND_DISPLAY name; Qt tries TCP (ssh -X).
std::string missing_display(int argc, char** argv);

}  // namespace cubinlab
