// SPDX-License-Identifier: GPL-3.0-or-later
// Selects the instruction of the selected step (in a chart, the log, the timeline, a pattern or by a
// command), so that listings, log and graph show it. With "Compare with previous step" the left listing is
// the schedule that the step started from, so that the step's edit is the only difference.
#pragma once
#include <QObject>

#include "ui/document/document.h"

namespace cubinlab::ui {

class RunController;
class Selection;

class StepFocus : public QObject {
    Q_OBJECT

  public:
    StepFocus(Document* document, Selection* selection, RunController* runs, JobRunner* jobs,
              QObject* parent = nullptr);

    bool before_left() const { return before_left_; }
    // Applies to the shown step and to later ones. Off: shows the original on the left.
    void set_before_left(bool on);

  Q_SIGNALS:
    void before_left_changed(bool on);

  private:
    struct Found {
        InstrId instr = kNone;
        StepId parent = 0;
        SchedulePtr before;  // null: not requested
    };
    void pair_changed();
    void look();
    void show(const StepRef& step, const Found& found);

    Document* document_;
    Selection* selection_;
    RunController* runs_;
    JobRunner* jobs_;
    StepRef shown_;
    bool before_left_ = false;
    bool left_is_ours_ = false;
};

}  // namespace cubinlab::ui
