// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels far larger than the samples: what is kept small for their sake changes no answer.
#include "core/analysis/checker_impl.h"
#include "core/schedule/control_flow.h"
#include "core/schedule/loops.h"
#include "core/schedule/synthetic_kernel.h"
#include "tests/core/analysis/analysis_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

KernelPtr repeated(const KernelPtr& kernel, std::size_t instructions, std::size_t branch_every = 0) {
    const auto big = repeated_kernel(*kernel, instructions, branch_every);
    INFO((big ? "" : big.error().message()));
    REQUIRE(big);
    return *big;
}

auto conflict_key(const ScoreboardConflict& c) {
    return std::tuple(c.producer, c.consumer, c.write, c.unknown_scoreboard);
}

// One run of the proof over every block of a schedule, legal or not.
std::vector<std::tuple<InstrId, InstrId, bool, int>> conflicts_of(const ScoreboardProof& proof,
                                                                  const Schedule& schedule) {
    std::vector<ScoreboardConflict> found;
    const auto entries = proof.entry_states(schedule);
    for (BlockId b = 0; b < entries.size(); ++b) {
        ScoreboardState state = entries[b];
        const Block& block = schedule.kernel()->flow().blocks[b];
        for (Position p = block.first; p < block.end(); ++p)
            proof.step(state, schedule.at(p), schedule.control(schedule.at(p)), &found);
    }
    std::vector<std::tuple<InstrId, InstrId, bool, int>> keys;
    for (const ScoreboardConflict& c : found)
        keys.push_back(conflict_key(c));
    return keys;
}

void expect_same_proofs(const KernelPtr& kernel, CheckMode mode, std::mt19937& random,
                        std::size_t& conflicts) {
    const Schedule original(kernel);
    const DependencePairs pairs(*kernel, mode);
    const MemoryOrder order(*kernel);
    const std::vector<bool> cycles = blocks_in_cycles(kernel->flow());
    ScoreboardProof stored(original, pairs, order, cycles, mode, 1u << 20);
    ScoreboardProof made(original, pairs, order, cycles, mode, 0);
    if (mode == CheckMode::AgainstOriginal)
        CHECK(stored.excuse_original(original).size() == made.excuse_original(original).size());
    CHECK(stored.conflicts_count() == made.conflicts_count());
    Schedule wild = original;
    for (int i = 0; i < 12; ++i) {
        for (int m = 0; m < 4; ++m)
            if (const auto next = random_mutation(wild, random).applied(wild)) wild = *next;
        const auto a = conflicts_of(stored, wild);
        CHECK((a == conflicts_of(made, wild)));
        conflicts += a.size();
    }
}

}  // namespace

TEST_CASE("rows made on demand are the rows that are stored") {
    std::mt19937 random(3);
    std::size_t conflicts = 0;
    for (const NamedKernel& named : all_kernels()) {
        INFO(named.file << " " << named.kernel->name());
        expect_same_proofs(named.kernel, CheckMode::AgainstOriginal, random, conflicts);
        expect_same_proofs(named.kernel, CheckMode::Absolute, random, conflicts);
    }
    for (const std::size_t every : {4u, 9u})
        expect_same_proofs(repeated(load_kernel("rmsnorm.cubin"), 900, every), CheckMode::AgainstOriginal,
                           random, conflicts);
    CHECK(conflicts > 1000);
}

// Every copy of the body stands in the same surroundings, so a fault in one is found as it is in another.
TEST_CASE("a fault is found in every copy of a repeated body alike") {
    const KernelPtr small = load_kernel("rmsnorm.cubin");
    const KernelPtr kernel = repeated(small, 6000);
    const auto checker = *HazardChecker::create(kernel);
    const Schedule original(kernel);
    CHECK(checker->check(original).empty());
    const std::size_t body = kernel->size() / ((6000 + small->size() - 1) / small->size());
    // Copies have one length: the distance between the first two equal first words.
    std::size_t length = 1;
    const auto same = [&](std::size_t n) {
        for (InstrId id = 0; id + n < kernel->size(); ++id)
            if (!(kernel->instruction(id).word == kernel->instruction(static_cast<InstrId>(id + n)).word))
                return false;
        return true;
    };
    while (!same(length))
        ++length;
    CHECK(length <= body + 1);
    std::size_t faults = 0;
    for (InstrId id = 0; id < length; ++id) {
        if (original.control(id).wait_mask == 0) continue;
        const auto found = [&](std::size_t copy) {
            const auto at = static_cast<InstrId>(id + copy * length);
            ControlCode code = original.control(at);
            code.wait_mask = 0;
            Schedule broken = original;
            broken.set_control(at, code);
            std::vector<std::tuple<int, std::int64_t, std::int64_t>> keys;
            // What stays pending meets later copies too, and behind them there are not equally many.
            for (const Hazard& h : checker->check(broken))
                if (h.later < at + length)
                    keys.emplace_back(static_cast<int>(h.rule), static_cast<std::int64_t>(h.earlier) - at,
                                      static_cast<std::int64_t>(h.later) - at);
            return keys;
        };
        const auto second = found(2);
        CHECK((second == found(7)));
        faults += second.empty() ? 0 : 1;
    }
    CHECK(faults > 5);
}

TEST_CASE("memory operations of a very large block keep the order they have") {
    const KernelPtr small = load_kernel("rmsnorm.cubin");
    // One block of loads and stores of global memory.
    std::vector<Word> words;
    while (words.size() < 20'000)
        for (const Instruction& i : small->instructions())
            if (!i.guarded() && i.memory.space == MemorySpace::Global) words.push_back(i.word);
    words.push_back(branch_word(small->arch(), -1));
    const auto kernel = kernel_with_words(*small, words);
    REQUIRE(kernel);
    REQUIRE((*kernel)->flow().blocks.size() == 2);
    const DependencePairs pairs(**kernel, CheckMode::AgainstOriginal);
    const MemoryOrder memory(**kernel);
    const OrderEdges edges(**kernel, pairs, memory);
    std::size_t members = 0, kept = 0;
    for (InstrId id = 0; id + 1 < (*kernel)->size(); ++id) {
        if (!memory.takes_part(id)) continue;
        ++members;
        for (const OrderEdge& e : edges.after(id))
            kept += e.rule == Rule::MemoryOrder ? 1 : 0;
    }
    REQUIRE(members > OrderEdges::kMostCompared);
    CHECK(kept + 1 >= members);
}

TEST_CASE("a block that is too large to prove anything about is refused with the reason") {
    const KernelPtr small = load_kernel("rmsnorm.cubin");
    std::vector<Word> words;
    while (words.size() < 200'000)
        for (const Instruction& i : small->instructions())
            if (i.unit == Unit::Fma) words.push_back(i.word);
    words.push_back(branch_word(small->arch(), -1));
    const auto kernel = kernel_with_words(*small, words);
    REQUIRE(kernel);
    const auto checker = HazardChecker::create(*kernel);
    REQUIRE(!checker);
    CHECK_THAT(checker.error().message(), contains_text("more than 65536"));
}
