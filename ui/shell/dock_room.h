// SPDX-License-Identifier: GPL-3.0-or-later
// Docks get the room back that they lost while their window was small; those below the listings keep a share of it. Qt
// squeezes them to their least, also where a layout of a larger window is restored, and gives what comes back to the
// centre alone.
// Whoever moves a splitter meanwhile has chosen anew.
#pragma once
#include <QObject>
#include <QSize>

class QDockWidget;
class QMainWindow;

namespace cubinlab::ui {

class DockRoom : public QObject {
    Q_OBJECT

  public:
    explicit DockRoom(QMainWindow* window);
    bool eventFilter(QObject* watched, QEvent* event) override;
    void give_share();  // to docks below, where a restored layout left them at their least

  private:
    struct Side {
        Qt::Orientation along;
        int window = 0;  // its size before it became smaller; 0: it is not smaller than it was
        int docks = 0;   // theirs then
        int seen = 0;    // theirs while the window was as large as it is
    };
    QDockWidget* dock_along(
        Qt::Orientation along) const;  // one of the bottom or of a side, in view; null: none
    int size_of_docks(Qt::Orientation along) const;
    void window_resized(Side& side, int before, int now);
    void look();
    void keep_within(Qt::Orientation along, int least, int most);
    void widen(Qt::Orientation along, int wanted);

    QMainWindow* window_;
    QSize size_;  // of the window, as the docks were last seen in it
    Side rows_{Qt::Vertical}, columns_{Qt::Horizontal};
};

}  // namespace cubinlab::ui
