// SPDX-License-Identifier: GPL-3.0-or-later
// The dependency graph of one block as a picture: nodes toned by slack, edges by kind, the critical path
// emphasised, and one sentence per edge:
//
//   RAW on R8, scoreboard 2
//   LDG.E.128 0x0120 -> HMMA 0x01a0
//   needs 500 cycles (expected), has 36: 464 cycles short, guarded by a scoreboard
#pragma once
#include <vector>

#include "core/legality/dependency_graph.h"
#include "ui/graph/graph_picture.h"

namespace cubinlab::ui {

// Display text and byte offset of each node of the graph, by node index.
struct NodeText {
    QString text;
    std::uint32_t offset = 0;  // bytes, in the shown schedule
    bool known = true;         // false: an opcode without a latency; nothing moves past it
};

std::vector<EdgeKind> dependence_kinds();  // in the order of DependenceKind
QString edge_sentence(const Dependence& edge, const NodeText& from, const NodeText& to);
// `hidden`: by node, neighbours that are left out; each node names their number.
GraphPicture dependency_picture(const DependencyGraph& graph, const std::vector<NodeText>& texts,
                                const QString& title, const std::vector<int>& hidden = {});

// A large graph cut down to its critical path, with `around` and its neighbours (kNone: the path alone).
struct FocusedGraph {
    DependencyGraph graph;
    std::vector<int> hidden;  // by node of it: neighbours that are left out
};
inline constexpr std::size_t kLargeGraph = 160;  // nodes
FocusedGraph focus_on_path(const DependencyGraph& whole, InstrId around);

inline constexpr int kTightSlack = 7;  // cycles: up to this much slack a node is "tight"

// The dependency graph of a whole loop: the graphs of its blocks in schedule order, plus the dependences
// between blocks. Slack and critical path are per block, because the path between blocks depends on branches.
DependencyGraph build_loop_graph(const Schedule& schedule, const std::vector<BlockId>& blocks);

}  // namespace cubinlab::ui
