// SPDX-License-Identifier: GPL-3.0-or-later
// Is there a display that a window could be opened on? Asked before Qt is, because Qt aborts where there is
// none.
#pragma once
#include <string>

namespace cubinlab {

// Why there is none; empty: there may be one. Honours QT_QPA_PLATFORM and -platform (off-screen needs none),
// and tries the sockets that DISPLAY and WAYLAND_DISPLAY name; a display over TCP (ssh -X) is left to Qt.
std::string missing_display(int argc, char** argv);

}  // namespace cubinlab
