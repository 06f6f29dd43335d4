// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/moves/reschedule.h"

#include <fmt/format.h>

#include "core/base/number_of.h"
#include "core/search/moves/evolution_strategy.h"
#include "core/search/moves/list_scheduler.h"

namespace cubinlab {
namespace {

constexpr Position kLargest = 3000;  // the time for an order is quadratic

std::string name_of(const Kernel& kernel, BlockId block) {
    return fmt::format("the block at {:#06x}", kernel.flow().blocks[block].first * kWordBytes);
}

int stall_cycles(const Schedule& schedule, BlockId block) {
    const Block& b = schedule.kernel()->flow().blocks[block];
    int cycles = 0;
    for (InstrId id = b.first; id < b.end(); ++id)
        cycles += schedule.control(id).stall;
    return cycles;
}

void add_cycles(Rescheduled& out, const Schedule& before, BlockId block) {
    out.stall_before += stall_cycles(before, block);
    out.stall_after += stall_cycles(out.schedule, block);
    out.cycles_before += block_cycles(before, block);
    out.cycles_after += block_cycles(out.schedule, block);
}

}  // namespace

Result<Rescheduled> tighten_blocks(const HazardChecker& checker, const Schedule& legal,
                                   std::span<const BlockId> blocks, const ReorderSettings& settings) {
    auto tight = tighten_stalls(checker, legal, blocks, settings);
    if (!tight)
        return fail(
            ErrorCode::Refused,
            "no stall count can be lowered to make a block shorter: every cycle is needed by a distance, an "
            "issue floor or a wait");
    Rescheduled out{std::move(*tight)};
    for (const BlockId block : blocks)
        add_cycles(out, legal, block);
    return out;
}

Result<Rescheduled> reschedule_block(const HazardChecker& checker, const Schedule& legal, BlockId block,
                                     const SmModelSettings& model, const ReorderSettings& settings,
                                     std::stop_token stop, int tries) {
    const Kernel& kernel = *legal.kernel();
    const Position count = kernel.flow().blocks[block].count;
    if (count < 3)
        return fail(ErrorCode::Refused, fmt::format("{} has {}: there is nothing to reorder",
                                                    name_of(kernel, block), number_of(count, "instruction")));
    if (count > kLargest)
        return fail(ErrorCode::Refused,
                    fmt::format("{} has {} instructions, more than the {} that are reordered at once",
                                name_of(kernel, block), count, kLargest));
    const SmModel judge(legal.kernel(), model);
    Rescheduled out{legal};
    out.model_before = out.model_after = judge.cycles(legal);
    const ListScheduler scheduler(checker, legal, block);
    Rng rng(1);
    for (; out.orders < tries; ++out.orders) {
        if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
        ListWeights weights =
            out.orders % 2 == 0 ? ListWeights::near_original() : ListWeights::critical_path();
        if (out.orders > 1)
            for (double& weight : weights.weight)
                weight += 0.8 * normal(rng);
        auto made = reorder_block(checker, legal, block, scheduler.order(weights), settings);
        if (!made) continue;
        ++out.legal;
        const double cycles = judge.cycles(*made);
        if (cycles >= out.model_after) continue;
        out.model_after = cycles;
        out.schedule = std::move(*made);
    }
    if (out.legal == 0)
        return fail(ErrorCode::Refused, fmt::format("none of {} orders of {} could be made legal", out.orders,
                                                    name_of(kernel, block)));
    if (out.schedule == legal)
        return fail(ErrorCode::Refused,
                    fmt::format("no faster order of {} found ({} legal {} tried)", name_of(kernel, block),
                                out.legal, out.legal == 1 ? "order" : "orders"));
    add_cycles(out, legal, block);
    return out;
}

}  // namespace cubinlab
