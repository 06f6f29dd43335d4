// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/graph_layout.h"

#include <algorithm>
#include <random>

#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

struct Graph {
    std::vector<LayoutSize> nodes;
    std::vector<LayoutEdge> edges;
};

// About two edges a node, mostly near, as in a SASS block; a few edges are cycles and self loops.
Graph random_graph(std::uint32_t count, unsigned seed, bool cycles) {
    std::mt19937 random(seed);
    Graph g;
    for (std::uint32_t i = 0; i < count; ++i)
        g.nodes.push_back({40.0F + static_cast<float>(random() % 160), 30});
    for (std::uint32_t i = 1; i < count; ++i)
        for (unsigned k = 0; k < 2; ++k)
            g.edges.push_back({i - 1 - static_cast<std::uint32_t>(random() % std::min(i, 20U)), i});
    if (cycles)
        for (unsigned k = 0; k < count / 10 + 1; ++k)
            g.edges.push_back(
                {static_cast<std::uint32_t>(random() % count), static_cast<std::uint32_t>(random() % count)});
    return g;
}

std::uint64_t crossings_by_brute_force(const GraphLayout& l, const std::vector<LayoutEdge>& edges) {
    std::uint64_t n = 0;
    for (std::size_t a = 0; a < edges.size(); ++a)
        for (std::size_t b = a + 1; b < edges.size(); ++b) {
            if (l.layer[edges[a].from] != l.layer[edges[b].from] ||
                l.layer[edges[a].to] != l.layer[edges[b].to])
                continue;
            const float top = l.nodes[edges[a].from].x - l.nodes[edges[b].from].x;
            const float bottom = l.nodes[edges[a].to].x - l.nodes[edges[b].to].x;
            n += top * bottom < 0;
        }
    return n;
}

}  // namespace

TEST_CASE("a chain is laid out from top to bottom in a straight line", "[graph-layout]") {
    const GraphLayout l = layout_graph({{80, 30}, {80, 30}, {80, 30}}, {{0, 1}, {1, 2}});
    REQUIRE(l.layers == 3);
    CHECK(l.nodes[0].y < l.nodes[1].y);
    CHECK(l.nodes[1].y < l.nodes[2].y);
    CHECK(l.nodes[0].centre_x() == Approx(l.nodes[2].centre_x()));
    CHECK(l.crossings == 0);
    REQUIRE(l.routes[0].size() == 2);
    CHECK(l.routes[0].front() == LayoutPoint{l.nodes[0].centre_x(), l.nodes[0].y + 30});
    CHECK(l.routes[0].back() == LayoutPoint{l.nodes[1].centre_x(), l.nodes[1].y});
}

TEST_CASE("nothing, one node and graphs of loose nodes are laid out too", "[graph-layout]") {
    CHECK(layout_graph({}, {}).layers == 0);
    CHECK(layout_graph({}, {{0, 1}}).routes.size() == 1);
    const GraphLayout one = layout_graph({{50, 20}}, {});
    CHECK(one.width == Approx(50));
    CHECK(one.height == Approx(20));
    LayoutOptions wide;
    wide.max_per_layer = 4;
    const GraphLayout loose = layout_graph(std::vector<LayoutSize>(10, {20, 10}), {}, wide);
    CHECK(loose.layers == 3);  // the limit wraps them
}

TEST_CASE("edges point downwards, but for those that close a cycle", "[graph-layout]") {
    const Graph g = random_graph(400, 3, false);
    const GraphLayout l = layout_graph(g.nodes, g.edges);
    for (std::size_t e = 0; e < g.edges.size(); ++e) {
        CHECK(l.layer[g.edges[e].from] < l.layer[g.edges[e].to]);
        CHECK(l.nodes[g.edges[e].from].y + l.nodes[g.edges[e].from].height <= l.nodes[g.edges[e].to].y);
    }
}

TEST_CASE("a loop is opened and its closing edge runs from its source to its target", "[graph-layout]") {
    const GraphLayout l = layout_graph({{40, 20}, {40, 20}, {40, 20}}, {{0, 1}, {1, 2}, {2, 0}, {1, 1}});
    CHECK(l.layers == 3);
    REQUIRE(l.routes[2].size() >= 2);
    CHECK(l.routes[2].front().y > l.routes[2].back().y);
    CHECK(l.routes[3].empty());  // a self loop has no route
}

TEST_CASE("no two nodes touch and everything lies inside the stated area", "[graph-layout]") {
    for (unsigned seed = 1; seed <= 12; ++seed) {
        const Graph g = random_graph(20 + 30 * seed, seed, true);
        const LayoutOptions options;
        const GraphLayout l = layout_graph(g.nodes, g.edges, options);
        REQUIRE(l.nodes.size() == g.nodes.size());
        for (std::size_t a = 0; a < l.nodes.size(); ++a) {
            const LayoutRect& r = l.nodes[a];
            CHECK((r.x >= -0.5F && r.y >= 0 && r.x + r.width <= l.width + 0.5F &&
                   r.y + r.height <= l.height + 0.5F));
            for (std::size_t b = a + 1; b < l.nodes.size(); ++b) {
                if (l.layer[a] != l.layer[b]) continue;
                const LayoutRect& s = l.nodes[b];
                const float gap = r.x < s.x ? s.x - r.x - r.width : r.x - s.x - s.width;
                CHECK(gap >= options.node_gap - 0.1F);
            }
        }
    }
}

TEST_CASE("the same graph gives the same picture", "[graph-layout]") {
    const Graph g = random_graph(600, 5, true);
    const GraphLayout a = layout_graph(g.nodes, g.edges), b = layout_graph(g.nodes, g.edges);
    CHECK(a.nodes == b.nodes);
    CHECK(a.routes == b.routes);
    CHECK(a.crossings == b.crossings);
}

TEST_CASE("crossings are counted as brute force counts them, and sweeps lower them", "[graph-layout]") {
    // Two layers, so that there are no dummy nodes.
    std::mt19937 random(11);
    Graph g;
    g.nodes.assign(40, {30, 20});
    for (int i = 0; i < 70; ++i)
        g.edges.push_back(
            {static_cast<std::uint32_t>(random() % 20), 20 + static_cast<std::uint32_t>(random() % 20)});
    LayoutOptions options;
    options.max_per_layer = 100;
    const GraphLayout swept = layout_graph(g.nodes, g.edges, options);
    std::vector<LayoutEdge> connected = g.edges;
    CHECK(swept.crossings == crossings_by_brute_force(swept, connected));
    options.sweeps = 0;
    const GraphLayout plain = layout_graph(g.nodes, g.edges, options);
    CHECK(plain.crossings == crossings_by_brute_force(plain, connected));
    CHECK(swept.crossings < plain.crossings);
}

TEST_CASE("a planar crossing of two edges is undone", "[graph-layout]") {
    const GraphLayout l = layout_graph({{30, 20}, {30, 20}, {30, 20}, {30, 20}}, {{0, 3}, {1, 2}});
    CHECK(l.crossings == 0);
}

TEST_CASE("edges that name missing nodes and edges without weight do not disturb the layers",
          "[graph-layout]") {
    const GraphLayout l = layout_graph({{30, 20}, {30, 20}}, {{0, 1}, {0, 9}, {7, 1}, {1, 0, false}});
    CHECK(l.layers == 2);
    CHECK(l.routes[1].empty());
    CHECK(l.routes[2].empty());
    CHECK(l.routes[3].size() == 2);
}

TEST_CASE("a stop is obeyed and said", "[graph-layout]") {
    std::stop_source source;
    source.request_stop();
    const Graph g = random_graph(300, 1, false);
    CHECK_FALSE(layout_graph(g.nodes, g.edges, {}, source.get_token()).complete);
    CHECK(layout_graph(g.nodes, g.edges).complete);
}

TEST_CASE("graphs with edges across hundreds of layers stay small", "[graph-layout]") {
    // A chain of 800 with an edge from the start to every node: dummy nodes would be 320,000.
    Graph g;
    g.nodes.assign(800, {30, 20});
    for (std::uint32_t i = 1; i < 800; ++i) {
        g.edges.push_back({i - 1, i});
        g.edges.push_back({0, i});
    }
    const GraphLayout l = layout_graph(g.nodes, g.edges);
    CHECK(l.layers == 800);
    for (const auto& route : l.routes)
        CHECK(route.size() >= 2);
}
