// SPDX-License-Identifier: GPL-3.0-or-later
// Gives docks back the room that they lost while their window was small; docks below the listings keep a
// share of it. Qt shrinks them to their minimum, also when it restores the layout of a larger window, and
// gives regained room to the centre only. Moving a splitter meanwhile sets a new size.
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
    void give_share();  // to docks below that a restored layout left at their minimum

  private:
    struct Side {
        Qt::Orientation along;
        int window = 0;  // size before the window shrank; 0: it has not shrunk
        int docks = 0;   // size of the docks then
        int seen = 0;    // size of the docks at the current window size
    };
    QDockWidget* dock_along(
        Qt::Orientation along) const;  // a visible dock at the bottom or at a side; null: none
    int size_of_docks(Qt::Orientation along) const;
    void window_resized(Side& side, int before, int now);
    void look();
    void keep_within(Qt::Orientation along, int least, int most);
    void widen(Qt::Orientation along, int wanted);

    QMainWindow* window_;
    QSize size_;  // window size when the docks were last read
    Side rows_{Qt::Vertical}, columns_{Qt::Horizontal};
};

}  // namespace cubinlab::ui
