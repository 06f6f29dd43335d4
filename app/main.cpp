// SPDX-License-Identifier: GPL-3.0-or-later
// A command runs without a display; a file, or no argument, opens the window.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/base/common_options.h"
#include "app/cli/base/option_checks.h"
#include "app/cli/base/output.h"
#include "app/cli/cli.h"
#include "app/standard_streams.h"
#include "core/base/guarded.h"
#ifdef CUBINLAB_WITH_UI
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <QCoreApplication>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "ui/shell/window_app.h"
#endif

namespace {

int tell(const std::string& line, int code) {
    std::fprintf(stderr, "cubinlab: %s\n", cubinlab::cli::printable(line).c_str());
    return code;
}

#ifdef CUBINLAB_WITH_UI

constexpr int kNoDisplay = 3;

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

// Why there is no display; empty: there may be one. Qt aborts without one. Respects QT_QPA_PLATFORM and -platform
// (off-screen needs no display), and tries the sockets that DISPLAY and WAYLAND_DISPLAY name; Qt tries TCP (ssh -X).
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

// Any other reason why Qt cannot start (a display that refuses, a missing plugin) also gives one line.
void before_the_window(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    if (QCoreApplication::instance() != nullptr && !QCoreApplication::startingUp()) {
        qInstallMessageHandler(nullptr);
        const std::string line = text.toStdString();
        (void)context;
        std::fprintf(stderr, "%s\n", line.c_str());
        if (type == QtFatalMsg) std::abort();
        return;
    }
    if (type != QtFatalMsg) return;
    tell(
        "the window cannot open: Qt finds no usable display; `cubinlab help` lists the commands that need "
        "none",
        kNoDisplay);
    std::_Exit(kNoDisplay);
}

// Options that Qt itself reads, with one dash or two.
constexpr const char* kOptionsOfQt[] = {
    "platform",
    "platformpluginpath",
    "platformtheme",
    "plugin",
    "qwindowgeometry",
    "qwindowicon",
    "qwindowtitle",
    "reverse",
    "style",
    "stylesheet",
    "widgetcount",
    "display",
    "geometry",
    "qmljsdebugger",
    "nograb",
    "dograb",
    "sync",
    "help",
    "h",
    "?",
};

// Why a value of an option of the window is not valid; empty: it is valid, or the window checks it.
std::string wrong_value(const std::string& option, const std::string& value) {
    using namespace cubinlab::cli;
    if (option == "theme") return one_of({"light", "dark", "system"})(value);
    if (option == "evaluator") return one_of({"auto", "gpu", "model"})(value);
    if (option == "seed") return whole(0, kAny)(value);
    if (option != "size") return {};
    const std::size_t x = value.find('x');
    const auto side = whole(1, 32767);
    const bool sizes =
        x != std::string::npos && side(value.substr(0, x)).empty() && side(value.substr(x + 1)).empty();
    return sizes ? "" : "'" + value + "' is not a valid window size; write WxH, 1400x900";
}

// Errors in the window's options, in the form of the commands. Qt would report them only with a display.
std::optional<cubinlab::Error> wrong_window_option(int argc, char** argv) {
    using namespace cubinlab;
    std::vector<std::string> known;
    for (const WindowOptionText& option : kWindowOptions)
        known.push_back(std::string("--") + option.name);
    for (int i = 1; i < argc; ++i) {
        const std::string word = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
        if (word == "--") return std::nullopt;
        if (word.find_first_not_of('-') == std::string::npos || word[0] != '-') continue;
        const std::string name = word.substr(word.find_first_not_of('-'));
        const auto is = [&](const auto& option) { return name == option.name; };
        const auto own = std::find_if(std::begin(kWindowOptions), std::end(kWindowOptions), is);
        if (own != std::end(kWindowOptions) && word.starts_with("--")) {
            const bool behind = word == argv[i];  // the next argument is its value
            if (behind && ++i >= argc)
                return Error{ErrorCode::BadUse, word + " needs a value; see `cubinlab help window`", {}};
            const std::string value = behind ? argv[i] : std::string(argv[i]).substr(word.size() + 1);
            if (const std::string wrong = wrong_value(name, value); !wrong.empty())
                return Error{ErrorCode::BadUse, word + ": " + wrong, {}};
            continue;
        }
        if (std::find(std::begin(kOptionsOfQt), std::end(kOptionsOfQt), name) != std::end(kOptionsOfQt))
            continue;
        known.insert(known.end(), {"--version", "--help"});  // the program's
        const std::string meant = cli::nearest(word.starts_with("--") ? word : "-" + word, known);
        return Error{ErrorCode::BadUse,
                     "the window has no option " + word +
                         (meant.empty() ? "" : "; did you mean " + meant + "?") +
                         (meant.empty() ? "; see `cubinlab help window`" : ""),
                     {}};
    }
    return std::nullopt;
}

int print_window_help(bool json) {
    std::string text =
        "Opens a window for each file: a cubin, anything that holds one, a session, a .cu or .ptx.\n"
        "Usage: cubinlab [FILES...] [OPTIONS]\n\nOptions:\n";
    for (const cubinlab::WindowOptionText& option : cubinlab::kWindowOptions) {
        std::string left = std::string("  --") + option.name + " " + option.value;
        left.resize(std::max<std::size_t>(left.size() + 1, 26), ' ');
        text += left + option.about + "\n";
    }
    if (json) return cubinlab::cli::print_document({{"help", text}});
    cubinlab::cli::print_text(text);
    return 0;
}

// `cubinlab help window`, or --help after a file.
bool wants_window_help(int argc, char** argv) {
    const std::string first = argc > 1 ? argv[1] : "", second = argc > 2 ? argv[2] : "";
    if (first == "help") return second == "window";
    if (cubinlab::cli::is_command(first) || cubinlab::cli::not_for_the_window(argc, argv)) return false;
    return std::any_of(argv + 1, argv + argc, [](const char* word) {
        return std::string(word) == "--help" || std::string(word) == "-h";
    });
}

int open_window(int argc, char** argv) {
    if (const auto wrong = wrong_window_option(argc, argv))
        return cubinlab::cli::print_error(*wrong, cubinlab::cli::wants_json(argc, argv));
    if (const std::string missing = missing_display(argc, argv); !missing.empty())
        return tell(
            "the window cannot open: " + missing + "; `cubinlab help` lists the commands that need none",
            kNoDisplay);
    qInstallMessageHandler(before_the_window);
    return cubinlab::run_window(argc, argv);
}

#else

int open_window(int, char**) {
    return tell("this build has no window; see `cubinlab help` for the commands", 2);
}

#endif

bool headless(const std::string& first) {
    for (const char* option : {"--help", "-h", "--version", "-v", "-V"})
        if (first == option) return true;
    return cubinlab::cli::is_command(first);
}

int run(int argc, char** argv) {
#ifdef CUBINLAB_WITH_UI
    if (argc > 2 && wants_window_help(argc, argv))
        return print_window_help(cubinlab::cli::wants_json(argc, argv));
#endif
    if (argc > 1 && headless(argv[1])) return cubinlab::cli::run_cli(argc, argv);
    if (const auto wrong = cubinlab::cli::not_for_the_window(argc, argv))
        return cubinlab::cli::print_error(*wrong, cubinlab::cli::wants_json(argc, argv));
    return open_window(argc, argv);
}

}  // namespace

int main(int argc, char** argv) {
    cubinlab::hold_standard_streams();
    return cubinlab::guarded_main("cubinlab", [&] { return run(argc, argv); });
}
