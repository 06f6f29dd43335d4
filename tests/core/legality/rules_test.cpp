// SPDX-License-Identifier: GPL-3.0-or-later
// One violating schedule per rule, made on a real kernel and refused for the right reason, and beside it a
// near miss that is legal. The rows of "what broke on the GPU" are here too: each was a wrong result once.
#include <map>
#include <optional>

#include "app/lab/fuzz/control_edits.h"
#include "tests/core/legality/rule_bench.h"

using namespace cubinlab;
using namespace cubinlab::test;

TEST_CASE("a uniform predicate read too early") {
    const Bench b("bmm_mma.cubin");
    const InstrId writer = at_offset(0x0dd0);  // UISETP UP0, stall 6; PLOP3 at 0x0de0 reads it
    REQUIRE(b.name(writer) == "UISETP");
    const Hazard h = only(b.stall(writer, 5), Rule::RawDistance);
    CHECK(h.later == at_offset(0x0de0));
    CHECK(h.need == 6);
    CHECK(h.have == 5);
    CHECK(h.resource == "UP0");
    CHECK(h.explanation.find("RAW on UP0: UISETP 0x0dd0 -> PLOP3 0x0de0 needs 6 cycles, has 5") !=
          std::string::npos);
    CHECK(b.stall(writer, 7).empty());
}

TEST_CASE("a tensor operand needs 7 cycles after the packing that writes it") {  // lab: F2FP 7 -> 6
    const Bench b("flash_attn_mma.cubin");
    InstrId reader = kNone;
    const InstrId writer = b.find([&](InstrId id) {
        if (b.name(id) != "F2FP") return false;
        for (reader = id + 1; reader < b.kernel->size() && b.same_block(id, reader); ++reader)
            if (reads_written(*b.kernel, id, reader))
                return b.name(reader) == "HMMA" && b.cycles_between(id, reader) == 7 &&
                       b.control(id).stall > 1;
        return false;
    });
    const Hazard h = only(b.stall(writer, b.control(writer).stall - 1), Rule::RawDistance);
    CHECK(h.need == 7);
    CHECK(h.have == 6);
    CHECK(b.stall(writer, b.control(writer).stall + 1).empty());
}

TEST_CASE("a predicate needs 13 cycles to reach the branch that ends its block") {
    const Bench b("bmm_mma.cubin");
    const InstrId branch = at_offset(0x13d0);  // @P5 BRA, the loop
    REQUIRE(b.name(branch) == "BRA");
    const InstrId writer = at_offset(0x0de0);  // PLOP3 P5
    REQUIRE(b.name(writer) == "PLOP3");
    const Legality late = b.move(writer, branch - 1);
    CHECK(has_rule(late, Rule::RawDistance, writer, branch));
    CHECK(only(late, Rule::RawDistance).need == 13);
    CHECK(b.move(writer, writer + 1).empty());
}

TEST_CASE("two cycles from setting a barrier to waiting for it") {  // lab: stall 2 -> 1
    std::size_t places = 0;
    for (const NamedKernel& named : sample_kernels()) {
        const Bench b(named.file);
        InstrId setter = 0;
        for (; setter + 1 < b.kernel->size(); ++setter) {
            const ControlCode c = b.control(setter);
            if (c.stall != 2 || !b.same_block(setter, setter + 1)) continue;
            const int barrier = c.write_barrier != kNoBarrier ? c.write_barrier : c.read_barrier;
            if (barrier < 6 && (b.control(setter + 1).wait_mask >> barrier & 1) != 0) break;
        }
        if (setter + 1 >= b.kernel->size()) continue;
        ++places;
        const Hazard h = only(b.stall(setter, 1), Rule::SetToWait);
        INFO(h.explanation);
        CHECK(h.earlier == setter);
        CHECK(h.later == setter + 1);
        CHECK(h.need == 2);
        CHECK(h.have == 1);
        CHECK(h.resource.substr(0, 2) == "SB");
        CHECK(b.stall(setter, 3).empty());
    }
    CHECK(places >= 3);
}

TEST_CASE(
    "removing the instruction between a barrier and its wait is refused") {  // lab: seen through WAR too
    const Bench b("softmax.cubin");
    const InstrId setter = at_offset(0x0820);  // MUFU.EX2, read barrier 1, stall 1
    const InstrId between = at_offset(0x0830);
    REQUIRE(b.name(setter) == "MUFU");
    ControlCode code = b.control(at_offset(0x0840));
    REQUIRE(b.control(setter).read_barrier == 1);
    code = b.control(between);
    code.wait_mask = static_cast<std::uint8_t>(code.wait_mask | 2);
    const Legality legality = b.checker->explain(b.original, Mutation::control(b.original, between, code));
    CHECK(has_rule(legality, Rule::SetToWait, setter, between));
}

// Found by fuzzing on an H200: an addition moved from behind WARPGROUP.ARRIVE to before it left 1 cycle to
// the HGMMA.
TEST_CASE("six cycles from WARPGROUP.ARRIVE to the next wgmma") {
    const Bench b("flash_attn.cubin");
    const InstrId arrive = at_offset(0x1000), add = at_offset(0x1010);
    REQUIRE(b.name(arrive) == "WARPGROUP");
    REQUIRE(b.name(add) == "FADD");
    const Hazard h =
        only(b.checker->explain(b.original, Mutation::move_before(add, arrive)), Rule::IssueFloor);
    CHECK(h.need == 6);
    CHECK(h.have == 1);
    CHECK(only(b.stall(add, 4), Rule::IssueFloor).have == 5);
    CHECK(b.stall(add, 6).empty());
}

// Found by fuzzing on an H200: WARPGROUP.DEPBAR moved to right behind the last HGMMA of its group did not
// wait for it.
TEST_CASE("three cycles from a wgmma to the WARPGROUP.DEPBAR that waits for its group") {
    const Bench b("flash_attn_d64.cubin");
    const InstrId last = at_offset(0x0c90), depbar = at_offset(0x0d00);
    REQUIRE(b.name(last) == "HGMMA");
    REQUIRE(b.name(depbar) == "WARPGROUP");
    const Hazard h =
        only(b.checker->explain(b.original, Mutation::move_after(depbar, last)), Rule::IssueFloor);
    CHECK(h.need == 3);
    CHECK(h.have == 1);
    CHECK(b.checker->explain(b.original, Mutation::move_after(depbar, at_offset(0x0cc0))).empty());
}

TEST_CASE("six cycles from a barrier to the next memory operation") {  // lab: BAR.SYNC 6 -> 5
    const Bench b("bmm_mma.cubin");
    const InstrId bar = at_offset(0x0660);
    REQUIRE(b.name(bar) == "BAR");
    REQUIRE(b.control(bar).stall == 6);
    const Hazard h = only(b.stall(bar, 5), Rule::IssueFloor);
    CHECK(h.need == 6);
    CHECK(h.have == 5);
    CHECK(b.stall(bar, 7).empty());
}

TEST_CASE(
    "a member of an in-order group may not pass the one whose barrier covers it") {  // lab: MUFU, LDSM pairs
    std::size_t found = 0;
    for (const NamedKernel& named : sample_kernels()) {
        const Bench b(named.file);
        for (InstrId id = 0; id < b.kernel->size(); ++id) {
            const Instruction& i = b.kernel->instruction(id);
            if (!i.has(Trait::InOrderXu) && !i.has(Trait::InOrderMio)) continue;
            if (b.control(id).write_barrier != kNoBarrier || i.memory.writes || i.guarded()) continue;
            const Block& block = b.kernel->flow().blocks[b.kernel->block_of(id)];
            const SlotRange slots = b.checker->slots(b.original, id);
            for (InstrId later = id + 1; later < block.end(); ++later) {
                const Instruction& cover = b.kernel->instruction(later);
                const bool group = (i.has(Trait::InOrderXu) && cover.has(Trait::InOrderXu)) ||
                                   (i.has(Trait::InOrderMio) && cover.has(Trait::InOrderMio));
                if (!group || b.control(later).write_barrier == kNoBarrier) continue;
                const Legality legality = b.move(id, later);
                if (has_rule(legality, Rule::RawScoreboard)) ++found;
                CHECK(slots.contains(later) == legality.empty());
                break;
            }
        }
    }
    CHECK(found > 0);
}

TEST_CASE("yield belongs to a stall count of 12 and more") {  // lab: HMMA with stall 15
    const Bench b("flash_attn_mma.cubin");
    const InstrId hmma =
        b.find([&](InstrId id) { return b.name(id) == "HMMA" && b.control(id).stall >= 12; });
    const Hazard h = only(b.edit(hmma, [](ControlCode& c) { c.yield = false; }), Rule::StallYield);
    CHECK(h.earlier == hmma);
    CHECK(h.explanation.find("bit 109") != std::string::npos);
}

// Measured on an H200 in a million trials and more: a stall of 1 with yield never holds shorter than its
// cycle.
TEST_CASE(
    "yield at stall 1 is refused where it is not measured, stall 0 everywhere, yield at stall 2 nowhere") {
    const Bench b("/cubins/bmm_mma.sm_80.cubin");
    const auto at_one = [](const Bench& bench) {
        return bench.find(
            [&](InstrId id) { return bench.name(id) == "IMAD" && bench.control(id).stall == 1; });
    };
    const InstrId one = at_one(b);
    CHECK(has_rule(b.edit(one, [](ControlCode& c) { c.yield = true; }), Rule::StallYield));
    const Bench hopper("bmm_mma.cubin");
    CHECK(hopper.edit(at_one(hopper), [](ControlCode& c) { c.yield = true; }).empty());
    CHECK(has_rule(b.edit(one, [](ControlCode& c) { c.stall = 0; }), Rule::StallYield));
    CHECK(b.edit(one, [](ControlCode& c) { c.stall = 2, c.yield = true; }).empty());
}

TEST_CASE("a wait that proves a load complete may not be dropped") {
    const Bench b("softmax.cubin");
    const InstrId load = b.find([&](InstrId id) { return b.name(id) == "LDG"; });
    const int barrier = b.control(load).write_barrier;
    REQUIRE(barrier < 6);
    const InstrId waiter =
        b.find([&](InstrId id) { return id > load && (b.control(id).wait_mask >> barrier & 1) != 0; });
    const Legality legality = b.edit(waiter, [&](ControlCode& c) {
        c.wait_mask = static_cast<std::uint8_t>(c.wait_mask & ~(1u << barrier));
    });
    const Hazard& h = only(legality, Rule::RawScoreboard);
    CHECK(h.explanation.find("may not have written") != std::string::npos);
    // More waits than needed are only slow.
    CHECK(b.edit(waiter + 1, [&](ControlCode& c) {
               c.wait_mask = static_cast<std::uint8_t>(c.wait_mask | 1u << barrier);
           }).empty());
}

TEST_CASE("a barrier that nothing would release is refused") {
    const Bench b("bmm_mma.cubin");
    const InstrId add = b.find([&](InstrId id) { return b.name(id) == "IADD3"; });
    const Legality legality = b.edit(add, [](ControlCode& c) { c.write_barrier = 3; });
    CHECK(has_rule(legality, Rule::RawScoreboard));
    const InstrId group = b.find([&](InstrId id) { return b.name(id) == "LDGDEPBAR"; });
    CHECK(has_rule(b.edit(group, [](ControlCode& c) { c.write_barrier = 3; }), Rule::AsyncGroup));
}

TEST_CASE("reuse flags: set only where the next reader of the slot reads the same register") {
    const Bench b("bmm_mma.cubin");
    std::size_t legal = 0;
    std::size_t refused = 0;
    for (InstrId id = 0; id < b.kernel->size(); ++id) {
        if (b.control(id).reuse != 0) CHECK(b.edit(id, [](ControlCode& c) { c.reuse = 0; }).empty());
        if (b.kernel->instruction(id).unit != Unit::Fma || b.control(id).reuse != 0) continue;
        const Legality legality = b.edit(id, [](ControlCode& c) { c.reuse = 1; });
        if (!legality.empty()) CHECK(has_rule(legality, Rule::Reuse));
        (legality.empty() ? legal : refused) += 1;
    }
    CHECK(legal > 0);
    CHECK(refused > 0);
}

TEST_CASE("swapping neighbours breaks the rule that orders them") {
    std::map<Rule, std::size_t> seen;
    for (const NamedKernel& named : all_kernels()) {
        const auto checker = *HazardChecker::create(named.kernel);
        const Schedule original(named.kernel);
        for (const Block& block : named.kernel->flow().blocks)
            for (InstrId id = block.first; id + 1 < block.end(); ++id) {
                const Legality legality = checker->explain(original, Mutation::move_to(original, id, id + 1));
                for (const Hazard& h : legality) {
                    if (seen[h.rule]++ > 0) continue;
                    INFO(to_string(h.rule) << ": " << h.explanation);
                    CHECK(h.explanation.find("0x") != std::string::npos);
                }
                if (reads_written(*named.kernel, id, id + 1)) CHECK_FALSE(legality.empty());
            }
    }
    for (const Rule rule : {Rule::Dependence, Rule::MemoryOrder, Rule::FenceOrder, Rule::AsyncGroup,
                            Rule::WarpOrder, Rule::Pinned, Rule::RawDistance, Rule::WarDistance,
                            Rule::SetToWait, Rule::Reuse, Rule::RawScoreboard, Rule::WarScoreboard}) {
        INFO(to_string(rule));
        CHECK(seen[rule] > 0);
    }
}

TEST_CASE("plain stores to disjoint bytes of one address may pass each other, equal bytes may not") {
    std::size_t may = 0;
    for (const NamedKernel& named : sample_kernels()) {
        const auto checker = *HazardChecker::create(named.kernel);
        const Schedule original(named.kernel);
        for (InstrId id = 0; id + 1 < named.kernel->size(); ++id) {
            const Instruction& a = named.kernel->instruction(id);
            const Instruction& b = named.kernel->instruction(id + 1);
            if (!a.memory.writes || !b.memory.writes || !a.memory.plain || !b.memory.plain) continue;
            if (a.memory.base != b.memory.base || a.memory.space != b.memory.space) continue;
            if (named.kernel->block_of(id) != named.kernel->block_of(id + 1)) continue;
            const Legality legality = checker->explain(original, Mutation::move_to(original, id, id + 1));
            if (!has_rule(legality, Rule::MemoryOrder)) ++may;
        }
    }
    CHECK(may > 0);
}

TEST_CASE("an edit that reaches into another block is refused as structure") {
    const Bench b("bmm_mma.cubin");
    const Block& second = b.kernel->flow().blocks[1];
    const Mutation mutation = Mutation::move_before(0, second.first);
    CHECK_FALSE(b.checker->allows(b.original, mutation));
    CHECK(has_rule(b.checker->explain(b.original, mutation), Rule::Structure));
}

TEST_CASE("slots are the positions that single moves allow") {
    const Bench b("softmax.cubin");
    for (InstrId id = 0; id < b.kernel->size(); id += 7) {
        const SlotRange slots = b.checker->slots(b.original, id);
        const Block& block = b.kernel->flow().blocks[b.kernel->block_of(id)];
        CHECK(slots.contains(id));
        for (Position p = block.first; p < block.end(); ++p) {
            if (p == id) continue;
            INFO(id << " to " << p);
            CHECK(slots.contains(p) ==
                  b.checker->check(*Mutation::move_to(b.original, id, p).applied(b.original)).empty());
        }
    }
}

TEST_CASE("the control edits offered are legal and differ in one field") {
    const Bench b("softmax.cubin");
    std::size_t offered = 0;
    for (InstrId id = 0; id < b.kernel->size(); id += 11)
        for (const ControlCode& code : control_edits(*b.checker, b.original, id)) {
            ++offered;
            CHECK(b.checker->check(*Mutation::control(b.original, id, code).applied(b.original)).empty());
        }
    CHECK(offered > 50);
}

TEST_CASE("a search finds the first legal position of its direction or explains the neighbour") {
    const Bench b("softmax.cubin");
    const auto never = [] { return false; };
    std::size_t found = 0, refused = 0;
    for (InstrId id = 0; id < b.kernel->size(); id += 5) {
        const SlotRange slots = b.checker->slots(b.original, id);
        const Block& block = b.kernel->flow().blocks[b.kernel->block_of(id)];
        if (id == block.first) continue;
        std::optional<Position> first;
        for (Position p = id; p-- > block.first && !first;)
            if (slots.contains(p)) first = p;
        INFO(id);
        const PlaceSearch up{id, static_cast<int>(id) - 1, static_cast<int>(block.first) - 1, -1, id - 1};
        const PlaceAnswer answer = b.checker->find_place(b.original, up, never);
        CHECK(answer.place == first);
        CHECK_FALSE(answer.next);
        const auto neighbour = Mutation::move_to(b.original, id, id - 1);
        const EditAnswer edit = b.checker->judge(b.original, neighbour);
        CHECK(edit.legal == slots.contains(id - 1));
        CHECK(edit.hazards.empty() == edit.legal);
        if (!first) CHECK(answer.hazards.size() == edit.hazards.size());
        ++(first ? found : refused);
    }
    CHECK(found > 10);
    CHECK(refused > 10);
}

TEST_CASE("a search that is stopped says where to continue") {
    const Bench b("softmax.cubin");
    int asked = 0;
    const PlaceAnswer answer =
        b.checker->find_place(b.original, {0, 3, -1, -1, 1}, [&asked] { return ++asked > 0; });
    CHECK(answer.next == 3);
    CHECK_FALSE(answer.place);
    CHECK(answer.hazards.empty());
}
