// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/flow_picture.h"

#include <QCoreApplication>
#include <algorithm>
#include <set>

namespace cubinlab::ui {
namespace {

struct FlowWords {
    Q_DECLARE_TR_FUNCTIONS(graphs)
};

}  // namespace

GraphPicture flow_picture(const FlowGraph& flow, const std::vector<BlockFacts>& facts, const QString& title) {
    GraphPicture picture;
    picture.title = title;
    picture.kinds = {
        {FlowWords::tr("Next"), FlowWords::tr("Falls through to the next block"), LineStyle::Solid, 0},
        {FlowWords::tr("Branch"), FlowWords::tr("Jumps forward"), LineStyle::Dashed, 3},
        {FlowWords::tr("Loop"), FlowWords::tr("Jumps back to a loop's header"), LineStyle::Thick, 1}};
    picture.legend = {{Tone::Loop0, FlowWords::tr("outside loops")},
                      {Tone::Loop1, FlowWords::tr("loop depth 1")},
                      {Tone::Loop2, FlowWords::tr("loop depth 2")},
                      {Tone::Loop3, FlowWords::tr("depth 3 and deeper")}};
    const std::set<std::pair<BlockId, BlockId>> back(flow.back_edges.begin(), flow.back_edges.end());
    for (BlockId b = 0; b < flow.blocks.size(); ++b) {
        const Block& block = flow.blocks[b];
        const BlockFacts fact = b < facts.size() ? facts[b] : BlockFacts{};
        PictureNode node;
        node.instr = fact.first;
        node.title = FlowWords::tr("Block %1: %2 instr").arg(b).arg(block.count);
        node.detail = FlowWords::tr("0x%1  depth %2")
                          .arg(16 * block.first, 4, 16, QLatin1Char('0'))
                          .arg(block.loop_depth);
        node.tone = static_cast<Tone>(static_cast<int>(Tone::Loop0) + std::min<int>(block.loop_depth, 3));
        node.tooltip =
            FlowWords::tr("Block %1, %2 instructions, %3 stall cycles, loop depth %4\nends with %5")
                .arg(b)
                .arg(block.count)
                .arg(fact.stall_cycles)
                .arg(block.loop_depth)
                .arg(fact.ends_with);
        if (block.unknown_successors) node.tooltip += FlowWords::tr("\nbranches to an unknown target");
        if (block.unknown_predecessors)
            node.tooltip += FlowWords::tr("\nentry, or reached from an unknown source");
        picture.nodes.push_back(std::move(node));
        for (const BlockId to : block.successors) {
            PictureEdge edge;
            edge.from = b;
            edge.to = to;
            edge.kind = back.count({b, to}) ? 2 : to == b + 1 ? 0 : 1;
            const QString& label = picture.kinds[edge.kind].name;
            edge.label = picture.keep(label);
            edge.tooltip = picture.keep(
                FlowWords::tr("%1: block %2 %3 block %4").arg(label).arg(b).arg(QChar(0x2192)).arg(to));
            picture.edges.push_back(std::move(edge));
        }
    }
    return picture;
}

}  // namespace cubinlab::ui
