// SPDX-License-Identifier: GPL-3.0-or-later
// What settings pages and the session browser may use of their window and of all windows. The window creates
// one; no lower layer knows more of the window.
#pragma once
#include <QString>
#include <functional>

class QWidget;

namespace cubinlab::ui {

class AgentBar;
class Commands;
class Document;
class JobRunner;
class RunController;
class Selection;
class Settings;

struct WindowAccess {
    QWidget* widget = nullptr;
    Settings* settings = nullptr;
    Commands* commands = nullptr;
    Document* document = nullptr;
    Selection* selection = nullptr;
    JobRunner* jobs = nullptr;
    RunController* controller = nullptr;
    AgentBar* agent_bar = nullptr;
    std::function<void(const std::function<void(RunController&, AgentBar&)>&)> each_window;
    std::function<void()> forget_recent;            // in the menus of all windows
    std::function<void(const QString&)> open_here;  // cubin or session
    std::function<void(const QString&)> open_in_new;
    std::function<bool(const QString&)> show_where_open;  // false: no window has it open
};

}  // namespace cubinlab::ui
