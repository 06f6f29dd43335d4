// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/hand_tree.h"

#include <algorithm>

namespace cubinlab::ui {

HandTree::HandTree(const Hash128& start) {
    HandNode root;
    root.hash = start;
    nodes_.push_back(std::move(root));
}

std::size_t HandTree::edited(const Mutation& forward, const Mutation& backward, const QString& label,
                             const Hash128& hash) {
    for (const std::size_t child : nodes_[current_].children)
        if (nodes_[child].hash == hash && nodes_[child].forward == forward) return current_ = child;
    HandNode node;
    node.parent = current_;
    node.forward = forward;
    node.backward = backward;
    node.label = label;
    node.hash = hash;
    for (const HandNode& other : nodes_)  // the same schedule, reached in another way
        if (other.hash == hash) {
            node.modelled = other.modelled;
            node.measured = other.measured;
        }
    nodes_.push_back(std::move(node));
    nodes_[current_].children.push_back(nodes_.size() - 1);
    return current_ = nodes_.size() - 1;
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
    for (std::size_t at = current_; !nodes_[at].children.empty();) {
        at = nodes_[at].children.back();
        line.push_back(at);
    }
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
