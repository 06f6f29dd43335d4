// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/graph_view.h"

#include <QVBoxLayout>

#include "ui/graph/graph_canvas.h"
#include "ui/graph/graph_toolbar.h"
#include "ui/selection.h"

namespace cubinlab::ui {
namespace {
constexpr std::size_t kCached = 24;
}

GraphView::GraphView(Selection* selection, QWidget* parent) : QWidget(parent) {
    build(selection);
}

void GraphView::build(Selection* selection) {
    selection_ = selection;
    setAccessibleName(tr("Dependency graph"));
    canvas_ = new GraphCanvas;
    canvas_->setAccessibleName(tr("Dependency graph"));
    toolbar_ = new GraphToolbar(*canvas_, true);
    toolbar_->suggested_name = QStringLiteral("dependencies");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(toolbar_);
    column->addWidget(canvas_, 1);
    setFocusProxy(canvas_);
    toolbar_->show_graph(nullptr);
    canvas_->set_message(tr("Open a cubin and select an instruction to see what its block depends on."));

    const auto node_instr = [this](quint32 node) {
        const PlacedGraphPtr graph = canvas_->graph();
        return graph && node < graph->picture.nodes.size() ? graph->picture.nodes[node].instr : kNone;
    };
    connect(canvas_, &GraphCanvas::node_chosen, this,
            [this, node_instr](quint32 node) { selection_->select(node_instr(node)); });
    connect(canvas_, &GraphCanvas::node_hovered, this,
            [this, node_instr](quint32 node) { selection_->hover(node_instr(node)); });
    connect(selection_, &Selection::changed, this, [this] { show_selection(); });
}

void GraphView::set_graph(PlacedGraphPtr graph) {
    node_of_.clear();
    if (graph)
        for (std::uint32_t v = 0; v < graph->picture.nodes.size(); ++v)
            node_of_[graph->picture.nodes[v].instr] = v;
    toolbar_->show_graph(graph);
    canvas_->set_selected(kNoNode);
    canvas_->set_graph(graph);
    show_selection();
}

void GraphView::show_selection() {
    const auto found = node_of_.find(selection_->instr());
    canvas_->set_selected(found == node_of_.end() ? kNoNode : found->second);
}

PlacedGraphPtr GraphView::cached(const Key& key) {
    for (auto it = cache_.begin(); it != cache_.end(); ++it) {
        if (!(it->first == key)) continue;
        cache_.splice(cache_.begin(), cache_, it);
        return cache_.front().second;
    }
    return nullptr;
}

void GraphView::remember(const Key& key, PlacedGraphPtr graph) {
    cache_.emplace_front(key, std::move(graph));
    if (cache_.size() > kCached) cache_.pop_back();
}

void GraphView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (std::exchange(hidden_change_, false) && refresh_) refresh_();
}

}  // namespace cubinlab::ui
