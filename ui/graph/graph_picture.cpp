// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/graph_picture.h"

#include <QThreadPool>
#include <algorithm>

namespace cubinlab::ui {
namespace {

QRectF rect_of(const LayoutRect& r) {
    return {r.x, r.y, r.width, r.height};
}

void add_self_loop(const QRectF& r, std::vector<QPointF>& points) {
    const double out = r.right() + 16;
    for (const QPointF p : {QPointF(r.right(), r.bottom() - 8), QPointF(out, r.bottom() - 8),
                            QPointF(out, r.top() + 8), QPointF(r.right(), r.top() + 8)})
        points.push_back(p);
}

QRectF bounds_of(std::span<const QPointF> points) {
    if (points.empty()) return {};
    QPointF low = points.front(), high = low;
    for (const QPointF& p : points) {
        low = {std::min(low.x(), p.x()), std::min(low.y(), p.y())};
        high = {std::max(high.x(), p.x()), std::max(high.y(), p.y())};
    }
    return QRectF(low, high).adjusted(-4, -4, 4, 4);
}

void flatten(PlacedGraph& placed) {
    GraphLayout& layout = placed.layout;
    const auto& edges = placed.picture.edges;
    std::vector<std::vector<std::uint32_t>> of_node(placed.picture.nodes.size());
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
        if (edges[e].from == edges[e].to && edges[e].from < layout.nodes.size()) {
            add_self_loop(rect_of(layout.nodes[edges[e].from]), placed.routes.items);
        } else if (e < layout.routes.size()) {
            for (const LayoutPoint& p : layout.routes[e])
                placed.routes.items.push_back({p.x, p.y});
        }
        placed.routes.end_list();
        placed.edge_bounds.push_back(bounds_of(placed.routes[e]));
        if (edges[e].from >= of_node.size() || edges[e].to >= of_node.size()) continue;
        of_node[edges[e].from].push_back(e);
        if (edges[e].to != edges[e].from) of_node[edges[e].to].push_back(e);
    }
    for (const std::vector<std::uint32_t>& list : of_node) {
        placed.node_edges.items.insert(placed.node_edges.items.end(), list.begin(), list.end());
        placed.node_edges.end_list();
    }
    layout.routes = {};
}

// Taking the graph of a large block apart costs tens of milliseconds (a text for every node and edge), and the last
// to let go of it is the GUI thread, when another file is opened.
void release(const PlacedGraph* placed) {
    const std::size_t small = 2'000;
    if (placed->picture.nodes.size() + placed->picture.edges.size() < small)
        delete placed;
    else
        QThreadPool::globalInstance()->start([placed] { delete placed; });
}

}  // namespace

PlacedGraphPtr place(GraphPicture picture, std::stop_token stop) {
    // Fonts are not safe to measure off the GUI thread everywhere; the mono font's advance is 0.61 of its
    // size.
    constexpr float kAdvance = 0.61F * kNodeTextPixels;
    const std::shared_ptr<PlacedGraph> placed(new PlacedGraph, release);
    std::vector<LayoutSize> sizes;
    sizes.reserve(picture.nodes.size());
    for (PictureNode& node : picture.nodes) {
        if (node.title.size() > kNodeTitleChars)
            node.title = node.title.left(kNodeTitleChars - 1) + QChar(0x2026);
        const auto chars = static_cast<float>(std::max(node.title.size(), node.detail.size()));
        sizes.push_back({std::max(72.0F, chars * kAdvance + 24), kNodeHeight});
    }
    std::vector<LayoutEdge> edges;
    edges.reserve(picture.edges.size());
    for (const PictureEdge& e : picture.edges)
        edges.push_back({e.from, e.to, !e.loop_carried});
    placed->layout = layout_graph(sizes, edges, {}, stop);
    placed->picture = std::move(picture);
    if (placed->layout.complete) flatten(*placed);
    return placed;
}

TextSpan GraphPicture::keep(const QString& text) {
    const TextSpan span{static_cast<std::int32_t>(edge_texts.size()), static_cast<std::int32_t>(text.size())};
    edge_texts += text;
    return span;
}

namespace {
std::string quoted(const QString& text) {
    QString t = text;
    t.replace(QLatin1Char('\\'), QLatin1String("\\\\")).replace(QLatin1Char('"'), QLatin1String("\\\""));
    return "\"" + t.toStdString() + "\"";
}
const char* dot_style(LineStyle line) {
    switch (line) {
        case LineStyle::Solid:
            return "solid";
        case LineStyle::Thick:
            return "bold";
        case LineStyle::Dotted:
        case LineStyle::DashDotDot:
            return "dotted";
        default:
            return "dashed";
    }
}
}  // namespace

std::string picture_to_dot(const GraphPicture& picture) {
    std::string out = "digraph cubinlab {\n  label=" + quoted(picture.title) +
                      ";\n  node [shape=box, fontname=monospace];\n";
    for (std::size_t i = 0; i < picture.nodes.size(); ++i) {
        const PictureNode& n = picture.nodes[i];
        out += "  n" + std::to_string(i) + " [label=" + quoted(n.title + QStringLiteral("  |  ") + n.detail) +
               (n.emphasised ? ", penwidth=3" : "") + "];\n";
    }
    for (const PictureEdge& e : picture.edges) {
        const LineStyle line = e.kind < picture.kinds.size() ? picture.kinds[e.kind].line : LineStyle::Solid;
        out += "  n" + std::to_string(e.from) + " -> n" + std::to_string(e.to) + " [label=" +
               quoted(e.latency < 0 ? picture.text(e.label)
                                    : picture.text(e.label) + QStringLiteral(" %1").arg(e.latency)) +
               ", style=" + dot_style(line) + (e.emphasised ? ", penwidth=3" : "") +
               (e.loop_carried ? ", constraint=false" : "") + "];\n";
    }
    return out + "}\n";
}

}  // namespace cubinlab::ui
