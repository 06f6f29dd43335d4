// SPDX-License-Identifier: GPL-3.0-or-later
// The window as a function: no Qt type in sight, so that app/main.cpp needs none. The options after the file
// also let a script run a whole scene without hands: open, tune, take a picture, leave.
//
//   cubinlab samples/bmm_mma.cubin --agent greedy --evaluator model --budget 2000steps
//            --screenshot scene.png --after 10 --quit       (one line)
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace cubinlab {

struct WindowOptions {
    std::string file;     // cubin or session; empty: the start page
    std::string kernel;   // of the cubin; empty: the one with most code
    std::string session;  // where runs are logged; empty: a new file in the data folder
    std::string agent;    // starts this agent once the kernel is open; empty: none
    std::string agent_settings = "{}";
    std::string evaluator = "auto";
    std::string budget = "60s";
    std::uint64_t seed = 1;
    std::string theme;       // light, dark, system; empty: the setting
    std::string size;        // "1600x1000"
    std::string screenshot;  // PNG written `after_seconds` after the window is shown
    double after_seconds = 5;
    bool quit_after_screenshot = false;
    double quit_after_seconds = 0;  // 0: never
    bool quit_when_done = false;    // closes the window when the agent's run is over
    std::string heartbeat;          // late ticks of a 10 ms timer and memory, written when the window closes
    std::string select;             // selects the instruction at this offset, "0x1270", once open
    std::vector<std::string> more_files;  // each in a window of its own
    // What is done before the picture, one after the other, split by semicolons: ui/shell/scene.h.
    std::string actions;
};

struct WindowOptionText {
    const char* name;   // behind "--"
    const char* value;  // what follows it; null: nothing
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
    {"screenshot", "png", "picture of the window, written after --after seconds"},
    {"after", "seconds", "when the picture is taken"},
    {"quit-after", "seconds", "close the window then"},
    {"heartbeat", "file", "log how late the window answers"},
    {"select", "offset", "select the instruction at this offset"},
    {"do", "actions", "commands before the picture: edit.move_up;show:dock_flow;step:120;export:x.cubin"},
    {"quit", nullptr, "close the window after the picture"},
    {"quit-when-done", nullptr, "close the window when the run is over"},
};

int run_window(int argc, char** argv);  // parses the command line
int run_window(int argc, char** argv, const WindowOptions& options);

}  // namespace cubinlab
