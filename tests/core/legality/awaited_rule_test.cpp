// SPDX-License-Identifier: GPL-3.0-or-later
// Completions that no register shows, in code that stands alone: tests/data/cubins/awaited.cu. And what compiled code leaves
// pending (acquire_left.ptx), reads again from the reuse cache (reuse_r2ur) or overwrites behind a late predicate.
#include <tuple>

#include "core/legality/tables/latency.h"
#include "core/sass/decoder.h"
#include "app/lab/synthetic_kernel.h"
#include "tests/core/legality/rule_bench.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

struct Awaited : Bench {
    explicit Awaited(const char* kernel_name) : Bench("/cubins/awaited.90a.cubin", kernel_name) {
        CHECK(alone(original).empty());
    }
    InstrId named(std::string_view mnemonic) const {
        return find([&](InstrId id) { return name(id) == mnemonic; });
    }
    Legality alone(const Schedule& schedule) const {
        const auto changed = required(kernel_with_words(*kernel, schedule.words()));
        return check_kernel(*changed)->hazards;
    }
    Legality alone_with(InstrId id, const std::function<void(ControlCode&)>& change) const {
        Schedule schedule = original;
        ControlCode code = control(id);
        change(code);
        schedule.set_control(id, code);
        CHECK_FALSE(checker->check(schedule).empty());  // a search refuses all of these
        return alone(schedule);
    }
    // What `setter` tells by this barrier is not waited for by `waiter`, and then not told at all.
    void expect_awaited(InstrId setter, InstrId waiter, std::uint8_t ControlCode::*barrier) const {
        const std::uint8_t scoreboard = control(setter).*barrier;
        REQUIRE(scoreboard != kNoBarrier);
        REQUIRE((control(waiter).wait_mask >> scoreboard & 1) != 0);
        CHECK(has_rule(alone_with(waiter, [&](ControlCode& c) { c.wait_mask &= ~(1u << scoreboard); }),
                       Rule::FenceOrder, setter, waiter));
        CHECK(has_rule(alone_with(setter, [&](ControlCode& c) { c.*barrier = kNoBarrier; }), Rule::FenceOrder,
                       setter, waiter));
    }
};

std::optional<int> needed(int sm, DependenceKind kind, Word first, Word second, RegFile file, unsigned reg) {
    const Arch arch{sm, false};
    const Instruction a = decode(arch, first, 0), b = decode(arch, second, 0);
    const auto operand = [&](const Instruction& i, bool write) {
        for (const Operand& o : i.operands)
            if (o.file == file && (write ? o.write : o.read && o.role != Role::Guard) && o.first <= reg &&
                reg < o.first + o.count)
                return o;
        FAIL("no such operand");
        return Operand{};
    };
    return required_distance(arch, kind, a, operand(a, true), b, operand(b, kind == DependenceKind::Waw), reg,
                             CheckMode::Absolute);
}

}  // namespace

// @!UP0 SYNCS.EXCH.64 URZ, [UR4], UR8 {sets SB1}; BAR.SYNC {waits for SB1}.
TEST_CASE("an mbarrier is set up before the block barrier that tells the others of it") {
    const Awaited b("set_up");
    b.expect_awaited(b.named("SYNCS"), b.named("BAR"), &ControlCode::write_barrier);
}

// FENCE.VIEW.ASYNC.S {sets SB1}; UBLKCP.G.S {waits for SB1}.
TEST_CASE("a bulk copy waits for the fence that shows the copy unit what was stored") {
    const Awaited b("copy_out");
    b.expect_awaited(b.named("FENCE"), b.named("UBLKCP"), &ControlCode::write_barrier);
}

// UTMACMDFLUSH {sets SB0 when the copies have read}; DEPBAR.LE SB0, 0x0; STS.
TEST_CASE("a group of bulk copies is counted by scoreboard 0, which the wait for it names") {
    const Awaited b("copy_out");
    const InstrId flush = b.named("UTMACMDFLUSH");
    REQUIRE(b.control(flush).read_barrier == 0);
    for (const std::uint8_t barrier : {kNoBarrier, std::uint8_t{3}})
        CHECK(has_rule(b.alone_with(flush, [&](ControlCode& c) { c.read_barrier = barrier; }),
                       Rule::AsyncGroup));
}

// MEMBAR.SC.CTA {sets SB1}; LDS {waits for SB1}.
TEST_CASE("on sm_90 the fence of a block has a barrier, and what follows waits for it") {
    const Awaited b("fenced");
    const InstrId fence = b.named("MEMBAR");
    b.expect_awaited(fence, b.named("LDS"), &ControlCode::read_barrier);
}

// SYNCS.PHASECHK P0 {sets SB0}; @P0 MEMBAR.ALL.CTA {stall 0}; @P0 MEMBAR.ALL.GPU {waits for SB0}.
TEST_CASE("of two MEMBARs that issue together the second waits for both") {
    const Bench b("/cubins/membar_pair.100a.cubin");
    const InstrId first = b.find([&](InstrId id) { return b.name(id) == "MEMBAR"; }), second = first + 1;
    const InstrId test = b.find([&](InstrId id) { return b.name(id) == "SYNCS"; });
    REQUIRE(b.control(first).stall == 0);
    REQUIRE(b.control(first).wait_mask == 0);
    REQUIRE(b.control(second).wait_mask == 1u << b.control(test).write_barrier);
    const auto alone = [&](InstrId id, const std::function<void(ControlCode&)>& change) {
        Schedule schedule = b.original;
        ControlCode code = b.control(id);
        change(code);
        schedule.set_control(id, code);
        return check_kernel(*required(kernel_with_words(*b.kernel, schedule.words())))->hazards;
    };
    CHECK(check_kernel(b.kernel)->hazards.empty());
    CHECK(has_rule(alone(second, [](ControlCode& c) { c.wait_mask = 0; }), Rule::RawScoreboard, test, second));
    CHECK(has_rule(alone(first, [](ControlCode& c) { c.stall = 6; }), Rule::RawScoreboard, test, first));
}

// DFMA {sets SB0}; four NOPs; DADD {waits for SB0}. IMMA {sets SB0}; four NOPs; IMMA {waits for SB0}. On sm_100 both have a
// fixed latency and no barrier. DMMA {sets SB1}; IMMA {sets SB2}; IADD3 {waits for SB2}; DADD {waits for SB1}: the wait for
// IMMA is none for DMMA.
TEST_CASE("on sm_103 no number of cycles replaces the scoreboard of IMMA and FP64") {
    for (const auto& [kernel, product, user] : {std::tuple("doubles", "DFMA", "DADD"), std::tuple("integers", "IMMA", "IMMA"),
                                                 std::tuple("both", "DMMA", "DADD")}) {
        INFO(kernel);
        const Bench b("/cubins/products.103a.cubin", kernel);
        CHECK(check_kernel(b.kernel)->hazards.empty());
        CHECK(b.checker->check(b.original).empty());
        const InstrId from = b.find([&](InstrId id) { return b.name(id) == product; });
        const InstrId to = b.find([&](InstrId id) { return id > from && b.name(id) == user; });
        ControlCode without_wait = b.control(to);
        without_wait.wait_mask =
            static_cast<std::uint8_t>(without_wait.wait_mask & ~(1u << b.control(from).write_barrier));
        REQUIRE(without_wait != b.control(to));
        Schedule schedule = b.original;
        schedule.set_control(to, without_wait);
        CHECK(has_rule(b.checker->check(schedule), Rule::RawScoreboard, from, to));
    }
}

// USETMAXREG.DEALLOC {sets SB0}; BAR.SYNC; LOP3 {waits for SB0}; VIADD.
TEST_CASE("registers are given back before the next instruction touches one") {
    const Bench b("/cubins/register_wait.90a.cubin");
    CHECK(b.checker->check(b.original).empty());
    CHECK(check_kernel(b.kernel)->hazards.empty());
    const InstrId less =
        b.find([&](InstrId id) { return b.name(id) == "USETMAXREG" && b.name(id + 1) == "BAR"; });
    const InstrId first = less + 2, second = less + 3;
    const auto scoreboard = static_cast<std::uint8_t>(1u << b.control(less).write_barrier);
    REQUIRE(b.control(first).wait_mask == scoreboard);
    Schedule late = b.original;
    ControlCode none = b.control(first), waits = b.control(second);
    none.wait_mask = 0;
    waits.wait_mask |= scoreboard;
    late.set_control(first, none);
    late.set_control(second, waits);
    CHECK(has_rule(b.checker->check(late), Rule::FenceOrder, less, first));
    // ptxas 12.4 does without the wait: code alone may, too.
    const auto alone = required(kernel_with_words(*b.kernel, late.words()));
    CHECK(check_kernel(*alone)->hazards.empty());
}

// `dropped`: ATOMS.ADD RZ {no barrier}; CCTL.IVALL. `at_edge`: CCTL.IVALL with 1 cycle ends its block, ATOMG starts the next.
TEST_CASE("CCTL.IVALL is not held to an atomic that does not acquire, nor to an access behind an edge") {
    for (const char* name : {"dropped", "at_edge"}) {
        const Bench b("/cubins/acquire_left.90.cubin", name);
        CHECK(check_kernel(b.kernel)->hazards.empty());
        CHECK(b.checker->check(b.original).empty());
    }
}

// ISETP P2, R3.reuse; R2UR UR6, R3; S2R R3; ...; ISETP P3, R3.
TEST_CASE("R2UR of sm_90 uses up what was kept for it") {
    const Bench b("/cubins/reuse_r2ur.90a.cubin");
    const InstrId move = b.find([&](InstrId id) {
        return id > 0 && b.name(id) == "R2UR" && (b.control(id - 1).reuse & 1) != 0 &&
               b.name(id - 1) == "ISETP";
    });
    CHECK(check_kernel(b.kernel)->hazards.empty());
    // With another register moved instead, the later reader would see the old value.
    std::vector<Word> words = b.original.words();
    words[move].lo = (words[move].lo & ~(0xffull << 24)) | 9ull << 24;
    const auto changed = required(kernel_with_words(*b.kernel, words));
    CHECK(has_rule(check_kernel(*changed)->hazards, Rule::Reuse));
}

TEST_CASE("predicates that come late have figures where code stands alone") {
    // R2UR P0, UR6, R10; PLOP3 P1, PT, P0, PT, PT
    const Word move{0x000000000a0612ca, 0x000fe20000000000}, plop3{0x000000000000181c, 0x000fca000072f070};
    CHECK(needed(90, DependenceKind::Raw, move, plop3, RegFile::Pred, 0) == 8);
    // HSETP2 P1; PLOP3 P1
    const Word halves{0x2000002928007234, 0x000fe40003f2e800}, again{0x000000000000781c, 0x000fd00000f2e170};
    CHECK(needed(80, DependenceKind::Waw, halves, again, RegFile::Pred, 1) == 2);
    CHECK(needed(75, DependenceKind::Waw, halves, again, RegFile::Pred, 1) == 5);
    // DSETP P0, P4; ISETP P4
    const Word doubles{0x0000001c2e00722a, 0x000fe20003c00000},
        compare{0x000000ff0c00720c, 0x000fe20003f85270};
    CHECK(needed(90, DependenceKind::Waw, doubles, compare, RegFile::Pred, 4) == 3);
    // LEPC R6; IADD3 R20, P0, P1, -R20, R9, R6
    const Word place{0x000000000006734e, 0x003fe20000000000}, add{0x0000000914147210, 0x000fc8000791e106};
    for (const int sm : {75, 80})
        CHECK(needed(sm, DependenceKind::Raw, place, add, RegFile::Gpr, 6) == 9);
}

// RED [R2], R5; BAR.SYNC; ... POPC R5 in the next round of the loop, RED with no barrier.
TEST_CASE("on sm_75 a block barrier leaves the operands of RED read behind it") {
    const Bench b("/cubins/red_barrier.75.cubin");
    const InstrId red = b.find([&](InstrId id) { return b.name(id) == "RED"; });
    CHECK(b.control(red).read_barrier == kNoBarrier);
    CHECK(check_kernel(b.kernel)->hazards.empty());
}

TEST_CASE("RET keeps five cycles where code stands alone, and on sm_90 WARPSYNC and NANOSLEEP do") {
    const auto at_four = [](const Bench& b, std::string_view name) {
        const InstrId id = b.find([&](InstrId i) { return b.name(i) == name && b.control(i).stall == 5; });
        const auto changed = required(kernel_with_words(*b.kernel, with_stall(b.original, id, 4).words()));
        return check_kernel(*changed)->hazards;
    };
    CHECK(has_rule(at_four(Bench("/cubins/recursion.80.cubin"), "RET"), Rule::IssueFloor));
    CHECK(has_rule(at_four(Bench("/cubins/divergent.90.cubin", "block_sum"), "WARPSYNC"), Rule::IssueFloor));
}
