// SPDX-License-Identifier: GPL-3.0-or-later
// A command runs headless, with no display connection at all; a file, or nothing, opens the window.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "app/cli/command.h"
#include "app/cli/command_table.h"
#include "app/cli/output.h"
#include "app/standard_streams.h"
#include "core/base/guarded.h"
#ifdef CUBINLAB_WITH_UI
#include <QCoreApplication>

#include "app/display.h"
#include "ui/window_app.h"
#endif

namespace {

int tell(const std::string& line, int code) {
    std::fprintf(stderr, "cubinlab: %s\n", cubinlab::cli::printable(line).c_str());
    return code;
}

#ifdef CUBINLAB_WITH_UI

constexpr int kNoDisplay = 3;

// Whatever else keeps Qt from starting (a display that refuses, a missing plugin) ends in one line, too.
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
        "the window cannot open: Qt finds no display that it can use; `cubinlab help` lists the commands "
        "that need none",
        kNoDisplay);
    std::_Exit(kNoDisplay);
}

int open_window(int argc, char** argv) {
    if (const std::string missing = cubinlab::missing_display(argc, argv); !missing.empty())
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
