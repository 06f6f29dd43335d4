// SPDX-License-Identifier: GPL-3.0-or-later
// Layered layout of a directed graph: pure geometry, no Qt, deterministic. Interactive up to several thousand
// nodes, where Graphviz needs seconds.
//
//   GraphLayout l = layout_graph({{80, 24}, {80, 24}}, {{0, 1}});
//   l.nodes[1].y > l.nodes[0].y            // an edge points downwards
//
// Method (Sugiyama, Tagawa, Toda 1981): reverse the edges that close cycles in a depth-first walk; assign
// longest-path layers with a soft limit on their width; pull nodes towards their successors to shorten edges;
// add dummy nodes on edges that cross a layer; run barycentre sweeps and keep the ordering with the fewest
// crossings; compute x coordinates by alternating least-squares relaxation that keeps the order (pool
// adjacent violators).
#pragma once
#include <cstdint>
#include <stop_token>
#include <vector>

namespace cubinlab {

struct LayoutPoint {
    float x = 0, y = 0;
    friend bool operator==(const LayoutPoint&, const LayoutPoint&) = default;
};

struct LayoutSize {
    float width = 0, height = 0;
};

struct LayoutRect {
    float x = 0, y = 0;  // top left
    float width = 0, height = 0;
    float centre_x() const { return x + width / 2; }
    float centre_y() const { return y + height / 2; }
    friend bool operator==(const LayoutRect&, const LayoutRect&) = default;
};

struct LayoutEdge {
    std::uint32_t from = 0,
                  to = 0;    // node indices; edges that name a missing node or a self loop are not routed
    bool constrains = true;  // false: drawn straight and ignored for layering
};

struct LayoutOptions {
    float layer_gap = 34;  // vertical space between layers, in node units
    float node_gap = 18;   // horizontal space between neighbours of a layer
    std::uint32_t max_per_layer =
        0;                // soft limit of nodes in a layer; 0: for a picture a little wider than tall
    int sweeps = 12;      // barycentre passes
    int relaxations = 8;  // passes over x
};

struct GraphLayout {
    std::vector<LayoutRect> nodes;  // by node index
    std::vector<std::vector<LayoutPoint>>
        routes;                        // by edge index, from `from` to `to`; empty where not routed
    std::vector<std::uint32_t> layer;  // by node index, 0 = top
    std::uint32_t layers = 0;
    float width = 0, height = 0;  // everything lies in [0, width] x [0, height]
    std::uint64_t crossings = 0;  // between neighbouring layers, dummy nodes included
    bool complete = true;         // false: stopped early; do not show it
};

GraphLayout layout_graph(const std::vector<LayoutSize>& nodes, const std::vector<LayoutEdge>& edges,
                         const LayoutOptions& options = {}, std::stop_token stop = {});

}  // namespace cubinlab
