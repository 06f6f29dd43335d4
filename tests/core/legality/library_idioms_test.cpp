// SPDX-License-Identifier: GPL-3.0-or-later
// What ptxas does in code that CUB and libcu++ bring along (tests/data/cubins/cub_idioms.cu), and absolute mode believes;
// accept_test.cpp holds that it refuses none of it. Here: how far the belief goes.
#include "app/lab/synthetic_kernel.h"
#include "tests/core/legality/rule_bench.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

std::vector<Word> compiled_words(const Kernel& kernel) {
    std::vector<Word> out;
    for (const Instruction& i : kernel.instructions())
        out.push_back(i.word);
    return out;
}

Word with_stall(const Word& word, int cycles) {
    ControlCode code = ControlCode::decode(word);
    code.stall = static_cast<std::uint8_t>(cycles);
    return code.encode_into(word);
}

Legality hazards_alone(const Kernel& kernel, const std::vector<Word>& words) {
    const auto changed = required(kernel_with_words(kernel, words));
    const auto report = required(check_kernel(*changed));
    return report->hazards;
}

// The first of two neighbouring DADDs under opposite guards.
InstrId either_way(const Kernel& kernel) {
    for (InstrId id = 0; id + 1 < kernel.size(); ++id) {
        const Instruction &a = kernel.instruction(id), &b = kernel.instruction(id + 1);
        if (std::string_view(a.mnemonic) == "DADD" && std::string_view(b.mnemonic) == "DADD" && a.guarded() &&
            a.guard == b.guard && a.guard_negated != b.guard_negated)
            return id;
    }
    FAIL("no such neighbours");
    return kNone;
}

KernelPtr differences() {
    const auto cubin = open_cubin("/cubins/cub_idioms.80.cubin");
    for (const auto& info : cubin->kernels())
        if (info.name.find("DifferenceKernel") != std::string::npos)
            return load_kernel("/cubins/cub_idioms.80.cubin", info.name);
    FAIL("no kernel of differences");
    return nullptr;
}

}  // namespace

TEST_CASE("two doubles written under opposite guards need no distance, under one guard they do") {
    const KernelPtr kernel = differences();
    const InstrId first = either_way(*kernel);
    REQUIRE(kernel->instruction(first).control().stall == 4);
    std::vector<Word> words = compiled_words(*kernel);
    CHECK(hazards_alone(*kernel, words).empty());
    words[first] = with_stall(words[first], 3);  // 4 are enough under any guards
    CHECK_FALSE(has_rule(hazards_alone(*kernel, words), Rule::WawDistance, first, first + 1));
    constexpr std::uint64_t kNegated = 1u << 15;
    words[first + 1].lo ^= kNegated;
    CHECK(has_rule(hazards_alone(*kernel, words), Rule::WawDistance, first, first + 1));
}

TEST_CASE("guards are opposite only as long as nobody writes their predicate") {
    const KernelPtr kernel = differences();
    const InstrId first = either_way(*kernel), setter = first - 2;
    REQUIRE(kernel->instruction(setter).mnemonic == std::string_view("ISETP"));
    std::vector<Word> words = compiled_words(*kernel);
    const Word between = with_stall(words[setter], 1);
    words[setter] = words[setter + 1];
    words[setter + 1] = with_stall(words[first], 2);
    words[first] = between;
    CHECK(has_rule(hazards_alone(*kernel, words), Rule::WawDistance, first - 1, first + 1));
}

// Of an unrolled loop, each pass with a predicate of its own: both guards may hold, so nothing about lanes excuses the pair.
// The unit takes a double every 4 cycles and returns them in order.
TEST_CASE("a double may be overwritten by the next one 4 cycles later, whatever the guards, and no sooner") {
    const Bench b("/cubins/double_guards.80.cubin");
    const InstrId first = b.find([&](InstrId id) {
        const Instruction &one = b.kernel->instruction(id), &two = b.kernel->instruction(id + 1);
        return b.name(id) == "DADD" && b.name(id + 1) == "DADD" && one.guarded() && two.guarded() &&
               one.guard != two.guard && one.operands[0].overlaps(two.operands[0]);
    });
    REQUIRE(b.control(first).stall == 4);
    std::vector<Word> words = compiled_words(*b.kernel);
    CHECK(hazards_alone(*b.kernel, words).empty());
    words[first] = with_stall(words[first], 3);
    CHECK(has_rule(hazards_alone(*b.kernel, words), Rule::WawDistance, first, first + 1));
    CHECK(has_rule(b.stall(first, 3), Rule::WawDistance, first, first + 1));
}

// Absolute mode believes the compiler; a search keeps the two cycles where its original has them.
TEST_CASE("a shuffle may write a predicate in the cycle after its last reader, in compiled code") {
    const KernelPtr kernel = load_kernel("/cubins/cub_idioms.90.cubin", "scan_pairs");
    InstrId reader = 0;
    while (kernel->instruction(reader).mnemonic != std::string_view("FSEL") ||
           kernel->instruction(reader).control().stall != 1 ||
           kernel->instruction(reader + 1).mnemonic != std::string_view("SHFL"))
        REQUIRE(++reader + 1 < kernel->size());
    CHECK(check_kernel(kernel)->hazards.empty());
    std::vector<Word> words = compiled_words(*kernel);
    ControlCode later = kernel->instruction(reader).control();
    later.stall = 2;
    words[reader] = later.encode_into(words[reader]);
    const Bench slower(*kernel_with_words(*kernel, words));
    CHECK(has_rule(slower.stall(reader, 1), Rule::WarDistance, reader, reader + 1));
    const Bench own(kernel);
    CHECK(own.checker->check(own.original).empty());
}
