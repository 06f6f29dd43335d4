// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/flow_view.h"

#include <QVBoxLayout>

#include "ui/graph/graph_canvas.h"
#include "ui/graph/graph_toolbar.h"
#include "ui/selection.h"

namespace cubinlab::ui {

FlowView::FlowView(Selection* selection, QWidget* parent) : QWidget(parent) {
    build(selection);
}

void FlowView::build(Selection* selection) {
    selection_ = selection;
    setAccessibleName(tr("Control flow"));
    canvas_ = new GraphCanvas;
    canvas_->setAccessibleName(tr("Control-flow graph"));
    toolbar_ = new GraphToolbar(*canvas_, false);
    toolbar_->suggested_name = QStringLiteral("control-flow");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(toolbar_);
    column->addWidget(canvas_, 1);
    setFocusProxy(canvas_);
    toolbar_->show_graph(nullptr);
    canvas_->set_message(tr("Open a cubin to see its blocks and loops."));
    connect(canvas_, &GraphCanvas::node_chosen, this, [this](quint32 node) {
        const PlacedGraphPtr graph = canvas_->graph();
        if (graph && node < graph->picture.nodes.size()) selection_->select(graph->picture.nodes[node].instr);
    });
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
