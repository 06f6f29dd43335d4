// SPDX-License-Identifier: GPL-3.0-or-later
// The table of distances mined from compiled code, and how it is combined with the published one.
#include "core/legality/tables/observed_distances.h"
#include "app/lab/mine/pair_miner.h"
#include "core/legality/tables/latency.h"
#include "core/legality/tables/latency_classes.h"
#include "core/legality/tables/queue_order.h"
#include "tests/core/legality/analysis_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

ObservedDistance row(int cycles, unsigned at_minimum, unsigned places) {
    return {90, {}, static_cast<std::uint16_t>(cycles), at_minimum, places};
}

}  // namespace

TEST_CASE("the mined table is sorted, each key once") {
    const auto rows = observed_distances();
    REQUIRE(rows.size() > 500);
    for (std::size_t i = 1; i < rows.size(); ++i)
        CHECK(std::pair(rows[i - 1].generation, rows[i - 1].key) <
              std::pair(rows[i].generation, rows[i].key));
    for (const ObservedDistance& r : rows)
        CHECK(observed_distance(r.generation, r.key) == &r);
}

TEST_CASE("the larger of the published figure and of compiled code holds, by construction") {
    const ObservedDistance sure = row(8, 400, 12000), rare = row(8, 1, 3), below = row(2, 100, 140);
    // Compiled code never goes below 8 where the table says 6.
    CHECK(combined_distance(6, &sure, DependenceKind::Raw, CheckMode::Absolute) == 8);
    CHECK(combined_distance(6, &sure, DependenceKind::Raw, CheckMode::AgainstOriginal) == 8);
    CHECK(combined_distance(9, &sure, DependenceKind::Raw, CheckMode::AgainstOriginal) == 9);
    // Far above the published figure it is a habit: the compiler's own code is not held to it.
    const ObservedDistance far = row(12, 400, 12000);
    CHECK(combined_distance(6, &far, DependenceKind::Raw, CheckMode::Absolute) == 6);
    CHECK(combined_distance(6, &far, DependenceKind::Raw, CheckMode::AgainstOriginal) == 12);
    // Three places say nothing.
    CHECK(combined_distance(6, &rare, DependenceKind::Raw, CheckMode::Absolute) == 6);
    CHECK(combined_distance(6, &rare, DependenceKind::Raw, CheckMode::AgainstOriginal) == 6);
    // What the compiler emits is never refused; a search keeps the larger figure.
    CHECK(combined_distance(4, &below, DependenceKind::Raw, CheckMode::Absolute) == 2);
    CHECK(combined_distance(4, &below, DependenceKind::Raw, CheckMode::AgainstOriginal) == 4);
    // Where nothing is published a search keeps the original's own distance.
    CHECK(combined_distance(0, &sure, DependenceKind::Raw, CheckMode::AgainstOriginal) == 0);
    CHECK(combined_distance(6, nullptr, DependenceKind::Raw, CheckMode::Absolute) == 6);
}

TEST_CASE("no lookup is undercut by either source, over the whole table and every published figure") {
    for (const ObservedDistance& r : observed_distances())
        for (int published = 0; published <= 33; ++published) {
            const int absolute = combined_distance(published, &r, r.key.kind, CheckMode::Absolute);
            const int search = combined_distance(published, &r, r.key.kind, CheckMode::AgainstOriginal);
            const int seen = std::min<int>(r.cycles, 33);
            // Nothing that was seen is refused.
            CHECK(absolute <= std::max(seen, published));
            if (published > seen) CHECK(absolute == seen);
            if (published == 0) {
                CHECK(search == 0);
                continue;
            }
            CHECK(search >= published);
            if (r.places >= 10) CHECK(search >= seen);
            CHECK(search >= absolute);
            if (r.key.kind == DependenceKind::Raw && well_observed(r) && seen <= published + 2)
                CHECK(absolute == seen);
        }
}

TEST_CASE("no pair of the test kernels is closer than the lookup") {
    std::size_t distances = 0, waits = 0;
    for (const NamedKernel& named : all_kernels()) {
        const Kernel& kernel = *named.kernel;
        mine_pairs(kernel, [&](const MinedPair& p) {
            const Instruction& a = kernel.instruction(p.first);
            const Instruction& b = kernel.instruction(p.second);
            const Operand& first = a.operands[p.first_operand];
            const Operand& second = b.operands[p.second_operand];
            const unsigned reg = reg_number(p.reg);
            if (reg_file(p.reg) == RegFile::BReg) return;
            const bool neighbours = p.second == p.first + 1;
            if (neighbours && a.guarded() && a.guard == b.guard && a.guard_negated != b.guard_negated)
                return;  // they touch different lanes
            int need = 0;
            if (by_wait(kernel.arch(), p, a)) {
                need =
                    distance_with_wait(kernel.arch(), p.kind, a, first, b, second, reg, CheckMode::Absolute);
                waits += need > 0;
            } else if (!completes_by_scoreboard(kernel.arch(), a)) {
                need = required_distance(kernel.arch(), p.kind, a, first, b, second, reg).value_or(0);
                distances += need > 0;
            }
            if (p.cycles < need)
                FAIL_CHECK(named.file << " " << kernel.name() << " " << p.first * 16 << " -> "
                                      << p.second * 16 << ": " << need << " needed, " << p.cycles
                                      << " there");
        });
    }
    CHECK(distances > 30000);
    CHECK(waits > 20);
}

TEST_CASE("figures that compiled code shows and the published tables lack") {
    const auto seen = [](int generation, DependenceKind kind, ObservedClass first, ObservedClass second,
                         bool waited) {
        const ObservedDistance* r =
            observed_distance(generation, {kind, RegFile::Gpr, first, second, false, waited});
        return r == nullptr ? 0 : static_cast<int>(r->cycles);
    };
    for (const ObservedClass queue : {ObservedClass::Lsu, ObservedClass::Mio})
        for (const ObservedClass writer : {ObservedClass::Alu, ObservedClass::Fma})
            CHECK(seen(75, DependenceKind::Raw, writer, queue, false) == 8);
    for (const int generation : {75, 80})
        CHECK(seen(generation, DependenceKind::Raw, ObservedClass::WideLo, ObservedClass::Alu, false) == 5);
    CHECK(seen(75, DependenceKind::Raw, ObservedClass::Fp64, ObservedClass::Fp64, true) == 8);
    CHECK(seen(80, DependenceKind::Raw, ObservedClass::Fp64, ObservedClass::Fp64, true) == 6);
    CHECK(seen(75, DependenceKind::War, ObservedClass::Mma1x, ObservedClass::Mio, true) == 6);
    CHECK(seen(90, DependenceKind::Raw, ObservedClass::Umov, ObservedClass::Xu, false) == 0);  // uniform file
}

TEST_CASE("distances of the public corpus lower absolute mode only") {
    const auto rows = swept_distances();
    REQUIRE(rows.size() > 100);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const ObservedDistance& r = rows[i];
        if (i > 0) CHECK(std::pair(rows[i - 1].generation, rows[i - 1].key) < std::pair(r.generation, r.key));
        CHECK(swept_distance(r.generation, r.key) == &r);
        // Only what is shorter than in the table that a search looks at, or not there.
        const ObservedDistance* known = observed_distance(r.generation, r.key);
        if (known) CHECK(r.cycles < known->cycles);
    }
}

TEST_CASE("predicates that compiled code overwrites earlier than the published tables ask for") {
    const auto swept = [](int generation, ObservedClass second, bool guarded) {
        const ObservedDistance* r = swept_distance(
            generation, {DependenceKind::Waw, RegFile::Pred, ObservedClass::Alu, second, guarded, false});
        return r == nullptr ? 0 : static_cast<int>(r->cycles);
    };
    // sm_75: @!P2 ISETP.NE.AND P0 with stalls of 2, 1, 1, 1, 3, 4 in front of B2R.RESULT RZ, P0.
    CHECK(swept(75, ObservedClass::Barrier, true) == 12);
    // sm_90a: ISETP P0 with stalls of 1, 1, 1, 1, 2 in front of ELECT P0, in a matmul of Triton.
    CHECK(swept(90, ObservedClass::Elect, false) == 6);
}

TEST_CASE("overwrites that only the public corpus shows are no matter of a search") {
    const Arch ampere{80}, hopper{90};
    for (const auto& [first, second] :
         {std::pair(QueueOp::Stl, QueueOp::Shfl), std::pair(QueueOp::Movm, QueueOp::Movm),
          std::pair(QueueOp::Tensor, QueueOp::Tensor)})
        for (const Arch& arch : {ampere, hopper}) {
            CHECK(overwrites_in_order(arch, first, second, CheckMode::Absolute));
            CHECK_FALSE(overwrites_in_order(arch, first, second, CheckMode::AgainstOriginal));
        }
    for (const auto& [arch, first, second] :
         {std::tuple(Arch{75}, QueueOp::Shfl, QueueOp::Shfl),
          std::tuple(Arch{75}, QueueOp::Ldsm, QueueOp::Ldsm), std::tuple(hopper, QueueOp::Shfl, QueueOp::Lds),
          std::tuple(Arch{86}, QueueOp::Shfl, QueueOp::Lds),
          std::tuple(hopper, QueueOp::Syncs, QueueOp::Syncs), std::tuple(ampere, QueueOp::Red, QueueOp::Lds),
          std::tuple(ampere, QueueOp::St, QueueOp::Shfl), std::tuple(hopper, QueueOp::St, QueueOp::Shfl),
          std::tuple(Arch{75}, QueueOp::St, QueueOp::Atoms),
          std::tuple(Arch{75}, QueueOp::Sts, QueueOp::Shfl),
          std::tuple(Arch{75}, QueueOp::Stl, QueueOp::Shfl), std::tuple(Arch{75}, QueueOp::Stl, QueueOp::Lds),
          std::tuple(hopper, QueueOp::Red, QueueOp::Lds), std::tuple(hopper, QueueOp::Tex, QueueOp::Tex)}) {
        CHECK(overwrites_in_order(arch, first, second, CheckMode::Absolute));
        CHECK_FALSE(overwrites_in_order(arch, first, second, CheckMode::AgainstOriginal));
    }
    CHECK_FALSE(overwrites_in_order(hopper, QueueOp::Stl, QueueOp::Ldl, CheckMode::Absolute));
}

// What code of ptxas overwrites behind a BAR with no wait (legality.md): on sm_75 operands of STS, LDS, STG and RED, on
// sm_80 to sm_89 of STS. On sm_90 it waits for anybody's, so code that stands alone has to as well.
TEST_CASE(
    "BAR answers for the operands that compiled code leaves to it, on each generation, and for no others") {
    const KernelPtr turing = load_kernel("/cubins/k1.75.cubin", "k_basic");
    const KernelPtr reductions = load_kernel("/cubins/k1.75.cubin", "k_lb");
    const KernelPtr ampere = load_kernel("/cubins/bmm_mma.sm_80.cubin");
    const KernelPtr hopper = load_kernel("bmm.cubin");
    const auto first = [](const KernelPtr& kernel, const char* name) {
        const auto& all = kernel->instructions();
        const auto found = std::find_if(all.begin(), all.end(),
                                        [&](const Instruction& i) { return latency::is_named(i, name); });
        REQUIRE(found != all.end());
        return *found;
    };
    const auto answers = [&](const KernelPtr& kernel, const Instruction& other, CheckMode mode) {
        const std::uint32_t classes = read_classes_drained(kernel->arch(), first(kernel, "BAR"), mode);
        return (classes >> static_cast<unsigned>(read_class(other)) & 1u) != 0;
    };
    for (const CheckMode mode : {CheckMode::AgainstOriginal, CheckMode::Absolute}) {
        CHECK(answers(turing, first(turing, "STS"), mode));
        CHECK(answers(turing, first(reductions, "STG"), mode));
        CHECK_FALSE(answers(turing, first(turing, "LDG"), mode));
        CHECK(answers(turing, first(reductions, "RED"), mode));
        for (const char* name : {"LDSM", "STG"})
            CHECK_FALSE(answers(ampere, first(ampere, name), mode));
        for (const char* name : {"STS", "LDSM", "STG"})
            CHECK_FALSE(answers(hopper, first(hopper, name), mode));
    }
    CHECK(answers(ampere, first(turing, "STS"), CheckMode::Absolute));
    CHECK_FALSE(answers(ampere, first(turing, "STS"), CheckMode::AgainstOriginal));
}
