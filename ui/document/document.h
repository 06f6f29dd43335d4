// SPDX-License-Identifier: GPL-3.0-or-later
// What is open: one kernel of one cubin, its display text, and the schedules ("heads") that views compare.
//
//   Original  as the file has it
//   Hand      what the engineer edits; nothing else ever writes it
//   Best      the agent's best so far (the original until there is one)
//   Viewed    any step of a run, chosen in a chart or a table
//   Other     the same kernel in another file, to compare with
//   Minimal   Best without the edits that do not carry its gain, once it was minimised
//
// Views show the pair left()/right() and diff(), and take them again on pair_changed(). Everything slow
// happens on a job thread; the signals arrive on the GUI thread.
#pragma once
#include <QObject>
#include <QString>
#include <QStringList>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "core/insight/liveness.h"
#include "core/legality/hazard_checker.h"
#include "core/model/sm_model.h"
#include "core/schedule/schedule.h"
#include "ui/base/run_request.h"
#include "ui/document/hand_tree.h"
#include "ui/document/open_kernel.h"

namespace cubinlab::ui {

class JobRunner;

QString title_of(Head head);  // "Original", "Hand", "Agent's best", "Step"

using LivenessPtr = std::shared_ptr<const Liveness>;
using TimingPtr = std::shared_ptr<const ModelRun>;  // the SM model's: cycles, never time

struct StepRef {
    RunId run = 0;
    StepId step = 0;
    friend bool operator==(const StepRef&, const StepRef&) = default;
};

// Why an edit was refused; empty hazards: a reason that is not a hazard (first of its block, pinned ...).
struct Refusal {
    InstrId instr = kNone;
    QString attempt;  // "Move 0x0120 FADD up past 0x0110 LDG"
    QString reason;   // one sentence
    Legality hazards;
};

// What the check of a file by itself came to (CheckMode::Absolute, no original to compare with).
struct FileCheck {
    enum class State { Pending, Done, Impossible } state = State::Pending;
    std::shared_ptr<const CheckReport> report;  // when it is done
    QString problem;                            // why it is impossible
};

class Document : public QObject {
    Q_OBJECT

  public:
    explicit Document(JobRunner& jobs, QObject* parent = nullptr);
    ~Document() override;

    // ---- what is open (GUI thread; valid between opened() and closed()) ----
    bool is_open() const { return s_.open.kernel != nullptr; }
    KernelPtr kernel() const { return s_.open.kernel; }
    std::filesystem::path path() const { return s_.open.path; }
    // Number of the image in that file, from 1; empty where the file is not divided.
    QString image() const { return s_.open.image; }
    QStringList kernel_names() const;
    const Listing& listing() const { return s_.open.listing; }
    CheckerPtr checker() const { return s_.checker; }  // null until checker_ready()
    const std::optional<Workload>& workload() const { return s_.open.workload; }
    QString workload_problem() const { return s_.open.workload_problem; }
    // Display text of an instruction: "@!P2 LDG.E.128 R8, desc[UR6][R18.64]".
    QString text_of(InstrId id) const;
    // "FADD 0x0120": the mnemonic and the offset in `schedule` (byte offset = 16 * position).
    QString name_of(InstrId id, const Schedule& schedule) const;
    // A hazard's explanation, its instructions named by their places in `schedule`.
    QString explanation_of(const Hazard& hazard, const Schedule& schedule) const;

    // ---- heads and the shown pair ----
    SchedulePtr head(Head head) const;  // Viewed: null until a step was viewed
    Head left_head() const { return s_.left_head; }
    Head right_head() const { return s_.right_head; }
    SchedulePtr left() const { return s_.left; }
    SchedulePtr right() const { return s_.right; }
    DiffPtr diff() const { return s_.diff; }                        // of left() and right()
    LivenessPtr left_liveness() const { return s_.left_liveness; }  // null until computed
    LivenessPtr right_liveness() const { return s_.right_liveness; }
    TimingPtr left_timing() const { return s_.left_timing; }  // null unless wanted and computed
    TimingPtr right_timing() const { return s_.right_timing; }
    void want_timing(bool on);                                // issue cycles by the model, for who shows them
    const Legality& problems() const { return s_.problems; }  // of right() against the original
    // What is legal of right() only under a promise of the program (hazard_checker.h): no problems.
    const std::vector<CheckNote>& check_notes() const { return s_.check_notes; }
    // The kernel as the file has it, judged by itself as command `check FILE` does.
    const FileCheck& file_check() const { return s_.file_check; }
    StepRef viewed_step() const { return s_.viewed_step; }
    QString other_name() const { return s_.other_name; }  // file of Head::Other
    const std::filesystem::path& other_path() const { return s_.other_path; }
    StepRef best_step() const { return s_.best_step; }
    bool shows(Head head) const { return s_.left_head == head || s_.right_head == head; }
    // "12 of 348 edits, +1.63 % in the model"
    QString minimal_about() const { return s_.minimal_about; }
    QString minimal_edits() const { return s_.minimal_edits; }  // "12 of 348 edits"
    bool follow_live() const { return follow_live_; }

    // ---- opening and closing (ui/run/opener.h) ----
    void adopt(OpenKernel open);  // in place of what is open: leaving(), opened()
    void close();                 // leaving(), closed()

    // ---- the hand head ----
    // Every state since the kernel was opened, branches left by undo too; only while open. Its current node
    // is the hand head.
    const HandTree& tree() const { return *s_.tree; }
    bool go_to_edit(std::size_t node);  // of the tree; one step of the log
    void note_figure(const Hash128& schedule, const HandFigure& figure);
    bool can_edit() const;  // editable architecture and a checker
    QString why_not_editable() const;
    bool move_to(InstrId id, Position to);  // through the checker; false: edit_refused() was emitted
    // The nearest legal place, -1 up, +1 down; the furthest one. Where it is not found within a few frames, a
    // job looks on, and moves it if nothing was edited meanwhile.
    bool move_by(InstrId id, int direction);
    bool move_furthest(InstrId id, int direction);
    bool set_control(InstrId id, const ControlCode& control);
    bool apply(const Mutation& mutation, const QString& label);
    void undo();
    void redo();
    // Says why an edit cannot be made, as a refusal of the checker is said.
    void refuse_edit(InstrId id, const QString& attempt, const QString& reason, Legality hazards = {});
    // One undoable edit, once a job has proven the schedule.
    void reset_hand_to(SchedulePtr schedule, const QString& label);
    // After a crash: edits that were proven anew. Nothing is logged: hand_edited() stays silent.
    void restore_hand(const HandTree& tree);

  public Q_SLOTS:
    void show_left(cubinlab::ui::Head head);
    void show_right(cubinlab::ui::Head head);
    void set_follow_live(bool on);
    void set_other(cubinlab::ui::SchedulePtr schedule,
                   const std::filesystem::path& file);  // shown on the left
    // From the run controller. A step that is viewed by choice turns "follow live" off.
    void set_best(cubinlab::ui::SchedulePtr schedule, cubinlab::ui::StepRef step);
    // Of the best. It goes when there is another best.
    void set_minimal(cubinlab::ui::SchedulePtr schedule, const QString& about, const QString& edits);
    void set_viewed(cubinlab::ui::SchedulePtr schedule, cubinlab::ui::StepRef step);

  Q_SIGNALS:
    // What is open is about to go, for another kernel or for none; it is still whole. Whoever keeps something
    // of the kernel (an instruction's number, a schedule, rows) drops it here, so that nobody has to know on
    // opened() what there was before. Jobs of the kernel end after it (JobRunner::Life).
    void leaving();
    void opened();  // kernel(), heads, pair and listing() are there
    void closed();
    void listing_changed();  // a better text came in (nvdisasm)
    void words_only();       // nor did nvdisasm: nothing here reads this architecture's instructions
    void not_editable(const cubinlab::Error& error);  // there can be no checker
    void checker_ready();                             // after that, too
    void pair_changed();                              // left(), right(), diff() or which heads they are
    void liveness_changed();
    void timing_changed();
    void problems_changed();
    void file_checked();  // file_check() has its answer
    void hand_changed();  // the hand head
    void tree_changed();  // nodes, the current one, or their figures
    // A hand edit as it was applied (undo and redo too), for the log. `result` is the hand head after it.
    void hand_edited(const cubinlab::Mutation& mutation, const cubinlab::ui::SchedulePtr& result,
                     const QString& label);
    void edit_refused(const cubinlab::ui::Refusal& refusal);
    void follow_live_changed(bool on);

  private:
    // Everything that depends on the kernel that is open. It is replaced as one value, so that nothing of another
    // kernel can be left in it: in an open document left, right, diff and tree are there and of that kernel.
    struct State {
        OpenKernel open;
        CheckerPtr checker;
        QString checker_problem;
        SchedulePtr hand, best, viewed, other, minimal, left, right;
        QString other_name, minimal_about, minimal_edits;
        std::filesystem::path other_path;
        StepRef viewed_step, best_step;
        DiffPtr diff;
        LivenessPtr left_liveness, right_liveness;
        TimingPtr left_timing, right_timing;
        std::shared_ptr<const SmModel> model;
        Legality problems;
        std::vector<CheckNote> check_notes;
        FileCheck file_check;
        Head left_head = Head::Original;
        Head right_head = Head::Hand;
        std::unique_ptr<HandTree> tree;
    };
    void leave();
    void request_file_check();
    void request_checker();
    void request_nvdisasm();
    SchedulePtr shown(Head head) const;
    void refresh_pair();
    void set_pair(SchedulePtr left, SchedulePtr right, DiffPtr diff);
    void request_analysis();
    void request_timing();
    void show_tree();  // as the hand edit, on the right
    void hand_was_edited(const Mutation& mutation, const QString& label);
    QString plain_reason(const Legality& hazards) const;
    bool refuse(InstrId id, const QString& attempt, const QString& reason, Legality hazards = {});
    bool refuse_move(InstrId id, Position to);
    bool legal_at(InstrId id, int place) const;
    bool refuse_neighbour(InstrId id, int direction);
    bool move_to_first(InstrId id, int from, int end, int direction, int refused);
    void take_as_hand(const SchedulePtr& schedule, const QString& label, Legality hazards);
    QString attempt_of(InstrId id, Position to) const;

    JobRunner& jobs_;
    State s_;
    bool timing_wanted_ = false;
    bool follow_live_ = true;
};

}  // namespace cubinlab::ui
