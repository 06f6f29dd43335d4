// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/loop_graph.h"

#include <set>
#include <tuple>

namespace cubinlab::ui {
namespace {

// Natural loop of a back edge: its header and all blocks that reach the latch without passing the header.
std::set<BlockId> natural_loop(const FlowGraph& flow, BlockId latch, BlockId header) {
    std::set<BlockId> body{header};
    std::vector<BlockId> open;
    if (body.insert(latch).second) open.push_back(latch);
    while (!open.empty()) {
        const BlockId block = open.back();
        open.pop_back();
        for (const BlockId from : flow.blocks[block].predecessors)
            if (body.insert(from).second) open.push_back(from);
    }
    return body;
}

}  // namespace

std::vector<BlockId> blocks_of_loop(const FlowGraph& flow, BlockId block) {
    if (block >= flow.blocks.size() || flow.blocks[block].loop_depth == 0) return {};
    // Several back edges to one header are one loop; the smallest body is the innermost.
    std::set<BlockId> best;
    for (const auto& [first_latch, header] : flow.back_edges) {
        std::set<BlockId> body;
        for (const auto& [latch, other] : flow.back_edges)
            if (other == header) body.merge(natural_loop(flow, latch, header));
        if (body.count(block) != 0 && (best.empty() || body.size() < best.size())) best = std::move(body);
    }
    return {best.begin(), best.end()};
}

DependencyGraph build_loop_graph(const Schedule& schedule, const std::vector<BlockId>& blocks) {
    DependencyGraph all;
    for (const BlockId block : blocks) {
        DependencyGraph one = build_dependency_graph(schedule, block, blocks.size() == 1);
        for (int& cycle : one.earliest)
            cycle += all.length;
        all.length += one.length;
        all.nodes.insert(all.nodes.end(), one.nodes.begin(), one.nodes.end());
        all.edges.insert(all.edges.end(), one.edges.begin(), one.edges.end());
        all.earliest.insert(all.earliest.end(), one.earliest.begin(), one.earliest.end());
        all.slack.insert(all.slack.end(), one.slack.begin(), one.slack.end());
        all.critical_path.insert(all.critical_path.end(), one.critical_path.begin(), one.critical_path.end());
    }
    if (blocks.size() < 2) return all;
    const Kernel& kernel = *schedule.kernel();
    const std::set<BlockId> inside(blocks.begin(), blocks.end());
    std::set<std::tuple<InstrId, InstrId, int, int, int>> seen;  // several paths lead to one use
    for (Dependence& d : dependences_across_blocks(schedule)) {
        if (inside.count(kernel.block_of(d.from)) == 0 || inside.count(kernel.block_of(d.to)) == 0) continue;
        if (!seen.emplace(d.from, d.to, int(d.kind), int(d.file), int(d.reg)).second) continue;
        d.loop_carried = schedule.position_of(d.to) < schedule.position_of(d.from);
        all.edges.push_back(std::move(d));
    }
    return all;
}

}  // namespace cubinlab::ui
