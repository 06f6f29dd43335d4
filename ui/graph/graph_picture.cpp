// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/graph_picture.h"

#include <algorithm>

namespace cubinlab::ui {

PlacedGraphPtr place(GraphPicture picture, std::stop_token stop) {
    // Fonts are not safe to measure off the GUI thread everywhere; the mono font's advance is 0.61 of its
    // size.
    constexpr float kAdvance = 0.61F * kNodeTextPixels;
    auto placed = std::make_shared<PlacedGraph>();
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
    return placed;
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
        out += "  n" + std::to_string(e.from) + " -> n" + std::to_string(e.to) +
               " [label=" + quoted(e.latency < 0 ? e.label : e.label + QStringLiteral(" %1").arg(e.latency)) +
               ", style=" + dot_style(line) + (e.emphasised ? ", penwidth=3" : "") +
               (e.loop_carried ? ", constraint=false" : "") + "];\n";
    }
    return out + "}\n";
}

}  // namespace cubinlab::ui
