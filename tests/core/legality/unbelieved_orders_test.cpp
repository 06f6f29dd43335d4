// SPDX-License-Identifier: GPL-3.0-or-later
// Orders that compiled code never rests on, each on a kernel of ptxas' beside one that it does: what stands for which result,
// and how soon it may be read. See resources/docs/evidence/legality-attacks.md.
#include <algorithm>

#include "core/legality/tables/latency_classes.h"
#include "core/legality/tables/queue_order.h"
#include "app/lab/synthetic_kernel.h"
#include "tests/core/legality/rule_bench.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

using Change = std::pair<InstrId, std::function<void(ControlCode&)>>;

// What both modes say of the kernel with these control codes changed.
struct BothModes {
    Legality against, alone;
};

BothModes changed(const Bench& b, const std::vector<Change>& changes) {
    Schedule schedule = b.original;
    std::vector<Word> words;
    for (const Instruction& i : b.kernel->instructions())
        words.push_back(i.word);
    for (const auto& [id, change] : changes) {
        ControlCode code = b.control(id);
        change(code);
        schedule.set_control(id, code);
        words[id] = code.encode_into(words[id]);
    }
    const auto kernel = required(kernel_with_words(*b.kernel, words));
    return {b.checker->check(schedule), check_kernel(*kernel)->hazards};
}

// The kernel as it is passes in both modes.
Bench legal_bench(const std::string& file, const std::string& name = {}) {
    Bench b(file, name);
    INFO(file);
    CHECK(b.checker->check(b.original).empty());
    CHECK(check_kernel(b.kernel)->hazards.empty());
    return b;
}

void no_write_barrier(ControlCode& code) {
    code.write_barrier = kNoBarrier;
}

Change stall_of(InstrId id, int cycles) {
    return {id, [cycles](ControlCode& c) { c.stall = static_cast<std::uint8_t>(cycles); }};
}

}  // namespace

// DMMA R8 and HMMA R4 have no barrier; the store of each stands behind another one, which waits for a later DMMA's, HMMA's.
TEST_CASE(
    "a tensor result without a barrier of its own is there when a later one's has been waited for, and not "
    "by time") {
    struct Row {
        const char* file;
        InstrId result, store, above;  // the store may not stand above the instruction that waits
    };
    for (const Row& row :
         {Row{"/cubins/tensor_rows.75.cubin", at_offset(0x1e0), at_offset(0x270), at_offset(0x240)},
          Row{"/cubins/tensor_rows.90.cubin", at_offset(0xf0), at_offset(0x170), at_offset(0x160)},
          Row{"/cubins/tensor_rows.86.cubin", at_offset(0x1c0), at_offset(0x230), at_offset(0x200)}}) {
        INFO(row.file);
        const Bench b = legal_bench(row.file);
        CHECK(b.name(row.store) == "STG");
        REQUIRE(b.control(row.result).write_barrier == kNoBarrier);
        const Legality found = b.move(row.store, row.above);
        INFO(describe(found));
        CHECK(has_rule(found, Rule::RawScoreboard, row.result, row.store));

        std::vector<Word> words;
        for (const Instruction& i : b.kernel->instructions())
            words.push_back(i.word);
        std::rotate(words.begin() + static_cast<std::ptrdiff_t>(row.above),
                    words.begin() + static_cast<std::ptrdiff_t>(row.store),
                    words.begin() + static_cast<std::ptrdiff_t>(row.store) + 1);
        const auto moved = required(kernel_with_words(*b.kernel, words));
        CHECK(has_rule(check_kernel(*moved)->hazards, Rule::RawScoreboard, row.result, row.above));
    }
}

// F2F.F64.F32 R4 with SB0, MUFU.EX2 R7 with SB1; R4 is read behind a wait for SB0.
TEST_CASE(
    "the barrier of a 32-bit operation of the XU says nothing of a conversion to 64 bits, nor the other way "
    "round") {
    for (const char* file : {"/cubins/wide_conversion.75.cubin", "/cubins/wide_conversion.86.cubin",
                             "/cubins/wide_conversion.90.cubin"}) {
        INFO(file);
        const Bench b = legal_bench(file);
        const InstrId wide = b.find([&](InstrId id) { return b.name(id) == "F2F"; });
        const InstrId narrow = b.find([&](InstrId id) { return b.name(id) == "MUFU"; });
        REQUIRE(wide < narrow);
        CHECK(latency::is_wide_conversion(b.kernel->instruction(wide)));
        CHECK_FALSE(latency::is_wide_conversion(b.kernel->instruction(narrow)));
        const std::uint8_t own = b.control(wide).write_barrier, other = b.control(narrow).write_barrier;
        const InstrId reader =
            b.find([&](InstrId id) { return id > narrow && (b.control(id).wait_mask >> own & 1) != 0; });
        const auto wait_for = [&](std::uint8_t slot) {
            return [=](ControlCode& c) { c.wait_mask = static_cast<std::uint8_t>(1u << slot); };
        };
        const BothModes found =
            changed(b, {{wide, no_write_barrier}, stall_of(narrow, 2), {reader, wait_for(other)}});
        CHECK(has_rule(found.against, Rule::RawScoreboard, wide, reader));
        CHECK(has_rule(found.alone, Rule::RawScoreboard, wide, reader));
    }
    const Arch turing{75, false}, hopper{90, false};
    for (const CheckMode mode : {CheckMode::AgainstOriginal, CheckMode::Absolute})
        for (const Arch& arch : {turing, hopper}) {
            CHECK_FALSE(overwrites_in_order(arch, QueueOp::WideXu, QueueOp::Xu, mode));
            CHECK_FALSE(overwrites_in_order(arch, QueueOp::Xu, QueueOp::WideXu, mode));
        }
    CHECK(overwrites_in_order(hopper, QueueOp::WideXu, QueueOp::WideXu, CheckMode::AgainstOriginal));
    CHECK_FALSE(overwrites_in_order(turing, QueueOp::WideXu, QueueOp::WideXu, CheckMode::AgainstOriginal));
    CHECK(overwrites_in_order(turing, QueueOp::WideXu, QueueOp::WideXu, CheckMode::Absolute));
}

// @!P0 LDS R4 without a barrier, @P1 LDS R5 with SB1; IMAD R5 waits for SB1, IMAD R11 reads R4, IMAD R6.
TEST_CASE("a pair that the original leaves unproven keeps the wait of a third instruction that it rests on") {
    const Bench b = legal_bench("/cubins/guarded_pair.90.cubin");
    CHECK(b.checker->report(b.original).unproven_pairs > 0);
    const InstrId load = at_offset(0x110), waits = at_offset(0x130), reads = at_offset(0x140),
                  free = at_offset(0x150);
    REQUIRE(b.control(load).write_barrier == kNoBarrier);
    REQUIRE(b.control(waits).wait_mask == 2);
    Mutation exchange = Mutation::move_after(waits, free);
    exchange.edits.push_back(Mutation::move_before(free, reads).edits.front());
    const Legality found = b.checker->explain(b.original, exchange);
    INFO(describe(found));
    CHECK(has_rule(found, Rule::RawScoreboard, load, reads));
    CHECK_FALSE(b.checker->allows(b.original, exchange));
    CHECK_FALSE(b.checker->legal(*exchange.applied(b.original)));
    CHECK(has_rule(b.edit(waits, [](ControlCode& c) { c.wait_mask = 0; }), Rule::RawScoreboard));
    // The other of the two may change.
    CHECK(b.edit(free, [](ControlCode& c) { ++c.stall; }).empty());
}

// SYNCS (SB2) ; ULDC ; DEPBAR.LE SB0, 0x0 ; ... ; SEL waits for SB2.
TEST_CASE(
    "a DEPBAR's wait mask keeps two cycles from what it waits for, which its named scoreboard need not") {
    const Bench b = legal_bench("/cubins/named_wait.90.cubin", "k2");
    const InstrId syncs = at_offset(0x80), between = at_offset(0x90), depbar = at_offset(0xa0);
    REQUIRE(b.name(depbar) == "DEPBAR");
    REQUIRE(b.control(syncs).stall == 1);
    const auto waits = [](std::uint8_t mask) { return [=](ControlCode& c) { c.wait_mask = mask; }; };
    CHECK(changed(b, {{depbar, waits(4)}}).against.empty());
    for (const int stall : {1, 2}) {
        // The DEPBAR right behind SYNCS.
        Schedule moved = *Mutation::move_to(b.original, between, depbar).applied(b.original);
        ControlCode code = b.control(depbar);
        code.wait_mask = 4;
        moved.set_control(depbar, code);
        moved = with_stall(moved, syncs, stall);
        const Legality found = b.checker->check(moved);
        INFO(describe(found));
        CHECK(has_rule(found, Rule::SetToWait, syncs, depbar) == (stall < 2));
    }
}

TEST_CASE("HMNMX2 keeps the distances of the comparisons of halves: 5 cycles to and from the ALU") {
    const Bench to = legal_bench("/cubins/half_minimum.80.cubin");
    const InstrId writer = at_offset(0x1c0), minimum = at_offset(0x1d0);
    REQUIRE(to.name(minimum) == "HMNMX2");
    const Bench from = legal_bench("/cubins/half_minimum.90.cubin");
    const InstrId other = at_offset(0x130), reader = at_offset(0x150);
    REQUIRE(from.name(other) == "HMNMX2");
    const BothModes early = changed(to, {stall_of(writer, 4)}),
                    late = changed(from, {stall_of(at_offset(0x140), 2)});
    // It also writes the register that it reads; the two pairs need the same in a search.
    CHECK(early.against.size() == 1);
    CHECK(early.against.front().need == 5);
    CHECK(has_rule(early.alone, Rule::RawDistance, writer, minimum));
    CHECK(only(early.alone, Rule::RawDistance).need == 5);
    for (const Legality* found : {&late.against, &late.alone})
        CHECK(has_rule(*found, Rule::RawDistance, other, reader));
}

// Each has SB0, as the instructions that read the two wait for it.
TEST_CASE("before sm_90 the barrier of an S2UR says nothing of an older one") {
    for (const char* file : {"/cubins/s2ur.75.cubin", "/cubins/s2ur.86.cubin"}) {
        INFO(file);
        const Bench b = legal_bench(file);
        const InstrId first = b.find([&](InstrId id) { return b.name(id) == "S2UR"; });
        const BothModes found = changed(b, {{first, no_write_barrier}});
        CHECK(has_rule(found.against, Rule::RawScoreboard));
        CHECK(has_rule(found.alone, Rule::RawScoreboard));
    }
}

TEST_CASE("sm_75: a store reads what VOTE writes 8 cycles later, as what the ALU writes") {
    const Bench b = legal_bench("/cubins/vote.75.cubin");
    const InstrId vote = at_offset(0x150);
    REQUIRE(b.name(vote) == "VOTE");
    REQUIRE(b.control(vote).stall == 8);
    for (const int stall : {6, 7}) {
        const BothModes found = changed(b, {stall_of(vote, stall)});
        CHECK(has_rule(found.against, Rule::RawDistance, vote, vote + 1));
        CHECK(has_rule(found.alone, Rule::RawDistance, vote, vote + 1));
    }
}

// FFMA R13, R0, R7, R6; @!P0 FFMA R9, R0, R9, R6; @!P0 FFMA R7, R0, R0, R8; ...; @!P1 FMUL R6.
TEST_CASE(
    "a new reuse flag needs a reader that surely executes, but on sm_90, where one that does not ends the "
    "entry too") {
    constexpr std::uint8_t kSlotC = 4;
    const auto keep = [](ControlCode& c) { c.reuse = kSlotC; };
    const Bench measured = legal_bench("/cubins/guarded_reader.90.cubin");
    REQUIRE(measured.kernel->instruction(at_offset(0x120)).guarded());
    CHECK(measured.edit(at_offset(0x110), keep).empty());
    const Bench b = legal_bench("/cubins/guarded_reader.80.cubin");
    const InstrId flagged = at_offset(0xf0), reader = at_offset(0x100);
    REQUIRE(b.kernel->instruction(reader).guarded());
    CHECK(has_rule(b.edit(flagged, keep), Rule::Reuse));
    // What the compiler has stays.
    std::vector<Word> words;
    for (const Instruction& i : b.kernel->instructions())
        words.push_back(i.word);
    ControlCode code = b.control(flagged);
    code.reuse = kSlotC;
    words[flagged] = code.encode_into(words[flagged]);
    const auto own = required(kernel_with_words(*b.kernel, words));
    CHECK((*HazardChecker::create(*own))->legal(Schedule(*own)));
    CHECK(check_kernel(*own)->hazards.empty());
}

// random_ptx.py: ST [R], R55 ; SHFL R55, in one place of sm_75 and one of sm_86.
TEST_CASE("an operand of a generic store overwritten by a shuffle is for absolute mode alone") {
    for (const int sm : {75, 86}) {
        const Arch arch{sm, false};
        CHECK(overwrites_in_order(arch, QueueOp::St, QueueOp::Shfl, CheckMode::Absolute));
        CHECK_FALSE(overwrites_in_order(arch, QueueOp::St, QueueOp::Shfl, CheckMode::AgainstOriginal));
    }
}
