// SPDX-License-Identifier: GPL-3.0-or-later
// Texture fetches and surface accesses (tests/data/cubins/textures.cu): results land in order, one barrier stands for
// several, counted waits for all but the latest.
#include "app/lab/synthetic_kernel.h"
#include "tests/core/legality/rule_bench.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

const char* const kFiles[] = {"/cubins/textures.75.cubin", "/cubins/textures.86.cubin",
                              "/cubins/textures.90.cubin"};

bool is_fetch(const Instruction& i) {
    return i.has(Trait::InOrderTex) && !i.memory.strong;
}

// DEPBAR.LE SBn, N with N above 0.
bool counted(const Instruction& i) {
    return i.mnemonic == std::string_view("DEPBAR") && i.named_count > 0;
}

}  // namespace

TEST_CASE("rows of fetches as compiled: everything is decoded, no finding in either mode") {
    for (const char* file : kFiles)
        for (const char* name : {"march", "blur", "shapes", "filter"}) {
            INFO(file << " " << name);
            const KernelPtr kernel = load_kernel(file, name);
            const auto alone = required(check_kernel(kernel));
            for (const Instruction& i : kernel->instructions())
                CHECK_FALSE(i.has(Trait::UnknownOpcode));
            CHECK(alone->hazards.empty());
            CHECK((*HazardChecker::create(kernel))->check(Schedule(kernel)).empty());
        }
}

TEST_CASE(
    "a fetch's result is not read, and its operands are not overwritten, without the wait that proves it") {
    for (const char* file : kFiles)
        for (const char* name : {"march", "shapes"}) {
            const Bench b(file, name);
            std::size_t waits = 0;
            for (InstrId id = 0; id < b.kernel->size(); ++id) {
                constexpr unsigned kFetches = 1u << 5;  // ptxas sets no other scoreboard on fetches
                if ((b.control(id).wait_mask & kFetches) == 0) continue;
                ++waits;
                INFO(file << " " << name << " " << id);
                CHECK(has_rule(
                    b.edit(id, [](ControlCode& c) { c.wait_mask &= static_cast<std::uint8_t>(~kFetches); }),
                    Rule::RawScoreboard));
            }
            CHECK(waits > 0);
        }
}

TEST_CASE("absolute mode: a counted wait for one fetch more than the compiler's is refused") {
    for (const char* file : kFiles) {
        const KernelPtr kernel = load_kernel(file, "march");
        std::vector<Word> words;
        std::size_t raised = 0;
        for (const Instruction& i : kernel->instructions()) {
            words.push_back(i.word);
            if (!counted(i)) continue;
            words.back().lo += 1ull << 38;
            ++raised;
        }
        REQUIRE(raised == 1);
        const auto report = required(check_kernel(*kernel_with_words(*kernel, words)));
        CHECK(std::any_of(report->hazards.begin(), report->hazards.end(),
                          [](const Hazard& h) { return h.rule == Rule::RawScoreboard; }));
    }
}

TEST_CASE("the last fetch of a row may not lose its barrier, nor pass one that it stands for") {
    // TLD4 R2 has no barrier; TEX, TLD and TEX behind it share one
    const Bench b("/cubins/textures.90.cubin", "shapes");
    const InstrId gather = b.find([&](InstrId id) { return b.name(id) == "TLD4"; });
    REQUIRE(b.control(gather).write_barrier == kNoBarrier);
    InstrId last = gather;
    for (InstrId id = gather; id < b.kernel->size(); ++id)
        if (is_fetch(b.kernel->instruction(id))) last = id;
    REQUIRE(last > gather + 1);
    CHECK_FALSE(b.edit(last, [](ControlCode& c) { c.write_barrier = kNoBarrier; }).empty());
    CHECK_FALSE(b.move(gather, last).empty());
}

TEST_CASE("a fetch passes arithmetic where nothing marks a batch, and neither a barrier nor a store") {
    std::size_t moves = 0;
    for (const char* name : {"march", "blur", "shapes"}) {
        const Bench b("/cubins/textures.90.cubin", name);
        for (InstrId id = 0; id < b.kernel->size(); ++id) {
            if (!is_fetch(b.kernel->instruction(id))) continue;
            const auto slots = b.checker->slots(b.original, id);
            for (Position to = slots.lowest; to <= slots.highest; ++to) {
                if (to == id || !slots.contains(to)) continue;
                ++moves;
                for (InstrId over = std::min<InstrId>(id, to); over <= std::max<InstrId>(id, to); ++over) {
                    CHECK(b.name(over) != "BAR");
                    CHECK(b.name(over) != "STG");
                    CHECK(b.name(over) != "STS");
                }
            }
        }
    }
    CHECK(moves > 0);
}

TEST_CASE("sm_75 marks a batch in the reuse bits: fetches keep their place and their marks") {
    const Bench b("/cubins/textures.75.cubin", "blur");
    std::size_t marked = 0;
    for (InstrId id = 0; id < b.kernel->size(); ++id) {
        if (!is_fetch(b.kernel->instruction(id))) continue;
        CHECK(b.checker->slots(b.original, id).count() == 1);
        if (b.control(id).reuse == 0) continue;
        ++marked;
        CHECK(has_rule(b.edit(id, [](ControlCode& c) { c.reuse = 0; }), Rule::Reuse));
    }
    CHECK(marked == 2);
}

TEST_CASE(
    "absolute mode: a later store to a surface answers for an older one, and only where it is waited for") {
    for (const char* file : {"/cubins/surface_loop.75.cubin", "/cubins/surface_loop.86.cubin",
                             "/cubins/surface_loop.90.cubin"}) {
        INFO(file);
        const KernelPtr kernel = load_kernel(file, "feedback");
        const auto compiled = required(check_kernel(kernel));
        CHECK(compiled->hazards.empty());
        // The last store's barrier is waited for behind it; with that wait gone the older store's data are overwritten early.
        InstrId last = kNone;
        for (InstrId id = 0; id < kernel->size(); ++id)
            if (kernel->instruction(id).mnemonic == std::string_view("SUST")) last = id;
        REQUIRE(last != kNone);
        const unsigned barrier = kernel->instruction(last).control().read_barrier;
        REQUIRE(barrier != kNoBarrier);
        Schedule late(kernel);
        ControlCode control = late.control(last + 1);
        REQUIRE((control.wait_mask >> barrier & 1) != 0);
        control.wait_mask = static_cast<std::uint8_t>(control.wait_mask & ~(1u << barrier));
        late.set_control(last + 1, control);
        CHECK_FALSE((*HazardChecker::create(kernel))->check(late).empty());
    }
}
