// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/graph_view.h"

#include <QPointer>
#include <QStringList>
#include <algorithm>
#include <unordered_map>

#include "core/model/hot_loop.h"
#include "core/schedule/loops.h"
#include "core/tuning/evaluator_choice.h"
#include "ui/base/job_runner.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/graph/dependency_picture.h"
#include "ui/graph/graph_canvas.h"
#include "ui/graph/graph_toolbar.h"

namespace cubinlab::ui {
namespace {

constexpr std::size_t kCached = 24;
constexpr qint64 kLayoutEveryMs = 500;

QString joined(const std::vector<BlockId>& blocks) {
    QStringList names;
    for (const BlockId block : blocks)
        names << QString::number(block);
    return names.join(QStringLiteral(", "));
}

}  // namespace

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
    for (const auto changed : {&GraphToolbar::whole_loop_changed, &GraphToolbar::all_nodes_changed})
        connect(toolbar_, changed, this, [this] {
            if (refresh_) refresh_();
        });
    later_.setSingleShot(true);
    connect(&later_, &QTimer::timeout, this, [this] {
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

// Cycles include known latencies only.
static QString graph_title(const QString& name, const DependencyGraph& graph,
                           const std::vector<NodeText>& nodes) {
    const auto unknown = std::ranges::count(nodes, false, &NodeText::known);
    const QString title =
        unknown == 0 ? GraphView::tr("%1: %2 instructions, %3 cycles, a critical path of %4 instructions")
                     : GraphView::tr("%1: %2 instructions, at least %3 cycles (unknown opcodes: %4)");
    return title.arg(name)
        .arg(graph.nodes.size())
        .arg(graph.length)
        .arg(unknown == 0 ? graph.critical_path.size() : static_cast<std::size_t>(unknown));
}

GraphView::GraphView(Document* document, Selection* selection, JobRunner* jobs, QWidget* parent)
    : QWidget(parent), document_(document), jobs_(jobs) {
    build(selection);
    refresh_ = [this] { refresh(); };
    connect(selection_, &Selection::changed, this, [this] { refresh(); });
    connect(&document_->pair(), &ComparedPair::changed, this, [this] { refresh(); });
    connect(document_, &Document::leaving, this, [this] {
        k_ = {};  // its jobs end with the kernel
        set_graph(nullptr);
        canvas_->set_message(
            tr("Open a cubin and select an instruction to see the dependences of its block."));
    });
    refresh();
}

void GraphView::refresh() {
    if (!document_ || !document_->is_open() || !document_->pair().right()) return;
    if (!isVisible()) {  // a hidden dock works when it is shown
        k_.hidden_change = true;
        return;
    }
    const SchedulePtr schedule = document_->pair().right();
    const KernelPtr& kernel = schedule->kernel();
    if (kernel->size() == 0) return canvas_->set_message(tr("This kernel has no instructions."));
    if (!kernel->arch().decodable())
        return canvas_->set_message(tr("%1 code is not decoded: its dependences are unknown.")
                                        .arg(QString::fromStdString(kernel->arch().name())));
    // With nothing selected: the hot loop's block, as the Kernel dock has it.
    const BlockId block = selection_->has() && selection_->instr() < kernel->size()
                              ? kernel->block_of(selection_->instr())
                              : hot_block_of(*kernel);
    Key key{schedule->hash(), block, toolbar_->whole_loop()};
    if (key.whole_loop) {  // any block of a loop shows the same graph
        const std::vector<BlockId> blocks = blocks_of_loop(kernel->flow(), block);
        key.whole_loop = !blocks.empty();
        if (key.whole_loop) key.block = blocks.front();
        key.member = block;
    }
    if (size_of(kernel->flow(), key) >= kLargeGraph) {
        key.all = toolbar_->all_nodes();
        if (!key.all && selection_->has()) key.around = selection_->instr();
    }
    toolbar_->set_large(size_of(kernel->flow(), key) >= kLargeGraph);
    // A running job is for another picture and would replace this one.
    k_.stale = k_.busy;
    if (k_.shown && *k_.shown == key) return;
    if (PlacedGraphPtr ready = cached(key)) {
        k_.shown = key;
        return set_graph(std::move(ready));
    }
    if (k_.busy) return;
    if (k_.shown && k_.shown->schedule != key.schedule && k_.since_layout.isValid() &&
        k_.since_layout.elapsed() < kLayoutEveryMs)
        return later_.start(static_cast<int>(kLayoutEveryMs - k_.since_layout.elapsed()));
    k_.since_layout.start();
    request(schedule, key);
}

std::size_t GraphView::size_of(const FlowGraph& flow, const Key& key) {
    if (!key.whole_loop) return flow.blocks[key.block].count;
    std::size_t size = 0;
    for (const BlockId b : blocks_of_loop(flow, key.member))
        size += flow.blocks[b].count;
    return size;
}

BlockId GraphView::hot_block_of(const Kernel& kernel) {
    if (!k_.hot) {
        const SmModelSettings settings = model_settings(kernel, document_->workload());
        k_.hot = hot_block(kernel, trips_by_header(kernel, settings.trips));
    }
    return *k_.hot;
}

void GraphView::request(const SchedulePtr& schedule, const Key& key) {
    k_.busy = true;
    k_.stale = false;
    const FlowGraph& flow = schedule->kernel()->flow();
    const std::vector<BlockId> blocks =
        key.whole_loop ? blocks_of_loop(flow, key.member) : std::vector<BlockId>{key.block};
    canvas_->set_message(
        key.whole_loop ? tr("Laying out the loop of %n block(s)...", nullptr, static_cast<int>(blocks.size()))
                       : tr("Laying out block %1...").arg(key.block),
        true);
    std::unordered_map<InstrId, NodeText> texts;  // display text is the GUI thread's
    for (const BlockId b : blocks)
        for (Position p = flow.blocks[b].first; p < flow.blocks[b].end(); ++p)
            texts[schedule->at(p)] = {
                document_->text_of(schedule->at(p)), 16 * p,
                !schedule->kernel()->instruction(schedule->at(p)).has(Trait::UnknownOpcode)};
    jobs_->run<PlacedGraphPtr>(
        QStringLiteral("dependency-graph"),
        [schedule, blocks, key, texts = std::move(texts)](std::stop_token stop) {
            const bool whole_loop = key.whole_loop;
            DependencyGraph graph = whole_loop ? build_loop_graph(*schedule, blocks)
                                               : build_dependency_graph(*schedule, blocks.front());
            const std::size_t all = graph.nodes.size();
            std::vector<int> hidden;
            if (all >= kLargeGraph && !key.all) {
                FocusedGraph focused = focus_on_path(graph, key.around);
                graph = std::move(focused.graph);
                hidden = std::move(focused.hidden);
            }
            std::vector<NodeText> by_node;
            for (const InstrId instr : graph.nodes)
                by_node.push_back(texts.at(instr));
            QString name =
                whole_loop ? tr("Loop of blocks %1").arg(joined(blocks)) : tr("Block %1").arg(blocks.front());
            if (!hidden.empty()) name = tr("Critical path of %1 (%2 instructions)").arg(name).arg(all);
            GraphPicture picture =
                dependency_picture(graph, by_node, graph_title(name, graph, by_node), hidden);
            const bool known = std::ranges::all_of(by_node, &NodeText::known);
            picture.shorter = {
                (known ? tr("%1: %2 instructions, %3 cycles") : tr("%1: %2 instructions, %3 cycles or more"))
                    .arg(name)
                    .arg(graph.nodes.size())
                    .arg(graph.length),
                tr("%1: %2 instructions").arg(name).arg(graph.nodes.size()), name};
            return place(std::move(picture), stop);
        },
        [this, self = QPointer<GraphView>(this), key](PlacedGraphPtr graph) {
            if (!self) return;
            k_.busy = false;
            if (!graph->layout.complete) return;
            toolbar_->suggested_name = (key.whole_loop ? QStringLiteral("dependencies-loop-%1")
                                                       : QStringLiteral("dependencies-block-%1"))
                                           .arg(key.block);
            remember(key, graph);
            k_.shown = key;
            set_graph(std::move(graph));
            if (k_.stale) refresh();
        });
}

}  // namespace cubinlab::ui
