// SPDX-License-Identifier: GPL-3.0-or-later
// The open windows of this process. Each has its own document, session and agent, so several kernels can be
// tuned at the same time. The program ends with the last window.
#pragma once
#include <QObject>
#include <QRect>
#include <QString>
#include <vector>

class QWidget;

namespace cubinlab::ui {

class MainWindow;

// `frame` moved, and made smaller where it must be, so that all of it is inside of `screen`.
QRect inside(QRect frame, const QRect& screen);

class Windows : public QObject {
    Q_OBJECT

  public:
    static Windows& instance();

    MainWindow* open_new(const QString& path = {}, const QString& kernel = {});  // shown; deletes itself
    const std::vector<MainWindow*>& all() const { return windows_; }             // oldest first
    // The window that shows this file, or null. A session has one writer, so that window is raised instead.
    MainWindow* showing(const QString& path) const;
    static void bring_up(QWidget* window);  // shows, raises and focuses it
    void go_to_next(const MainWindow* from, int by);

    void add(MainWindow* window);  // by the window itself
    void remove(MainWindow* window);
    void tell_changed() { Q_EMIT changed(); }

  Q_SIGNALS:
    void changed();  // a window was opened or closed, or shows another file

  private:
    Windows() = default;
    std::vector<MainWindow*> windows_;
};

}  // namespace cubinlab::ui
