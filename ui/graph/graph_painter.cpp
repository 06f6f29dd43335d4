// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/graph_painter.h"

#include <QPolygonF>
#include <algorithm>
#include <cmath>

#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {

constexpr double kTextZoom = 0.45;    // below: no text
constexpr double kDetailZoom = 0.62;  // below: no second line
constexpr double kArrowZoom = 0.30;   // below: no arrow heads
constexpr double kBoxZoom = 0.20;     // below: plain boxes
constexpr std::size_t kLinesFarOut = 6000;

double distance_to_segment(QPointF p, QPointF a, QPointF b) {
    const QPointF d = b - a;
    const double length = QPointF::dotProduct(d, d);
    const double t = length > 0 ? std::clamp(QPointF::dotProduct(p - a, d) / length, 0.0, 1.0) : 0;
    const QPointF off = p - (a + t * d);
    return std::sqrt(QPointF::dotProduct(off, off));
}

}  // namespace

QPen pen_of(const EdgeKind& kind, const ThemeColors& colors, double width) {
    QPen pen(colors.dependence[kind.color % colors.dependence.size()], width);
    pen.setCosmetic(false);
    switch (kind.line) {
        case LineStyle::Solid:
            break;
        case LineStyle::Dashed:
            pen.setDashPattern({5, 3});
            break;
        case LineStyle::Dotted:
            pen.setDashPattern({1.5, 2.5});
            break;
        case LineStyle::DashDot:
            pen.setDashPattern({6, 2.5, 1.5, 2.5});
            break;
        case LineStyle::DashDotDot:
            pen.setDashPattern({6, 2.5, 1.5, 2.5, 1.5, 2.5});
            break;
        case LineStyle::Thick:
            pen.setWidthF(width * 2.2);
            break;
    }
    return pen;
}

QColor color_of(Tone tone, const ThemeColors& colors) {
    switch (tone) {
        case Tone::Critical:
            return colors.bad;
        case Tone::Tight:
            return colors.warn;
        case Tone::Loose:
            return rule_of(colors);
        case Tone::Loop0:
            return colors.loop[0];
        case Tone::Loop1:
            return colors.loop[1];
        case Tone::Loop2:
            return colors.loop[2];
        case Tone::Loop3:
            return colors.loop[3];
        case Tone::Neutral:
            break;
    }
    return colors.border;
}

QRectF GraphPainter::bounds() const {
    return QRectF(0, 0, graph_->layout.width, graph_->layout.height).adjusted(-24, -24, 24, 24);
}

QRectF GraphPainter::rect_of(std::uint32_t node) const {
    const LayoutRect& r = graph_->layout.nodes[node];
    return {r.x, r.y, r.width, r.height};
}

bool GraphPainter::shown(std::uint32_t edge, const PaintState& state) const {
    const PictureEdge& e = graph_->picture.edges[edge];
    if (e.loop_carried && !state.loop_carried) return false;
    return ((state.kinds >> e.kind) & 1U) != 0;
}

bool GraphPainter::near_selection(std::uint32_t node, const PaintState& state) const {
    if (state.selected == kNoNode || node == state.selected) return true;
    const auto edges = edges_of(node);
    return std::any_of(edges.begin(), edges.end(), [&](std::uint32_t e) {
        const PictureEdge& edge = graph_->picture.edges[e];
        return shown(e, state) && (edge.from == state.selected || edge.to == state.selected);
    });
}

void GraphPainter::paint(QPainter& painter, const PaintState& state, const ThemeColors& colors,
                         const QFont& mono) const {
    painter.setRenderHint(QPainter::Antialiasing, true);
    paint_edges(painter, state, colors);
    paint_strong_edges(painter, state, colors, mono);
    paint_nodes(painter, state, colors, mono);
}

void GraphPainter::paint_edges(QPainter& painter, const PaintState& state, const ThemeColors& colors) const {
    const auto& picture = graph_->picture;
    // Thousands of smooth lines cost tens of milliseconds; far out nobody sees the difference.
    painter.setRenderHint(QPainter::Antialiasing, state.zoom > 0.4 || picture.edges.size() < 800);
    const bool faded = state.selected != kNoNode;
    // Where a pixel holds many edges, straight lines and an even share of them look the same.
    const bool far_out = state.zoom < kArrowZoom && picture.edges.size() > kLinesFarOut;
    const std::size_t share = picture.edges.size() / kLinesFarOut + 1;
    std::vector<QVector<QLineF>> batch(picture.kinds.size());
    for (std::uint32_t e = 0; e < picture.edges.size(); ++e) {
        const PictureEdge& edge = picture.edges[e];
        if (!shown(e, state) || edge.kind >= batch.size()) continue;
        if (!state.exposed.isEmpty() && !state.exposed.intersects(graph_->edge_bounds[e])) continue;
        const auto route = route_of(e);
        if (far_out) {
            if (route.size() > 1 && e % share == 0) batch[edge.kind].push_back({route.front(), route.back()});
            continue;
        }
        for (std::size_t i = 1; i < route.size(); ++i)
            batch[edge.kind].push_back({route[i - 1], route[i]});
    }
    for (std::size_t k = 0; k < batch.size(); ++k) {
        QPen pen = pen_of(picture.kinds[k], colors, state.zoom < kArrowZoom ? 1.0 / state.zoom : 1.1);
        if (state.zoom < kArrowZoom) pen = QPen(pen.color(), 0);  // dashes cost more than all else far out
        QColor c = pen.color();
        c.setAlphaF(state.only_neighbourhood && faded ? 0.10 : faded ? 0.45 : 0.75);
        pen.setColor(c);
        painter.setPen(pen);
        painter.drawLines(batch[k]);
    }
    if (state.zoom < kArrowZoom || (state.only_neighbourhood && faded)) return;
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (std::uint32_t e = 0; e < picture.edges.size(); ++e) {
        if (!shown(e, state) || route_of(e).size() < 2 || picture.edges[e].kind >= picture.kinds.size())
            continue;
        if (!state.exposed.isEmpty() && !state.exposed.contains(route_of(e).back())) continue;
        QColor c = pen_of(picture.kinds[picture.edges[e].kind], colors, 1).color();
        if (faded) c.setAlphaF(0.55F);
        paint_arrow(painter, e, c);
    }
}

void GraphPainter::paint_strong_edges(QPainter& painter, const PaintState& state, const ThemeColors& colors,
                                      const QFont& mono) const {
    const auto& picture = graph_->picture;
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (std::uint32_t e = 0; e < picture.edges.size(); ++e) {
        const PictureEdge& edge = picture.edges[e];
        const bool touched =
            state.selected != kNoNode && (edge.from == state.selected || edge.to == state.selected);
        const bool hovered = e == state.hovered_edge;
        const bool critical = edge.emphasised && !(state.only_neighbourhood && state.selected != kNoNode);
        if (!shown(e, state) || edge.kind >= picture.kinds.size() || (!touched && !hovered && !critical))
            continue;
        if (!state.exposed.isEmpty() && !state.exposed.intersects(graph_->edge_bounds[e])) continue;
        const double width = (hovered ? 3.4 : 2.2) * (state.zoom < 0.5 ? 0.5 / state.zoom : 1.0);
        QPen pen = pen_of(picture.kinds[edge.kind], colors, width);
        if (critical && !touched && !hovered) pen = QPen(colors.bad, width);
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(route_of(e).data(), static_cast<int>(route_of(e).size()));
        if (state.zoom >= kArrowZoom) paint_arrow(painter, e, pen.color());
        if (state.zoom >= kDetailZoom && edge.latency >= 0)
            paint_latency(painter, e, pen.color(), colors, mono);
    }
}

// Cycles needed, on the edge itself: of the critical path, the selection and the pointer.
void GraphPainter::paint_latency(QPainter& painter, std::uint32_t edge, const QColor& color,
                                 const ThemeColors& colors, const QFont& mono) const {
    const std::span<const QPointF> route = route_of(edge);
    if (route.size() < 2) return;
    const auto middle = (route.size() - 1) / 2;
    const QPointF at = QLineF(route[middle], route[middle + 1]).pointAt(0.5);
    QFont font = mono;
    font.setPixelSize(kNodeTextPixels - 2);
    const QString text = QString::number(graph_->picture.edges[edge].latency);
    const double width = QFontMetricsF(font).horizontalAdvance(text) + 8;
    const QRectF box(at.x() - width / 2, at.y() - 7, width, 14);
    painter.setPen(QPen(color, 1));
    painter.setBrush(colors.surface);
    painter.drawRoundedRect(box, 3, 3);
    painter.setFont(font);
    painter.setPen(colors.text);
    painter.drawText(box, Qt::AlignCenter, text);
}

void GraphPainter::paint_arrow(QPainter& painter, std::uint32_t edge, const QColor& color) const {
    const std::span<const QPointF> route = route_of(edge);
    if (route.size() < 2) return;
    QPointF tip = route.back();
    const QLineF last(route[route.size() - 2], tip);
    if (last.length() < 1) return;
    if (graph_->picture.edges[edge].loop_carried) tip = last.pointAt(0.5);  // straight from centre to centre
    const double angle = std::atan2(last.dy(), last.dx());
    const auto side = [&](double turn) {
        return tip - QPointF(std::cos(angle + turn), std::sin(angle + turn)) * 7.5;
    };
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(QPolygonF({tip, side(0.42), side(-0.42)}));
}

void GraphPainter::paint_nodes(QPainter& painter, const PaintState& state, const ThemeColors& colors,
                               const QFont& mono) const {
    QFont title = mono, detail = mono;
    title.setPixelSize(kNodeTextPixels);
    detail.setPixelSize(kNodeTextPixels - 2);
    const bool text = state.zoom >= kTextZoom;
    painter.setRenderHint(QPainter::Antialiasing, state.zoom >= kBoxZoom);
    for (std::uint32_t v = 0; v < graph_->picture.nodes.size(); ++v) {
        const QRectF r = rect_of(v);
        if (!state.exposed.isEmpty() && !state.exposed.intersects(r)) continue;
        const PictureNode& node = graph_->picture.nodes[v];
        const bool chosen = v == state.selected;
        if (state.zoom < kBoxZoom && !chosen && !node.emphasised && !state.only_neighbourhood) {
            painter.fillRect(r, color_of(node.tone, colors));
            continue;
        }
        painter.setOpacity(state.only_neighbourhood && !near_selection(v, state) ? 0.16 : 1.0);
        const QColor tone = color_of(node.tone, colors);
        QPen border(node.emphasised ? tone : colors.border, node.emphasised ? 2.0 : 1.0);
        if (chosen) border = QPen(colors.accent, 3.0);
        painter.setPen(border);
        painter.setBrush(!text ? tone : chosen ? colors.accent_soft : colors.surface);
        painter.drawRoundedRect(r, 4, 4);
        if (!text) continue;
        // The bar carries the tone by colour and by how much of the side it fills.
        const double fill = node.tone == Tone::Tight ? 0.6 : node.tone == Tone::Loose ? 0.3 : 1.0;
        painter.setPen(Qt::NoPen);
        painter.setBrush(tone);
        painter.drawRect(
            QRectF(r.left() + 3, r.bottom() - 4 - (r.height() - 8) * fill, 5, (r.height() - 8) * fill));
        const QRectF inner = r.adjusted(14, 3, -6, -3);
        title.setBold(node.emphasised);
        painter.setFont(title);
        painter.setPen(colors.text);
        const bool two_lines = state.zoom >= kDetailZoom && !node.detail.isEmpty();
        painter.drawText(two_lines ? inner.adjusted(0, 0, 0, -inner.height() / 2) : inner,
                         Qt::AlignVCenter | Qt::AlignLeft, node.title);
        if (!two_lines) continue;
        painter.setFont(detail);
        painter.setPen(colors.text);  // small
        painter.drawText(inner.adjusted(0, inner.height() / 2, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                         node.detail);
    }
    painter.setOpacity(1.0);
}

void GraphPainter::paint_overview(QPainter& painter, const ThemeColors& colors) const {
    painter.setRenderHint(QPainter::Antialiasing, false);
    QVector<QLineF> lines;
    const auto edges = static_cast<std::uint32_t>(graph_->picture.edges.size());
    const auto share = static_cast<std::uint32_t>(edges / kLinesFarOut + 1);
    for (std::uint32_t e = 0; e < edges; e += share)
        if (const auto route = route_of(e); !graph_->picture.edges[e].loop_carried && route.size() > 1)
            lines.push_back({route.front(), route.back()});
    QColor line = rule_of(colors);
    line.setAlphaF(0.4F);
    painter.setPen(QPen(line, 0));
    painter.drawLines(lines);
    painter.setPen(Qt::NoPen);
    for (std::uint32_t v = 0; v < graph_->picture.nodes.size(); ++v)
        painter.fillRect(rect_of(v), color_of(graph_->picture.nodes[v].tone, colors));
}

std::uint32_t GraphPainter::node_at(QPointF at) const {
    for (std::uint32_t v = 0; v < graph_->layout.nodes.size(); ++v)
        if (rect_of(v).contains(at)) return v;
    return kNoNode;
}

std::uint32_t GraphPainter::edge_at(QPointF at, double reach, const PaintState& state) const {
    std::uint32_t best = kNoNode;
    double nearest = reach;
    for (std::uint32_t e = 0; e < graph_->picture.edges.size(); ++e) {
        if (!shown(e, state) || !graph_->edge_bounds[e].adjusted(-reach, -reach, reach, reach).contains(at))
            continue;
        const auto route = route_of(e);
        for (std::size_t i = 1; i < route.size(); ++i) {
            const double d = distance_to_segment(at, route[i - 1], route[i]);
            if (d >= nearest) continue;
            nearest = d;
            best = e;
        }
    }
    return best;
}

}  // namespace cubinlab::ui
