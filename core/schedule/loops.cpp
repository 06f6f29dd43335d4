// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/loops.h"

#include <algorithm>
#include <map>

namespace cubinlab {
namespace {

// Nodes are blocks shifted by one; node 0 is a root in front of every block that may be entered from outside.
class Dominators {
  public:
    Dominators(const FlowGraph& graph, const std::vector<std::pair<BlockId, BlockId>>& return_edges)
        : successors_(graph.blocks.size() + 1), predecessors_(graph.blocks.size() + 1) {
        for (BlockId b = 0; b < graph.blocks.size(); ++b) {
            for (const BlockId to : graph.blocks[b].successors)
                connect(b + 1, to + 1);
            if (graph.blocks[b].unknown_predecessors && !returned_to(b, return_edges)) connect(0, b + 1);
        }
        for (const auto& [from, to] : return_edges)
            connect(from + 1, to + 1);
        number();
        solve();
    }

    bool reachable(BlockId b) const { return order_of_[b + 1] != kNone; }
    bool dominates(BlockId a, BlockId b) const {
        std::uint32_t node = b + 1;
        while (node != 0 && node != a + 1)
            node = parent_[node];
        return node == a + 1;
    }
    const std::vector<std::uint32_t>& predecessors(BlockId b) const { return predecessors_[b + 1]; }

  private:
    static bool returned_to(BlockId b, const std::vector<std::pair<BlockId, BlockId>>& edges) {
        return std::any_of(edges.begin(), edges.end(), [&](const auto& e) { return e.second == b; });
    }
    void connect(std::uint32_t from, std::uint32_t to) {
        successors_[from].push_back(to);
        predecessors_[to].push_back(from);
    }

    void number() {  // reverse post-order, without recursion: kernels can have thousands of blocks
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
    for (auto& [header, latches] : bodies) {
        std::vector<bool> member(graph.blocks.size(), false);
        std::vector<BlockId> body{header}, work = latches;
        member[header] = true;
        while (!work.empty()) {
            const BlockId b = work.back();
            work.pop_back();
            if (member[b]) continue;
            member[b] = true;
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

}  // namespace cubinlab
