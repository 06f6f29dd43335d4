// SPDX-License-Identifier: GPL-3.0-or-later
// A graph ready to be drawn: texts, tones and edge styles, with nothing left to look up. Built off the GUI
// thread from a dependency graph (dependency_picture.h) or a flow graph (flow_picture.h), shared and
// immutable.
#pragma once
#include <QString>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/ids.h"
#include "ui/graph/graph_layout.h"

namespace cubinlab::ui {

// What a node's colour says. The same is always written in the node or drawn as a pattern.
enum class Tone : std::uint8_t { Neutral, Critical, Tight, Loose, Loop0, Loop1, Loop2, Loop3 };

struct PictureNode {
    InstrId instr = kNone;  // selected when this node is; flow graph: first instruction of the block
    QString title;          // "HMMA.16816.F32 R4, R8, R12, R4"
    QString detail;         // "0x0120  slack 6"
    QString tooltip;
    Tone tone = Tone::Neutral;
    bool emphasised = false;  // on the critical path
};

struct PictureEdge {
    std::uint32_t from = 0, to = 0;  // node indices
    std::uint8_t kind = 0;           // index in GraphPicture::kinds
    bool loop_carried = false;       // drawn aside, off unless asked for
    bool emphasised = false;         // on the critical path
    QString label;                   // short: "RAW R8"
    int latency = -1;                // cycles; written on the edges that matter, -1: none
    QString tooltip;                 // whole sentence
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
    std::vector<PictureNode> nodes;
    std::vector<PictureEdge> edges;
    std::vector<EdgeKind> kinds;
    std::vector<std::pair<Tone, QString>> legend;
    QString error;  // not empty: there is no graph, and why
};

// A picture and where its parts lie.
struct PlacedGraph {
    GraphPicture picture;
    GraphLayout layout;
};
using PlacedGraphPtr = std::shared_ptr<const PlacedGraph>;

// Sizes nodes by their text and lays the picture out. Loop-carried edges do not make layers.
PlacedGraphPtr place(GraphPicture picture, std::stop_token stop = {});

// Graphviz text of the same graph, for use outside.
std::string picture_to_dot(const GraphPicture& picture);

// Sizes in the picture's own units (pixels at zoom 1).
inline constexpr int kNodeTextPixels = 12;
inline constexpr float kNodeHeight = 38;
inline constexpr int kNodeTitleChars = 34;  // longer texts are cut with an ellipsis; the tooltip has all

}  // namespace cubinlab::ui
