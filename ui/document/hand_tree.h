// SPDX-License-Identifier: GPL-3.0-or-later
// Every state of the hand schedule since the kernel was opened: a tree of edits in which undo goes to the
// parent and a new edit after undo opens another branch; nothing that was done is ever lost from it.
//
//   tree.edited(mutation, backward, "Move ...", schedule)     // a child of the current node, now current
//   tree.moved_to(hash)                                       // undo, redo, jump
#pragma once
#include <QString>
#include <optional>
#include <vector>

#include "core/run/evaluator.h"
#include "core/schedule/mutation.h"

namespace cubinlab::ui {

struct HandFigure {  // what an evaluator said of a state against the original
    EvaluatorKind kind = EvaluatorKind::Model;
    OutcomeKind outcome = OutcomeKind::Ok;
    Verdict verdict = Verdict::Unclear;
    double log_speedup = 0, low = 0, high = 0;
    QString detail;  // device, or what was seen
};

struct HandNode {
    std::size_t parent = 0;  // of node 0: itself
    Mutation forward, backward;
    QString label;
    Hash128 hash;  // of the schedule there
    std::optional<HandFigure> modelled, measured;
    std::vector<std::size_t> children;
};

class HandTree {
  public:
    explicit HandTree(const Hash128& start);

    const std::vector<HandNode>& nodes() const { return nodes_; }
    std::size_t current() const { return current_; }
    // Returns the node that is current now: an equal child is taken again.
    std::size_t edited(const Mutation& forward, const Mutation& backward, const QString& label,
                       const Hash128& hash);
    void go_to(std::size_t node) { current_ = node; }

    std::vector<std::size_t> path_to(std::size_t node) const;  // from node 0 on, without it
    // The line through the current node: its path, and from there the newest child each time.
    std::vector<std::size_t> line() const;
    // Figures belong to a schedule, wherever it turns up.
    bool set_figure(const Hash128& hash, const HandFigure& figure);

  private:
    std::vector<HandNode> nodes_;
    std::size_t current_ = 0;
};

}  // namespace cubinlab::ui
