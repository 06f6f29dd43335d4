// SPDX-License-Identifier: GPL-3.0-or-later
// Edits the hand schedule of the open kernel. Every edit asks the checker once; a rejected edit is explained and
// not made. So every state of the tree is proven legal and is not checked again.
#pragma once
#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/legality/hazard_checker.h"
#include "core/result/evaluator.h"
#include "core/schedule/mutation.h"
#include "core/schedule/schedule.h"
#include "ui/document/compared_pair.h"

namespace cubinlab::ui {

class JobRunner;

struct HandFigure {  // an evaluator's result for a state against the original
    EvaluatorKind kind = EvaluatorKind::Model;
    OutcomeKind outcome = OutcomeKind::Ok;
    Verdict verdict = Verdict::Unclear;
    Speedup speedup;
    QString detail;  // device, or what was seen
};

struct HandNode {
    std::size_t parent = 0;  // of node 0: itself
    Mutation forward, backward;
    QString label;
    Hash128 hash;  // of the schedule there
    std::optional<HandFigure> modelled, measured;
    std::vector<std::size_t> children;
    std::size_t next = 0;  // child that redo goes to; 0: none
};

// Every state of the hand schedule since the kernel was opened, as a tree of edits. Undo goes to the parent,
// redo to the child visited last, and a new edit after undo opens a branch. No state is ever lost.
//
//   tree.edit(mutation, "Move ...")     // a child of the current node, now current
//   tree.undo(); tree.redo(); tree.go_to(node);
//   tree.schedule()
class HandTree {
  public:
    explicit HandTree(Schedule start);

    const Schedule& schedule() const { return schedule_; }  // of the current node
    const std::vector<HandNode>& nodes() const { return nodes_; }
    std::size_t current() const { return current_; }
    std::size_t depth() const {
        return path_to(current_).size();
    }  // edits from the start to the current node

    // Applies the edit. Reuses an equal child of the current node. An error changes nothing.
    Status edit(const Mutation& mutation, const QString& label);
    bool can_undo() const { return current_ != 0; }
    bool can_redo() const { return nodes_[current_].next != 0; }
    // The mutation that was applied, for the log.
    Result<Mutation> undo();
    Result<Mutation> redo();
    Result<Mutation> go_to(std::size_t node);

    std::vector<std::size_t> path_to(std::size_t node) const;  // from node 0, which is not included
    // The path to the current node, continued by what redo would apply.
    std::vector<std::size_t> line() const;
    // A result applies to every node with that schedule.
    bool set_figure(const Hash128& hash, const HandFigure& figure);

  private:
    void set_current(std::size_t node);

    Schedule start_, schedule_;
    std::vector<HandNode> nodes_;
    std::size_t current_ = 0;
};

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
    std::size_t questions() const { return s_.questions; }  // to the checker, since the kernel was opened
    QString why_not_editable() const;

    // False: refused() was emitted. `known`: the checker's answer about this edit of the current hand schedule, if a job
    // already has it; else the checker is asked.
    bool move_to(InstrId id, Position to, const EditAnswer* known = nullptr);
    // Moves to the nearest legal position (-1 up, +1 down), or to the furthest. If the search takes more than a few
    // frames, a job continues it and moves the instruction unless something was edited meanwhile.
    bool move_by(InstrId id, int direction);
    bool move_furthest(InstrId id, int direction);
    bool set_control(InstrId id, const ControlCode& control, const EditAnswer* known = nullptr);
    // Several fields of an instruction in one edit.
    bool set_fields(InstrId id, const std::vector<FieldValue>& values);
    bool apply(const Mutation& mutation, const QString& label, const EditAnswer* known = nullptr);
    // The checker has allowed it for the current hand schedule.
    bool apply_proven(const Mutation& mutation, const QString& label);
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
    friend class Document;  // as in ComparedPair
    struct State {
        KernelPtr kernel;
        CheckerPtr checker;
        QString checker_problem;
        std::size_t questions = 0;
        SchedulePtr hand;
        std::unique_ptr<HandTree> tree;
    };
    QString name(InstrId id) const;  // "FADD 0x0120", its place in the hand schedule
    QString attempt_of(InstrId id, Position to) const;
    QString plain_reason(const Legality& hazards) const;
    bool refuse(InstrId id, const QString& attempt, const QString& reason, Legality hazards = {});
    bool refuse_pinned(InstrId id, Position to);
    bool take_answer(PlaceSearch search, PlaceAnswer answer);
    void take_as_hand(const SchedulePtr& schedule, const QString& label, Legality hazards);
    // Shows the tree's schedule as the hand schedule, on the right. `done`: the edit that led there; null: it is logged.
    void show_tree(const Mutation* done = nullptr, const QString& label = {});

    ComparedPair& pair_;
    JobRunner& jobs_;
    State s_;
};

}  // namespace cubinlab::ui
