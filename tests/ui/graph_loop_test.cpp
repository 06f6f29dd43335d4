// SPDX-License-Identifier: GPL-3.0-or-later
#include <set>
#include <tuple>

#include "core/binary/cubin.h"
#include "core/schedule/loops.h"
#include "tests/support/catch.h"
#include "ui/graph/dependency_picture.h"

using namespace cubinlab;
using namespace cubinlab::ui;

namespace {

KernelPtr kernel_of(const std::string& path) {
    auto cubin = required(Cubin::open(path));
    auto kernel = required(Kernel::load(*cubin));
    return *kernel;
}

}  // namespace

TEST_CASE("the innermost loop around a block, by hand", "[loop]") {
    // 0 -> 1 -> 2 -> 3 -> 1, 2 -> 2: an inner loop {2} in an outer {1, 2, 3}; 4 follows.
    FlowGraph flow;
    flow.blocks.resize(5);
    const auto edge = [&](BlockId from, BlockId to) {
        flow.blocks[from].successors.push_back(to);
        flow.blocks[to].predecessors.push_back(from);
    };
    edge(0, 1), edge(1, 2), edge(2, 2), edge(2, 3), edge(3, 1), edge(3, 4);
    flow.back_edges = {{2, 2}, {3, 1}};
    flow.blocks[1].loop_depth = flow.blocks[3].loop_depth = 1;
    flow.blocks[2].loop_depth = 2;
    flow.blocks[1].loop_header = flow.blocks[3].loop_header = 1;
    flow.blocks[2].loop_header = 2;
    CHECK(blocks_of_loop(flow, 0).empty());
    CHECK(blocks_of_loop(flow, 4).empty());
    CHECK(blocks_of_loop(flow, 2) == std::vector<BlockId>{2});
    CHECK(blocks_of_loop(flow, 1) == std::vector<BlockId>{1, 2, 3});
    CHECK(blocks_of_loop(flow, 3) == std::vector<BlockId>{1, 2, 3});
    CHECK(blocks_of_loop(flow, 99).empty());
}

TEST_CASE("a loop's graph is its blocks' graphs and what crosses between them", "[loop]") {
    const KernelPtr kernel = kernel_of(CUBINLAB_TEST_DATA "/gui/loop.cubin");  // its loop has blocks 3 and 4
    const Schedule schedule(kernel);
    const std::vector<BlockId> blocks = blocks_of_loop(kernel->flow(), 4);
    REQUIRE(blocks == std::vector<BlockId>{3, 4});
    const DependencyGraph loop = build_loop_graph(schedule, blocks);
    const DependencyGraph a = build_dependency_graph(schedule, 3, false),
                          b = build_dependency_graph(schedule, 4, false);
    CHECK(loop.nodes.size() == a.nodes.size() + b.nodes.size());
    CHECK(loop.slack.size() == loop.nodes.size());
    CHECK(loop.length == a.length + b.length);
    std::size_t crossing = 0;
    std::set<std::tuple<InstrId, InstrId, int, int, int>> seen;
    for (const Dependence& d : loop.edges) {
        const BlockId from = kernel->block_of(d.from), to = kernel->block_of(d.to);
        CHECK((from == 3 || from == 4));
        CHECK((to == 3 || to == 4));
        if (from == to) continue;
        ++crossing;
        CHECK(d.loop_carried == (from == 4));
        CHECK(seen.emplace(d.from, d.to, static_cast<int>(d.kind), static_cast<int>(d.file), d.reg).second);
    }
    CHECK(crossing > 0);
    CHECK(loop.edges.size() == a.edges.size() + b.edges.size() + crossing);
}
