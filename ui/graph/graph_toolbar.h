// SPDX-License-Identifier: GPL-3.0-or-later
// The strip above a graph: title, edge kinds (legend and filter in one), view commands, export. The legend of the nodes'
// colours is a line of its own, below the graph.
#pragma once
#include <QString>
#include <QWidget>
#include <vector>

#include "core/base/ids.h"
#include "ui/graph/graph_picture.h"
#include "ui/run/output_gate.h"

class QLabel;
class QToolButton;

namespace cubinlab::ui {

class FittingLabel;
class FlowLayout;
class GraphCanvas;
class Selection;

class GraphToolbar : public QWidget {
    Q_OBJECT

  public:
    // `dependences`: adds the toggles of a dependency graph.
    GraphToolbar(GraphCanvas& canvas, bool dependences, QWidget* parent = nullptr);

    void show_graph(const PlacedGraphPtr& graph);  // title, edge counts
    bool whole_loop() const;                       // the loop around the block, not the block alone
    bool all_nodes() const;                        // of a large graph, not its critical path alone
    void set_large(bool large);                    // whether there is that choice
    QLabel* legend() const { return legend_; }     // for the place below the graph; absent where that is low
    // .svg, .png or .dot. Reports a failure or a refused path (ui/run/output_gate.h).
    bool export_to(const QString& path, Replace replace = Replace::OwnOnly);
    void ask_and_export(const QString& suffix);  // "svg", "png" or "dot"

  Q_SIGNALS:
    void whole_loop_changed();
    void all_nodes_changed();

  public:
    QString suggested_name;  // of exported files, without suffix

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void show_legend();
    void add_kinds(const GraphPicture& picture);
    void refresh_kinds();
    QToolButton* add_button(const QString& text, const QString& tip, bool checkable);
    void keep_together(const std::vector<QToolButton*>& buttons);
    QIcon line_icon(const EdgeKind& kind) const;

    GraphCanvas& canvas_;
    FittingLabel* title_ = nullptr;
    QLabel* legend_ = nullptr;
    QToolButton* whole_loop_ = nullptr;
    QToolButton* all_nodes_ = nullptr;
    FlowLayout* kinds_row_ = nullptr;
    FlowLayout* tools_row_ = nullptr;
    std::vector<QToolButton*> kind_buttons_;
    std::vector<EdgeKind> kinds_;
};

// Shared by the two graph docks: a canvas below its tool bar, and nodes that select instructions.
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
