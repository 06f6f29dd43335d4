// SPDX-License-Identifier: GPL-3.0-or-later
// The open kernel of a cubin, its display text, and the schedules ("heads") that views compare.
//
//   Original  the schedule in the file
//   Hand      edited by the user only
//   Best      the agent's best so far (the original until there is one)
//   Viewed    a step of a run, selected in a chart or a table
//   Other     the same kernel in another file, for comparison
//   Minimal   the essential edits of Best, once they are known
//
// Views show the pair left()/right() and diff(), and read them again on pair_changed(). Slow work runs on job
// threads; signals arrive on the GUI thread.
#pragma once
#include <QObject>
#include <QString>
#include <QStringList>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "core/binary/kernel_list.h"
#include "core/gpu/protocol/workload.h"
#include "core/insight/liveness.h"
#include "core/insight/schedule_diff.h"
#include "core/legality/hazard_checker.h"
#include "core/model/sm_model.h"
#include "core/sass/disassembler.h"
#include "core/schedule/schedule.h"
#include "ui/base/schedule_slot.h"
#include "ui/document/hand_tree.h"

namespace cubinlab::ui {

class JobRunner;

// Tag of the job that opens a file or session: the last request wins.
inline constexpr const char* kOpenJob = "open";

QString title_of(ScheduleSlot head);  // "Original", "Hand", "Agent's best", "Step"

using SchedulePtr = std::shared_ptr<const Schedule>;
using DiffPtr = std::shared_ptr<const ScheduleDiff>;
using LivenessPtr = std::shared_ptr<const Liveness>;
using TimingPtr = std::shared_ptr<const ModelRun>;  // of the SM model: cycles, never time

struct StepRef {
    RunId run = 0;
    StepId step = 0;
    friend bool operator==(const StepRef&, const StepRef&) = default;
};

// A file with several kernels; the user must choose one.
struct KernelChoices {
    std::shared_ptr<const Container> container;
    KernelList list;
    std::vector<std::string> labels;  // of all kernels of the list, in its order
    std::string wish = {};            // KernelQuery::kernel, which matches several
};
using KernelChoicesPtr = std::shared_ptr<const KernelChoices>;
KernelChoices choices_of(std::shared_ptr<const Container> container, std::string wish, std::stop_token stop);

// Why an edit was rejected; empty hazards: the reason is not a hazard (first of its block, pinned ...).
struct Refusal {
    InstrId instr = kNone;
    QString attempt;  // "Move 0x0120 FADD up past 0x0110 LDG"
    QString reason;   // one sentence
    Legality hazards;
};

// Result of the file check (CheckMode::Absolute, without an original to compare with).
struct FileCheck {
    enum class State { Pending, Done, Impossible } state = State::Pending;
    std::shared_ptr<const CheckReport> report;  // null until done
    QString problem;                            // why the check is impossible
};

class Document : public QObject {
    Q_OBJECT

  public:
    explicit Document(JobRunner& jobs, QObject* parent = nullptr);
    ~Document() override;

    // ---- the open kernel (GUI thread; valid between opened() and closed()) ----
    bool is_open() const { return s_.kernel != nullptr; }
    KernelPtr kernel() const { return s_.kernel; }
    std::filesystem::path path() const { return s_.path; }
    // Number of the image in that file, from 1; empty if the file has no images.
    QString image() const { return s_.image; }
    QStringList kernel_names() const;
    const Listing& listing() const { return s_.listing; }
    CheckerPtr checker() const { return s_.checker; }  // null until checker_ready()
    const std::optional<Workload>& workload() const { return s_.workload; }
    QString workload_problem() const { return s_.workload_problem; }
    // Display text of an instruction: "@!P2 LDG.E.128 R8, desc[UR6][R18.64]".
    QString text_of(InstrId id) const;
    // "FADD 0x0120": the mnemonic and the offset in `schedule` (byte offset = 16 * position).
    QString name_of(InstrId id, const Schedule& schedule) const;
    // A hazard's explanation, with instructions named by their positions in `schedule`.
    QString explanation_of(const Hazard& hazard, const Schedule& schedule) const;

    // ---- heads and the shown pair ----
    SchedulePtr head(ScheduleSlot head) const;  // Viewed: null until a step is selected
    ScheduleSlot left_head() const { return s_.left_head; }
    ScheduleSlot right_head() const { return s_.right_head; }
    SchedulePtr left() const { return s_.left; }
    SchedulePtr right() const { return s_.right; }
    DiffPtr diff() const { return s_.diff; }                        // of left() and right()
    LivenessPtr left_liveness() const { return s_.left_liveness; }  // null until computed
    LivenessPtr right_liveness() const { return s_.right_liveness; }
    TimingPtr left_timing() const { return s_.left_timing; }  // null unless requested and computed
    TimingPtr right_timing() const { return s_.right_timing; }
    void want_timing(bool on);                                // requests the model's issue cycles
    const Legality& problems() const { return s_.problems; }  // of right() against the original
    // What is legal in right() only if the program keeps a promise (hazard_checker.h): no problems.
    const std::vector<CheckNote>& check_notes() const { return s_.check_notes; }
    // Check of the kernel in the file alone, like `cubinlab check FILE`.
    const FileCheck& file_check() const { return s_.file_check; }
    StepRef viewed_step() const { return s_.viewed_step; }
    QString other_name() const { return s_.other_name; }  // file of ScheduleSlot::Other
    const std::filesystem::path& other_path() const { return s_.other_path; }
    StepRef best_step() const { return s_.best_step; }
    bool shows(ScheduleSlot head) const { return s_.left_head == head || s_.right_head == head; }
    // "12 of 348 edits, +1.63 % in the model"
    QString minimal_about() const { return s_.minimal_about; }
    QString minimal_edits() const { return s_.minimal_edits; }  // "12 of 348 edits"
    bool follow_live() const { return follow_live_; }

    // ---- opening (asynchronous: opened(), choice_wanted() or failed()) ----
    // Opens anything that contains cubins. Without a kernel name it opens the largest kernel of a cubin; for
    // other files with several kernels it emits choice_wanted().
    void open(const std::filesystem::path& file, const QString& kernel_name = {}, const QString& image = {});
    void open_kernel(KernelPtr kernel, std::optional<std::string> stored_listing, std::string workload_json);
    void close();

    // ---- the hand head ----
    // Every state since the kernel was opened, undone branches included; valid while open. The current node
    // is the hand head.
    const HandTree& tree() const { return *s_.tree; }
    bool go_to_edit(std::size_t node);  // a node of the tree; one step of the log
    void note_figure(const Hash128& schedule, const HandFigure& figure);
    bool can_edit() const;  // editable architecture and a checker
    QString why_not_editable() const;
    bool move_to(InstrId id, Position to);  // through the checker; false: edit_refused() was emitted
    // Moves to the nearest legal position (-1 up, +1 down), or to the furthest. If the search takes more than a few
    // frames, a job continues it and moves the instruction unless something was edited meanwhile.
    bool move_by(InstrId id, int direction);
    bool move_furthest(InstrId id, int direction);
    bool set_control(InstrId id, const ControlCode& control);
    bool apply(const Mutation& mutation, const QString& label);
    void undo();
    void redo();
    // Reports why an edit is impossible, like a rejection by the checker.
    void refuse_edit(InstrId id, const QString& attempt, const QString& reason, Legality hazards = {});
    // Makes one undoable edit after a job has proven the schedule legal.
    void reset_hand_to(SchedulePtr schedule, const QString& label);
    // Restores re-verified edits after a crash. Does not emit hand_edited(), so nothing is logged.
    void restore_hand(const HandTree& tree);

  public Q_SLOTS:
    void show_left(cubinlab::ui::ScheduleSlot head);
    void show_right(cubinlab::ui::ScheduleSlot head);
    void set_follow_live(bool on);
    void set_other(cubinlab::ui::SchedulePtr schedule,
                   const std::filesystem::path& file);  // shown on the left
    // Called by the run controller. A step selected by the user turns "follow live" off.
    void set_best(cubinlab::ui::SchedulePtr schedule, cubinlab::ui::StepRef step);
    // The minimal form of the best. A new best drops it.
    void set_minimal(cubinlab::ui::SchedulePtr schedule, const QString& about, const QString& edits);
    void set_viewed(cubinlab::ui::SchedulePtr schedule, cubinlab::ui::StepRef step);

  Q_SIGNALS:
    void opening(const QString& path);
    // The open kernel is about to close; it is still valid. Listeners drop everything they hold of it
    // (instruction numbers, schedules, rows), so that opened() needs no knowledge of the previous kernel.
    // Jobs of kernel scope end after it (JobRunner::Scope).
    void leaving();
    void opened();  // kernel(), heads, pair and listing() are valid
    void choice_wanted(const cubinlab::ui::KernelChoicesPtr& choices);
    void closed();
    void listing_changed();                     // nvdisasm's text arrived
    void words_only();                          // neither the decoder nor nvdisasm supports this architecture
    void failed(const cubinlab::Error& error);  // nothing was opened; the open kernel stays
    void not_editable(const cubinlab::Error& error);  // there is no checker
    void checker_ready();                             // also emitted after not_editable()
    void pair_changed();                              // left(), right(), diff() or their heads changed
    void liveness_changed();
    void timing_changed();
    void problems_changed();
    void file_checked();  // file_check() has its result
    void hand_changed();  // the hand head changed
    void tree_changed();  // nodes, the current node or results of nodes changed
    // A hand edit was applied (undo and redo included), for the log. `result` is the hand head after it.
    void hand_edited(const cubinlab::Mutation& mutation, const cubinlab::ui::SchedulePtr& result,
                     const QString& label);
    void edit_refused(const cubinlab::ui::Refusal& refusal);
    void follow_live_changed(bool on);

  private:
    // Everything that depends on the open kernel. A job builds it and it is replaced as one value, so no
    // state of another kernel can remain. In an open document left, right, diff and tree are valid.
    struct State {
        KernelPtr kernel;
        std::filesystem::path path;
        QString image;
        KernelChoicesPtr choices;  // instead of a kernel
        Listing listing;
        CheckerPtr checker;
        QString checker_problem;
        std::optional<std::string> stored_listing;
        std::optional<Workload> workload;
        QString workload_problem;
        SchedulePtr original, hand, best, viewed, other, minimal, left, right;
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
        ScheduleSlot left_head = ScheduleSlot::Original;
        ScheduleSlot right_head = ScheduleSlot::Hand;
        std::unique_ptr<HandTree> tree;
    };
    static State state_of(KernelPtr kernel, const std::filesystem::path& path,
                          std::optional<std::string> stored, std::stop_token stop);
    static Result<State> load(const std::filesystem::path& path, const KernelQuery& wish,
                              std::stop_token stop);
    static Result<State> load_kernel(const std::shared_ptr<const Cubin>& cubin, const std::string& name,
                                     std::stop_token stop);
    void start_load(std::function<Result<State>(std::stop_token)> work);
    void adopt(State state);
    void leave();
    void request_file_check();
    void request_checker();
    void request_nvdisasm();
    SchedulePtr shown(ScheduleSlot head) const;
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
