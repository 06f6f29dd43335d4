// SPDX-License-Identifier: GPL-3.0-or-later
// The two-minute tour: a small panel over the window that leads through the main job on a sample, one thing
// at a time. Each step says what to do, can do it itself, rings what it speaks of, and goes on when it has
// been done. The window stays usable throughout; nothing the tour does cannot be undone.
#pragma once
#include <QFrame>
#include <QObject>
#include <QPointer>
#include <functional>
#include <vector>

class QLabel;
class QPushButton;

namespace cubinlab::ui {

class MainWindow;

struct TourStep {
    QString title, text;
    QString action;  // text of the button that does it; empty: nothing to do, only to read
    std::function<QString()> run;     // why it cannot be done with the kernel that is open; empty: it is
    std::function<QWidget*()> about;  // what is ringed; may give null
};

class TourPanel : public QFrame {
    Q_OBJECT

  public:
    explicit TourPanel(QWidget* window);
    void show_step(const TourStep& step, int number, int count, bool done);
    void say(const QString& why_not);  // under the step's text, until another step is shown
    void place();
    void clear_buttons();

  Q_SIGNALS:
    void back();
    void next();
    void act();
    void ended();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QLabel *progress_, *title_, *text_, *done_;
    QPushButton *back_, *next_, *act_, *close_;
    bool placing_ = false;  // soon
};

class Tour : public QObject {
    Q_OBJECT

  public:
    Tour(MainWindow& window, QObject* parent);
    void start();
    void show_step(int step);  // 0-based
    void act() { run_step(); }
    void end();
    bool running() const { return step_ >= 0; }
    int step() const { return step_; }
    int count() const { return static_cast<int>(steps_.size()); }
    TourPanel* panel() const { return panel_; }

  private:
    void make_steps();
    TourStep step_of(int step) const;
    bool has_sample() const;
    void listen();
    void run_step();
    void done(int step);  // the user did what the step asks for
    void ring(QWidget* widget);
    bool select_movable_load();  // false: there is none

    MainWindow& window_;
    std::vector<TourStep> steps_;
    std::vector<bool> done_;
    int step_ = -1;
    TourPanel* panel_ = nullptr;
    QPointer<QWidget> ring_;
};

}  // namespace cubinlab::ui
