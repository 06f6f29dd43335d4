// SPDX-License-Identifier: GPL-3.0-or-later
// Moves that take along what holds them: as few as order asks for, held against every subset by brute force.
#include "core/legality/move_along.h"

#include <array>
#include <bit>

#include "tests/core/legality/rule_bench.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

// What order says of a schedule, by the checker's own findings; cycles and scoreboards are another matter.
bool order_holds(const HazardChecker& checker, const Schedule& schedule) {
    constexpr std::array kOrder = {Rule::Dependence, Rule::Pinned,    Rule::MemoryOrder,  Rule::FenceOrder,
                                   Rule::AsyncGroup, Rule::WarpOrder, Rule::UnknownOpcode};
    for (const Hazard& hazard : checker.check(schedule))
        if (std::ranges::find(kOrder, hazard.rule) != kOrder.end()) return false;
    return true;
}

// The window [to, at] with those of `mask` (bit i: position to + i) in front, each part in its order.
Schedule with_front(const Schedule& from, Position to, Position at, unsigned mask) {
    std::vector<InstrId> front, rest;
    for (Position p = to; p <= at; ++p)
        ((mask >> (p - to) & 1) != 0 ? front : rest).push_back(from.at(p));
    front.insert(front.end(), rest.begin(), rest.end());
    Schedule out = from;
    for (std::size_t i = 0; i < front.size(); ++i)
        out.move(front[i], to + static_cast<Position>(i));
    return out;
}

}  // namespace

TEST_CASE("a chain that a reader of its results holds goes up as a whole, and back") {
    const Bench b("bmm_mma.cubin");
    // An instruction right behind the one whose result it reads, with something to pass above both.
    const InstrId reader = b.find([&](InstrId id) {
        return id > 2 && b.same_block(id - 2, id) && reads_written(*b.kernel, id - 1, id) &&
               b.checker->order_range(b.original, id).first == id &&
               b.checker->order_range(b.original, id - 1).first < id - 1;
    });
    const Position to = reader - 2;
    REQUIRE_FALSE(b.checker->allows(b.original, Mutation::move_to(b.original, reader, to)));
    const auto moves = required(move_along(*b.checker, b.original, reader, to));
    const Schedule after = *moves->applied(b.original);
    CHECK(after.at(to) == reader - 1);
    CHECK(after.at(to + 1) == reader);
    CHECK(after.at(to + 2) == reader - 2);
    CHECK(order_holds(*b.checker, after));
    const auto back = required(move_along(*b.checker, after, reader - 1, to + 2));
    CHECK(*back->applied(after) == b.original);
}

TEST_CASE("nothing goes along that need not, by every subset of the window") {
    std::size_t moved = 0, refused = 0;
    for (const char* file : {"bmm_mma.cubin", "flash_attn.cubin", "ff_swiglu.cubin"}) {
        const Bench b(file);
        std::mt19937 random(7);
        for (int tries = 0; tries < 60; ++tries) {
            const auto id = static_cast<InstrId>(random() % b.kernel->size());
            const Position at = b.original.position_of(id);
            const Block& block = b.kernel->flow().blocks[b.kernel->block_of(id)];
            const Position reach = 2 + static_cast<Position>(random() % 6);
            if (at - block.first < reach) continue;
            const Position to = at - reach;
            // Subsets in front that order permits, the moved one among them.
            unsigned fewest = 0, count = 99;
            bool passes_all = false;  // the one at `to` too
            for (unsigned mask = 1u << reach; mask < 2u << reach; ++mask) {
                if (mask + 1 == 2u << reach) continue;  // all of them: nothing is passed
                const auto size = static_cast<unsigned>(std::popcount(mask));
                if (!order_holds(*b.checker, with_front(b.original, to, at, mask))) continue;
                passes_all = passes_all || (mask & 1) == 0;
                if (size >= count) continue;
                count = size;
                fewest = mask;
            }
            const auto moves = move_along(*b.checker, b.original, id, to);
            INFO(file << " " << id << " to " << to);
            // The dummy loads in front of a copy are held together by the checker, not by order.
            if (!moves || !order_holds(*b.checker, *moves->applied(b.original))) {
                ++refused;
                CHECK_FALSE(passes_all);
                continue;
            }
            ++moved;
            REQUIRE(count != 99);
            CHECK(*moves->applied(b.original) == with_front(b.original, to, at, fewest));
        }
    }
    CHECK(moved > 40);
    CHECK(refused > 5);
}

TEST_CASE("what keeps its place is never passed, and nothing leaves its block") {
    const Bench b("flash_attn_mma.cubin");
    for (InstrId id = 0; id < b.kernel->size(); ++id) {
        const Block& block = b.kernel->flow().blocks[b.kernel->block_of(id)];
        CHECK_FALSE(move_along(*b.checker, b.original, id, id));
        if (block.first > 0) CHECK_FALSE(move_along(*b.checker, b.original, id, block.first - 1));
        if (block.end() < b.kernel->size()) CHECK_FALSE(move_along(*b.checker, b.original, id, block.end()));
        if (!b.kernel->pinned(id)) continue;
        CHECK_FALSE(move_along(*b.checker, b.original, id, block.first == id ? id + 1 : block.first));
        if (id > block.first && id + 1 < block.end())
            CHECK_FALSE(move_along(*b.checker, b.original, id + 1, id - 1));
    }
}
