// SPDX-License-Identifier: GPL-3.0-or-later
// A base state that is derived from another schedule's holds what one made from nothing does.
#include "core/legality/base_state.h"

#include <algorithm>
#include <random>

#include "tests/core/legality/analysis_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

bool equal(ScoreboardSpan a, ScoreboardSpan b) {
    return std::ranges::equal(a, b);
}

bool equal(const Kernel& kernel, const BaseState& a, const BaseState& b) {
    if (a.timing().cycle != b.timing().cycle || a.timing().total != b.timing().total ||
        a.timing().ages != b.timing().ages)
        return false;
    const std::vector<Block>& blocks = kernel.flow().blocks;
    for (BlockId block = 0; block < blocks.size(); ++block) {
        if (!equal(a.entry(block), b.entry(block)) || !equal(a.exit_state(block), b.exit_state(block)))
            return false;
        for (Position at = 0; at * BaseState::kStride < blocks[block].end() - blocks[block].first; ++at)
            if (!equal(a.checkpoint(block, at), b.checkpoint(block, at))) return false;
    }
    return true;
}

struct Derived {
    std::size_t made = 0, refused = 0, wrong = 0;
};

void derive_along(const NamedKernel& named, CheckMode mode, Derived& tally) {
    const HazardChecker::Impl impl(named.kernel, mode);
    std::mt19937 random(11);
    Schedule schedule(named.kernel);
    BaseState state = BaseState::built(impl, schedule);
    for (int i = 0; i < 60; ++i) {
        const auto mutated = random_mutation(schedule, random).applied(schedule);
        if (!mutated || *mutated == schedule) continue;
        BaseState anew = BaseState::built(impl, *mutated);
        std::optional<BaseState> derived = BaseState::derived(impl, *mutated, state);
        ++(derived ? tally.made : tally.refused);
        tally.wrong += derived && !equal(*named.kernel, *derived, anew);
        schedule = *mutated;
        // What was derived is derived from in turn.
        state = derived ? std::move(*derived) : std::move(anew);
    }
}

}  // namespace

TEST_CASE("a state derived from a schedule that differs in one block is the one that is made from nothing") {
    Derived tally;
    for (const NamedKernel& named : all_kernels())
        for (const CheckMode mode : {CheckMode::AgainstOriginal, CheckMode::Absolute})
            derive_along(named, mode, tally);
    INFO(tally.made << " derived, " << tally.refused << " not");
    CHECK(tally.wrong == 0);
    CHECK(tally.made > tally.refused);
}

TEST_CASE("nothing is derived from a schedule that differs in two blocks, or from another checker's") {
    const KernelPtr kernel = load_kernel("/gpu/cluster_ring.cubin", "cluster_ring");
    const HazardChecker::Impl impl(kernel, CheckMode::AgainstOriginal), other(kernel, CheckMode::Absolute);
    const Schedule original(kernel);
    const auto slower = [&](Schedule schedule, BlockId block) {
        const InstrId id = kernel->flow().blocks[block].first;
        ControlCode code = schedule.control(id);
        code.stall = static_cast<std::uint8_t>(code.stall == 11 ? 10 : code.stall + 1);
        return *Mutation::control(schedule, id, code).applied(schedule);
    };
    const BaseState base = BaseState::built(impl, original);
    const Schedule one = slower(original, 0);
    CHECK(BaseState::derived(impl, one, base));
    CHECK_FALSE(BaseState::derived(impl, slower(one, 1), base));
    CHECK_FALSE(BaseState::derived(other, one, base));
}
