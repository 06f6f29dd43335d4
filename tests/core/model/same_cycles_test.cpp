// SPDX-License-Identifier: GPL-3.0-or-later
// There is one simulator, and whoever watches it must not change it: its figure and what an observer notes are
// compared with the same rules written down a second time, plainly. Equal to the last bit.
#include "core/model/cycle_account.h"
#include "core/model/sm_model.h"
#include "core/model/sub_core.h"
#include "core/search/moves/neighbourhood.h"
#include "tests/core/model/plain_core.h"
#include "tests/support/sample_checker.h"

using namespace cubinlab;

namespace {

constexpr const char* kSamples[] = {"bmm",        "bmm_mma",        "ff_swiglu",        "ff_swiglu_mma",
                                    "flash_attn", "flash_attn_mma", "flash_attn_d64",   "flash_attn_d64_mma",
                                    "gemm_leaky", "gemm_leaky_mma", "gemm_leaky_large", "rmsnorm",
                                    "softmax"};

SearchContext context_of(const std::string& name) {
    const CheckerPtr checker = test::checker_of_sample(name);
    return {checker->kernel(), checker, 1, "{}", {}, {}, Schedule(checker->kernel())};
}

}  // namespace

TEST_CASE("the quick figure equals the explained one on random legal schedules of every sample") {
    for (const char* name : kSamples) {
        INFO(name);
        const SearchContext context = context_of(name);
        const Neighbourhood around(context);
        SmModelSettings crowded;
        crowded.threads_per_block = 512;  // several warps meet at a barrier
        SmModelSettings alone;
        alone.warps_per_subcore = 1;
        const SmModel models[] = {{context.kernel, {}}, {context.kernel, crowded}, {context.kernel, alone}};
        Rng rng(2026);
        Schedule schedule = context.start;
        for (int step = 0; step < 12; ++step) {
            for (const SmModel& model : models)
                CHECK(model.cycles(schedule) == model.run(schedule).cycles);
            for (int edit = 0; edit < 15; ++edit)
                if (auto edited = around.draw_some(schedule, 3, rng)) schedule = edited->result;
        }
    }
}

// Schedules need not be legal for the model, and random programs reach what samples do not: tensor groups,
// queues of three, any barrier anywhere.
TEST_CASE("the figure equals the plain one, watched or not, and every cycle is booked, on random programs") {
    Rng rng(7);
    for (int round = 0; round < 300; ++round) {
        ModelProgram program;
        std::vector<Block> blocks(3);
        Position next = 0;
        for (Block& block : blocks) {
            block.first = next;
            block.count = 1 + rng.below(20);
            next = block.end();
        }
        for (Position p = 0; p < next; ++p) {
            ModelOp op;
            op.timing.pipe = static_cast<Pipe>(rng.below(kPipes));
            op.timing.occupancy = static_cast<std::uint8_t>(1 + rng.below(8));
            op.timing.effect = static_cast<Effect>(rng.chance(0.3) ? rng.below(7) : 0);
            op.timing.service = static_cast<std::uint16_t>(rng.below(40));
            op.timing.read_release = static_cast<std::uint16_t>(rng.below(20));
            op.timing.write_release = static_cast<std::uint16_t>(rng.below(600));
            op.timing.named_scoreboard = static_cast<std::int8_t>(static_cast<int>(rng.below(8)) - 1);
            op.timing.named_count = static_cast<std::uint8_t>(rng.below(10));
            for (std::size_t slot = 0; slot < 3; ++slot) {
                op.timing.reads[slot] = static_cast<std::uint8_t>(rng.chance(0.1) ? 255 : rng.below(6));
                op.timing.read_count[slot] = static_cast<std::uint8_t>(rng.below(3));
            }
            op.control.stall = static_cast<std::uint8_t>(rng.below(16));
            op.control.yield = rng.chance(0.3);
            op.control.wait_mask = static_cast<std::uint8_t>(rng.chance(0.3) ? rng.below(64) : 0);
            op.control.write_barrier = static_cast<std::uint8_t>(rng.below(8));
            op.control.read_barrier = static_cast<std::uint8_t>(rng.below(8));
            op.control.reuse = static_cast<std::uint8_t>(rng.below(8));
            program.ops.push_back(op);
        }
        const std::vector<Pass> trace{{0, 1}, {1, 1}, {1, 7.5}, {1, 3}, {2, 0.25}};
        program.blocks = &blocks;
        program.trace = &trace;
        program.warps_per_block = 1 + static_cast<int>(rng.below(3));
        program.warps = program.warps_per_block * (1 + static_cast<int>(rng.below(3)));
        program.memory_queue = rng.chance(0.5) ? kMemoryQueue : kMemoryQueueTuring;
        SubCore core(program);
        std::vector<double> weights;
        for (const Pass& pass : trace)
            weights.push_back(pass.weight);
        for (const std::uint64_t stagger : {0u, 3u, 80u, 320u}) {
            program.stagger = stagger;
            const double plain = PlainCore(program).run(nullptr);
            REQUIRE(core.run(stagger) == plain);
            CycleAccount account(program, weights);
            REQUIRE(core.run(stagger, account) == plain);
            account.close(core);
            // Every cycle is in the books once: weights are quarters, so that sums are exact.
            REQUIRE(account.booked() / program.warps == plain);
            double entries = 0;
            for (const std::vector<CycleEntry>& at : account.by_position())
                for (const CycleEntry& e : at)
                    entries += e.cycles;
            REQUIRE(entries == account.booked());
        }
    }
}
