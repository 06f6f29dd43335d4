// SPDX-License-Identifier: GPL-3.0-or-later
// The open windows of this process. Each has a document, a session and an agent of its own, so several
// kernels can be worked on, and several agents run, side by side. The program ends with the last of them.
#pragma once
#include <QObject>
#include <QString>
#include <vector>

class QWidget;

namespace cubinlab::ui {

class MainWindow;

class Windows : public QObject {
    Q_OBJECT

  public:
    static Windows& instance();

    MainWindow* open_new(const QString& path = {}, const QString& kernel = {});  // shown; deletes itself
    const std::vector<MainWindow*>& all() const { return windows_; }             // oldest first
    // The window that shows this file, if any: a session has one writer, so it is brought up instead.
    MainWindow* showing(const QString& path) const;
    static void bring_up(QWidget* window);  // shown, before the others, with the keyboard
    void go_to_next(const MainWindow* from, int by);

    void add(MainWindow* window);  // by the window itself
    void remove(MainWindow* window);
    void tell_changed() { Q_EMIT changed(); }

  Q_SIGNALS:
    void changed();  // a window came, went, or shows something else

  private:
    Windows() = default;
    std::vector<MainWindow*> windows_;
};

}  // namespace cubinlab::ui
