// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/graph_view.h"

#include "ui/document/selection.h"
#include "ui/graph/graph_canvas.h"
#include "ui/graph/graph_frame.h"
#include "ui/graph/graph_toolbar.h"

namespace cubinlab::ui {
namespace {
constexpr std::size_t kCached = 24;
}

GraphView::GraphView(Selection* selection, QWidget* parent) : QWidget(parent) {
    build(selection);
}

void GraphView::build(Selection* selection) {
    selection_ = selection;
    const GraphFrame frame =
        build_graph_frame(this, selection, tr("Dependency graph"), true, QStringLiteral("dependencies"),
                          tr("Open a cubin and select an instruction to see the dependences of its block."));
    canvas_ = frame.canvas;
    toolbar_ = frame.toolbar;
    connect(toolbar_, &GraphToolbar::whole_loop_changed, this, [this] {
        if (refresh_) refresh_();
    });
    connect(selection_, &Selection::changed, this, [this] { show_selection(); });
}

void GraphView::set_graph(PlacedGraphPtr graph) {
    k_.node_of.clear();
    if (graph)
        for (std::uint32_t v = 0; v < graph->picture.nodes.size(); ++v)
            k_.node_of[graph->picture.nodes[v].instr] = v;
    toolbar_->show_graph(graph);
    canvas_->set_selected(kNoNode);
    canvas_->set_graph(graph);
    show_selection();
}

void GraphView::show_selection() {
    const auto found = k_.node_of.find(selection_->instr());
    canvas_->set_selected(found == k_.node_of.end() ? kNoNode : found->second);
}

PlacedGraphPtr GraphView::cached(const Key& key) {
    for (auto it = k_.cache.begin(); it != k_.cache.end(); ++it) {
        if (!(it->first == key)) continue;
        k_.cache.splice(k_.cache.begin(), k_.cache, it);
        return k_.cache.front().second;
    }
    return nullptr;
}

void GraphView::remember(const Key& key, PlacedGraphPtr graph) {
    k_.cache.emplace_front(key, std::move(graph));
    if (k_.cache.size() > kCached) k_.cache.pop_back();
}

void GraphView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (std::exchange(k_.hidden_change, false) && refresh_) refresh_();
}

}  // namespace cubinlab::ui
