// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the window. No Qt types, so app/main.cpp needs none.
#pragma once
#include <functional>

namespace cubinlab {
namespace ui {
class MainWindow;
}

struct WindowOptionText {
    const char* name;   // after "--"
    const char* value;  // its argument
    const char* about;
};
inline constexpr WindowOptionText kWindowOptions[] = {
    {"kernel", "name", "kernel of the cubin"},
    {"session", "file", "where runs are logged"},
    {"agent", "name", "start this agent once the kernel is open"},
    {"agent-settings", "json", "settings of the agent"},
    {"evaluator", "kind", "auto, gpu or model"},
    {"budget", "budget", "60s, 5m, 2000steps"},
    {"seed", "n", "seed of the agent"},
    {"theme", "name", "light, dark or system"},
    {"size", "WxH", "size of the window"},
    {"select", "offset", "select the instruction at this offset"},
};

// Reads the command line, opens a window per file, and returns the exit code when the last window closes.
// `made` receives the first window before it is shown.
int run_window(int argc, char** argv, const std::function<void(ui::MainWindow&)>& made = {});

}  // namespace cubinlab
