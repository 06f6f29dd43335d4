// SPDX-License-Identifier: GPL-3.0-or-later
// What random PTX (tests/sweep/random_ptx.py) taught; accept_test.cpp holds that none of tests/data/cubins/random_ptx.* is
// refused. Here: what stands behind it, and how far the belief goes.
#include <map>

#include "core/legality/tables/latency.h"
#include "core/legality/tables/queue_order.h"
#include "core/sass/decoder.h"
#include "app/lab/synthetic_kernel.h"
#include "tests/core/legality/rule_bench.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

bool is(const Instruction& i, std::string_view name) {
    return i.mnemonic == name;
}

// The number of the only operand of that file, in that role.
unsigned number_of(const Instruction& i, RegFile file, bool write) {
    for (const Operand& o : i.operands)
        if (o.file == file && (write ? o.write : o.read && o.role != Role::Guard)) return o.first;
    FAIL("no such operand");
    return 0;
}

Legality absolute(const Kernel& kernel, const std::vector<Word>& words) {
    const auto changed = required(kernel_with_words(kernel, words));
    return check_kernel(*changed)->hazards;
}

std::vector<Word> words_of(const Kernel& kernel) {
    std::vector<Word> out;
    for (const Instruction& i : kernel.instructions())
        out.push_back(i.word);
    return out;
}

int needed(const Instruction& first, const Instruction& second, CheckMode mode, RegFile file = RegFile::Gpr) {
    const Operand *write = nullptr, *read = nullptr;
    for (const Operand& o : first.operands)
        if (o.write && o.file == file) write = &o;
    for (const Operand& o : second.operands)
        if (read == nullptr && o.read && o.file == file) read = &o;
    REQUIRE((write != nullptr && read != nullptr));
    return required_distance(Arch{90}, DependenceKind::Raw, first, *write, second, *read, read->first, mode)
        .value_or(-1);
}

Instruction hopper(Word word) {
    return decode(Arch{90, true}, word, 0);
}

}  // namespace

// In copy_guards.ptx each operation and one store have a predicate of their own. ptxas votes on it for the operation, so
// the store under the voted predicate tells which one the operation's guard is: by its offset.
TEST_CASE(
    "the copy unit's operations are guarded by uniform predicates, as the votes in front of them tell") {
    const KernelPtr kernel = load_kernel("/cubins/copy_guards.90a.cubin");
    const std::map<std::string_view, std::int64_t> stores = {
        {"UTMALDG", 8}, {"UTMACCTL", 12}, {"UBLKPF", 16}, {"UBLKRED", 20}, {"UTMAREDG", 24}};
    std::map<unsigned, unsigned> voted;  // uniform predicate -> the predicate it was made of
    std::map<std::int64_t, unsigned> found;
    std::map<std::string_view, unsigned> guards;
    for (const Instruction& i : kernel->instructions()) {
        if (is(i, "VOTEU")) voted[number_of(i, RegFile::UPred, true)] = number_of(i, RegFile::Pred, false);
        if (is(i, "STG") && i.guarded()) found[i.memory.offset] = i.guard;
        if (stores.count(i.mnemonic) == 0 || !i.guarded()) continue;
        CHECK(i.uniform_guard);
        REQUIRE(voted.count(i.guard) == 1);
        guards[i.mnemonic] = voted[i.guard];
    }
    REQUIRE(guards.size() == stores.size());
    for (const auto& [name, offset] : stores) {
        INFO(name);
        REQUIRE(found.count(offset) == 1);
        CHECK(guards[name] == found[offset]);
    }
}

TEST_CASE(
    "QSPC returns in the order of shared memory's queue: one barrier speaks for both, and only if it is "
    "waited for") {
    const KernelPtr kernel = load_kernel("/cubins/random_ptx.90a.cubin", "random_26_16");
    std::vector<Word> words = words_of(*kernel);
    // LDS R10 at 0x400, QSPC at 0x450, and STG that stores R10 at 0x610.
    const InstrId load = 0x400 / kWordBytes, query = 0x450 / kWordBytes;
    REQUIRE(is(kernel->instruction(load), "LDS"));
    REQUIRE(is(kernel->instruction(query), "QSPC"));
    REQUIRE(kernel->instruction(load).control().write_barrier == kNoBarrier);
    const int barrier = kernel->instruction(query).control().write_barrier;
    REQUIRE(barrier != kNoBarrier);
    CHECK(absolute(*kernel, words).empty());
    ControlCode silent = kernel->instruction(query).control();
    silent.write_barrier = kNoBarrier;
    words[query] = silent.encode_into(words[query]);
    const Legality findings = absolute(*kernel, words);
    CHECK(std::ranges::any_of(
        findings, [&](const Hazard& h) { return h.rule == Rule::RawScoreboard && h.earlier == load; }));
    CHECK(std::ranges::any_of(
        findings, [&](const Hazard& h) { return h.rule == Rule::RawScoreboard && h.earlier == query; }));
}

TEST_CASE(
    "shared memory's queue overwrites in order for absolute mode, not for a search, and loads are not of "
    "it") {
    const Arch arch{90, true};
    for (const auto& [first, second] :
         {std::pair(QueueOp::Atoms, QueueOp::Ldsm), std::pair(QueueOp::Stg, QueueOp::Atoms),
          std::pair(QueueOp::Lds, QueueOp::Qspc)}) {
        CHECK(overwrites_in_order(arch, first, second, CheckMode::Absolute));
        CHECK_FALSE(overwrites_in_order(arch, first, second, CheckMode::AgainstOriginal));
    }
    for (const QueueOp load : {QueueOp::Ldg, QueueOp::Ld, QueueOp::Tex, QueueOp::Atomg})
        CHECK_FALSE(overwrites_in_order(arch, load, QueueOp::Lds, CheckMode::Absolute));
}

TEST_CASE(
    "what is often seen keeps its distance in absolute mode, what is seldom seen is believed a cycle "
    "sooner") {
    const Instruction add = hopper({0x0000000106047824, 0x000fe200078e0a07});   // IMAD.IADD R4, R6, 0x1, R7
    const Instruction load = hopper({0x0000001004047981, 0x000ea2000c1e1900});  // LDG.E R4, desc[UR16][R4.64]
    const Instruction match = hopper({0x00000000040673a1, 0x000ea200000e8000});  // MATCH.ANY R6, R4
    REQUIRE(is(add, "IMAD"));
    REQUIRE(is(load, "LDG"));
    REQUIRE(is(match, "MATCH"));
    CHECK(needed(add, load, CheckMode::Absolute) == 5);
    CHECK(needed(add, match, CheckMode::Absolute) == 4);
    CHECK(needed(add, match, CheckMode::AgainstOriginal) >= 5);
}

TEST_CASE(
    "sm_90: a branch that asks the lanes reads R2UR's uniform register 13 cycles later where code stands "
    "alone") {
    const Instruction move = hopper({0x000000002a0472ca, 0x000fe200000e0000});    // R2UR UR4, R42
    const Instruction branch = hopper({0x0000000604b07947, 0x000fea000b800000});  // BRA.DIV UR4
    REQUIRE(is(move, "R2UR"));
    REQUIRE(is(branch, "BRA"));
    CHECK(needed(move, branch, CheckMode::Absolute, RegFile::UGpr) == 13);
}
