// SPDX-License-Identifier: GPL-3.0-or-later
// The part of GraphView that follows a document: which block, which schedule, and the jobs that draw it.
#include <QPointer>

#include "ui/document.h"
#include "ui/graph/dependency_picture.h"
#include "ui/graph/graph_canvas.h"
#include "ui/graph/graph_toolbar.h"
#include "ui/graph/graph_view.h"
#include "ui/job_runner.h"
#include "ui/selection.h"

namespace cubinlab::ui {

GraphView::GraphView(Document* document, Selection* selection, JobRunner* jobs, QWidget* parent)
    : QWidget(parent), document_(document), jobs_(jobs) {
    build(selection);
    refresh_ = [this] { refresh(); };
    connect(selection_, &Selection::changed, this, [this] { refresh(); });
    connect(document_, &Document::pair_changed, this, [this] { refresh(); });
    const auto forget = [this] {
        ++epoch_;
        cache_.clear();
        shown_.reset();
        busy_ = stale_ = false;
        set_graph(nullptr);
    };
    connect(document_, &Document::closed, this, [this, forget] {
        forget();
        canvas_->set_message(tr("Open a cubin and select an instruction to see what its block depends on."));
    });
    connect(document_, &Document::opened, this, [this, forget] {
        forget();
        refresh();
    });
    refresh();
}

void GraphView::refresh() {
    if (!document_ || !document_->is_open() || !document_->right()) return;
    if (!isVisible()) {  // a hidden dock works when it is shown
        hidden_change_ = true;
        return;
    }
    const SchedulePtr schedule = document_->right();
    const KernelPtr& kernel = schedule->kernel();
    if (kernel->size() == 0) return canvas_->set_message(tr("This kernel has no instructions."));
    // With nothing selected: the largest block, which is where the work usually is.
    BlockId block = 0;
    if (selection_->has() && selection_->instr() < kernel->size()) {
        block = kernel->block_of(selection_->instr());
    } else {
        const auto& blocks = kernel->flow().blocks;
        for (BlockId b = 0; b < blocks.size(); ++b)
            if (blocks[b].count > blocks[block].count) block = b;
    }
    const Key key{schedule->hash(), block};
    if (shown_ && *shown_ == key) return;
    if (PlacedGraphPtr ready = cached(key)) {
        shown_ = key;
        return set_graph(std::move(ready));
    }
    if (busy_) {
        stale_ = true;
        return;
    }
    request(schedule, key);
}

void GraphView::request(const SchedulePtr& schedule, const Key& key) {
    busy_ = true;
    stale_ = false;
    canvas_->set_message(tr("Laying out block %1...").arg(key.block), true);
    const Block& block = schedule->kernel()->flow().blocks[key.block];
    std::vector<NodeText> texts;  // by position in the block: display text is the GUI thread's
    texts.reserve(block.count);
    for (Position p = block.first; p < block.end(); ++p)
        texts.push_back({document_->text_of(schedule->at(p)), 16 * p});
    const std::uint64_t epoch = epoch_;
    jobs_->run<PlacedGraphPtr>(
        QStringLiteral("dependency-graph"),
        [schedule, id = key.block, texts = std::move(texts)](std::stop_token stop) {
            const DependencyGraph graph = build_dependency_graph(*schedule, id);
            std::vector<NodeText> by_node;
            const Position first = schedule->kernel()->flow().blocks[id].first;
            for (const InstrId instr : graph.nodes) {
                const Position at = schedule->position_of(instr) - first;
                by_node.push_back(at < texts.size() ? texts[at] : NodeText{});
            }
            const QString title = tr("Block %1: %2 instructions, %3 cycles, critical path of %4")
                                      .arg(id)
                                      .arg(graph.nodes.size())
                                      .arg(graph.length)
                                      .arg(graph.critical_path.size());
            return place(dependency_picture(graph, by_node, title), stop);
        },
        [this, self = QPointer<GraphView>(this), key, epoch](PlacedGraphPtr graph) {
            if (!self || epoch != epoch_) return;
            busy_ = false;
            if (!graph->layout.complete) return;
            toolbar_->suggested_name = QStringLiteral("dependencies-block-%1").arg(key.block);
            remember(key, graph);
            shown_ = key;
            set_graph(std::move(graph));
            if (stale_) refresh();
        });
}

}  // namespace cubinlab::ui
