// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the two graph docks: a canvas below its tool bar, and nodes that select instructions.
#pragma once
#include <QString>

#include "core/base/ids.h"

class QWidget;

namespace cubinlab::ui {

class GraphCanvas;
class GraphToolbar;
class Selection;

struct GraphFrame {
    GraphCanvas* canvas = nullptr;
    GraphToolbar* toolbar = nullptr;
};

// Fills and connects `view`: choosing a node selects its instruction, pointing at it hovers it.
GraphFrame build_graph_frame(QWidget* view, Selection* selection, const QString& name, bool dependences,
                             const QString& file_name, const QString& empty);

// The instruction of a node of the shown graph; kNone: none.
InstrId instr_of_node(const GraphCanvas& canvas, std::uint32_t node);

}  // namespace cubinlab::ui
