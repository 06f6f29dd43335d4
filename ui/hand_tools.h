// SPDX-License-Identifier: GPL-3.0-or-later
// What the window offers for tuning by hand, beyond moving by key: the control editor under the selected row
// and its commands. Wires the parts of ui/hand to document, selection and listings; the window makes one.
#pragma once
#include <QObject>
#include <functional>

#include "ui/document.h"

class QMenu;

namespace cubinlab::ui {

class Commands;
class CompareView;
class ControlEditor;
class MessageBar;
class RunController;
class ScheduleActions;
class Selection;

struct HandParts {
    Document* document = nullptr;
    Selection* selection = nullptr;
    JobRunner* jobs = nullptr;
    Commands* commands = nullptr;
    CompareView* compare = nullptr;
    MessageBar* messages = nullptr;
    RunController* controller = nullptr;
    ScheduleActions* actions = nullptr;
    // The selected instruction if the hand schedule is what is shown; else says what to do and returns false.
    std::function<bool(InstrId*)> edit_target;
    std::function<void(const QString&)> say;  // status bar, a few seconds
};

class HandTools : public QObject {
    Q_OBJECT

  public:
    HandTools(HandParts parts, QObject* parent);

    void make_commands();
    void fill_edit_menu(QMenu* menu) const;
    void fill_row_menu(QMenu* menu) const;
    void update_enabled() const;

    ControlEditor* control_editor() const { return editor_; }
    void open_control_editor();

  private:
    void place_editor();

    HandParts p_;
    ControlEditor* editor_;
};

}  // namespace cubinlab::ui
