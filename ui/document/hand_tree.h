// SPDX-License-Identifier: GPL-3.0-or-later
// Every state of the hand schedule since the kernel was opened, as a tree of edits. Undo goes to the parent,
// redo to the child visited last, and a new edit after undo opens a branch. No state is ever lost.
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
    void stand_at(std::size_t node);

    Schedule start_, schedule_;
    std::vector<HandNode> nodes_;
    std::size_t current_ = 0;
};

}  // namespace cubinlab::ui
