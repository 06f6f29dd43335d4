// SPDX-License-Identifier: GPL-3.0-or-later
// Replay of a run: the timeline and a number box over its steps, play at a chosen rate, previous and next
// step of the filter, accepted step and improvement. Which steps exist comes from the log's index; showing
// one is the controller's work and may lag: while it is busy, play waits (shown()).
#pragma once
#include <QTimer>
#include <QWidget>

#include "ui/run/mutation_model.h"

class QComboBox;
class QLabel;
class QSpinBox;
class QToolButton;

namespace cubinlab::ui {

class Document;
class ReplayTimeline;
class RunController;

class StepPanel : public QWidget {
    Q_OBJECT

  public:
    StepPanel(Document* document, RunController* runs, MutationModel* model, QWidget* parent = nullptr);
    explicit StepPanel(MutationModel* model, QWidget* parent = nullptr);

    StepId step() const;
    bool playing() const { return timer_.isActive(); }
    void shown(StepId step);  // the schedule of this step is in view now; 0: the run's start or another head
    void set_filter(const StepFilter& filter);  // which steps are stepped through and played
    ReplayTimeline* timeline() const { return timeline_; }

  public Q_SLOTS:
    void play();
    void pause();
    void go_to(qint64 step);
    void jump(int direction, bool accepted, bool best);  // along the filter

  Q_SIGNALS:
    void step_chosen(qint64 run, qint64 step);

  private:
    void build();
    void total_changed();
    void advance();
    void update_text();

    MutationModel* model_ = nullptr;
    ReplayTimeline* timeline_ = nullptr;
    QSpinBox* box_ = nullptr;
    QToolButton* play_ = nullptr;
    QComboBox* rate_ = nullptr;
    QLabel* text_ = nullptr;
    QTimer timer_;
    StepFilter filter_;
    StepId shown_ = 0;
    int waited_ = 0;
};

}  // namespace cubinlab::ui
