// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a window that its tools and dialogs use, and what they may ask of it and of all windows. The window makes
// it; nobody below the window knows more of it.
#pragma once
#include <QString>
#include <functional>

class QWidget;

namespace cubinlab::ui {

class AgentBar;
class Commands;
class Document;
class JobRunner;
class MessageBar;
class RunController;
class Selection;
class Settings;

struct WindowContext {
    QWidget* widget = nullptr;
    Settings* settings = nullptr;
    Commands* commands = nullptr;
    Document* document = nullptr;
    Selection* selection = nullptr;
    JobRunner* jobs = nullptr;
    RunController* controller = nullptr;
    AgentBar* agent_bar = nullptr;
    MessageBar* messages = nullptr;
    std::function<void(const QString&)> say;  // status bar, a few seconds
    std::function<void(const std::function<void(RunController&, AgentBar&)>&)> each_window;
    std::function<void()> forget_recent;            // in the menus of all windows
    std::function<void(const QString&)> open_here;  // cubin or session
    std::function<void(const QString&)> open_in_new;
    std::function<bool(const QString&)> show_where_open;  // false: no window has it open
};

}  // namespace cubinlab::ui
