// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/loops.h"

#include <algorithm>
#include <map>
#include <set>

namespace cubinlab {
namespace {

// Node numbers are block numbers plus one; node 0 is a root before every block with an external entry.
class Dominators {
  public:
    Dominators(const FlowGraph& graph, const std::vector<std::pair<BlockId, BlockId>>& return_edges)
        : successors_(graph.blocks.size() + 1), predecessors_(graph.blocks.size() + 1) {
        std::vector<bool> returned_to(graph.blocks.size(), false);
        for (const auto& edge : return_edges)
            returned_to[edge.second] = true;
        for (BlockId b = 0; b < graph.blocks.size(); ++b) {
            for (const BlockId to : graph.blocks[b].successors)
                connect(b + 1, to + 1);
            if (graph.blocks[b].unknown_predecessors && !returned_to[b]) connect(0, b + 1);
        }
        for (const auto& [from, to] : return_edges)
            connect(from + 1, to + 1);
        number();
        solve();
    }

    bool reachable(BlockId b) const { return order_of_[b + 1] != kNone; }
    bool dominates(BlockId a, BlockId b) const {
        std::uint32_t node = b + 1;
        // Dominators have lower numbers, so the walk ends when it is past `a`.
        while (order_of_[node] > order_of_[a + 1])
            node = parent_[node];
        return node == a + 1;
    }
    const std::vector<std::uint32_t>& predecessors(BlockId b) const { return predecessors_[b + 1]; }

  private:
    void connect(std::uint32_t from, std::uint32_t to) {
        successors_[from].push_back(to);
        predecessors_[to].push_back(from);
    }

    void number() {  // reverse post-order, without recursion: kernels may have thousands of blocks
        order_of_.assign(successors_.size(), kNone);
        std::vector<bool> seen(successors_.size(), false);
        std::vector<std::pair<std::uint32_t, std::size_t>> stack{{0, 0}};
        seen[0] = true;
        while (!stack.empty()) {
            auto& [node, next] = stack.back();
            if (next < successors_[node].size()) {
                const std::uint32_t to = successors_[node][next++];
                if (!seen[to]) {
                    seen[to] = true;
                    stack.push_back({to, 0});
                }
            } else {
                order_.push_back(node);
                stack.pop_back();
            }
        }
        std::reverse(order_.begin(), order_.end());
        for (std::uint32_t i = 0; i < order_.size(); ++i)
            order_of_[order_[i]] = i;
    }

    std::uint32_t meet(std::uint32_t a, std::uint32_t b) const {
        while (a != b) {
            while (order_of_[a] > order_of_[b])
                a = parent_[a];
            while (order_of_[b] > order_of_[a])
                b = parent_[b];
        }
        return a;
    }

    void solve() {
        parent_.assign(successors_.size(), kNone);
        parent_[0] = 0;
        for (bool changed = true; changed;) {
            changed = false;
            for (const std::uint32_t node : order_) {
                if (node == 0) continue;
                std::uint32_t best = kNone;
                for (const std::uint32_t from : predecessors_[node]) {
                    if (order_of_[from] == kNone || parent_[from] == kNone) continue;
                    best = best == kNone ? from : meet(best, from);
                }
                if (best != parent_[node]) {
                    parent_[node] = best;
                    changed = true;
                }
            }
        }
    }

    std::vector<std::vector<std::uint32_t>> successors_, predecessors_;
    std::vector<std::uint32_t> order_, order_of_, parent_;
};

// Strongly connected components without recursion: kernels may have thousands of blocks.
class Components {
  public:
    explicit Components(const FlowGraph& graph)
        : blocks_(graph.blocks),
          number_(blocks_.size(), kNone),
          low_(blocks_.size()),
          in_cycle_(blocks_.size()) {}

    std::vector<bool> cyclic() {
        for (BlockId b = 0; b < blocks_.size(); ++b)
            if (number_[b] == kNone) visit(b);
        return std::move(in_cycle_);
    }

  private:
    struct Step {
        BlockId block;
        std::size_t next;  // next successor to visit
    };

    void enter(BlockId b) {
        number_[b] = low_[b] = count_++;
        open_.push_back(b);
        path_.push_back({b, 0});
    }

    void visit(BlockId root) {
        enter(root);
        while (!path_.empty()) {
            const BlockId b = path_.back().block;
            if (path_.back().next < blocks_[b].successors.size()) {
                const BlockId to = blocks_[b].successors[path_.back().next++];
                if (to == b) in_cycle_[b] = true;
                if (number_[to] == kNone)
                    enter(to);
                else
                    low_[b] = std::min(low_[b], low_[to]);
                continue;
            }
            path_.pop_back();
            if (!path_.empty()) low_[path_.back().block] = std::min(low_[path_.back().block], low_[b]);
            if (low_[b] == number_[b]) close(b);
        }
    }

    // The nodes above `root` on the stack are one component.
    void close(BlockId root) {
        const bool several = open_.back() != root;
        for (BlockId b = kNone; b != root;) {
            b = open_.back();
            open_.pop_back();
            if (several) in_cycle_[b] = true;
            low_[b] = kNone;  // finished: edges into it lower nothing
        }
    }

    const std::vector<Block>& blocks_;
    std::vector<std::uint32_t> number_, low_;
    std::vector<bool> in_cycle_;
    std::vector<BlockId> open_;
    std::vector<Step> path_;
    std::uint32_t count_ = 0;
};

}  // namespace

void find_loops(FlowGraph& graph, const std::vector<std::pair<BlockId, BlockId>>& return_edges) {
    const Dominators dominators(graph, return_edges);
    std::map<BlockId, std::vector<BlockId>> bodies;  // by header
    for (BlockId b = 0; b < graph.blocks.size(); ++b) {
        if (!dominators.reachable(b)) continue;
        for (const BlockId to : graph.blocks[b].successors)
            if (dominators.dominates(to, b)) {
                graph.back_edges.push_back({b, to});
                bodies[to].push_back(b);
            }
    }
    std::vector<std::size_t> innermost(graph.blocks.size(), graph.blocks.size() + 1);
    std::vector<BlockId> member_of(graph.blocks.size(), kNone);  // the last loop that contains the block
    for (auto& [header, latches] : bodies) {
        std::vector<BlockId> body{header}, work = latches;
        member_of[header] = header;
        while (!work.empty()) {
            const BlockId b = work.back();
            work.pop_back();
            if (member_of[b] == header) continue;
            member_of[b] = header;
            body.push_back(b);
            for (const std::uint32_t node : dominators.predecessors(b))
                if (node != 0 && dominators.reachable(node - 1)) work.push_back(node - 1);
        }
        for (const BlockId b : body) {
            ++graph.blocks[b].loop_depth;
            if (body.size() < innermost[b]) {
                innermost[b] = body.size();
                graph.blocks[b].loop_header = header;
            }
        }
    }
}

std::vector<BlockId> blocks_of_loop(const FlowGraph& graph, BlockId block) {
    const BlockId header = block < graph.blocks.size() ? graph.blocks[block].loop_header : kNone;
    if (header == kNone) return {};
    std::set<BlockId> body{header};
    std::vector<BlockId> open;
    for (const auto& [latch, of] : graph.back_edges)
        if (of == header && body.insert(latch).second) open.push_back(latch);
    while (!open.empty()) {
        const BlockId at = open.back();
        open.pop_back();
        for (const BlockId before : graph.blocks[at].predecessors)
            if (body.insert(before).second) open.push_back(before);
    }
    return {body.begin(), body.end()};
}

std::vector<bool> blocks_in_cycles(const FlowGraph& graph) {
    return Components(graph).cyclic();
}

}  // namespace cubinlab
