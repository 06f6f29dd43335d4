// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels far larger than the samples: what is kept small for their sake changes no answer.
#include "core/legality/checker_impl.h"
#include "core/schedule/control_flow.h"
#include "core/schedule/loops.h"
#include "app/lab/synthetic_kernel.h"
#include "tests/core/legality/analysis_fixture.h"

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
    if (mode == CheckMode::AgainstOriginal) {
        std::vector<bool> held(kernel->size(), false), held_too = held;
        CHECK(stored.excuse_original(original, held) == made.excuse_original(original, held_too));
        CHECK((held == held_too));
    }
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
    const auto kernel = required(kernel_with_words(*small, words));
    REQUIRE((*kernel)->flow().blocks.size() == 2);
    const DependencePairs pairs(**kernel, CheckMode::AgainstOriginal);
    const MemoryOrder memory(**kernel);
    const OrderEdges edges(**kernel, pairs, memory);
    std::size_t members = 0, kept = 0;
    for (InstrId id = 0; id + 1 < (*kernel)->size(); ++id) {
        if (!memory.can_be_ordered(id)) continue;
        ++members;
        for (const OrderEdge& e : edges.after(id))
            kept += e.rule == Rule::MemoryOrder ? 1 : 0;
    }
    REQUIRE(members > OrderEdges::kMostCompared);
    CHECK(kept + 1 >= members);
}

// What the edges say, all ways through them, is what asking about every pair says.
TEST_CASE("order edges are those of every pair, in samples and in blocks of memory operations") {
    const auto reachable = [](std::size_t n, const auto& edge) {
        std::vector<std::vector<bool>> before(n, std::vector<bool>(n, false));
        for (std::size_t c = 0; c < n; ++c)
            for (std::size_t a = c; a-- > 0;) {
                if (before[c][a] || !edge(a, c)) continue;
                before[c][a] = true;
                for (std::size_t k = 0; k < a; ++k)
                    if (before[a][k]) before[c][k] = true;
            }
        return before;
    };
    std::vector<KernelPtr> kernels;
    for (const NamedKernel& named : all_kernels())
        kernels.push_back(named.kernel);
    for (const char* file : {"rmsnorm.cubin", "bmm_mma.cubin", "flash_attn_mma.cubin"}) {
        const KernelPtr small = load_kernel(file);
        std::vector<Word> words;
        while (words.size() < 500)
            for (InstrId id = 0; id < small->size(); ++id)
                if (small->instruction(id).memory.space != MemorySpace::None && !small->pinned(id))
                    words.push_back(small->instruction(id).word);
        words.push_back(branch_word(small->arch(), -1));
        kernels.push_back(*kernel_with_words(*small, words));
    }
    std::size_t ordered = 0, free = 0;
    for (const KernelPtr& kernel : kernels) {
        const MemoryOrder memory(*kernel);
        const OrderEdges edges(*kernel, DependencePairs(*kernel, CheckMode::AgainstOriginal), memory);
        for (const Block& block : kernel->flow().blocks) {
            if (block.count > 800) continue;
            const auto asked = reachable(block.count, [&](std::size_t a, std::size_t c) {
                const auto first = static_cast<InstrId>(block.first + a);
                const auto second = static_cast<InstrId>(block.first + c);
                return memory.can_be_ordered(first) && memory.can_be_ordered(second) &&
                       memory.between(first, second).has_value();
            });
            const auto kept = reachable(block.count, [&](std::size_t a, std::size_t c) {
                const auto before = edges.before(static_cast<InstrId>(block.first + c));
                return std::any_of(before.begin(), before.end(), [&](const OrderEdge& e) {
                    return e.first == block.first + a && e.rule != Rule::Dependence;
                });
            });
            CHECK((asked == kept));
            for (const auto& row : asked)
                for (const bool pair : row)
                    ++(pair ? ordered : free);
        }
    }
    CHECK(ordered > 10'000);
    CHECK(free > 10'000);
}

// No guarded write rules out the ones before it: 4,000 of them have eight million pairs. Those far apart are
// implied by the ones between.
TEST_CASE("thousands of guarded writes of one register keep their order with few pairs") {
    const KernelPtr small = load_kernel("rmsnorm.cubin");
    std::vector<Word> words;
    for (const Instruction& i : small->instructions()) {
        if (i.unit != Unit::Fma || i.guarded()) continue;
        Word word = i.word;
        word.lo &= ~0xf000ull;  // @P0
        words.assign(4'000, word);
        break;
    }
    REQUIRE(words.size() == 4'000);
    words.push_back(branch_word(small->arch(), -1));
    const KernelPtr kernel = *kernel_with_words(*small, words);
    const DependencePairs pairs(*kernel, CheckMode::AgainstOriginal);
    CHECK(pairs.local().size() < 4'000 * 130);
    const auto checker = *HazardChecker::create(kernel);
    const Schedule original(kernel);
    CHECK(checker->check(original).empty());
    for (const auto& [id, to] : {std::pair<InstrId, Position>{100, 101}, {100, 3'000}, {3'999, 0}})
        CHECK(!checker->allows(original, Mutation::move_to(original, id, to)));
}

TEST_CASE("a block that is too large to prove anything about is refused with the reason") {
    const KernelPtr small = load_kernel("rmsnorm.cubin");
    std::vector<Word> words;
    while (words.size() < 200'000)
        for (const Instruction& i : small->instructions())
            if (i.unit == Unit::Fma) words.push_back(i.word);
    words.push_back(branch_word(small->arch(), -1));
    const auto kernel = required(kernel_with_words(*small, words));
    const auto checker = HazardChecker::create(*kernel);
    REQUIRE(!checker);
    CHECK_THAT(checker.error().message(), contains_text("more than 65536"));
}

namespace {

Word with_control(Word word, int stall, std::uint8_t write_barrier) {
    ControlCode code;
    code.stall = static_cast<std::uint8_t>(stall);
    code.write_barrier = write_barrier;
    return code.encode_into(word);
}

std::string refusal(const KernelPtr& kernel) {
    const auto checker = HazardChecker::create(kernel);
    if (checker) return "proven";
    CHECK(checker.error().code == ErrorCode::Unsupported);
    return checker.error().message();
}

KernelPtr of_words(const Kernel& base, const std::vector<Word>& words) {
    const auto kernel = required(kernel_with_words(base, words));
    return *kernel;
}

Word first_named(const Kernel& kernel, std::string_view mnemonic) {
    for (const Instruction& i : kernel.instructions())
        if (i.mnemonic == mnemonic) return i.word;
    FAIL("the sample has no " << mnemonic);
    return {};
}

}  // namespace

TEST_CASE("a kernel of which too much would have to be kept is refused, and says of what") {
    const KernelPtr base = load_kernel("rmsnorm.cubin");
    const Word add = with_control(first_named(*base, "FADD"), 1, kNoBarrier);
    const Word load = with_control(first_named(*base, "LDG"), 15, 0);
    const auto jump = [&](int words) {
        return with_control(branch_word(base->arch(), words, 0), 1, kNoBarrier);
    };

    // Every block is reached from every other within a few cycles: 2,400 blocks of three.
    std::vector<Word> tangled;
    constexpr int kBlocks = 2400;
    for (int b = 0; b < kBlocks; ++b) {
        tangled.push_back(add);
        tangled.push_back(add);
        const int target = static_cast<int>((static_cast<long>(b) * 1103 + 577) % kBlocks);
        tangled.push_back(jump((target - b - 1) * 3));
    }
    tangled.push_back(base->instructions().back().word);
    CHECK(refusal(of_words(*base, tangled)).find("too many dependences between blocks") != std::string::npos);

    // 17,000 loads that nothing waits for, all of them pending at the start of each block of one loop.
    std::vector<Word> pending;
    constexpr int kLoads = 17000;
    for (int b = 0; b < kLoads; ++b) {
        pending.push_back(load);
        pending.push_back(jump(0));
    }
    pending.push_back(jump(-static_cast<int>(pending.size()) - 1));
    pending.push_back(base->instructions().back().word);
    CHECK(refusal(of_words(*base, pending)).find("too many results that may be pending") !=
          std::string::npos);

    // One block too long.
    std::vector<Word> straight(65'537, add);
    straight.back() = base->instructions().back().word;
    CHECK(refusal(of_words(*base, straight)).find("nothing is proven of blocks of more than 65536") !=
          std::string::npos);
}
