// SPDX-License-Identifier: GPL-3.0-or-later
// Control-flow graph of the open kernel: blocks with size and loop depth. Selecting a block selects its first
// instruction; the block of the selected instruction is marked.
#pragma once
#include <QWidget>
#include <vector>

#include "core/base/ids.h"
#include "core/schedule/flow_graph.h"
#include "ui/graph/graph_picture.h"

namespace cubinlab::ui {

class Document;
class GraphCanvas;
class GraphToolbar;
class JobRunner;
class Selection;

// The control flow of a kernel as a picture: one node per block, toned by loop depth.
// `ends_with`: display text of each block's last instruction; `stalls`: sum of its stall counts, cycles.
struct BlockFacts {
    InstrId first = kNone;
    QString ends_with;
    int stall_cycles = 0;
};

GraphPicture flow_picture(const FlowGraph& flow, const std::vector<BlockFacts>& facts, const QString& title);

class FlowView : public QWidget {
    Q_OBJECT

  public:
    FlowView(Document* document, Selection* selection, JobRunner* jobs, QWidget* parent = nullptr);
    explicit FlowView(Selection* selection, QWidget* parent = nullptr);

    // `block_of`: by InstrId.
    void set_graph(PlacedGraphPtr graph, std::vector<BlockId> block_of);
    GraphCanvas* canvas() const { return canvas_; }
    GraphToolbar* toolbar() const { return toolbar_; }

  private:
    void build(Selection* selection);
    void refresh();
    void show_selection();

    Document* document_ = nullptr;
    Selection* selection_ = nullptr;
    JobRunner* jobs_ = nullptr;
    GraphCanvas* canvas_ = nullptr;
    GraphToolbar* toolbar_ = nullptr;
    std::vector<BlockId> block_of_;
};

}  // namespace cubinlab::ui
