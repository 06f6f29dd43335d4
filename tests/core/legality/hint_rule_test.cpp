// SPDX-License-Identifier: GPL-3.0-or-later
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "core/sass/cache_hint.h"
#include "tests/core/legality/analysis_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

std::vector<InstrId> accesses_of(const Kernel& kernel) {
    std::vector<InstrId> out;
    for (InstrId id = 0; id < kernel.size(); ++id)
        if (kHintField.has(kernel.instruction(id).word)) out.push_back(id);
    return out;
}

}  // namespace

TEST_CASE("the checker allows the hints that the instruction can have, and names the others", "[hints]") {
    for (const char* file : {"softmax.cubin", "/cubins/bmm_mma.sm_80.cubin", "/cubins/bmm_mma.sm_89.cubin"}) {
        const KernelPtr kernel = load_kernel(file);
        const auto checker = required(HazardChecker::create(kernel));
        const Schedule original(kernel);
        std::vector<InstrId> accesses = accesses_of(*kernel);
        accesses.resize(std::min<std::size_t>(accesses.size(), 6));
        REQUIRE_FALSE(accesses.empty());
        for (const InstrId id : accesses)
            for (FieldBits bits = 0; bits <= kHintField.mask; ++bits) {
                if (!kHintField.fits(kernel->instruction(id).word, bits)) continue;
                const CacheHint hint = CacheHint::from_bits(bits);
                const bool possible = hint_refusal(kernel->arch(), kernel->instruction(id), hint).empty();
                const Mutation mutation = Mutation::field(original, kHintField, id, bits);
                INFO(file << " " << mutation.text(*kernel));
                CHECK((*checker)->allows(original, mutation) == possible);
                const Legality found = (*checker)->explain(original, mutation);
                CHECK(has_rule(found, Rule::Field) == !possible);
                CHECK(found.empty() == possible);
                if (!possible) CHECK(found.front().explanation.find(hint.text()) != std::string::npos);
            }
    }
}

TEST_CASE("hints and other edits together: the quick answer equals the full check", "[hints]") {
    std::mt19937 random(31);
    for (const char* file : {"softmax.cubin", "/cubins/bmm_mma.sm_86.cubin"}) {
        const KernelPtr kernel = load_kernel(file);
        const auto checker = required(HazardChecker::create(kernel));
        const std::vector<InstrId> accesses = accesses_of(*kernel);
        Schedule legal(kernel);
        int allowed = 0;
        for (int i = 0; i < 400; ++i) {
            Mutation mutation = i % 3 == 0 ? Mutation{} : random_mutation(legal, random);
            for (unsigned n = 1 + random() % 3; n > 0; --n) {
                const InstrId id = accesses[random() % accesses.size()];
                const Word word = legal.word_of(id);
                const FieldBits bits = kHintField.read(kHintField.write(word, random() & kHintField.mask));
                mutation.edits.push_back(Mutation::field(legal, kHintField, id, bits).edits.front());
            }
            const auto next = mutation.applied(legal);
            INFO(file << " " << mutation.text(*kernel));
            const bool answer = (*checker)->allows(legal, mutation);
            CHECK(answer == (next && (*checker)->legal(*next)));
            if (!answer) continue;
            ++allowed;
            expect_a_mutation_like_any_other(legal, mutation);
            legal = *next;
        }
        CHECK(allowed > 20);
    }
}

TEST_CASE("random hints are allowed exactly if ptxas emits each of them", "[hints]") {
    // Independent of the tables of core/sass: the words that ptxas emitted, by opcode, memory order and hint.
    std::map<int, std::set<std::tuple<unsigned, std::uint64_t, std::uint32_t>>> emitted;
    std::ifstream words(CUBINLAB_TEST_DATA "/sass/hints.txt");
    for (std::string line; std::getline(words, line);) {
        std::istringstream in(line);
        std::string arch;
        Word word;
        in >> arch >> std::hex >> word.lo >> word.hi;
        emitted[Arch::parse(arch)->sm].insert(
            {word.bits(0, 9), word.bits(77, 4), CacheHint::decode(word).bits()});
    }
    std::mt19937 random(52);
    for (const char* file : {"softmax.cubin", "rmsnorm.cubin", "bmm_mma.cubin", "/cubins/bmm_mma.sm_80.cubin"}) {
        const KernelPtr kernel = load_kernel(file);
        const auto checker = required(HazardChecker::create(kernel));
        const Schedule original(kernel);
        const std::vector<InstrId> accesses = accesses_of(*kernel);
        int allowed = 0;
        for (int i = 0; i < 400; ++i) {
            Mutation mutation;
            bool all_emitted = true;
            // Few at a time, so that both answers are frequent.
            for (unsigned n = 1 + random() % 3; n > 0; --n) {
                const InstrId id = accesses[random() % accesses.size()];
                const Word& word = kernel->instruction(id).word;
                const auto bits = static_cast<FieldBits>(random() & kHintField.mask);
                const bool twice = std::ranges::any_of(mutation.edits, [&](const Edit& e) { return e.instr == id; });
                if (twice || !kHintField.fits(word, bits) || bits == original.field(kHintField, id)) continue;
                const CacheHint own = CacheHint::decode(word), hint = CacheHint::from_bits(bits);
                const bool last_use = (own.eviction == Eviction::LastUse) != (hint.eviction == Eviction::LastUse);
                all_emitted = all_emitted && !last_use &&
                              emitted[kernel->arch().sm].contains({word.bits(0, 9), word.bits(77, 4), bits});
                mutation.edits.push_back(Mutation::field(original, kHintField, id, bits).edits.front());
            }
            if (mutation.empty()) continue;
            INFO(file << " " << mutation.text(*kernel));
            CHECK((*checker)->allows(original, mutation) == all_emitted);
            allowed += all_emitted ? 1 : 0;
        }
        CHECK(allowed > 20);
    }
}

TEST_CASE("a hint on every access of a kernel is one mutation", "[hints]") {
    const KernelPtr kernel = load_kernel("softmax.cubin");
    const auto checker = required(HazardChecker::create(kernel));
    const Schedule original(kernel);
    Mutation all;
    for (const InstrId id : accesses_of(*kernel))
        if (has_eviction(kernel->instruction(id).word))
            all.edits.push_back(
                Mutation::field(original, kHintField, id, CacheHint{Eviction::First}.bits()).edits.front());
    REQUIRE((*checker)->allows(original, all));
    const auto hinted = required(all.applied(original));
    CHECK((*checker)->legal(*hinted));
    CHECK(hinted->changes_code());
    CHECK(*all.inverse(original)->applied(*hinted) == original);
    CHECK(required(Schedule::match(kernel, hinted->words()))->words() == hinted->words());
}
