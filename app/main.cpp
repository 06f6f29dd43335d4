// SPDX-License-Identifier: GPL-3.0-or-later
// A command runs headless, with no display connection at all; anything else opens the window.
#include <cstdio>
#include <string>

#include "app/cli/command.h"
#include "core/base/guarded.h"
#ifdef CUBINLAB_WITH_UI
#include "ui/window_app.h"
#endif

namespace {

int run(int argc, char** argv) {
    const std::string first = argc > 1 ? argv[1] : "";
    if (cubinlab::cli::is_command(first) || first == "--help" || first == "-h" || first == "--version")
        return cubinlab::cli::run_cli(argc, argv);
#ifdef CUBINLAB_WITH_UI
    return cubinlab::run_window(argc, argv);
#else
    std::fputs("cubinlab: this build has no window; see `cubinlab --help` for the commands\n", stderr);
    return 2;
#endif
}

}  // namespace

int main(int argc, char** argv) {
    return cubinlab::guarded_main("cubinlab", [&] { return run(argc, argv); });
}
