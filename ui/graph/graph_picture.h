// SPDX-License-Identifier: GPL-3.0-or-later
// A graph ready to be drawn: texts, tones and edge styles. Built off the GUI thread from a dependency graph
// (dependency_picture.h) or a flow graph (flow_picture.h), shared and immutable.
#pragma once
#include <QPointF>
#include <QRectF>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/ids.h"
#include "ui/graph/graph_layout.h"

namespace cubinlab::ui {

// The meaning of a node's colour. The node also has it as text or pattern.
enum class Tone : std::uint8_t { Neutral, Critical, Tight, Loose, Loop0, Loop1, Loop2, Loop3 };

struct PictureNode {
    InstrId instr = kNone;  // selected when this node is; flow graph: first instruction of the block
    QString title;          // "HMMA.16816.F32 R4, R8, R12, R4"
    QString detail;         // "0x0120  slack 6"
    QString tooltip;
    Tone tone = Tone::Neutral;
    bool emphasised = false;  // on the critical path
};

// A part of GraphPicture::edge_texts. A block of thousands of instructions has a hundred thousand edges;
// freeing one string per edge takes half a second.
struct TextSpan {
    std::int32_t start = 0, length = 0;
};

struct PictureEdge {
    std::uint32_t from = 0, to = 0;  // node indices
    std::uint8_t kind = 0;           // index in GraphPicture::kinds
    bool loop_carried = false;       // drawn aside, off unless asked for
    bool emphasised = false;         // on the critical path
    int latency = -1;                // cycles; written on the edges that matter, -1: none
    TextSpan label;                  // short: "RAW R8"
    TextSpan tooltip;                // whole sentence
};

enum class LineStyle : std::uint8_t { Solid, Dashed, Dotted, DashDot, DashDotDot, Thick };

struct EdgeKind {
    QString name;   // "RAW"
    QString about;  // "Read after write: ..."
    LineStyle line = LineStyle::Solid;
    std::uint8_t color = 0;  // index in ThemeColors::dependence
};

struct GraphPicture {
    QString title;  // "Block 3: 84 instructions, 212 cycles"
    QStringList shorter;  // shorter titles, longest first
    std::vector<PictureNode> nodes;
    std::vector<PictureEdge> edges;
    QString edge_texts;
    std::vector<EdgeKind> kinds;
    std::vector<std::pair<Tone, QString>> legend;
    QString error;  // not empty: why there is no graph

    TextSpan keep(const QString& text);
    QString text(TextSpan span) const { return edge_texts.mid(span.start, span.length); }
};

// Lists of different lengths in one array: list `i` is items[start[i]] to items[start[i + 1]].
template <class T>
struct FlatLists {
    std::vector<T> items;
    std::vector<std::uint32_t> start{0};

    void end_list() { start.push_back(static_cast<std::uint32_t>(items.size())); }
    std::span<const T> operator[](std::size_t i) const {
        return std::span(items).subspan(start[i], start[i + 1] - start[i]);
    }
};

// A picture with its layout and the indices that painting needs.
struct PlacedGraph {
    GraphPicture picture;
    GraphLayout layout;
    FlatLists<QPointF> routes;            // by edge; empty where not routed
    std::vector<QRectF> edge_bounds;      // by edge, a little larger
    FlatLists<std::uint32_t> node_edges;  // by node: its edges
};
using PlacedGraphPtr = std::shared_ptr<const PlacedGraph>;

// Sizes nodes by their text and computes the layout. Loop-carried edges do not constrain layers.
PlacedGraphPtr place(GraphPicture picture, std::stop_token stop = {});

// The same graph as Graphviz text.
std::string picture_to_dot(const GraphPicture& picture);

// Sizes in the picture's own units (pixels at zoom 1).
inline constexpr int kNodeTextPixels = 12;
inline constexpr float kNodeHeight = 38;
inline constexpr int kNodeTitleChars = 34;  // longer texts are cut with an ellipsis; the tooltip has all

}  // namespace cubinlab::ui
