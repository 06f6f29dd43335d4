// SPDX-License-Identifier: GPL-3.0-or-later
// Operands of compiled code that were overlooked once, each with an order that would have broken it, and a predicate that had
// no figure. See resources/docs/evidence/legality-attacks.md.

#include "app/lab/synthetic_kernel.h"
#include "tests/core/legality/rule_bench.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

Bench legal_bench(const std::string& file) {
    Bench b(file);
    INFO(file);
    CHECK(b.checker->check(b.original).empty());
    CHECK(check_kernel(b.kernel)->hazards.empty());
    return b;
}

InstrId named(const Bench& b, std::string_view name, InstrId from = 0) {
    return b.find([&](InstrId id) { return id >= from && b.name(id) == name; });
}

// What stands alone of the schedule says.
Legality alone(const Bench& b, const Schedule& schedule) {
    const auto kernel = required(kernel_with_words(*b.kernel, schedule.words()));
    return check_kernel(*kernel)->hazards;
}

}  // namespace

// VIMNMX.S16x2 R7, P0, P1, ...; SEL R9, RZ, 0x1, !P1; SEL R11, RZ, 0x1, !P0.
TEST_CASE("what reads a predicate of VIMNMX stays behind it, and 4 cycles") {
    const Bench b = legal_bench("/cubins/pair_minimum.90.cubin");
    const InstrId minimum = named(b, "VIMNMX"), first = named(b, "SEL"), second = named(b, "SEL", first + 1);
    CHECK(reads_written(*b.kernel, minimum, first));
    CHECK(reads_written(*b.kernel, minimum, second));
    for (const InstrId select : {first, second})
        CHECK(has_rule(b.move(select, minimum), Rule::Dependence, minimum, select));
    // One instruction of one cycle or more stands between them.
    const Schedule close = with_stall(with_stall(b.original, minimum, 1), minimum + 1, 2);
    CHECK(has_rule(b.checker->check(close), Rule::RawDistance, minimum, first));
    CHECK(has_rule(alone(b, close), Rule::RawDistance, minimum, first));
}

// ULDC.64 UR6 and UR10 hold the policies of UBLKPF.L2 [UR8], UR4, desc[UR6] and desc[UR10].
TEST_CASE("the policy of a bulk prefetch is written before it") {
    const Bench b = legal_bench("/cubins/bulk_policy.90a.cubin");
    const InstrId prefetch = named(b, "UBLKPF"), other = named(b, "UBLKPF", prefetch + 1);
    int policies = 0;
    for (InstrId load = 0; load < prefetch; ++load) {
        const Instruction& i = b.kernel->instruction(load);
        if (b.name(load) != "ULDC" || i.operands.begin()->count != 2) continue;
        for (const InstrId reader : {prefetch, other}) {
            if (!reads_written(*b.kernel, load, reader)) continue;
            ++policies;
            CHECK(has_rule(b.move(load, reader), Rule::Dependence, load, reader));
        }
    }
    CHECK(policies == 4);  // the address of both, and a policy of each
}

// ATOMS.EXCH.128 R4, [R9], R4 behind LDG.E.128 R4 and in front of STG.E.128 R4.
TEST_CASE("an exchange of 128 bits returns all four registers that are stored") {
    const Bench b = legal_bench("/cubins/shared_128.90.cubin");
    const Instruction& exchange = b.kernel->instruction(named(b, "ATOMS"));
    const Instruction& store = b.kernel->instruction(named(b, "STG"));
    const auto data = [](const Instruction& i, bool write) {
        for (const Operand& o : i.operands)
            if (o.file == RegFile::Gpr && (write ? o.write : o.role == Role::StoreData)) return o;
        return Operand{.count = 0};
    };
    CHECK(data(exchange, true).count == 4);
    CHECK(data(exchange, false).count == 4);
    CHECK(data(exchange, true).overlaps(data(store, false)));
}

// ISETP P0 and, exactly 12 or 13 cycles behind it, HSET2.BF.LT.AND R5, R0, R5, !P0.
TEST_CASE("a comparison of halves reads its predicate as late as a guard") {
    for (const char* file : {"/cubins/half_predicate.75.cubin", "/cubins/half_predicate.80.cubin",
                             "/cubins/half_predicate.90.cubin"}) {
        INFO(file);
        const Bench b = legal_bench(file);
        const InstrId compare = named(b, "ISETP"), reader = named(b, "HSET2");
        const int cycles = b.cycles_between(compare, reader);
        CHECK(cycles == (b.kernel->arch().sm == 75 ? 12 : 13));
        const Schedule close = with_stall(b.original, compare, b.control(compare).stall - 1);
        CHECK(has_rule(b.checker->check(close), Rule::RawDistance, compare, reader));
        CHECK(has_rule(alone(b, close), Rule::RawDistance, compare, reader));
    }
}

// IMAD.WIDE.U32.X R10, P0, ...; two stores; IMAD.WIDE.U32.X R12, ..., P0. The stores come too early then, too.
TEST_CASE("the carry of IMAD.WIDE is read 6 cycles later before sm_90, as compiled code has it everywhere") {
    for (const char* file : {"/cubins/carry_rows.75.cubin", "/cubins/carry_rows.80.cubin"}) {
        INFO(file);
        const Bench b = legal_bench(file);
        const auto last_carry = [&](bool written) {
            InstrId found = kNone;
            for (InstrId id = 0; id < b.kernel->size(); ++id)
                for (const Operand& o : b.kernel->instruction(id).operands)
                    if (o.file == RegFile::Pred && (written ? o.write : o.role == Role::PredSource))
                        found = id;
            return found;
        };
        const InstrId first = last_carry(true), second = last_carry(false);
        REQUIRE(b.same_block(first, second));
        CHECK(b.cycles_between(first, second) > 6);
        for (const int cycles : {5, 6}) {
            const int between = static_cast<int>(second - first) - 1;
            Schedule close = with_stall(b.original, first, cycles - between);
            for (InstrId id = first + 1; id < second; ++id)
                close = with_stall(close, id, 1);
            CHECK(has_rule(b.checker->check(close), Rule::RawDistance, first, second) == (cycles < 6));
        }
    }
}
