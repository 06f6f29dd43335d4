// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a placed graph with any QPainter: screen, minimap, SVG and PNG. Edges are drawn in batches by kind,
// not as items; text is omitted at zoom levels where it is unreadable.
#pragma once
#include <QPainter>
#include <QRectF>

#include "ui/base/theme.h"
#include "ui/graph/graph_picture.h"

namespace cubinlab::ui {

inline constexpr std::uint32_t kNoNode = 0xffffffffu;

struct PaintState {
    std::uint32_t kinds = 0xffffffffu;  // bit i: edges of kind i are shown
    bool loop_carried = false;
    bool only_neighbourhood = false;  // everything else is faded
    std::uint32_t selected = kNoNode;
    std::uint32_t hovered_edge = kNoNode;
    double zoom = 1;  // decides the level of detail
    QRectF exposed;   // in graph units; empty: everything
};

class GraphPainter {
  public:
    explicit GraphPainter(PlacedGraphPtr graph) : graph_(std::move(graph)) {}

    const PlacedGraphPtr& graph() const { return graph_; }
    QRectF bounds() const;
    void paint(QPainter& painter, const PaintState& state, const ThemeColors& colors,
               const QFont& mono) const;
    void paint_overview(QPainter& painter, const ThemeColors& colors) const;  // minimap: boxes and thin lines

    std::uint32_t node_at(QPointF at) const;                                         // kNoNode
    std::uint32_t edge_at(QPointF at, double reach, const PaintState& state) const;  // nearest within `reach`
    bool shown(std::uint32_t edge, const PaintState& state) const;
    std::span<const std::uint32_t> edges_of(std::uint32_t node) const { return graph_->node_edges[node]; }

  private:
    void paint_edges(QPainter& painter, const PaintState& state, const ThemeColors& colors) const;
    void paint_strong_edges(QPainter& painter, const PaintState& state, const ThemeColors& colors,
                            const QFont& mono) const;
    void paint_nodes(QPainter& painter, const PaintState& state, const ThemeColors& colors,
                     const QFont& mono) const;
    void paint_latency(QPainter& painter, std::uint32_t edge, const QColor& color, const ThemeColors& colors,
                       const QFont& mono) const;
    void paint_arrow(QPainter& painter, std::uint32_t edge, const QColor& color) const;
    bool near_selection(std::uint32_t node, const PaintState& state) const;
    QRectF rect_of(std::uint32_t node) const;
    std::span<const QPointF> route_of(std::uint32_t edge) const { return graph_->routes[edge]; }

    PlacedGraphPtr graph_;
};

QPen pen_of(const EdgeKind& kind, const ThemeColors& colors, double width);
QColor color_of(Tone tone, const ThemeColors& colors);

}  // namespace cubinlab::ui
