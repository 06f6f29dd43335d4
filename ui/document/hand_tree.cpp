// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/hand_tree.h"

#include <algorithm>

namespace cubinlab::ui {

HandTree::HandTree(Schedule start) : start_(std::move(start)), schedule_(start_) {
    HandNode root;
    root.hash = start_.hash();
    nodes_.push_back(std::move(root));
}

// Redo returns to the child visited last.
void HandTree::stand_at(std::size_t node) {
    current_ = node;
    for (; node != 0; node = nodes_[node].parent)
        nodes_[nodes_[node].parent].next = node;
}

Status HandTree::edit(const Mutation& mutation, const QString& label) {
    auto backward = TRY(mutation.inverse(schedule_));
    TRY(mutation.apply(schedule_));
    const Hash128 hash = schedule_.hash();
    for (const std::size_t child : nodes_[current_].children)
        if (nodes_[child].hash == hash && nodes_[child].forward == mutation) {
            stand_at(child);
            return {};
        }
    HandNode node;
    node.parent = current_;
    node.forward = mutation;
    node.backward = std::move(backward);
    node.label = label;
    node.hash = hash;
    for (const HandNode& other : nodes_)  // the same schedule, reached in another way
        if (other.hash == hash) {
            node.modelled = other.modelled;
            node.measured = other.measured;
        }
    nodes_.push_back(std::move(node));
    nodes_[current_].children.push_back(nodes_.size() - 1);
    stand_at(nodes_.size() - 1);
    return {};
}

Result<Mutation> HandTree::undo() {
    if (!can_undo()) return fail(ErrorCode::BadUse, "there is nothing to undo");
    const HandNode& node = nodes_[current_];
    TRY(node.backward.apply(schedule_));
    current_ = node.parent;
    return node.backward;
}

Result<Mutation> HandTree::redo() {
    if (!can_redo()) return fail(ErrorCode::BadUse, "there is nothing to redo");
    const std::size_t next = nodes_[current_].next;
    TRY(nodes_[next].forward.apply(schedule_));
    current_ = next;
    return nodes_[next].forward;
}

Result<Mutation> HandTree::go_to(std::size_t node) {
    if (node >= nodes_.size()) return fail(ErrorCode::BadUse, "there is no such edit");
    Schedule there = start_;
    for (const std::size_t step : path_to(node))
        TRY(nodes_[step].forward.apply(there));
    Mutation way = difference(schedule_, there);
    schedule_ = std::move(there);
    stand_at(node);
    return way;
}

std::vector<std::size_t> HandTree::path_to(std::size_t node) const {
    std::vector<std::size_t> path;
    for (; node != 0; node = nodes_[node].parent)
        path.push_back(node);
    std::reverse(path.begin(), path.end());
    return path;
}

std::vector<std::size_t> HandTree::line() const {
    std::vector<std::size_t> line = path_to(current_);
    for (std::size_t at = nodes_[current_].next; at != 0; at = nodes_[at].next)
        line.push_back(at);
    return line;
}

bool HandTree::set_figure(const Hash128& hash, const HandFigure& figure) {
    bool found = false;
    for (HandNode& node : nodes_)
        if (node.hash == hash) {
            (figure.kind == EvaluatorKind::Gpu ? node.measured : node.modelled) = figure;
            found = true;
        }
    return found;
}

}  // namespace cubinlab::ui
