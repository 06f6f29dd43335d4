// SPDX-License-Identifier: GPL-3.0-or-later
// Replay of a run, and across the runs of a tuning with starts: timeline and number box over its steps, playback at a chosen rate, previous and next step
// of the filter, accepted step and improvement. The log's index has the steps. The controller shows a step
// and may lag; while it is busy, playback waits (shown()).
#pragma once
#include <QTimer>
#include <QWidget>

#include "ui/run/mutation_model.h"

class QComboBox;
class QLabel;
class QSpinBox;
class QTabBar;
class QToolButton;

namespace cubinlab::ui {

class Document;
class ReplayTimeline;
class RunController;

// "start 45": the step of the run over starts that compiled it; 0: "original".
QString start_name(StepId step);

// A run of the tuning that is replayed.
struct ReplayPart {
    RunId run = 0;
    QString name;  // of the start that it searches
    std::uint64_t steps = 0;
    friend bool operator==(const ReplayPart&, const ReplayPart&) = default;
};
std::vector<ReplayPart> replay_parts(const RunController& runs);  // of the shown run; empty: it is of no tuning

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
    // The runs of the shown tuning. Playback and the step buttons go on in the next or previous one.
    void set_parts(std::vector<ReplayPart> parts);
    QTabBar* parts() const { return parts_bar_; }

  public Q_SLOTS:
    void play();
    void pause();
    void go_to(qint64 step);
    void jump(int direction, bool accepted, bool best);  // along the filter

  Q_SIGNALS:
    void step_chosen(qint64 run, qint64 step);
    void run_asked(qint64 run);

  private:
    void build();
    void total_changed();
    void advance();
    void update_text();
    void mark_part();
    bool ask_for_part(int direction);
    void enter_part();

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
    QTabBar* parts_bar_ = nullptr;
    std::vector<ReplayPart> parts_;
    RunId asked_run_ = 0;  // of parts_; its steps are on their way
    int asked_direction_ = 0;
};

}  // namespace cubinlab::ui
