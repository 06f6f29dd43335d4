// SPDX-License-Identifier: GPL-3.0-or-later
// What is open: one kernel of one cubin, its display text, and the schedules ("heads") that views compare.
//
//   Original  as the file has it
//   Hand      what the engineer edits; nothing else ever writes it
//   Best      the agent's best so far (the original until there is one)
//   Viewed    any step of a run, chosen in a chart or a table
//   Other     the same kernel in another file, to compare with
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

#include "core/analysis/hazard_checker.h"
#include "core/analysis/liveness.h"
#include "core/analysis/schedule_diff.h"
#include "core/measure/workload.h"
#include "core/model/sm_model.h"
#include "core/sass/disassembler.h"
#include "core/schedule/edit_history.h"
#include "core/schedule/schedule.h"
#include "ui/hand/hand_tree.h"

namespace cubinlab::ui {

class JobRunner;

enum class Head { Original, Hand, Best, Viewed, Other };
QString title_of(Head head);  // "Original", "Hand", "Agent's best", "Step"

using SchedulePtr = std::shared_ptr<const Schedule>;
using DiffPtr = std::shared_ptr<const ScheduleDiff>;
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

class Document : public QObject {
    Q_OBJECT

  public:
    explicit Document(JobRunner& jobs, QObject* parent = nullptr);
    ~Document() override;

    // ---- what is open (GUI thread; valid between opened() and closed()) ----
    bool is_open() const { return kernel_ != nullptr; }
    KernelPtr kernel() const { return kernel_; }
    std::filesystem::path path() const { return path_; }
    QStringList kernel_names() const;
    const Listing& listing() const { return listing_; }
    CheckerPtr checker() const { return checker_; }  // null until checker_ready()
    const std::optional<Workload>& workload() const { return workload_; }
    QString workload_problem() const { return workload_problem_; }
    // Display text of an instruction: "@!P2 LDG.E.128 R8, desc[UR6][R18.64]".
    QString text_of(InstrId id) const;
    // "0x0120 FADD": the offset in `schedule` (byte offset = 16 * position) and the mnemonic.
    QString name_of(InstrId id, const Schedule& schedule) const;

    // ---- heads and the shown pair ----
    SchedulePtr head(Head head) const;  // Viewed: null until a step was viewed
    Head left_head() const { return left_head_; }
    Head right_head() const { return right_head_; }
    SchedulePtr left() const { return left_; }
    SchedulePtr right() const { return right_; }
    DiffPtr diff() const { return diff_; }                        // of left() and right()
    LivenessPtr left_liveness() const { return left_liveness_; }  // null until computed
    LivenessPtr right_liveness() const { return right_liveness_; }
    TimingPtr left_timing() const { return left_timing_; }  // null unless wanted and computed
    TimingPtr right_timing() const { return right_timing_; }
    void want_timing(bool on);                              // issue cycles by the model, for who shows them
    const Legality& problems() const { return problems_; }  // of right(), full check
    StepRef viewed_step() const { return viewed_step_; }
    QString other_name() const { return other_name_; }  // file of Head::Other
    StepRef best_step() const { return best_step_; }
    bool follow_live() const { return follow_live_; }

    // ---- opening (asynchronous: opened() or failed()) ----
    void open(const std::filesystem::path& cubin, const QString& kernel_name = {});
    void open_kernel(KernelPtr kernel, std::optional<std::string> stored_listing, std::string workload_json);
    void close();

    // ---- the hand head ----
    const EditHistory& history() const { return *history_; }  // only while open
    // Every state since the kernel was opened, branches left by undo too; only while open. Its current node
    // is the hand head, and history() the line through it.
    const HandTree& tree() const { return *tree_; }
    bool go_to_edit(std::size_t node);  // of the tree; one step of the log
    void note_figure(const Hash128& schedule, const HandFigure& figure);
    bool can_edit() const;  // editable architecture and a checker
    QString why_not_editable() const;
    bool move_to(InstrId id, Position to);    // through the checker; false: edit_refused() was emitted
    bool move_by(InstrId id, int direction);  // nearest legal place, -1 up, +1 down
    bool move_furthest(InstrId id, int direction);
    bool set_control(InstrId id, const ControlCode& control);
    bool apply(const Mutation& mutation, const QString& label);
    void undo();
    void redo();
    // Says why an edit cannot be made, as a refusal of the checker is said.
    void refuse_edit(InstrId id, const QString& attempt, const QString& reason, Legality hazards = {});
    void reset_hand_to(SchedulePtr schedule, const QString& label);  // one undoable edit
    // After a crash: a history whose edits were proven anew. Nothing is logged: hand_edited() stays silent.
    void restore_hand(const EditHistory& history);

  public Q_SLOTS:
    void show_left(cubinlab::ui::Head head);
    void show_right(cubinlab::ui::Head head);
    void set_follow_live(bool on);
    void set_other(cubinlab::ui::SchedulePtr schedule, const QString& name);  // shown on the left
    // From the run controller. A step that is viewed by choice turns "follow live" off.
    void set_best(cubinlab::ui::SchedulePtr schedule, cubinlab::ui::StepRef step);
    void set_viewed(cubinlab::ui::SchedulePtr schedule, cubinlab::ui::StepRef step);

  Q_SIGNALS:
    void opening(const QString& path);
    void opened();  // kernel(), heads and listing() are there
    void closed();
    void listing_changed();  // a better text came in (nvdisasm)
    void failed(const cubinlab::Error& error);
    void checker_ready();  // or `failed` if there can be none
    void pair_changed();   // left(), right(), diff() or which heads they are
    void liveness_changed();
    void timing_changed();
    void problems_changed();
    void hand_changed();  // the hand head or its history
    void tree_changed();  // nodes, the current one, or their figures
    // A hand edit as it was applied (undo and redo too), for the log. `result` is the hand head after it.
    void hand_edited(const cubinlab::Mutation& mutation, const cubinlab::ui::SchedulePtr& result,
                     const QString& label);
    void edit_refused(const cubinlab::ui::Refusal& refusal);
    void follow_live_changed(bool on);

  private:
    struct Loaded;
    static Result<Loaded> load(const std::filesystem::path& path, const std::string& name,
                               std::stop_token stop);
    static void read_beside(Loaded& loaded, std::optional<std::string> stored, std::stop_token stop);
    void start_load(std::function<Result<Loaded>(std::stop_token)> work);
    void adopt(Loaded loaded);
    void request_checker();
    void request_nvdisasm();
    SchedulePtr shown(Head head) const;
    void refresh_pair();
    void set_pair(SchedulePtr left, SchedulePtr right, DiffPtr diff);
    void request_analysis();
    void request_timing();
    void hand_was_edited(const Mutation& mutation, const QString& label);
    void note_edit(const QString& label);
    bool refuse(InstrId id, const QString& attempt, const QString& reason, Legality hazards = {});
    bool refuse_move(InstrId id, Position to);
    bool legal_at(InstrId id, int place) const;
    QString attempt_of(InstrId id, Position to) const;

    JobRunner& jobs_;
    KernelPtr kernel_;
    std::filesystem::path path_;
    Listing listing_;
    CheckerPtr checker_;
    QString checker_problem_;
    std::optional<std::string> stored_listing_;
    std::optional<Workload> workload_;
    QString workload_problem_;
    SchedulePtr original_, hand_, best_, viewed_, other_, left_, right_;
    QString other_name_;
    StepRef viewed_step_, best_step_;
    DiffPtr diff_;
    LivenessPtr left_liveness_, right_liveness_;
    TimingPtr left_timing_, right_timing_;
    std::shared_ptr<const SmModel> model_;
    bool timing_wanted_ = false;
    Legality problems_;
    Head left_head_ = Head::Original;
    Head right_head_ = Head::Hand;
    bool follow_live_ = true;
    std::unique_ptr<EditHistory> history_;
    std::unique_ptr<HandTree> tree_;
};

}  // namespace cubinlab::ui
