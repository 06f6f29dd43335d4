// SPDX-License-Identifier: GPL-3.0-or-later
// Replay of a run: timeline and number box over its steps, playback at a chosen rate, previous and next step
// of the filter, accepted step and improvement. The log's index has the steps. The controller shows a step
// and may lag; while it is busy, playback waits (shown()).
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
    void shown(StepId step);  // this step's schedule is in view; 0: the run's start or another slot
    void set_filter(const StepFilter& filter);  // the steps to step through and play
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
