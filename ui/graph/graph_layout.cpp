// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/graph_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cubinlab {
namespace {

using Index = std::uint32_t;
constexpr float kDummyWidth = 6;

// Adjacency lists in one array: neighbours of v are items[start[v]] .. items[start[v + 1]].
struct Adjacency {
    std::vector<Index> start, items;

    Adjacency(std::size_t nodes, const std::vector<std::pair<Index, Index>>& edges, bool forward)
        : start(nodes + 1, 0), items(edges.size()) {
        for (const auto& [a, b] : edges)
            ++start[(forward ? a : b) + 1];
        std::partial_sum(start.begin(), start.end(), start.begin());
        std::vector<Index> cursor(start.begin(), start.end() - 1);
        for (const auto& [a, b] : edges)
            items[cursor[forward ? a : b]++] = forward ? b : a;
    }
    const Index* begin(Index v) const { return items.data() + start[v]; }
    const Index* end(Index v) const { return items.data() + start[v + 1]; }
    std::size_t degree(Index v) const { return start[v + 1] - start[v]; }
};

struct Work {
    const std::vector<LayoutSize>& sizes;
    const std::vector<LayoutEdge>& edges;
    const LayoutOptions& options;
    std::size_t real = 0;                        // nodes that are not dummies
    std::vector<std::pair<Index, Index>> down;   // constraining edges after cycles are opened
    std::vector<Index> source_edge;              // of `down`: index in `edges`
    std::vector<bool> reversed;                  // of `down`
    std::vector<Index> layer;                    // by node, dummies included
    std::vector<std::pair<Index, Index>> steps;  // edges between neighbouring layers
    std::vector<std::vector<Index>> chain;       // of `down`: nodes from top to bottom
    std::vector<std::vector<Index>> rows;        // by layer: order from left to right
    std::vector<float> x;                        // centres
    std::vector<float> weight;                   // of a node's wish when x is relaxed
    std::vector<float> half;                     // half widths
};

// Marks the edges that close a cycle in a depth-first walk in node order (explicit stack: chains are long).
std::vector<bool> closing_edges(std::size_t nodes, const std::vector<std::pair<Index, Index>>& edges) {
    std::vector<std::vector<Index>> out(nodes);
    for (Index e = 0; e < edges.size(); ++e)
        out[edges[e].first].push_back(e);
    enum : char { White, Grey, Black };
    std::vector<char> colour(nodes, White);
    std::vector<bool> closing(edges.size(), false);
    std::vector<std::pair<Index, std::size_t>> stack;
    for (Index root = 0; root < nodes; ++root) {
        if (colour[root] != White) continue;
        stack.emplace_back(root, 0);
        colour[root] = Grey;
        while (!stack.empty()) {
            const Index v = stack.back().first;
            if (stack.back().second == out[v].size()) {
                colour[v] = Black;
                stack.pop_back();
                continue;
            }
            const Index e = out[v][stack.back().second++];
            const Index to = edges[e].second;
            if (colour[to] == Grey) closing[e] = true;
            if (colour[to] != White) continue;
            colour[to] = Grey;
            stack.emplace_back(to, 0);
        }
    }
    return closing;
}

void open_cycles(Work& w) {
    for (Index e = 0; e < w.edges.size(); ++e) {
        const LayoutEdge& edge = w.edges[e];
        if (!edge.constrains || edge.from == edge.to || edge.from >= w.real || edge.to >= w.real) continue;
        w.down.emplace_back(edge.from, edge.to);
        w.source_edge.push_back(e);
    }
    w.reversed = closing_edges(w.real, w.down);
    for (std::size_t i = 0; i < w.down.size(); ++i)
        if (w.reversed[i]) std::swap(w.down[i].first, w.down[i].second);
}

// Topological order with the smallest index first among those that are ready at the same time.
std::vector<Index> topological_order(std::size_t nodes, const Adjacency& out, const Adjacency& in) {
    std::vector<Index> missing(nodes), order;
    order.reserve(nodes);
    for (Index v = 0; v < nodes; ++v) {
        missing[v] = static_cast<Index>(in.degree(v));
        if (missing[v] == 0) order.push_back(v);
    }
    for (std::size_t i = 0; i < order.size(); ++i)
        for (const Index* s = out.begin(order[i]); s != out.end(order[i]); ++s)
            if (--missing[*s] == 0) order.push_back(*s);
    return order;
}

// The number of nodes per layer that makes the picture about 1.4 times as wide as tall.
Index layer_limit(const Work& w) {
    double width = 0, height = 0;
    for (const LayoutSize& s : w.sizes) {
        width += s.width + w.options.node_gap;
        height += s.height + w.options.layer_gap;
    }
    return std::max<Index>(3,
                           static_cast<Index>(std::sqrt(1.4 * static_cast<double>(w.real) * height / width)));
}

void assign_layers(Work& w) {
    const Adjacency out(w.real, w.down, true), in(w.real, w.down, false);
    const std::vector<Index> order = topological_order(w.real, out, in);
    const Index limit = w.options.max_per_layer ? w.options.max_per_layer : layer_limit(w);
    w.layer.assign(w.real, 0);
    std::vector<Index> count(w.real + 1, 0);
    for (const Index v : order) {
        Index l = 0;
        for (const Index* p = in.begin(v); p != in.end(v); ++p)
            l = std::max(l, w.layer[*p] + 1);
        while (l < w.real && count[l] >= limit)
            ++l;
        w.layer[v] = l;
        ++count[l];
    }
    // Pull down: a node with more successors than predecessors shortens edges by moving towards them.
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
        const Index v = *it;
        if (out.degree(v) == 0 || out.degree(v) < in.degree(v)) continue;
        Index lowest = static_cast<Index>(w.real);
        for (const Index* s = out.begin(v); s != out.end(v); ++s)
            lowest = std::min(lowest, w.layer[*s] - 1);
        Index l = lowest;
        while (l > w.layer[v] && count[l] >= limit)
            --l;
        --count[w.layer[v]];
        w.layer[v] = l;
        ++count[l];
    }
    // Removes empty layers.
    std::vector<Index> rank(w.real + 1, 0);
    Index next = 0;
    for (Index l = 0; l <= w.real; ++l)
        if (count[l]) rank[l] = next++;
    for (Index& l : w.layer)
        l = rank[l];
    w.rows.resize(next);
}

// One dummy node for each layer that an edge crosses. Edges that would need more dummies than the budget
// allows are drawn straight; the longest go first, they gain least from a route.
void add_dummies(Work& w) {
    std::vector<Index> by_span(w.down.size());
    std::iota(by_span.begin(), by_span.end(), 0);
    const auto span = [&](Index i) { return w.layer[w.down[i].second] - w.layer[w.down[i].first]; };
    std::stable_sort(by_span.begin(), by_span.end(), [&](Index a, Index b) { return span(a) < span(b); });
    std::size_t budget = 4 * w.real + 256;
    std::vector<bool> routed(w.down.size(), false);
    for (const Index i : by_span) {
        if (span(i) - 1 > budget) break;
        budget -= span(i) - 1;
        routed[i] = true;
    }
    w.chain.resize(w.down.size());
    for (std::size_t i = 0; i < w.down.size(); ++i) {
        const auto [top, bottom] = w.down[i];
        w.chain[i] = {top};
        if (routed[i])
            for (Index l = w.layer[top] + 1; l < w.layer[bottom]; ++l) {
                w.chain[i].push_back(static_cast<Index>(w.layer.size()));
                w.layer.push_back(l);
            }
        w.chain[i].push_back(bottom);
        if (!routed[i]) continue;
        for (std::size_t k = 1; k < w.chain[i].size(); ++k)
            w.steps.emplace_back(w.chain[i][k - 1], w.chain[i][k]);
    }
}

std::uint64_t crossings_below(const std::vector<Index>& row, std::size_t below_size, const Adjacency& out,
                              const std::vector<Index>& place) {
    std::vector<std::uint32_t> tree(below_size + 1, 0);  // Fenwick tree over the lower row
    std::uint64_t total = 0, seen = 0;
    std::vector<Index> targets;
    for (const Index v : row) {
        targets.clear();
        for (const Index* s = out.begin(v); s != out.end(v); ++s)
            targets.push_back(place[*s]);
        for (const Index t : targets) {
            std::uint64_t not_right = 0;
            for (Index k = t + 1; k > 0; k &= k - 1)
                not_right += tree[k];
            total += seen - not_right;
        }
        for (const Index t : targets)
            for (Index k = t + 1; k <= below_size; k += k & (~k + 1))
                ++tree[k];
        seen += targets.size();
    }
    return total;
}

std::uint64_t count_crossings(const Work& w, const Adjacency& out, const std::vector<Index>& place) {
    std::uint64_t total = 0;
    for (std::size_t l = 0; l + 1 < w.rows.size(); ++l)
        total += crossings_below(w.rows[l], w.rows[l + 1].size(), out, place);
    return total;
}

void reorder(std::vector<Index>& row, const Adjacency& neighbours, std::vector<Index>& place,
             std::vector<float>& key) {
    for (const Index v : row) {
        const std::size_t n = neighbours.degree(v);
        float sum = 0;
        for (const Index* u = neighbours.begin(v); u != neighbours.end(v); ++u)
            sum += static_cast<float>(place[*u]);
        key[v] = n ? sum / static_cast<float>(n) : static_cast<float>(place[v]);
    }
    std::stable_sort(row.begin(), row.end(), [&](Index a, Index b) { return key[a] < key[b]; });
    for (Index i = 0; i < row.size(); ++i)
        place[row[i]] = i;
}

std::uint64_t order_rows(Work& w, const Adjacency& out, const Adjacency& in, const std::stop_token& stop) {
    for (Index v = 0; v < w.layer.size(); ++v)
        w.rows[w.layer[v]].push_back(v);
    std::vector<Index> place(w.layer.size());
    for (const auto& row : w.rows)
        for (Index i = 0; i < row.size(); ++i)
            place[row[i]] = i;
    std::vector<float> key(w.layer.size());
    auto best = w.rows;
    std::uint64_t fewest = count_crossings(w, out, place);
    int worse = 0;
    for (int sweep = 0; sweep < w.options.sweeps && fewest > 0 && worse < 4 && !stop.stop_requested();
         ++sweep) {
        if (sweep % 2 == 0)
            for (std::size_t l = 1; l < w.rows.size(); ++l)
                reorder(w.rows[l], in, place, key);
        else
            for (std::size_t l = w.rows.size() - 1; l-- > 0;)
                reorder(w.rows[l], out, place, key);
        const std::uint64_t now = count_crossings(w, out, place);
        worse = now < fewest ? 0 : worse + 1;
        if (now >= fewest) continue;
        fewest = now;
        best = w.rows;
    }
    w.rows = std::move(best);
    return fewest;
}

// Least squares under "neighbours keep their distance": subtracting the summed distances turns it into
// isotonic regression, solved by pooling adjacent violators.
void place_row(Work& w, const std::vector<Index>& row, const std::vector<float>& wish) {
    struct Pool {
        double sum;
        double weight;
        Index first;
    };
    std::vector<Pool> pools;
    std::vector<double> offset(row.size(), 0);
    for (Index i = 0; i < row.size(); ++i) {
        if (i > 0) offset[i] = offset[i - 1] + w.half[row[i - 1]] + w.half[row[i]] + w.options.node_gap;
        const double weight = static_cast<double>(w.weight[row[i]]);
        pools.push_back({(wish[row[i]] - offset[i]) * weight, weight, i});
        while (pools.size() > 1 && pools[pools.size() - 2].sum / pools[pools.size() - 2].weight >=
                                       pools.back().sum / pools.back().weight) {
            pools[pools.size() - 2].sum += pools.back().sum;
            pools[pools.size() - 2].weight += pools.back().weight;
            pools.pop_back();
        }
    }
    for (std::size_t p = 0; p < pools.size(); ++p) {
        const Index end = p + 1 < pools.size() ? pools[p + 1].first : static_cast<Index>(row.size());
        for (Index i = pools[p].first; i < end; ++i)
            w.x[row[i]] = static_cast<float>(pools[p].sum / pools[p].weight + offset[i]);
    }
}

void relax(Work& w, const Adjacency& out, const Adjacency& in, const std::stop_token& stop) {
    w.x.assign(w.layer.size(), 0);
    std::vector<float> wish(w.layer.size(), 0);
    // Straight edges first; nodes without edges keep to the middle and give way to all others.
    w.weight.resize(w.layer.size());
    for (Index v = 0; v < w.layer.size(); ++v)
        w.weight[v] = v >= w.real ? 4.0F : out.degree(v) + in.degree(v) == 0 ? 0.01F : 1.0F;
    for (const auto& row : w.rows)
        place_row(w, row, wish);
    float middle = 0;
    const auto pull = [&](const std::vector<Index>& row, const Adjacency& near) {
        for (const Index v : row) {
            if (w.weight[v] < 0.5F) {
                wish[v] = middle;
                continue;
            }
            float sum = 0;
            for (const Index* u = near.begin(v); u != near.end(v); ++u)
                sum += w.x[*u];
            wish[v] = near.degree(v) ? sum / static_cast<float>(near.degree(v)) : w.x[v];
        }
        place_row(w, row, wish);
    };
    for (int pass = 0; pass < w.options.relaxations && !stop.stop_requested(); ++pass) {
        middle = std::accumulate(w.x.begin(), w.x.end(), 0.0F) / static_cast<float>(w.x.size());
        if (pass % 2 == 0)
            for (std::size_t l = 1; l < w.rows.size(); ++l)
                pull(w.rows[l], in);
        else
            for (std::size_t l = w.rows.size() - 1; l-- > 0;)
                pull(w.rows[l], out);
    }
}

void finish(Work& w, GraphLayout& result) {
    std::vector<float> top(w.rows.size(), 0), tall(w.rows.size(), 0);
    for (std::size_t l = 0; l < w.rows.size(); ++l) {
        for (const Index v : w.rows[l])
            if (v < w.real) tall[l] = std::max(tall[l], w.sizes[v].height);
        if (l > 0) top[l] = top[l - 1] + tall[l - 1] + w.options.layer_gap;
    }
    float left = 0, right = 0;
    bool first = true;
    for (Index v = 0; v < w.layer.size(); ++v) {
        left = first ? w.x[v] - w.half[v] : std::min(left, w.x[v] - w.half[v]);
        right = first ? w.x[v] + w.half[v] : std::max(right, w.x[v] + w.half[v]);
        first = false;
    }
    result.width = right - left;
    result.height = w.rows.empty() ? 0 : top.back() + tall.back();
    result.layers = static_cast<Index>(w.rows.size());
    result.layer.assign(w.layer.begin(), w.layer.begin() + static_cast<std::ptrdiff_t>(w.real));
    for (Index v = 0; v < w.real; ++v) {
        const LayoutSize s = w.sizes[v];
        result.nodes.push_back({w.x[v] - left - s.width / 2,
                                top[w.layer[v]] + (tall[w.layer[v]] - s.height) / 2, s.width, s.height});
    }
    result.routes.resize(w.edges.size());
    for (std::size_t i = 0; i < w.down.size(); ++i) {
        std::vector<LayoutPoint>& route = result.routes[w.source_edge[i]];
        const LayoutRect &a = result.nodes[w.chain[i].front()], &b = result.nodes[w.chain[i].back()];
        route.push_back({a.centre_x(), a.y + a.height});
        for (std::size_t k = 1; k + 1 < w.chain[i].size(); ++k) {
            const Index v = w.chain[i][k];
            route.push_back({w.x[v] - left, top[w.layer[v]]});
            route.push_back({w.x[v] - left, top[w.layer[v]] + tall[w.layer[v]]});
        }
        route.push_back({b.centre_x(), b.y});
        if (w.reversed[i]) std::reverse(route.begin(), route.end());
    }
    for (std::size_t e = 0; e < w.edges.size(); ++e) {
        const LayoutEdge& edge = w.edges[e];
        if (!result.routes[e].empty() || edge.from >= w.real || edge.to >= w.real || edge.from == edge.to)
            continue;
        const LayoutRect &a = result.nodes[edge.from], &b = result.nodes[edge.to];
        result.routes[e] = {{a.centre_x(), a.centre_y()}, {b.centre_x(), b.centre_y()}};
    }
}

}  // namespace

GraphLayout layout_graph(const std::vector<LayoutSize>& nodes, const std::vector<LayoutEdge>& edges,
                         const LayoutOptions& options, std::stop_token stop) {
    GraphLayout result;
    Work w{nodes, edges, options, nodes.size(), {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
    if (nodes.empty()) {
        result.routes.resize(edges.size());
        return result;
    }
    open_cycles(w);
    assign_layers(w);
    add_dummies(w);
    const Adjacency out(w.layer.size(), w.steps, true), in(w.layer.size(), w.steps, false);
    result.crossings = order_rows(w, out, in, stop);
    w.half.assign(w.layer.size(), kDummyWidth / 2);
    for (std::size_t v = 0; v < nodes.size(); ++v)
        w.half[v] = nodes[v].width / 2;
    relax(w, out, in, stop);
    finish(w, result);
    result.complete = !stop.stop_requested();
    return result;
}

}  // namespace cubinlab
