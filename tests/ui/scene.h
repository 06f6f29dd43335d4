// SPDX-License-Identifier: GPL-3.0-or-later
// Actions in a window, one after the other, as a script names them, separated by semicolons. Each action waits
// until it can be done (the kernel is open, the checker is ready). One that cannot be done within two minutes is
// named on standard error.
//
//   edit.move_up          a command of the registry, by its id
//   select:0x1270         the instruction at this offset of the original
//   drag:0x1270,0x1200    takes that instruction of the right side there and holds it
//   keys:Down,0,Return    pressed where the keyboard is;  click:NAME    the button of that object name
//   find:R12              typed into the search field;  type:NAME=TEXT    into the field of that object name
//   show:dock_problems    a dock in front;  float:dock_graph=900x600 out of the window
//   grab:dock_graph:x.png a picture of one view; also `listing` (with its messages), `dialog`,
//                         `status`, `window` (all of it, with the dialogs)
//   size:1024x700         of the window
//   open:x.cubin  profile:x.csv  compare:x.cubin
//   step:400              a step of the shown run; "step:best" its best
//   export:x.cubin  report:x.html  listing:x.txt  diff:x.txt  csv:x.csv
//   palette:move          the palette with this typed;  settings:keys  sessions:
//   agent:greedy,2000steps[,gpu]  runs it, on the model or the evaluator named, to its end
//   run:greedy,60s[,gpu]  starts it and does not wait;  measure:  compares and waits for the result
//   wait:1.5              seconds
#pragma once
#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>

namespace cubinlab::ui {

class MainWindow;

class Scene : public QObject {
  public:
    Scene(MainWindow& window, const QString& actions, std::function<void()> finished);
    void start(int in_ms);
    bool failed() const { return failed_; }  // an action does not exist, or could never be done

  private:
    enum class Outcome { Done, NotYet, Unknown };
    void next();
    Outcome act(const QString& name, const QString& value);
    Outcome run_command(const QString& id);
    Outcome select(const QString& offset);
    Outcome run_agent(const QString& value);
    bool start_agent(const QString& value);
    Outcome drag(const QString& offsets);
    Outcome float_dock(const QString& value);
    Outcome grab(const QString& value);
    Outcome press_keys(const QString& keys);
    Outcome view_step(const QString& value);
    Outcome export_file(const QString& name, const QString& path);

    MainWindow& window_;
    QStringList actions_;
    std::function<void()> finished_;
    qsizetype at_ = 0;
    int tries_ = 0;
    int pause_ms_ = 0;  // before the next action
    bool failed_ = false;
    bool begun_ = false;  // the present action was begun and is waited for
    bool over_ = false;   // what is waited for has happened
};

// The window as people see it, with the dialogs that lie over it. False: not written.
bool save_picture(MainWindow& window, const QString& path);

}  // namespace cubinlab::ui
