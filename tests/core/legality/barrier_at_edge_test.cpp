// SPDX-License-Identifier: GPL-3.0-or-later
// A barrier that ends a block: the next block's memory operation keeps its distance, too.
//
//   BAR.SYNC 0x0 ; loop: LDS R2, [R0]
#include "app/lab/synthetic_kernel.h"
#include "tests/core/legality/rule_bench.h"

using namespace cubinlab;
using namespace cubinlab::test;

TEST_CASE("a barrier at the end of a block keeps its cycles to the load that begins the next one") {
    for (const char* file : {"/cubins/barrier_at_edge.75.cubin", "/cubins/barrier_at_edge.80.cubin",
                             "/cubins/barrier_at_edge.90a.cubin"}) {
        INFO(file);
        const Bench b(file);
        const InstrId barrier = b.find([&](InstrId id) { return b.name(id) == "BAR"; });
        REQUIRE(b.kernel->block_of(barrier) != b.kernel->block_of(barrier + 1));
        REQUIRE(b.name(barrier + 1) == "LDS");
        CHECK(check_kernel(b.kernel)->hazards.empty());
        Schedule close = b.original;
        ControlCode code = b.control(barrier);
        code.stall = 1;
        code.yield = false;
        close.set_control(barrier, code);
        const auto alone = required(kernel_with_words(*b.kernel, close.words()));
        CHECK(has_rule(check_kernel(*alone)->hazards, Rule::IssueFloor, barrier, barrier + 1));
        CHECK(has_rule(b.checker->check(close), Rule::IssueFloor));
    }
}
