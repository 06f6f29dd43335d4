// SPDX-License-Identifier: GPL-3.0-or-later
// Distances that stand beside waits, floors behind barriers, and figures that compiled code keeps although
// the published tables ask for less. Each with a near miss that is legal. Kernels:
// tests/data/cubins/distances.cu.
#include <cstring>

#include "core/legality/tables/latency.h"
#include "core/legality/tables/queue_order.h"
#include "tests/core/legality/rule_bench.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

struct Pair {
    std::string file;
    Schedule original;
    InstrId first = kNone;
    InstrId second = kNone;

    // Findings with the first's stall count, and all up to the second, chosen so that `cycles` lie between.
    Legality at_distance(int cycles, CheckMode mode) const {
        Schedule edited = original;
        int left = cycles - static_cast<int>(second - first);
        for (InstrId id = first; id < second; ++id) {
            const int extra = std::min(left, 9);
            edited = with_stall(edited, id, 1 + extra);
            left -= extra;
        }
        const auto checker = required(HazardChecker::create(original.kernel(), mode));
        return (*checker)->check(edited);
    }
};

using Fits = std::function<bool(const Instruction&, const Instruction&)>;

bool writes_result_of(const Kernel& kernel, InstrId first, InstrId other) {
    for (const Operand& a : kernel.instruction(first).operands)
        for (const Operand& b : kernel.instruction(other).operands)
            if (a.write && b.write && a.overlaps(b)) return true;
    return false;
}

// The second reads what the first writes, and nothing between them writes it again.
bool passes_result(const Kernel& kernel, InstrId first, InstrId second) {
    for (InstrId id = first + 1; id < second; ++id)
        if (writes_result_of(kernel, first, id)) return false;
    return reads_written(kernel, first, second);
}

// The first two instructions of one block, at most `farthest` apart, where the second reads what the first
// writes
// (`reads`) or simply follows it.
Pair find_pair(const std::string& file, const std::string& kernel, bool reads, const Fits& fits,
               InstrId farthest = 5) {
    const KernelPtr k = load_kernel(file, kernel);
    for (InstrId a = 0; a + 1 < k->size(); ++a)
        for (InstrId b = a + 1; b < std::min<InstrId>(k->size(), a + farthest + 1); ++b)
            if (k->block_of(a) == k->block_of(b) && (!reads || passes_result(*k, a, b)) &&
                fits(k->instruction(a), k->instruction(b)))
                return {file, Schedule(k), a, b};
    FAIL("no such pair in " << file);
    return {file, Schedule(k)};
}

bool named(const Instruction& i, const char* name) {
    return std::strcmp(i.mnemonic, name) == 0;
}

bool touches(const Pair& pair, const Legality& legality, Rule rule) {
    // Of several registers in common the one that needs most stands for the pair: a load may also rewrite it.
    return has_rule(legality, rule, pair.first, pair.second) ||
           (rule == Rule::RawDistance && has_rule(legality, Rule::WawDistance, pair.first, pair.second));
}

void needs_exactly(const Pair& pair, int cycles, Rule rule) {
    INFO(pair.file << " " << pair.first << " -> " << pair.second);
    for (const CheckMode mode : {CheckMode::Absolute, CheckMode::AgainstOriginal}) {
        CHECK(touches(pair, pair.at_distance(cycles - 1, mode), rule));
        CHECK_FALSE(touches(pair, pair.at_distance(cycles, mode), rule));
    }
}

}  // namespace

TEST_CASE("FP64 with a barrier keeps its latency beside the wait") {
    const auto fp64 = [](const Instruction& i) { return i.unit == Unit::Fp64; };
    const auto to_fp64 = [&](const Instruction& a, const Instruction& b) {
        return fp64(a) && fp64(b) && !named(a, "DSETP");
    };
    const auto to_alu = [&](const Instruction& a, const Instruction& b) {
        return fp64(a) && !named(a, "DSETP") && (b.unit == Unit::Alu || b.unit == Unit::Fma);
    };
    needs_exactly(find_pair("/cubins/distances.75.cubin", "doubles", true, to_fp64), 8, Rule::RawDistance);
    needs_exactly(find_pair("/cubins/distances.80.cubin", "doubles", true, to_fp64), 6, Rule::RawDistance);
    needs_exactly(find_pair("/cubins/distances.75.cubin", "doubles", true, to_alu), 9, Rule::RawDistance);
    needs_exactly(find_pair("/cubins/distances.80.cubin", "doubles", true, to_alu), 10, Rule::RawDistance);
    for (const auto& [generation, cycles] : {std::pair(75, 15), std::pair(80, 14)}) {
        const ObservedDistance* guard =
            required(observed_distance(generation, {DependenceKind::Raw, RegFile::Pred, ObservedClass::Fp64,
                                                    ObservedClass::Guard, false, true}));
        CHECK(guard->cycles == cycles);
    }
}

TEST_CASE("a block barrier to the next branch: six cycles, five on sm_75") {
    const auto to_branch = [](const Instruction& a, const Instruction& b) {
        return named(a, "BAR") && (named(b, "BRA") || named(b, "EXIT") || named(b, "BSSY"));
    };
    needs_exactly(find_pair("/cubins/distances.80.cubin", "sums", false, to_branch), 6, Rule::IssueFloor);
    needs_exactly(find_pair("/cubins/distances.90a.cubin", "sums", false, to_branch), 6, Rule::IssueFloor);
}

TEST_CASE("sm_75: BAR holds the warp for five cycles") {
    const KernelPtr kernel = load_kernel("/cubins/distances.75.cubin", "sums");
    const Schedule original(kernel);
    for (InstrId id = 0; id < kernel->size(); ++id) {
        if (!named(kernel->instruction(id), "BAR")) continue;
        for (const CheckMode mode : {CheckMode::Absolute, CheckMode::AgainstOriginal}) {
            const auto checker = HazardChecker::create(kernel, mode);
            CHECK(has_rule((*checker)->check(with_stall(original, id, 4)), Rule::IssueFloor));
            CHECK_FALSE(has_rule((*checker)->check(with_stall(original, id, 5)), Rule::IssueFloor));
        }
    }
}

TEST_CASE("sm_75: ALU and FMA to a memory operand, eight cycles") {
    for (const Unit unit : {Unit::Alu, Unit::Fma}) {
        const auto fits = [&](const Instruction& a, const Instruction& b) {
            return a.unit == unit && (b.unit == Unit::Lsu || b.unit == Unit::Mio) && !a.guarded() &&
                   !b.guarded();
        };
        const char* kernel = unit == Unit::Alu ? "counts" : "sums";
        needs_exactly(find_pair("/cubins/distances.75.cubin", kernel, true, fits), 8, Rule::RawDistance);
    }
}

TEST_CASE("overwriting an operand with no barrier is believed of listed pairs only") {
    const auto believed = [](unsigned sm, QueueOp first, QueueOp second, CheckMode mode) {
        return overwrites_in_order(Arch{static_cast<int>(sm), false}, first, second, mode);
    };
    using Q = QueueOp;
    struct Never {
        unsigned sm;
        Q first, second;
    };
    // Counted in compiled code: always a barrier and a wait.
    const std::vector<Never> never = {
        {90, Q::Ldg, Q::Lds},     {90, Q::Ldg, Q::Shfl},  {90, Q::Ldg, Q::Ldsm},   {90, Q::Ldgsts, Q::Lds},
        {90, Q::Ldgsts, Q::Ldsm}, {90, Q::Stg, Q::Ldg},   {90, Q::Stg, Q::Ldl},    {90, Q::St, Q::Ldl},
        {75, Q::St, Q::Ldl},      {90, Q::Stl, Q::Ldl},   {75, Q::Stg, Q::Atomg},  {75, Q::Red, Q::Atomg},
        {86, Q::Stg, Q::Atomg},   {86, Q::Red, Q::Atomg}, {80, Q::Ldg, Q::Ldg},    {75, Q::Ldg, Q::Ldg},
        {90, Q::Sts, Q::Ldg},     {80, Q::Stl, Q::Ldg},   {90, Q::Other, Q::Other}};
    for (const Never& n : never)
        for (const CheckMode mode : {CheckMode::Absolute, CheckMode::AgainstOriginal}) {
            INFO(n.sm << " " << static_cast<int>(n.first) << " " << static_cast<int>(n.second));
            CHECK_FALSE(believed(n.sm, n.first, n.second, mode));
        }
    for (const unsigned sm : {75u, 80u, 89u, 90u})
        for (const auto& [first, second] :
             {std::pair(Q::Sts, Q::Lds), std::pair(Q::Stg, Q::Lds), std::pair(Q::Lds, Q::Lds)})
            CHECK(believed(sm, first, second, CheckMode::AgainstOriginal));
    CHECK(believed(90, Q::Ldg, Q::Ldg, CheckMode::AgainstOriginal));
    CHECK(believed(90, Q::Ldsm, Q::Ldsm, CheckMode::AgainstOriginal));
    // -O1 writes ST.E.U16 R31 and, next, LDS.128 R28: the compiler's own code passes, a search keeps the wait.
    CHECK(believed(90, Q::St, Q::Lds, CheckMode::Absolute));
    CHECK_FALSE(believed(90, Q::St, Q::Lds, CheckMode::AgainstOriginal));
    // Once in random PTX (seed 2, -O1).
    CHECK(believed(90, Q::St, Q::Ldsm, CheckMode::Absolute));
    CHECK_FALSE(believed(90, Q::St, Q::Ldsm, CheckMode::AgainstOriginal));
    // Thirteen places, all of one project: the compiler's own code passes, a search keeps the wait.
    CHECK(believed(90, Q::Ldl, Q::Ldg, CheckMode::Absolute));
    CHECK_FALSE(believed(90, Q::Ldl, Q::Ldg, CheckMode::AgainstOriginal));
    CHECK_FALSE(believed(86, Q::Ldl, Q::Ldg, CheckMode::Absolute));
    // One place is enough for the compiler's own code, not for a search.
    CHECK(believed(80, Q::Ldsm, Q::Shfl, CheckMode::Absolute));
    CHECK_FALSE(believed(80, Q::Ldsm, Q::Shfl, CheckMode::AgainstOriginal));
}

TEST_CASE("a store's operand overwritten by an atomic needs a wait, and no atomic between speaks for it") {
    for (const char* file : {"/cubins/distances.75.cubin", "/cubins/distances.80.cubin"}) {
        const KernelPtr k = load_kernel(file, "counts");
        std::size_t places = 0;
        for (InstrId a = 0; a < k->size(); ++a) {
            if (!named(k->instruction(a), "STG")) continue;
            const Schedule original(k);
            const std::uint8_t barrier = original.control(a).read_barrier;
            if (barrier >= 6) continue;
            for (InstrId b = a + 1; b < k->size() && k->block_of(a) == k->block_of(b); ++b) {
                const Instruction& second = k->instruction(b);
                const auto writes = [&](const Operand& w) {
                    return w.write && std::any_of(k->instruction(a).operands.begin(),
                                                  k->instruction(a).operands.end(), [&](const Operand& r) {
                                                      return r.read && r.file == RegFile::Gpr &&
                                                             r.overlaps(w);
                                                  });
                };
                if (!std::any_of(second.operands.begin(), second.operands.end(), writes)) continue;
                if (!named(second, "ATOMG")) break;
                Schedule edited = original;
                for (InstrId id = a; id <= b; ++id) {
                    ControlCode code = edited.control(id);
                    code.wait_mask = static_cast<std::uint8_t>(code.wait_mask & ~(1u << barrier));
                    if (id == a) code.read_barrier = kNoBarrier;
                    edited.set_control(id, code);
                }
                for (const CheckMode mode : {CheckMode::Absolute, CheckMode::AgainstOriginal}) {
                    const auto checker = HazardChecker::create(k, mode);
                    CHECK((*checker)->check(original).empty());
                    CHECK(has_rule((*checker)->check(edited), Rule::WarScoreboard, a, b));
                }
                ++places;
                break;
            }
        }
        INFO(file);
        CHECK(places > 0);
    }
}
