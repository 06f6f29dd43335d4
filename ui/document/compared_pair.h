// SPDX-License-Identifier: GPL-3.0-or-later
// The schedules of the open kernel that views compare, and the two of them that are shown.
//
//   Original  the schedule in the file
//   Hand      edited by the user only (ui/document/hand_editor.h)
//   Best      the agent's best so far (the original until there is one)
//   Viewed    a step of a run, selected in a chart or a table
//   Other     the same kernel in another file, for comparison
//   Minimal   the essential edits of Best, once they are known
//
// Views show left(), right() and diff(), and read them again on changed(). Liveness, timing and problems are computed
// by jobs; signals arrive on the GUI thread.
#pragma once
#include <QObject>
#include <QString>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "core/insight/liveness.h"
#include "core/legality/hazard_checker.h"
#include "ui/base/run_request.h"
#include "ui/document/launch_model.h"
#include "ui/document/open_kernel.h"

namespace cubinlab::ui {

class JobRunner;

QString title_of(ScheduleSlot slot);  // "Original", "Hand", "Agent's best", "Step"

using LivenessPtr = std::shared_ptr<const Liveness>;
using TimingPtr = std::shared_ptr<const ModelRun>;  // the SM model's: cycles, never time

// The same schedule of another object of its kernel (asserted: their code is the same).
Schedule on_kernel(const KernelPtr& kernel, const Schedule& schedule);

struct StepRef {
    RunId run = 0;
    StepId step = 0;
    friend bool operator==(const StepRef&, const StepRef&) = default;
};

class ComparedPair : public QObject {
    Q_OBJECT

  public:
    explicit ComparedPair(JobRunner& jobs, QObject* parent = nullptr);

    // title_of(), or the name of the start, whose original is what the compiler made.
    QString title(ScheduleSlot slot) const;
    SchedulePtr schedule(ScheduleSlot slot) const;  // Viewed: null until a step is selected
    ScheduleSlot left_slot() const { return s_.left_slot; }
    ScheduleSlot right_slot() const { return s_.right_slot; }
    bool shows(ScheduleSlot slot) const { return s_.left_slot == slot || s_.right_slot == slot; }
    SchedulePtr left() const { return s_.left; }
    SchedulePtr right() const { return s_.right; }
    DiffPtr diff() const { return s_.diff; }                        // of left() and right()
    LivenessPtr left_liveness() const { return s_.left_liveness; }  // null until computed
    LivenessPtr right_liveness() const { return s_.right_liveness; }
    TimingPtr left_timing() const { return s_.left_timing; }  // null unless requested and computed
    TimingPtr right_timing() const { return s_.right_timing; }
    void want_timing(bool on);                                // requests the model's issue cycles
    const LaunchModelPtr& model() const { return s_.model; }  // of the open kernel
    const Legality& problems() const { return s_.problems; }  // of right() against the original
    // What is legal in right() only if the program keeps a promise (hazard_checker.h): no problems.
    const std::vector<CheckNote>& check_notes() const { return s_.check_notes; }
    StepRef best_step() const { return s_.best_step; }
    StepRef viewed_step() const { return s_.viewed_step; }
    QString other_name() const { return s_.other_name; }  // file of ScheduleSlot::Other
    const std::filesystem::path& other_path() const { return s_.other_path; }
    // "12 of 348 edits, +1.63 % in the model"
    QString minimal_about() const { return s_.minimal_about; }
    QString minimal_edits() const { return s_.minimal_edits; }  // "12 of 348 edits"
    bool follow_live() const { return follow_live_; }

    // Called by the document. begin() takes another kernel and emits nothing; announce() emits changed() and starts the
    // jobs.
    void begin(const OpenKernel& open);
    void announce();
    void set_checker(const CheckerPtr& checker);
    void clear() { s_ = {}; }

  public Q_SLOTS:
    void show_left(cubinlab::ui::ScheduleSlot slot);
    void show_right(cubinlab::ui::ScheduleSlot slot);
    void set_follow_live(bool on);
    void set_hand(cubinlab::ui::SchedulePtr schedule);  // proven legal; shown on the right
    void set_other(cubinlab::ui::SchedulePtr schedule,
                   const std::filesystem::path& file);  // shown on the left
    // Called by the run controller. A step selected by the user turns "follow live" off.
    void set_best(cubinlab::ui::SchedulePtr schedule, cubinlab::ui::StepRef step);
    // The minimal form of the best. A new best drops it.
    void set_minimal(cubinlab::ui::SchedulePtr schedule, const QString& about, const QString& edits);
    void set_viewed(cubinlab::ui::SchedulePtr schedule, cubinlab::ui::StepRef step);

  Q_SIGNALS:
    void changed();  // left(), right(), diff() or which slots they are
    void liveness_changed();
    void timing_changed();
    void problems_changed();
    void follow_live_changed(bool on);

  private:
    friend class Document;  // keeps the state of a compilation while another is shown
    // Everything that depends on the open kernel. In an open document left, right and diff are valid.
    struct State {
        SchedulePtr original, hand, best, viewed, other, minimal, left, right;
        QString start, other_name, minimal_about, minimal_edits;
        std::filesystem::path other_path;
        StepRef viewed_step, best_step;
        DiffPtr diff;
        struct {
            SchedulePtr left, right;
            DiffPtr diff;
        } made;  // by a job, the last one
        LivenessPtr left_liveness, right_liveness;
        TimingPtr left_timing, right_timing;
        LaunchModelPtr model;
        CheckerPtr checker;
        Legality problems;
        std::vector<CheckNote> check_notes;
        ScheduleSlot left_slot = ScheduleSlot::Original;
        ScheduleSlot right_slot = ScheduleSlot::Hand;
    };
    bool takes(const SchedulePtr& schedule) const;  // it is of the open kernel
    SchedulePtr shown(ScheduleSlot slot) const;
    void refresh();
    DiffPtr diff_of(const SchedulePtr& left, const SchedulePtr& right);
    void request_liveness();
    void request_problems();
    void request_timing();

    JobRunner& jobs_;
    State s_;
    bool timing_wanted_ = false;
    bool follow_live_ = true;
};

}  // namespace cubinlab::ui
