// SPDX-License-Identifier: GPL-3.0-or-later
// In a narrow window the docks at the right become tabs below the listings, so that the listings keep their columns and
// the window fits a small screen. In front is the view that was used last, else that of the right side. They return to
// the right when the window is wide again; docks that were opened or closed meanwhile stay so. Other changes of the layout in a narrow window are dropped then.
#pragma once
#include <QByteArray>
#include <QObject>
#include <QPointer>
#include <vector>

class QDockWidget;
class QMainWindow;

namespace cubinlab::ui {

class NarrowDocks : public QObject {
    Q_OBJECT

  public:
    NarrowDocks(QMainWindow* window, std::vector<QDockWidget*> docks);
    void fit();                    // stacks or restores; call it after the window restored a layout
    void forget() { wide_ = {}; }  // before the window restores a layout
    QByteArray layout() const;     // of the window when it is wide
    bool stacked() const { return !wide_.isEmpty(); }

    static constexpr int kSideBySide = 1100;  // pixels, at the default text size

  Q_SIGNALS:
    void docks_moved();  // because of the width of the window

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void note_used(QDockWidget* dock);
    void stack();
    void restore();
    bool any_shown() const;  // false: the start page has the window

    QMainWindow* window_;
    std::vector<QDockWidget*> docks_;
    QPointer<QDockWidget> used_;  // whose tab was chosen, or which had the keyboard
    QByteArray wide_;             // layout before stacking; empty: not stacked
    bool due_ = false;
    bool moving_ = false;  // docks, from one place to the other
};

}  // namespace cubinlab::ui
