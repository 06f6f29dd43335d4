// SPDX-License-Identifier: GPL-3.0-or-later
// Named dock layouts. A layout changes only when the user saves under its name. Built-in layouts:
//
//   Hand tuning       listings tall, graph of the block and the tree of hand edits in front
//   Watch agent       rewards and mutation log large, kernel facts at the right
//   Replay and audit  replay in front and tall, rewards next to it, control flow at the right
#pragma once
#include <QObject>
#include <QSize>
#include <QString>
#include <QStringList>

class QDockWidget;
class QMainWindow;
class QMenu;

namespace cubinlab::ui {

class MainWindow;

// Default height of the docks below the listings in a window of this height, pixels.
int rows_of(int window);
QStringList built_in_layouts();  // ids: "hand", "agent", "audit"
QString title_of_layout(const QString& id);
void apply_built_in_layout(MainWindow& window, const QString& id);

class Layouts : public QObject {
    Q_OBJECT

  public:
    Layouts(MainWindow& window, QObject* parent);
    void fill_menu(QMenu* menu);
    bool apply(const QString& name);  // false: unknown name, or saved by an incompatible version
    void save(const QString& name);
    void remove(const QString& name);
    void ask_and_save();
    static QString clean_name(const QString& name);  // as a settings key; may be empty

  private:
    MainWindow& window_;
};

// Gives docks back the room that they lost while their window was small; docks below the listings keep a
// share of it. Qt shrinks them to their minimum, also when it restores the layout of a larger window, and
// gives regained room to the centre only. Moving a splitter meanwhile sets a new size.
class DockRoom : public QObject {
    Q_OBJECT

  public:
    explicit DockRoom(QMainWindow* window);
    bool eventFilter(QObject* watched, QEvent* event) override;
    void docks_moved();  // after the resize of the window that is known here
    void give_share();   // to docks below that a restored layout left at their minimum

  private:
    struct Side {
        Qt::Orientation along;
        int window = 0;  // size before the window shrank; 0: it has not shrunk
        int docks = 0;   // size of the docks then
        int seen = 0;    // size of the docks at the current window size
        int least = 0, most = QWIDGETSIZE_MAX;  // what the docks get since the last resize
    };
    QDockWidget* dock_along(
        Qt::Orientation along) const;  // a visible dock at the bottom or at a side; null: none
    int size_of_docks(Qt::Orientation along) const;
    void window_resized(Side& side, int before, int now);
    void look();
    void keep_within(const Side& side);
    void widen(Qt::Orientation along, int wanted);

    QMainWindow* window_;
    QSize size_;  // window size when the docks were last read
    Side rows_{Qt::Vertical}, columns_{Qt::Horizontal};
};

}  // namespace cubinlab::ui
