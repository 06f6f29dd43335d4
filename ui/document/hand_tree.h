// SPDX-License-Identifier: GPL-3.0-or-later
// Every state of the hand schedule since the kernel was opened, and where it stands: a tree of edits in which undo goes
// to the parent, redo to the child that was left last, and a new edit after undo opens another branch. Nothing that was
// done is ever lost from it.
//
//   tree.edit(mutation, "Move ...")     // a child of the current node, now current
//   tree.undo(); tree.redo(); tree.go_to(node);
//   tree.schedule()
#pragma once
#include <QString>
#include <optional>
#include <vector>

#include "core/result/evaluator.h"
#include "core/schedule/mutation.h"
#include "core/schedule/schedule.h"

namespace cubinlab::ui {

struct HandFigure {  // what an evaluator said of a state against the original
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
    std::size_t next = 0;  // the child that redo goes to; 0: there is none
};

class HandTree {
  public:
    explicit HandTree(Schedule start);

    const Schedule& schedule() const { return schedule_; }  // of the current node
    const std::vector<HandNode>& nodes() const { return nodes_; }
    std::size_t current() const { return current_; }
    std::size_t depth() const {
        return path_to(current_).size();
    }  // edits from the start to the current node

    // Applies it. An equal child of the current node is taken again. An error leaves everything as it was.
    Status edit(const Mutation& mutation, const QString& label);
    bool can_undo() const { return current_ != 0; }
    bool can_redo() const { return nodes_[current_].next != 0; }
    // What was applied to the schedule, for the log.
    Result<Mutation> undo();
    Result<Mutation> redo();
    Result<Mutation> go_to(std::size_t node);

    std::vector<std::size_t> path_to(std::size_t node) const;  // from node 0 on, without it
    // The line through the current node: its path, and what redo would do from there on.
    std::vector<std::size_t> line() const;
    // Figures belong to a schedule, wherever it turns up.
    bool set_figure(const Hash128& hash, const HandFigure& figure);

  private:
    void stand_at(std::size_t node);

    Schedule start_, schedule_;
    std::vector<HandNode> nodes_;
    std::size_t current_ = 0;
};

}  // namespace cubinlab::ui
