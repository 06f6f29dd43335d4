// SPDX-License-Identifier: GPL-3.0-or-later
// Little programs whose cycles are worked out by hand from the rules in resources/docs/model.md.
#include "core/model/sub_core.h"

#include "tests/core/model/plain_core.h"
#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

// One block that is walked once, or a loop with passes of its own.
struct Program {
    std::vector<ModelOp> ops;
    std::vector<Block> blocks;
    std::vector<Pass> trace{{0, 1.0}};
    int warps = 1, warps_per_block = 1;

    ModelRun run() {
        blocks.assign(1, Block{});
        blocks[0].count = static_cast<Position>(ops.size());
        ModelProgram program;
        program.ops = ops;
        program.blocks = &blocks;
        program.trace = &trace;
        program.warps = warps;
        program.warps_per_block = warps_per_block;
        ModelRun detail;
        detail.issue_cycle.assign(ops.size(), 0);
        detail.waited.assign(ops.size(), 0);
        detail.reason.assign(ops.size(), WaitReason::None);
        detail.block_cycles.assign(1, 0);
        detail.cycles = PlainCore(program).run(&detail);
        CHECK(PlainCore(program).run(nullptr) == detail.cycles);
        CHECK(SubCore(program).run(0) == detail.cycles);
        return detail;
    }
};

ModelOp op(int stall, Pipe pipe = Pipe::None, int occupancy = 1) {
    ModelOp out;
    out.control.stall = static_cast<std::uint8_t>(stall);
    out.timing.pipe = pipe;
    out.timing.occupancy = static_cast<std::uint8_t>(occupancy);
    return out;
}

ModelOp load(int stall, int service, int latency) {
    ModelOp out = op(stall, Pipe::Memory, 4);
    out.timing.service = static_cast<std::uint16_t>(service);
    out.timing.write_release = static_cast<std::uint16_t>(latency);
    return out;
}

using Cycles = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("the stall count sets the distance to the next instruction") {
    Program p{{op(4), op(1), op(2)}, {}};
    const ModelRun run = p.run();
    CHECK(run.issue_cycle == Cycles{0, 4, 5});
    CHECK(run.cycles == 7.0);  // issue of the last one + its own stall
    CHECK(run.waited == Cycles{0, 3, 0});
    CHECK(run.reason[1] == WaitReason::Stall);
}

TEST_CASE("a busy pipe holds the next instruction of its class, not one of another class") {
    CHECK(Program{{op(1, Pipe::Alu, 2), op(1, Pipe::Alu, 2)}, {}}.run().issue_cycle == Cycles{0, 2});
    CHECK(Program{{op(1, Pipe::Alu, 2), op(1, Pipe::Fma, 1)}, {}}.run().issue_cycle == Cycles{0, 1});
}

TEST_CASE("a wait mask holds until the scoreboard is released") {
    ModelOp mufu = op(2, Pipe::Xu, 8);
    mufu.control.write_barrier = 3;
    mufu.timing.write_release = 23;
    ModelOp consumer = op(1);
    consumer.control.wait_mask = 1u << 3;
    const ModelRun run = Program{{mufu, op(1), consumer}, {}}.run();
    CHECK(run.issue_cycle == Cycles{0, 2, 23});
    CHECK(run.waited[2] == 20);
    CHECK(run.reason[2] == WaitReason::Scoreboard);
}

TEST_CASE("two producers on one scoreboard are waited for together") {
    ModelOp first = load(1, 8, 100), second = load(1, 8, 30);
    first.control.write_barrier = second.control.write_barrier = 0;
    ModelOp consumer = op(1);
    consumer.control.wait_mask = 1;
    // The second starts its service at 8 and is back at 38, the first at 100.
    CHECK(Program{{first, second, consumer}, {}}.run().issue_cycle == Cycles{0, 4, 100});
}

TEST_CASE("a full memory queue holds the next memory instruction") {
    // Issue every 4 cycles, service every 16. The 8th may enter when the 3rd starts its service, at 32.
    Program p;
    p.ops.assign(8, load(1, 16, 30));
    const ModelRun run = p.run();
    CHECK(run.issue_cycle == Cycles{0, 4, 8, 12, 16, 20, 24, 32});
    CHECK(run.reason[7] == WaitReason::MemoryQueue);
    CHECK(run.reason[6] == WaitReason::Unit);
}

TEST_CASE("yield at stall 1 costs a cycle and hands the issue port to the other warp") {
    Program alone{{op(1), op(1), op(1)}, {}};
    alone.ops[0].control.yield = true;
    CHECK(alone.run().issue_cycle == Cycles{0, 2, 3});

    // Without yield one warp runs through (0 1 2), then the other (3 4 5): 3 cycles each.
    Program two{{op(1), op(1), op(1)}, {}};
    two.warps = 2;
    CHECK(two.run().cycles == 3.0);
    // With it: 0, 2, 3 and 1, 4, 5, so 4 and 5 cycles from a warp's first issue to its end.
    two.ops[0].control.yield = true;
    CHECK(two.run().cycles == 4.5);
}

TEST_CASE("a second warp fills the stall cycles of the first") {
    Program p{{op(4), op(1)}, {}};
    p.warps = 2;
    CHECK(p.run().cycles == 5.0);  // 0, 4 and 1, 5
}

TEST_CASE("three operands of one register bank hold the ports for three cycles, a reuse hit holds none") {
    ModelOp first = op(1, Pipe::Fma, 1);
    first.timing.reads = {0, 2, 4};
    first.timing.read_count = {1, 1, 1};
    ModelOp second = op(1, Pipe::Alu, 1);
    second.timing.reads = {0, kNoRead, kNoRead};
    second.timing.read_count = {1, 0, 0};
    ModelOp third = second;
    third.timing.pipe = Pipe::Fp16;
    ModelRun run = Program{{first, second, third}, {}}.run();
    CHECK(run.issue_cycle == Cycles{0, 3, 4});
    CHECK(run.reason[1] == WaitReason::RegisterPort);

    // Two of three in the same bank: two cycles. With R0 kept in slot a, a repeat needs one port for two
    // reads.
    first.control.reuse = 1;
    ModelOp again = first;
    again.timing.pipe = Pipe::Fp16;
    run = Program{{first, again, third}, {}}.run();
    CHECK(run.issue_cycle == Cycles{0, 3, 5});
}

TEST_CASE("DEPBAR.LE waits for all but the newest groups of asynchronous copies") {
    ModelOp copy = load(1, 8, 100);
    copy.timing.effect = Effect::AsyncCopy;
    ModelOp commit = op(1);
    commit.timing.effect = Effect::AsyncCommit;
    commit.timing.named_scoreboard = 0;
    ModelOp all_but_one = op(1);
    all_but_one.timing.effect = Effect::AsyncWait;
    all_but_one.timing.named_scoreboard = 0;
    all_but_one.timing.named_count = 1;
    ModelOp all = all_but_one;
    all.timing.named_count = 0;
    // The second copy starts its service at 8.
    CHECK(Program{{copy, commit, copy, commit, all_but_one, all}, {}}.run().issue_cycle ==
          Cycles{0, 1, 4, 5, 100, 108});
}

TEST_CASE("warps of a block meet at a barrier") {
    ModelOp bar = op(1);
    bar.timing.effect = Effect::Barrier;
    Program p{{op(3), bar, op(1)}, {}};
    p.warps = 2;
    p.warps_per_block = 2;
    // The younger warp issues at 0 and 3, warp 0 at 1 and 4; both go on at 24, 20 cycles after the later
    // arrival. Counted from the first issue of warp 0, at 1.
    const ModelRun run = p.run();
    CHECK(run.issue_cycle == Cycles{0, 3, 23});
    CHECK(run.reason[2] == WaitReason::Barrier);
}

TEST_CASE("passes of a loop count with their weight") {
    Program p{{op(4), op(2)}, {}, {{0, 1.0}, {0, 15.0}}};
    CHECK(p.run().cycles == 6.0 * 16);
}
