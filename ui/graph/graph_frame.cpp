// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/graph_frame.h"

#include <QVBoxLayout>

#include "ui/document/selection.h"
#include "ui/graph/graph_canvas.h"
#include "ui/graph/graph_toolbar.h"

namespace cubinlab::ui {

InstrId instr_of_node(const GraphCanvas& canvas, std::uint32_t node) {
    const PlacedGraphPtr graph = canvas.graph();
    return graph && node < graph->picture.nodes.size() ? graph->picture.nodes[node].instr : kNone;
}

GraphFrame build_graph_frame(QWidget* view, Selection* selection, const QString& name, bool dependences,
                             const QString& file_name, const QString& empty) {
    GraphFrame frame;
    view->setAccessibleName(name);
    frame.canvas = new GraphCanvas;
    GraphCanvas* canvas = frame.canvas;
    canvas->setAccessibleName(name);
    frame.toolbar = new GraphToolbar(*canvas, dependences);
    frame.toolbar->suggested_name = file_name;
    auto* column = new QVBoxLayout(view);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(frame.toolbar);
    column->addWidget(canvas, 1);
    view->setFocusProxy(canvas);
    frame.toolbar->show_graph(nullptr);
    canvas->set_message(empty);
    QObject::connect(canvas, &GraphCanvas::node_chosen, view, [canvas, selection](quint32 node) {
        if (const InstrId id = instr_of_node(*canvas, node); id != kNone) selection->select(id);
    });
    QObject::connect(canvas, &GraphCanvas::node_hovered, view,
                     [canvas, selection](quint32 node) { selection->hover(instr_of_node(*canvas, node)); });
    return frame;
}

}  // namespace cubinlab::ui
