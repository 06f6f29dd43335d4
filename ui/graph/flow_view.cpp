// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/flow_view.h"

#include <QPointer>
#include <algorithm>
#include <set>

#include "ui/base/job_runner.h"
#include "ui/document/document.h"
#include "ui/document/kernel_name.h"
#include "ui/document/selection.h"
#include "ui/graph/graph_canvas.h"
#include "ui/graph/graph_toolbar.h"

namespace cubinlab::ui {

GraphPicture flow_picture(const FlowGraph& flow, const std::vector<BlockFacts>& facts, const QString& title) {
    GraphPicture picture;
    picture.title = title;
    picture.kinds = {
        {FlowView::tr("Next"), FlowView::tr("Falls through to the next block"), LineStyle::Solid, 0},
        {FlowView::tr("Branch"), FlowView::tr("Jumps forward"), LineStyle::Dashed, 3},
        {FlowView::tr("Loop"), FlowView::tr("Jumps back to a loop's header"), LineStyle::Thick, 1}};
    picture.legend = {{Tone::Loop0, FlowView::tr("outside loops")},
                      {Tone::Loop1, FlowView::tr("loop depth 1")},
                      {Tone::Loop2, FlowView::tr("loop depth 2")},
                      {Tone::Loop3, FlowView::tr("depth 3 and deeper")}};
    const std::set<std::pair<BlockId, BlockId>> back(flow.back_edges.begin(), flow.back_edges.end());
    for (BlockId b = 0; b < flow.blocks.size(); ++b) {
        const Block& block = flow.blocks[b];
        const BlockFacts fact = b < facts.size() ? facts[b] : BlockFacts{};
        PictureNode node;
        node.instr = fact.first;
        node.title = FlowView::tr("Block %1: %2 instr").arg(b).arg(block.count);
        node.detail = FlowView::tr("0x%1  depth %2")
                          .arg(16 * block.first, 4, 16, QLatin1Char('0'))
                          .arg(block.loop_depth);
        node.tone = static_cast<Tone>(static_cast<int>(Tone::Loop0) + std::min<int>(block.loop_depth, 3));
        node.tooltip = FlowView::tr("Block %1, %2 instructions, %3 stall cycles, loop depth %4\nends with %5")
                           .arg(b)
                           .arg(block.count)
                           .arg(fact.stall_cycles)
                           .arg(block.loop_depth)
                           .arg(fact.ends_with);
        if (block.unknown_successors) node.tooltip += FlowView::tr("\nbranches to an unknown target");
        if (block.unknown_predecessors)
            node.tooltip += FlowView::tr("\nentry, or reached from an unknown source");
        picture.nodes.push_back(std::move(node));
        for (const BlockId to : block.successors) {
            PictureEdge edge;
            edge.from = b;
            edge.to = to;
            edge.kind = back.count({b, to}) ? 2 : to == b + 1 ? 0 : 1;
            const QString& label = picture.kinds[edge.kind].name;
            edge.label = picture.keep(label);
            edge.tooltip = picture.keep(
                FlowView::tr("%1: block %2 %3 block %4").arg(label).arg(b).arg(QChar(0x2192)).arg(to));
            picture.edges.push_back(std::move(edge));
        }
    }
    return picture;
}

FlowView::FlowView(Selection* selection, QWidget* parent) : QWidget(parent) {
    build(selection);
}

void FlowView::build(Selection* selection) {
    selection_ = selection;
    const GraphFrame frame =
        build_graph_frame(this, selection, tr("Control flow"), false, QStringLiteral("control-flow"),
                          tr("Open a cubin to see its blocks and loops."));
    canvas_ = frame.canvas;
    toolbar_ = frame.toolbar;
    connect(selection_, &Selection::changed, this, [this] { show_selection(); });
}

void FlowView::set_graph(PlacedGraphPtr graph, std::vector<BlockId> block_of) {
    block_of_ = std::move(block_of);
    toolbar_->show_graph(graph);
    canvas_->set_graph(std::move(graph));
    show_selection();
}

void FlowView::show_selection() {
    const InstrId id = selection_->instr();
    canvas_->set_selected(id < block_of_.size() ? block_of_[id] : kNoNode);
}

FlowView::FlowView(Document* document, Selection* selection, JobRunner* jobs, QWidget* parent)
    : QWidget(parent), document_(document), jobs_(jobs) {
    build(selection);
    connect(document_, &Document::opened, this, [this] { refresh(); });
    connect(document_, &Document::leaving, this, [this] {
        set_graph(nullptr, {});
        canvas_->set_message(tr("Open a cubin to see its blocks and loops."));
    });
    if (document_->is_open()) refresh();
}

void FlowView::refresh() {
    const KernelPtr kernel = document_->kernel();
    if (!kernel) return;
    set_graph(nullptr, {});
    if (!kernel->arch().decodable())
        return canvas_->set_message(tr("%1 code is not decoded: its branches are unknown.")
                                        .arg(QString::fromStdString(kernel->arch().name())));
    canvas_->set_message(
        tr("Laying out %n block(s)...", nullptr, static_cast<int>(kernel->flow().blocks.size())), true);
    std::vector<BlockFacts> facts;
    for (const Block& block : kernel->flow().blocks) {
        BlockFacts fact;
        if (block.count > 0) {
            fact.first = block.first;  // in the original, id and position agree
            fact.ends_with = document_->text_of(block.end() - 1);
            for (Position p = block.first; p < block.end(); ++p)
                fact.stall_cycles += kernel->instruction(p).control().stall;
        }
        facts.push_back(fact);
    }
    jobs_->run<PlacedGraphPtr>(
        QStringLiteral("flow-graph"),
        [kernel, facts = std::move(facts)](std::stop_token stop) {
            const QString title =
                tr("%1: %2 blocks, %3 instructions")
                    .arg(called(QString::fromStdString(kernel->name())),
                         QString::number(kernel->flow().blocks.size()), QString::number(kernel->size()));
            return place(flow_picture(kernel->flow(), facts, title), stop);
        },
        [this, self = QPointer<FlowView>(this), kernel](PlacedGraphPtr graph) {
            if (!self || !graph->layout.complete) return;
            set_graph(std::move(graph), kernel->flow().block_of);
        });
}

}  // namespace cubinlab::ui
