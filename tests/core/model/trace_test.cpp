// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/trace.h"

#include "core/model/occupancy.h"
#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

// Blocks that fall through to the next one; back edges added on top.
FlowGraph chain(BlockId count, std::vector<std::pair<BlockId, BlockId>> back) {
    FlowGraph flow;
    flow.blocks.resize(count);
    for (BlockId b = 0; b + 1 < count; ++b)
        flow.blocks[b].successors = {b + 1};
    for (const auto& [latch, header] : back)
        flow.blocks[latch].successors.push_back(header);
    flow.back_edges = std::move(back);
    return flow;
}

double trips_of(const std::vector<Pass>& trace, BlockId block) {
    double sum = 0;
    for (const Pass& pass : trace)
        if (pass.block == block) sum += pass.weight;
    return sum;
}

}  // namespace

TEST_CASE("a loop is walked four times and counts for all its trips") {
    const auto trace = make_trace(chain(3, {{1, 1}}), 16);
    std::vector<BlockId> order;
    for (const Pass& pass : trace)
        order.push_back(pass.block);
    CHECK(order == std::vector<BlockId>{0, 1, 1, 1, 1, 2});
    CHECK(trace[1].weight == 1.0);
    CHECK(trace[3].weight == 7.0);
    CHECK(trips_of(trace, 1) == 16.0);
}

TEST_CASE("nested loops multiply") {
    const auto trace = make_trace(chain(5, {{2, 2}, {3, 1}}), 10);
    CHECK(trips_of(trace, 0) == 1.0);
    CHECK(trips_of(trace, 1) == 10.0);
    CHECK(trips_of(trace, 2) == 100.0);
    CHECK(trips_of(trace, 3) == 10.0);
    CHECK(trips_of(trace, 4) == 1.0);
}

TEST_CASE("few trips are walked one by one") {
    for (const int trips : {1, 2, 3, 4})
        CHECK(trips_of(make_trace(chain(3, {{1, 1}}), trips), 1) == trips);
}

TEST_CASE("the endless branch after EXIT is not walked") {
    FlowGraph flow = chain(2, {{1, 1}});
    flow.blocks[0].successors.clear();
    const auto trace = make_trace(flow, 16);
    CHECK(trace.size() == 1);
}

TEST_CASE("resident warps follow registers, shared memory and the grid") {
    KernelInfo info;
    info.registers = 128;
    const Arch hopper{90, true};
    // 128 registers * 32 lanes * 4 warps = 16,384 of 65,536: four blocks, one warp of each on a sub-core.
    CHECK(residency_of(hopper, info, 128, 0, 0).warps == 4);
    CHECK(residency_of(hopper, info, 128, 100 << 10, 0).warps == 2);
    CHECK(residency_of(hopper, info, 128, 0, 132).warps == 1);
    CHECK(residency_of(hopper, info, 128, 0, 133).warps == 2);
    CHECK(residency_of(hopper, info, 256, 0, 0).warps_per_block == 2);
    CHECK(residency_of(hopper, info, 1024, 200 << 10, 0).warps == 8);  // never less than one block
}
