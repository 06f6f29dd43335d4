// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/flow_view.h"

#include "ui/document/selection.h"
#include "ui/graph/graph_canvas.h"
#include "ui/graph/graph_frame.h"
#include "ui/graph/graph_toolbar.h"

namespace cubinlab::ui {

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

}  // namespace cubinlab::ui
