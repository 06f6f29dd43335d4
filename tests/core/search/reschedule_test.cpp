// SPDX-License-Identifier: GPL-3.0-or-later
// The hand's commands: a block tightened or rescheduled at one stroke, legal, or refused with a reason.
#include "core/search/moves/reschedule.h"

#include "core/insight/schedule_diff.h"
#include "tests/core/search/search_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

TEST_CASE("reschedule: fewer modelled cycles, legal, the same again") {
    const SearchContext context = bmm_context();
    BlockId hot = 0;
    const auto& blocks = context.kernel->flow().blocks;
    for (BlockId b = 0; b < blocks.size(); ++b)
        if (blocks[b].loop_depth > blocks[hot].loop_depth) hot = b;
    const auto made = required(reschedule_block(*context.checker, context.start, hot, {}, {}, {}, 40));
    CHECK(context.checker->check(made->schedule).empty());
    CHECK(made->model_after < made->model_before);
    CHECK(made->legal <= made->orders);
    const auto again = required(reschedule_block(*context.checker, context.start, hot, {}, {}, {}, 40));
    CHECK(again->schedule == made->schedule);
    // Nothing outside the block changed.
    for (InstrId id = 0; id < context.kernel->size(); ++id)
        if (context.kernel->block_of(id) != hot) {
            CHECK(made->schedule.control(id) == context.start.control(id));
            CHECK(made->schedule.position_of(id) == context.start.position_of(id));
        }
}

TEST_CASE(
    "reschedule: a block with nothing to reorder, and stalls that are least already, are refused with a "
    "reason") {
    const SearchContext context = bmm_context();
    const auto& blocks = context.kernel->flow().blocks;
    for (BlockId b = 0; b < blocks.size(); ++b) {
        if (blocks[b].count >= 3) continue;
        const auto made = reschedule_block(*context.checker, context.start, b, {}, {}, {});
        REQUIRE_FALSE(made);
        CHECK(made.error().code == ErrorCode::Refused);
        CHECK(made.error().what.find("nothing to reorder") != std::string::npos);
        break;
    }
    std::vector<BlockId> all;
    for (BlockId b = 0; b < blocks.size(); ++b)
        all.push_back(b);
    Schedule now = context.start;
    if (const auto tight = tighten_blocks(*context.checker, now, all)) now = tight->schedule;
    CHECK(context.checker->check(now).empty());
    const auto once = required(tighten_blocks(*context.checker, context.start, all));
    // "Stall cycles" are what every other place calls so.
    const ScheduleDiff diff = diff_schedules(context.start, once->schedule);
    CHECK(once->stall_before == static_cast<int>(diff.stall_cycles_left));
    CHECK(once->stall_after == static_cast<int>(diff.stall_cycles_right));
    CHECK(once->stall_after < once->stall_before);
    const auto twice = tighten_blocks(*context.checker, now, all);
    REQUIRE_FALSE(twice);
    CHECK(twice.error().code == ErrorCode::Refused);
}
