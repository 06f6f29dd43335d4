// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/display.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace cubinlab {
namespace {

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

// `path` with a leading zero byte: the abstract socket of that name.
bool answers(const std::string& path) {
    sockaddr_un address{};
    if (path.empty() || path.size() >= sizeof address.sun_path) return false;
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), path.size());
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket < 0) return false;
    const auto size =
        static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + (path[0] == '\0' ? 0 : 1));
    const bool connected = ::connect(socket, reinterpret_cast<const sockaddr*>(&address), size) == 0;
    ::close(socket);
    return connected;
}

bool x_answers(const std::string& display) {
    const std::size_t colon = display.rfind(':');
    if (colon == std::string::npos) return false;
    const std::string host = display.substr(0, colon);
    if (!host.empty() && host != "unix" && host[0] != '/') return true;  // TCP: not tried here
    const std::string number = display.substr(colon + 1, display.find('.', colon) - colon - 1);
    if (host[0] == '/') return answers(display.substr(0, display.find('.', colon)));
    const std::string path = "/tmp/.X11-unix/X" + number;
    return answers(std::string(1, '\0') + path) || answers(path);
}

bool wayland_answers(const std::string& display) {
    return answers(display[0] == '/' ? display : variable("XDG_RUNTIME_DIR") + "/" + display);
}

std::string wanted_platform(int argc, char** argv) {
    for (int i = 1; i + 1 < argc; ++i)
        if (std::string_view(argv[i]) == "-platform" || std::string_view(argv[i]) == "--platform")
            return argv[i + 1];
    return variable("QT_QPA_PLATFORM");
}

}  // namespace

std::string missing_display(int argc, char** argv) {
    const std::string platform = wanted_platform(argc, argv);
    if (!platform.empty() && platform.find("xcb") == std::string::npos &&
        platform.find("wayland") == std::string::npos)
        return {};
    const std::string x = variable("DISPLAY"), wayland = variable("WAYLAND_DISPLAY");
    if ((!x.empty() && x_answers(x)) || (!wayland.empty() && wayland_answers(wayland))) return {};
    if (x.empty() && wayland.empty()) return "no display (DISPLAY and WAYLAND_DISPLAY are not set)";
    return "no display answers at " + (x.empty() ? wayland : x);
}

}  // namespace cubinlab
