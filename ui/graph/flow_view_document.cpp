// SPDX-License-Identifier: GPL-3.0-or-later
// The part of FlowView that follows a document. Blocks do not depend on the schedule: one layout per kernel.
#include <QPointer>

#include "ui/base/job_runner.h"
#include "ui/document/document.h"
#include "ui/document/kernel_name.h"
#include "ui/document/selection.h"
#include "ui/graph/flow_picture.h"
#include "ui/graph/flow_view.h"
#include "ui/graph/graph_canvas.h"

namespace cubinlab::ui {

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
