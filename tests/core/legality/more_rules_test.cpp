// SPDX-License-Identifier: GPL-3.0-or-later
// The rules about order and completion: a violating schedule of a real kernel with the reason, and a legal
// one that comes close. First the distances that a GPU or the compiler taught.
#include <algorithm>

#include "core/legality/tables/queue_order.h"
#include "tests/core/legality/rule_bench.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

// First adjacent pair in one block whose swap `rule` refuses.
InstrId refused_swap(const Bench& b, Rule rule) {
    return b.find([&](InstrId id) {
        return b.same_block(id, id + 1) &&
               has_rule(b.checker->explain(b.original, Mutation::move_to(b.original, id, id + 1)), rule);
    });
}

// First adjacent pair that `near` accepts and whose swap is legal.
InstrId legal_swap(const Bench& b, const std::function<bool(const Instruction&, const Instruction&)>& near) {
    return b.find([&](InstrId id) {
        return b.same_block(id, id + 1) && near(b.kernel->instruction(id), b.kernel->instruction(id + 1)) &&
               b.checker->allows(b.original, Mutation::move_to(b.original, id, id + 1));
    });
}

bool arithmetic(const Instruction& i) {
    return i.unit == Unit::Alu || i.unit == Unit::Fma || i.unit == Unit::FmaWide || i.unit == Unit::Fp16;
}

}  // namespace

// Fuzz on an H200, 2026-11-21: 4 of 2,057 legal walks of flash_attn_mma were wrong, all with FMUL to R2UR
// at 4.
TEST_CASE("sm_90: R2UR reads the result of FMUL five cycles later at the earliest") {
    const Bench b("flash_attn_mma.cubin");
    const InstrId fmul = at_offset(0x0630), r2ur = at_offset(0x0680);
    REQUIRE(b.name(fmul) == "FMUL");
    REQUIRE(b.name(r2ur) == "R2UR");
    const Schedule schedule = with_stall(b.original, at_offset(0x0650), 1);  // CS2R, stall 2: 6 cycles remain
    INFO(describe(b.checker->check(schedule)));
    CHECK(b.checker->check(schedule).empty());
    CHECK(b.checker->allows(schedule, Mutation::move_to(schedule, r2ur, r2ur - 1)));  // 5
    const Mutation too_early = Mutation::move_to(schedule, r2ur, r2ur - 2);
    const Legality four = b.checker->explain(schedule, too_early);
    CHECK_FALSE(b.checker->allows(schedule, too_early));
    const Hazard h = only(four, Rule::RawDistance);
    CHECK(h.earlier == fmul);
    CHECK(h.later == r2ur);
    CHECK(h.need == 5);
    CHECK(h.have == 4);
    CHECK(h.resource == "R7");
}

TEST_CASE("sm_90: five cycles from FMUL to R2UR is also what the compiler leaves in flash_attn") {
    const Bench b("flash_attn.cubin");
    const InstrId between = at_offset(0x0660);  // UMOV, stall 4, after FMUL with stall 1
    REQUIRE(b.name(between - 1) == "FMUL");
    REQUIRE(b.name(between + 1) == "R2UR");
    const Hazard h = only(b.stall(between, 3), Rule::RawDistance);
    CHECK(h.need == 5);
    CHECK(h.have == 4);
    CHECK(b.stall(between, 5).empty());
}

TEST_CASE("memory-order: stores that may touch the same bytes stay, arithmetic between them does not") {
    const Bench b("bmm_mma.cubin");
    const InstrId first = at_offset(0x1a00), second = at_offset(0x1a10);  // STG R4.., STG R6..
    REQUIRE(b.name(first) == "STG");
    REQUIRE(b.name(second) == "STG");
    const Hazard h = only(b.move(first, second), Rule::MemoryOrder);
    CHECK(h.earlier == first);
    CHECK(h.later == second);
    CHECK(h.explanation.find("STG 0x1a00 and STG 0x1a10 may touch the same bytes") != std::string::npos);
    // Same base register, other bytes: STS.64 [R0+UR9] and [R0+UR9+0x100].
    CHECK(b.move(at_offset(0x16c0), at_offset(0x16d0)).empty());
}

TEST_CASE("fence-order: no access crosses a barrier, arithmetic may") {
    const Bench b("bmm_mma.cubin");
    const InstrId id = refused_swap(b, Rule::FenceOrder);
    const Hazard h = only(b.move(id, id + 1), Rule::FenceOrder);
    CHECK(h.earlier == id);
    CHECK(h.later == id + 1);
    CHECK(h.explanation.find("fence, barrier or marker") != std::string::npos);
    const InstrId near = legal_swap(b, [](const Instruction& a, const Instruction& c) {
        return (a.unit == Unit::Barrier && arithmetic(c)) || (arithmetic(a) && c.unit == Unit::Barrier);
    });
    CHECK(b.move(near, near + 1).empty());
}

TEST_CASE("async-group: a copy stays in its group, arithmetic crosses the group's end") {
    const Bench b("bmm_mma.cubin");
    const InstrId copy = at_offset(0x0630), commit = at_offset(0x0650);
    REQUIRE(b.name(copy) == "LDGSTS");
    REQUIRE(b.name(commit) == "LDGDEPBAR");
    const Legality late = b.move(copy, commit);
    CHECK(has_rule(late, Rule::AsyncGroup, copy, commit));
    CHECK(only(late, Rule::AsyncGroup).explanation.find("asynchronous work is counted in program order") !=
          std::string::npos);
    const InstrId near = legal_swap(b, [](const Instruction& a, const Instruction& c) {
        return (std::string_view(a.mnemonic) == "LDGDEPBAR" && arithmetic(c)) ||
               (arithmetic(a) && std::string_view(c.mnemonic) == "LDGDEPBAR");
    });
    CHECK(b.move(near, near + 1).empty());
}

TEST_CASE("warp-order: lane crossing stays on its side of a convergence point") {
    const auto crossing = [](const Instruction& i) {
        return i.has(Trait::WarpWide) && i.unit != Unit::Mma2x;
    };
    std::size_t refused = 0;
    std::size_t legal = 0;
    for (const NamedKernel& named : all_kernels()) {
        const auto checker = *HazardChecker::create(named.kernel);
        const Schedule original(named.kernel);
        for (const Block& block : named.kernel->flow().blocks)
            for (InstrId id = block.first; id + 1 < block.end() && refused + legal < 40; ++id) {
                const Instruction& a = named.kernel->instruction(id);
                const Instruction& c = named.kernel->instruction(id + 1);
                if (!crossing(a) && !crossing(c)) continue;
                const Mutation swap = Mutation::move_to(original, id, id + 1);
                const Legality findings = checker->explain(original, swap);
                CHECK(findings.empty() == checker->allows(original, swap));
                if (has_rule(findings, Rule::WarpOrder, id, id + 1)) {
                    ++refused;
                    CHECK(only(findings, Rule::WarpOrder).explanation.find("convergence point") !=
                          std::string::npos);
                }
                if (findings.empty() && (arithmetic(a) || arithmetic(c))) ++legal;
            }
    }
    CHECK(refused > 0);
    CHECK(legal > 0);
}

TEST_CASE("pinned: the end of a block keeps its place, what stands before it need not") {
    const Bench b("bmm_mma.cubin");
    const InstrId branch = at_offset(0x13d0);
    REQUIRE(b.name(branch) == "BRA");
    const Legality legality = b.move(branch, branch - 1);
    REQUIRE_FALSE(legality.empty());
    CHECK(has_rule(legality, Rule::Pinned));
    INFO(describe(legality));
    CHECK(only(legality, Rule::Pinned).explanation ==
          "BRA 0x13d0 cannot be moved: " + std::string(b.kernel->pin_reason(branch)));
    CHECK(b.checker->slots(b.original, branch).count() == 1);
    CHECK(b.move(branch - 2, branch - 3).empty() ==
          b.checker->slots(b.original, branch - 2).contains(branch - 3));
}

TEST_CASE("waw-scoreboard: a load's result may not be overwritten before it has landed") {
    std::size_t refused = 0;
    for (const NamedKernel& named : sample_kernels()) {
        const Bench b(named.file);
        for (InstrId id = 0; id + 1 < b.kernel->size() && refused == 0; ++id) {
            const ControlCode code = b.control(id);
            for (int s = 0; s < 6; ++s) {
                if ((code.wait_mask >> s & 1) == 0) continue;
                ControlCode less = code;
                less.wait_mask = static_cast<std::uint8_t>(code.wait_mask & ~(1u << s));
                const Legality legality =
                    b.checker->explain(b.original, Mutation::control(b.original, id, less));
                if (!has_rule(legality, Rule::WawScoreboard)) continue;
                ++refused;
                const Hazard& h = only(legality, Rule::WawScoreboard);
                CHECK(h.resource.find_first_of("RP") != std::string::npos);
                CHECK(h.explanation.find("may not have written") != std::string::npos);
                // The same wait one instruction earlier proves as much.
                if (id == 0 || !b.same_block(id - 1, id)) continue;
                ControlCode earlier = b.control(id - 1);
                earlier.wait_mask = static_cast<std::uint8_t>(earlier.wait_mask | 1u << s);
                Schedule moved = b.original;
                moved.set_control(id, less);
                moved.set_control(id - 1, earlier);
                for (const Hazard& other : b.checker->check(moved))
                    CHECK(other.rule == Rule::SetToWait);
            }
        }
    }
    CHECK(refused > 0);
}

TEST_CASE("an opcode that is not decoded is neither moved, nor crossed, nor edited") {
    const KernelPtr kernel =
        with_unknown_fetches(load_kernel("/cubins/sweep.tex.sm_90.cubin", "texture_fetch"));
    const auto checker = *HazardChecker::create(kernel);
    const Schedule original(kernel);
    InstrId tex = 1;
    while (tex < kernel->size() && !kernel->instruction(tex).has(Trait::UnknownOpcode))
        ++tex;
    REQUIRE(tex < kernel->size());
    CHECK(checker->slots(original, tex).count() == 1);
    const Legality crossed = checker->explain(original, Mutation::move_to(original, tex - 1, tex));
    CHECK_FALSE(crossed.empty());
    CHECK((has_rule(crossed, Rule::UnknownOpcode) || has_rule(crossed, Rule::Pinned)));
    ControlCode code = original.control(tex);
    code.stall = static_cast<std::uint8_t>(code.stall + 1);
    const Legality edited = checker->explain(original, Mutation::control(original, tex, code));
    CHECK(has_rule(edited, Rule::UnknownOpcode));
    // Elsewhere in the same kernel a stall count may grow.
    ControlCode first = original.control(0);
    first.stall = 9;
    CHECK(checker->allows(original, Mutation::control(original, 0, first)));
}

TEST_CASE("what the original's waits do not prove is counted, and both ends are held") {
    KernelPtr kernel = load_kernel("/cubins/sweep.guards.sm_90.cubin", "reduce_shared");
    const auto absolute = required(check_kernel(kernel));
    CHECK(absolute->hazards.empty());  // ptxas lets a barrier under one guard speak for stores under another
    const auto checker = *HazardChecker::create(kernel);
    const Schedule original(kernel);
    const CheckReport report = checker->report(original);
    CHECK(report.hazards.empty());
    CHECK(report.unproven_pairs > 0);
    std::size_t held = 0;
    for (InstrId id = 0; id < kernel->size(); ++id) {
        const Instruction& i = kernel->instruction(id);
        if (std::string_view(i.mnemonic) != "STS" || !i.guarded()) continue;
        ControlCode code = original.control(id);
        code.read_barrier = 5;
        const Legality edited = checker->explain(original, Mutation::control(original, id, code));
        if (!has_rule(edited, Rule::Pinned)) continue;
        ++held;
        CHECK(checker->slots(original, id).count() == 1);
        CHECK(only(edited, Rule::Pinned).explanation.find("do not prove") != std::string::npos);
        code = original.control(id);
        ++code.stall;
        CHECK(checker->allows(original, Mutation::control(original, id, code)));
    }
    CHECK(held > 0);
}

TEST_CASE("dependence: two that only read a register may pass each other, a writer and its reader may not") {
    const Bench b("bmm_mma.cubin");
    const auto touches = [](const Operand& write, const Instruction& other) {
        return std::any_of(other.operands.begin(), other.operands.end(),
                           [&](const Operand& operand) { return write.write && operand.overlaps(write); });
    };
    const InstrId readers = legal_swap(b, [&](const Instruction& first, const Instruction& second) {
        bool common = false;
        for (const Operand& a : first.operands)
            for (const Operand& c : second.operands)
                common |= a.file == RegFile::Gpr && a.read && c.read && a.overlaps(c);
        const auto apart = [&](const Instruction& writer, const Instruction& other) {
            return std::none_of(writer.operands.begin(), writer.operands.end(),
                                [&](const Operand& operand) { return touches(operand, other); });
        };
        return common && apart(first, second) && apart(second, first);
    });
    REQUIRE(readers != kNone);
    const InstrId writer = refused_swap(b, Rule::Dependence);
    REQUIRE(writer != kNone);
    const Instruction& producer = b.kernel->instruction(writer);
    const Instruction& consumer = b.kernel->instruction(writer + 1);
    const bool share = std::any_of(producer.operands.begin(), producer.operands.end(),
                                   [&](const Operand& operand) { return touches(operand, consumer); }) ||
                       std::any_of(consumer.operands.begin(), consumer.operands.end(),
                                   [&](const Operand& operand) { return touches(operand, producer); });
    CHECK(share);
}

TEST_CASE("structure: the first place of a block may be taken, the last of the block before may not") {
    const Bench b("bmm_mma.cubin");
    const InstrId second = b.find([&](InstrId id) {  // may become the first of its block
        return id >= 2 && b.same_block(id, id - 1) && !b.same_block(id - 1, id - 2) &&
               b.checker->allows(b.original, Mutation::move_before(id, id - 1));
    });
    REQUIRE(second != kNone);
    const Mutation across = Mutation::move_before(second, second - 2);
    CHECK_FALSE(b.checker->allows(b.original, across));
    CHECK_FALSE(across.applied(b.original));
}

// ptxas gives every STL or STS that a global load overwrites a read barrier, and LDG waits for it: the two
// queues do not read in order.
TEST_CASE("a global load does not overwrite what a local or shared store has yet to read") {
    const auto [file, name, store_name] = GENERATE(table<std::string, std::string, std::string>(
        {{"/cubins/k1.80.cubin", "k_local", "STL"},
         {"/cubins/queues.80.cubin", "stored_then_loaded", "STS"}}));
    const KernelPtr kernel = load_kernel(file, name);
    const auto checker = *HazardChecker::create(kernel);
    const Schedule original(kernel);
    std::size_t stores = 0, refused = 0;
    for (InstrId store = 0; store < kernel->size(); ++store) {
        ControlCode code = original.control(store);
        if (std::string_view(kernel->instruction(store).mnemonic) != store_name ||
            code.read_barrier == kNoBarrier)
            continue;
        ++stores;
        code.read_barrier = kNoBarrier;
        for (const Hazard& h : checker->explain(original, Mutation::control(original, store, code))) {
            INFO(h.explanation);
            if (h.rule != Rule::WarScoreboard) continue;
            REQUIRE(h.later != kNone);
            CHECK(h.earlier <= store);  // it, or an older one that its barrier spoke for
            const std::string_view later = kernel->instruction(h.later).mnemonic;
            if (later == "LDG") ++refused;
        }
    }
    CHECK(stores >= 4);
    CHECK(refused >= stores / 2);
}

// Local memory is cached like global memory: a hit may come back before an older miss, and ptxas gives each
// LDL a barrier of its own.
TEST_CASE("a local load's barrier does not speak for an older local load") {
    const KernelPtr kernel = load_kernel("/cubins/queues.80.cubin", "local_pair");
    const auto checker = *HazardChecker::create(kernel);
    const Schedule original(kernel);
    std::size_t loads = 0;
    for (InstrId load = 0; load < kernel->size(); ++load) {
        ControlCode code = original.control(load);
        if (std::string_view(kernel->instruction(load).mnemonic) != "LDL") continue;
        REQUIRE(code.write_barrier != kNoBarrier);
        ++loads;
        code.write_barrier = kNoBarrier;
        const Legality legality = checker->explain(original, Mutation::control(original, load, code));
        INFO(load << ": " << describe(legality));
        CHECK((has_rule(legality, Rule::RawScoreboard) || has_rule(legality, Rule::WawScoreboard)));
    }
    CHECK(loads == 3);
}

// ptxas leaves operands of stores to a later operation of shared memory's queue, or to a later store; where a load or SYNCS
// is all that comes back later, each store has a barrier of its own.
TEST_CASE("what comes back from memory, or from an mbarrier, does not speak for older stores") {
    struct Case {
        const char* file;
        const char* kernel;
        const char* store;
    };
    for (const Case& c : {Case{"/cubins/later_barriers.80.cubin", "stored_then_loaded", "STG"},
                          Case{"/cubins/later_barriers.80.cubin", "stored_then_local", "ST"},
                          Case{"/cubins/later_barriers.80.cubin", "copied_twice", "LDGSTS"},
                          Case{"/cubins/later_barriers.90a.cubin", "stored_then_loaded", "STG"},
                          Case{"/cubins/later_barriers.90a.cubin", "stored_then_local", "ST"},
                          Case{"/cubins/later_barriers.90a.cubin", "stored_then_tested", "STS"}}) {
        const KernelPtr kernel = load_kernel(c.file, c.kernel);
        const auto checker = *HazardChecker::create(kernel);
        const auto alone = *HazardChecker::create(kernel, CheckMode::Absolute);
        const Schedule original(kernel);
        CHECK(checker->check(original).empty());
        std::size_t stores = 0, refused = 0;
        for (InstrId store = 0; store < kernel->size(); ++store) {
            ControlCode code = original.control(store);
            if (kernel->instruction(store).mnemonic != std::string_view(c.store)) continue;
            if (code.read_barrier == kNoBarrier) continue;
            ++stores;
            code.read_barrier = kNoBarrier;
            const Mutation dropped = Mutation::control(original, store, code);
            refused += has_rule(checker->explain(original, dropped), Rule::WarScoreboard);
            CHECK(has_rule(alone->explain(original, dropped), Rule::WarScoreboard));
        }
        INFO(c.file << " " << c.kernel);
        CHECK(stores >= 1);
        CHECK(refused == stores);
    }
}

// ATOMG R4, [UR4], R0 ; ATOMG R5, ... ; the sum that waits for the first ; IMAD R0, ..., R5, which waits for the second.
TEST_CASE("before sm_90 an atomic that has come back does not speak for an older one's operand") {
    for (const char* file : {"/cubins/older_atomics.75.cubin", "/cubins/older_atomics.80.cubin"}) {
        const KernelPtr kernel = load_kernel(file);
        const Schedule original(kernel);
        InstrId atomic = 0;
        while (kernel->instruction(atomic).mnemonic != std::string_view("ATOMG"))
            ++atomic;
        const auto waits_for = [&](InstrId first, std::uint8_t barrier) {
            while ((original.control(first).wait_mask >> barrier & 1) == 0)
                ++first;
            return first;
        };
        const InstrId sum = waits_for(atomic + 1, original.control(atomic).write_barrier);
        const InstrId multiply = waits_for(atomic + 2, original.control(atomic + 1).write_barrier);
        REQUIRE(multiply == sum + 1);
        for (const CheckMode mode : {CheckMode::Absolute, CheckMode::AgainstOriginal}) {
            const auto checker = *HazardChecker::create(kernel, mode);
            INFO(file);
            CHECK(checker->check(original).empty());
            CHECK(has_rule(checker->explain(original, Mutation::move_after(sum, multiply)),
                           Rule::WarScoreboard, atomic, multiply));
        }
    }
}

// SUST whose registers SULD writes behind a wait for the store's barrier.
TEST_CASE("a fetch does not overwrite what an older surface store reads, nor does its barrier speak for it") {
    for (const auto& [file, offset] : {std::pair("/cubins/surface_loop.75.cubin", 0x160u),
                                       std::pair("/cubins/surface_loop.86.cubin", 0x160u),
                                       std::pair("/cubins/surface_loop.90.cubin", 0x180u)}) {
        const KernelPtr kernel = load_kernel(file, "feedback");
        const Schedule original(kernel);
        const InstrId store = at_offset(offset);
        REQUIRE(kernel->instruction(store).mnemonic == std::string_view("SUST"));
        CHECK(queue_op(kernel->instruction(store)) == QueueOp::Other);
        ControlCode code = original.control(store);
        REQUIRE(code.read_barrier != kNoBarrier);
        code.read_barrier = kNoBarrier;
        const auto checker = *HazardChecker::create(kernel, CheckMode::Absolute);
        INFO(file);
        CHECK(has_rule(checker->explain(original, Mutation::control(original, store, code)),
                       Rule::WarScoreboard));
    }
}

TEST_CASE("compiled code by itself: MOVM overwrites the operand of a generic store with no barrier") {
    for (const char* file : {"/cubins/later_barriers.80.cubin", "/cubins/later_barriers.90a.cubin"})
        CHECK(check_kernel(load_kernel(file, "stored_then_transposed"))->hazards.empty());
}

// ptxas overwrites what global stores read once a shuffle behind them has come back.
TEST_CASE("a shuffle that has come back proves that older global stores have read") {
    const KernelPtr kernel = load_kernel("/cubins/queues.80.cubin", "stored_then_shuffled");
    const auto checker = *HazardChecker::create(kernel);
    const CheckReport report = checker->report(Schedule(kernel));
    CHECK(report.hazards.empty());
    CHECK(report.unproven_pairs == 0);
    CHECK(check_kernel(kernel)->hazards.empty());
}

// ptxas gives the first of three reducing barriers no scoreboard and reads its predicate behind the wait for the
// second's count. Absolute mode believes that, and nothing less.
TEST_CASE("the wait for a later barrier's result is what proves an older one's, and may not go") {
    const KernelPtr kernel = load_kernel("/cubins/held_out.90a.cubin", "votes");
    const auto absolute = *HazardChecker::create(kernel, CheckMode::Absolute);
    const Schedule original(kernel);
    CHECK(absolute->check(original).empty());
    std::vector<InstrId> results;
    for (InstrId id = 0; id < kernel->size(); ++id)
        if (std::string_view(kernel->instruction(id).mnemonic) == "B2R") results.push_back(id);
    REQUIRE(results.size() == 3);
    REQUIRE(original.control(results[0]).write_barrier == kNoBarrier);
    const auto slot = original.control(results[1]).write_barrier;
    InstrId waiter = results[1] + 1;
    while (((original.control(waiter).wait_mask >> slot) & 1) == 0)
        ++waiter;
    ControlCode code = original.control(waiter);
    code.wait_mask = static_cast<decltype(code.wait_mask)>(code.wait_mask & ~(1u << slot));
    const Legality refused = absolute->explain(original, Mutation::control(original, waiter, code));
    CHECK(has_rule(refused, Rule::RawScoreboard));
    // A search takes neither for proven: against itself the kernel is what it is, and both ends are held.
    const auto against = *HazardChecker::create(kernel);
    CHECK(against->check(original).empty());
    CHECK_FALSE(against->allows(original, Mutation::control(original, waiter, code)));
}

// ptxas lets them follow by two cycles on sm_90 too; on an H200 one cycle was not enough.
TEST_CASE("a memory instruction may follow the uniform register that it uses by two cycles, not by one") {
    const auto [name, writer] = GENERATE(table<std::string, InstrId>(
        {{"elected", 0x90 / 16}, {"surface", 0xc0 / 16}, {"neighbour", 0x1e0 / 16}}));
    const KernelPtr kernel = load_kernel("/cubins/uniform.90a.cubin", name);
    CHECK(check_kernel(kernel)->hazards.empty());
    const Schedule original(kernel);
    ControlCode code = original.control(writer);
    REQUIRE(code.stall == 2);
    code.stall = 1;
    const Legality refused =
        (*HazardChecker::create(kernel))->explain(original, Mutation::control(original, writer, code));
    CHECK(has_rule(refused, Rule::RawDistance));
}

// On sm_80 ptxas gives each LDG a barrier for its address, and what overwrites the address waits for it,
// another LDG too. On sm_90 it issues the second with neither.
TEST_CASE("before sm_90 a global load does not overwrite the address of an older one without a wait") {
    const Bench b("/cubins/sweep.b1.sm_80.cubin");
    std::size_t waits = 0, refused = 0;
    for (InstrId load = 0; load < b.kernel->size(); ++load) {
        if (b.name(load) != "LDG") continue;
        for (int slot = 0; slot < 6; ++slot) {
            if ((b.control(load).wait_mask >> slot & 1) == 0) continue;
            ++waits;
            const Legality legality = b.edit(load, [&](ControlCode& c) {
                c.wait_mask = static_cast<std::uint8_t>(c.wait_mask & ~(1u << slot));
            });
            refused += has_rule(legality, Rule::WarScoreboard);
            INFO(load << ", SB" << slot);
            CHECK_FALSE(legality.empty());
        }
    }
    CHECK(waits == 12);
    CHECK(refused >= 11);
}

TEST_CASE("a saved barrier register is waited for, and its general one kept until it has been read") {
    const Bench b("/cubins/recursion.80.cubin");
    const auto without = [&](InstrId id, unsigned waits) {
        return b.edit(id,
                      [&](ControlCode& c) { c.wait_mask = static_cast<std::uint8_t>(c.wait_mask & ~waits); });
    };
    // BMOV.32.CLEAR R16, B6 sets barrier 1; ISETP waits for it.
    const InstrId saves = at_offset(0x0180), waits = at_offset(0x01d0);
    REQUIRE(b.name(saves) == "BMOV");
    REQUIRE(b.control(saves).write_barrier == 1);
    CHECK(has_rule(without(waits, 1u << 1), Rule::RawScoreboard));
    // BMOV.32 B6, R16 sets barrier 1 when it has read; LDL R16 waits for it.
    const InstrId restores = at_offset(0x0430), loads = at_offset(0x0480);
    REQUIRE(b.name(restores) == "BMOV");
    REQUIRE(b.control(restores).read_barrier == 1);
    CHECK(has_rule(without(loads, 1u << 1), Rule::WarScoreboard, restores, loads));
}
