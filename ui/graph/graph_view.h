// SPDX-License-Identifier: GPL-3.0-or-later
// Dependency graph of the block of the selected instruction, in the right schedule. Analysis and layout run
// on a job thread and are cached by schedule hash and block. If a run changes the schedule faster than that,
// the current graph is finished and then the newest schedule is processed, twice a second at most. Of a large block
// the critical path is shown, with the selected instruction and its neighbours.
//
//   auto* view = new GraphView(&document, &selection, &jobs);
#pragma once
#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <list>
#include <optional>
#include <unordered_map>

#include "core/base/hash.h"
#include "core/base/ids.h"
#include "ui/graph/graph_picture.h"

namespace cubinlab {
class Kernel;
struct FlowGraph;
class Schedule;
}  // namespace cubinlab

namespace cubinlab::ui {

class Document;
class GraphCanvas;
class GraphToolbar;
class JobRunner;
class Selection;

class GraphView : public QWidget {
    Q_OBJECT

  public:
    GraphView(Document* document, Selection* selection, JobRunner* jobs, QWidget* parent = nullptr);
    // Without a document: shows the graph of set_graph() and follows `selection`.
    explicit GraphView(Selection* selection, QWidget* parent = nullptr);

    void set_graph(PlacedGraphPtr graph);
    GraphCanvas* canvas() const { return canvas_; }
    GraphToolbar* toolbar() const { return toolbar_; }

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    struct Key {
        Hash128 schedule;
        BlockId block = 0;
        bool whole_loop = false;  // then `block` is its first one
        BlockId member = 0;       // a block of the innermost loop; not compared
        bool all = false;         // of a large graph, not its critical path alone
        InstrId around = kNone;   // of a large graph: shown with its neighbours
        friend bool operator==(const Key& a, const Key& b) {
            return a.schedule == b.schedule && a.block == b.block && a.whole_loop == b.whole_loop &&
                   a.all == b.all && a.around == b.around;
        }
    };
    void build(Selection* selection);
    void refresh();
    BlockId hot_block_of(const Kernel& kernel);                         // with a document only
    static std::size_t size_of(const FlowGraph& flow, const Key& key);  // instructions
    void request(const std::shared_ptr<const Schedule>& schedule, const Key& key);
    void show_selection();
    PlacedGraphPtr cached(const Key& key);
    void remember(const Key& key, PlacedGraphPtr graph);

    Document* document_ = nullptr;
    Selection* selection_ = nullptr;
    JobRunner* jobs_ = nullptr;
    GraphCanvas* canvas_ = nullptr;
    GraphToolbar* toolbar_ = nullptr;
    struct OfKernel {
        std::unordered_map<InstrId, std::uint32_t> node_of;
        std::list<std::pair<Key, PlacedGraphPtr>> cache;  // newest first
        std::optional<Key> shown;
        bool busy = false, stale = false, hidden_change = false;
        QElapsedTimer since_layout;
        std::optional<BlockId> hot;  // block of the hot loop, computed on demand
    };
    OfKernel k_;
    std::function<void()> refresh_;  // set with a document
    QTimer later_;                   // another schedule is laid out twice a second at most
};

}  // namespace cubinlab::ui
