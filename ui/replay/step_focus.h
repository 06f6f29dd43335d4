// SPDX-License-Identifier: GPL-3.0-or-later
// One step, one object: whoever chooses a step (a chart, the log, the timeline, a pattern, a command), its
// instruction is selected, so that listings, log and graph all stand at it. With "Left: the step before" the
// left listing is the schedule that the step was made from, so that its edit is all that differs.
#pragma once
#include <QObject>

#include "ui/document/document.h"

class QAction;

namespace cubinlab::ui {

class RunController;
class Selection;

class StepFocus : public QObject {
    Q_OBJECT

  public:
    StepFocus(Document* document, Selection* selection, RunController* runs, JobRunner* jobs,
              QObject* parent = nullptr);

    bool before_left() const { return before_left_; }
    // Of the step in view and of those that are chosen from now on. Off: the original is on the left again.
    void set_before_left(bool on);

  Q_SIGNALS:
    void before_left_changed(bool on);

  private:
    struct Found {
        InstrId instr = kNone;
        StepId parent = 0;
        SchedulePtr before;  // null: not asked for
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
