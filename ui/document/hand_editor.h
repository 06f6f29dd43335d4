// SPDX-License-Identifier: GPL-3.0-or-later
// Edits the hand schedule of the open kernel. Every edit asks the checker once; a rejected edit is explained and
// not made. So every state of the tree is proven legal and is not checked again.
#pragma once
#include <QObject>
#include <QString>
#include <memory>

#include "core/legality/hazard_checker.h"
#include "ui/document/compared_pair.h"
#include "ui/document/hand_tree.h"

namespace cubinlab::ui {

class JobRunner;

// Why an edit was rejected; empty hazards: the reason is not a hazard (first of its block, pinned ...).
struct Refusal {
    InstrId instr = kNone;
    QString attempt;  // "Move 0x0120 FADD up past 0x0110 LDG"
    QString reason;   // one sentence
    Legality hazards;
};

class HandEditor : public QObject {
    Q_OBJECT

  public:
    HandEditor(ComparedPair& pair, JobRunner& jobs, QObject* parent = nullptr);
    ~HandEditor() override;

    // Every state since the kernel was opened, undone branches included; valid while a kernel is open. The
    // current node is the hand schedule.
    const HandTree& tree() const { return *s_.tree; }
    bool can_edit() const { return s_.checker != nullptr; }
    QString why_not_editable() const;

    bool move_to(InstrId id, Position to);  // false: refused() was emitted
    // Moves to the nearest legal position (-1 up, +1 down), or to the furthest. If the search takes more than a few
    // frames, a job continues it and moves the instruction unless something was edited meanwhile.
    bool move_by(InstrId id, int direction);
    bool move_furthest(InstrId id, int direction);
    bool set_control(InstrId id, const ControlCode& control);
    bool apply(const Mutation& mutation, const QString& label);
    void undo();
    void redo();
    bool go_to_edit(std::size_t node);  // a node of the tree; one step of the log
    // Makes one undoable edit after a job has proven the schedule legal.
    void reset_hand_to(SchedulePtr schedule, const QString& label);
    // Restores re-verified edits after a crash. Does not emit edited(), so nothing is logged.
    void restore_hand(const HandTree& tree);
    void note_figure(const Hash128& schedule, const HandFigure& figure);
    // Reports why an edit is impossible, like a rejection by the checker.
    void refuse_edit(InstrId id, const QString& attempt, const QString& reason, Legality hazards = {});

    // Called by the document: another kernel; its checker, or why there is none.
    void begin(const OpenKernel& open);
    void set_checker(CheckerPtr checker, const QString& problem);
    void clear() { s_ = {}; }

  Q_SIGNALS:
    void changed();       // the hand schedule
    void tree_changed();  // nodes, the current node or results of nodes
    // An edit was applied (undo and redo included), for the log. `result` is the hand schedule after it.
    void edited(const cubinlab::Mutation& mutation, const cubinlab::ui::SchedulePtr& result,
                const QString& label);
    void refused(const cubinlab::ui::Refusal& refusal);

  private:
    struct State {
        KernelPtr kernel;
        CheckerPtr checker;
        QString checker_problem;
        SchedulePtr hand;
        std::unique_ptr<HandTree> tree;
    };
    QString name(InstrId id) const;  // "FADD 0x0120", its place in the hand schedule
    QString attempt_of(InstrId id, Position to) const;
    QString plain_reason(const Legality& hazards) const;
    bool refuse(InstrId id, const QString& attempt, const QString& reason, Legality hazards = {});
    bool refuse_move(InstrId id, Position to);
    bool refuse_neighbour(InstrId id, int direction);
    bool move_to_first(InstrId id, int from, int end, int direction, int refused);
    bool take(const Mutation& proven, const QString& label);  // the checker allows it
    void take_as_hand(const SchedulePtr& schedule, const QString& label, Legality hazards);
    void show_tree();  // as the hand schedule, on the right
    void was_edited(const Mutation& mutation, const QString& label);

    ComparedPair& pair_;
    JobRunner& jobs_;
    State s_;
};

}  // namespace cubinlab::ui
