// SPDX-License-Identifier: GPL-3.0-or-later
// Move and pay: what it makes legal, that it pays no more than is needed, and that it is a mutation like any
// other.
#include "core/legality/stall_repair.h"
#include "core/legality/reorder.h"

#include "tests/core/legality/rule_bench.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

// Stall cycles that a mutation adds in total; negative: removes.
int stall_change(const Mutation& mutation) {
    int change = 0;
    for (const Edit& edit : mutation.edits)
        if (edit.kind == EditKind::Control)
            change += edit.control_after().stall - edit.control_before().stall;
    return change;
}

struct Seen {
    std::size_t refused = 0;  // moves that are illegal as they are
    std::size_t paid = 0;     // of these: legal for a price
    std::size_t spare = 0;    // paid cycles that were not needed
};

// A move inside the order's range, wherever it is illegal.
std::optional<Mutation> refused_move(const HazardChecker& checker, const Schedule& s, std::mt19937& random) {
    for (int tries = 0; tries < 100; ++tries) {
        const auto id = static_cast<InstrId>(random() % s.size());
        const auto [low, high] = checker.order_range(s, id);
        if (high <= low) continue;
        const Position to = low + static_cast<Position>(random() % (high - low + 1));
        if (to == s.position_of(id)) continue;
        Mutation move = Mutation::move_to(s, id, to);
        if (!checker.allows(s, move)) return move;
    }
    return std::nullopt;
}

// Takes every paid cycle back, one at a time.
std::size_t spare_cycles(const HazardChecker& checker, const Schedule& s, const Mutation& paid) {
    std::size_t spare = 0;
    for (std::size_t i = 1; i < paid.edits.size(); ++i) {
        Mutation less = paid;
        --less.edits[i].after;  // the stall count is in the lowest bits
        const auto result = required(less.applied(s));
        if (checker.legal(*result)) ++spare;
    }
    return spare;
}

void walk(const NamedKernel& named, int steps, std::uint32_t seed, Seen& seen) {
    const auto checker = required(HazardChecker::create(named.kernel));
    std::mt19937 random(seed);
    Schedule s(named.kernel);
    for (int i = 0; i < steps; ++i) {
        const auto move = refused_move(**checker, s, random);
        if (!move) continue;
        ++seen.refused;
        const auto paid = add_required_stalls(**checker, s, *move);
        if (!paid) continue;
        ++seen.paid;
        INFO(named.file << ": " << paid->text(*named.kernel) << " [" << paid->encode() << "]");
        REQUIRE(paid->edits.size() > 1);
        CHECK(paid->edits.front() == move->edits.front());
        CHECK(paid->kind() == MutationKind::MoveAndPay);
        CHECK(paid->text(*named.kernel).find(", paying ") != std::string::npos);
        CHECK(stall_change(*paid) > 0);
        expect_a_mutation_like_any_other(s, *paid);
        const auto after = paid->applied(s);
        const Legality full = (*checker)->check(*after);
        INFO(describe(full));
        REQUIRE(full.empty());
        const std::size_t spare = spare_cycles(**checker, s, *paid);
        CHECK(spare == 0);
        seen.spare += spare;
        const Mutation less = remove_excess_stalls(**checker, s, *paid);
        expect_a_mutation_like_any_other(s, less);
        CHECK((*checker)->legal(*less.applied(s)));
        CHECK(stall_change(less) <= stall_change(*paid));
        if (random() % 3 == 0) s = *less.applied(s);
    }
}

}  // namespace

TEST_CASE("a move that lacks cycles only becomes legal for a price, on every kernel") {
    Seen seen;
    for (const NamedKernel& named : all_kernels())
        walk(named, 25, 5, seen);
    WARN("refused moves: " << seen.refused << ", legal for a price: " << seen.paid
                           << ", cycles too many: " << seen.spare);
    CHECK(seen.paid * 5 > seen.refused);
    CHECK(seen.spare == 0);
}

TEST_CASE("a legal mutation costs nothing") {
    const Bench b("bmm_mma.cubin");
    const Schedule& s = b.original;
    ControlCode more = s.control(9);
    ++more.stall;
    const Mutation slower = Mutation::control(s, 9, more);
    REQUIRE(b.checker->allows(s, slower));
    CHECK(add_required_stalls(*b.checker, s, slower) == slower);
}

TEST_CASE("cycles do not buy an order") {
    const Bench b("bmm_mma.cubin");
    const Schedule& s = b.original;
    std::size_t pairs = 0;
    for (InstrId id = 1; id < b.kernel->size(); ++id) {
        if (b.kernel->block_of(id) != b.kernel->block_of(id - 1)) continue;
        const Mutation swap = Mutation::move_before(id, id - 1);
        const Legality hazards = b.checker->explain(s, swap);
        if (!has_rule(hazards, Rule::Dependence) && !has_rule(hazards, Rule::Pinned)) continue;
        ++pairs;
        CHECK_FALSE(add_required_stalls(*b.checker, s, swap));
    }
    CHECK(pairs > 10);
}

TEST_CASE("a stall that is lowered too far is not paid for by itself") {
    const Bench b("bmm_mma.cubin");
    const Schedule& s = b.original;
    std::size_t paid = 0;
    for (InstrId id = 0; id < b.kernel->size(); ++id) {
        ControlCode less = s.control(id);
        if (less.stall < 2) continue;
        --less.stall;
        const Mutation m = Mutation::control(s, id, less);
        if (b.checker->allows(s, m)) continue;
        const auto priced = add_required_stalls(*b.checker, s, m);
        if (!priced) continue;
        ++paid;
        for (std::size_t i = 1; i < priced->edits.size(); ++i)
            CHECK(priced->edits[i].instr != id);
        CHECK(b.checker->legal(*priced->applied(s)));
    }
    CHECK(paid > 0);
}

TEST_CASE("who may not pay does not") {
    const Bench b("flash_attn.cubin");
    const Schedule& s = b.original;
    std::mt19937 random(3);
    StallRepairSettings nobody;
    nobody.may_change = [](InstrId) { return false; };
    StallRepairSettings even;
    even.may_change = [](InstrId id) { return id % 2 == 0; };
    std::size_t paid = 0;
    for (int i = 0; i < 60; ++i) {
        const auto move = required(refused_move(*b.checker, s, random));
        CHECK_FALSE(add_required_stalls(*b.checker, s, *move, nobody));
        const auto priced = add_required_stalls(*b.checker, s, *move, even);
        if (!priced) continue;
        ++paid;
        for (std::size_t e = 1; e < priced->edits.size(); ++e)
            CHECK(priced->edits[e].instr % 2 == 0);
    }
    CHECK(paid > 0);
}

TEST_CASE("a block is settled where an instruction with yield needs more cycles than two") {
    int settled = 0;
    for (const NamedKernel& named : all_kernels()) {
        const Kernel& kernel = *named.kernel;
        if (kernel.arch().sm < 80 || kernel.arch().sm >= 90) continue;  // where yield at one cycle is refused
        const auto checker = HazardChecker::create(named.kernel);
        if (!checker) continue;
        const Schedule schedule(named.kernel);
        for (BlockId block = 0; block < kernel.flow().blocks.size(); ++block) {
            const Block& b = kernel.flow().blocks[block];
            const InstrId last = schedule.at(b.end() - 1);
            const ControlCode code = schedule.control(last);
            if (kernel.instruction(last).unit != Unit::Cbu || !code.yield || code.stall < 5) continue;
            const std::vector<InstrId> order(schedule.order().begin() + b.first,
                                             schedule.order().begin() + b.end());
            // Begins from one cycle, which yield forbids, and comes by two to the five of a branch.
            const auto made = reorder_block(**checker, schedule, block, order, {});
            if (!made) continue;
            INFO(named.file << " block " << block);
            CHECK((*checker)->legal(*made));
            CHECK(made->control(last).stall >= 5);
            ++settled;
        }
    }
    CHECK(settled > 0);
}
