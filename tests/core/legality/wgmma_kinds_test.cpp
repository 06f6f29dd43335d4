// SPDX-License-Identifier: GPL-3.0-or-later
// Integer, single-bit and sparse warpgroup instructions: which registers are theirs until the wait. The
// ranges are written down from the PTX (tests/data/cubins/wgmma.cu): m64nN has N/2 accumulators from R24.
#include <algorithm>
#include <cstring>

#include "core/legality/register_access.h"
#include "tests/core/legality/rule_bench.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

const std::string kFile = "/cubins/wgmma.90a.cubin";

struct Group {
    const char* kernel;
    std::uint32_t offset;
    unsigned last_accumulator;
    int metadata;          // -1: dense
    int a;                 // first of four, -1: in shared memory
    unsigned descriptors;  // first of four uniform registers
};
const Group kGroups[] = {
    {"s8_n24", 0x140, 35, -1, -1, 8},           {"b1_n48", 0x200, 47, -1, -1, 8},
    {"sparse_s8_n24", 0x170, 35, 36, -1, 8},    {"sparse_f16_n24", 0x170, 35, 36, -1, 8},
    {"sparse_e4m3_n24", 0x170, 35, 36, -1, 8},  {"sparse_twice", 0x170, 35, 37, -1, 8},
    {"sparse_registers", 0x1a0, 35, 40, 36, 4},
};

struct Place {
    KernelPtr kernel;
    std::shared_ptr<const HazardChecker> checker;
    Schedule original;

    explicit Place(KernelPtr loaded)
        : kernel(std::move(loaded)), checker(*HazardChecker::create(kernel)), original(kernel) {}
    std::string_view name(InstrId id) const { return kernel->instruction(id).mnemonic; }
    Legality judge(const Mutation& mutation) const {
        const Legality legality = checker->explain(original, mutation);
        CHECK(checker->allows(original, mutation) == legality.empty());
        return legality;
    }
};

bool owns(const Group& g, const Operand& o) {
    const auto touches = [&](unsigned first, unsigned count) {
        return o.first < first + count && first < unsigned{o.first} + o.count;
    };
    if (o.file == RegFile::UGpr) return touches(g.descriptors, 4);
    if (o.file != RegFile::Gpr) return false;
    return touches(24, g.last_accumulator - 24 + 1) ||
           (g.metadata >= 0 && touches(static_cast<unsigned>(g.metadata), 1)) ||
           (g.a >= 0 && touches(static_cast<unsigned>(g.a), 4));
}

// The file with words of `name` replaced, from instruction `first` on.
KernelPtr with_words(const std::string& name, InstrId first, const std::vector<Word>& words) {
    const auto cubin = open_cubin(kFile);
    const KernelInfo& info = **cubin->kernel(name);
    std::vector<std::byte> bytes(cubin->bytes().begin(), cubin->bytes().end());
    std::memcpy(bytes.data() + info.code_offset + first * kWordBytes, words.data(),
                words.size() * sizeof(Word));
    auto opened = required(Cubin::parse(std::move(bytes), kFile));
    auto kernel = required(Kernel::load(*opened, name));
    return *kernel;
}

}  // namespace

TEST_CASE("wgmma of every kind: compiled code is legal, and the registers are those of the PTX") {
    for (const Group& g : kGroups) {
        INFO(g.kernel);
        const KernelPtr kernel = load_kernel(kFile, g.kernel);
        const auto report = required(check_kernel(kernel));
        INFO(describe(report->hazards));
        CHECK(report->hazards.empty());
        const Instruction& i = kernel->instruction(at_offset(g.offset));
        REQUIRE(i.unit == Unit::Gmma);
        CHECK_FALSE(i.has(Trait::UnknownOpcode));
        std::vector<bool> general(256);
        for (const RegAccess& a : accesses_of(i))
            if (a.reg < kPredBase) general[a.reg] = true;
        for (unsigned r = 0; r < general.size(); ++r) {
            INFO("R" << r);
            CHECK(general[r] == owns(g, {RegFile::Gpr, static_cast<std::uint8_t>(r), 1}));
        }
    }
}

TEST_CASE("wgmma: whatever fills an accumulator, A, the metadata or a descriptor stays in front of ARRIVE") {
    for (const Group& g : kGroups) {
        const Place p(load_kernel(kFile, g.kernel));
        const InstrId arrive = at_offset(g.offset) - 1;
        REQUIRE(p.name(arrive) == "WARPGROUP");
        std::size_t writers = 0;
        for (InstrId id = 0; id < arrive; ++id) {
            const Instruction& i = p.kernel->instruction(id);
            const bool fills = std::any_of(i.operands.begin(), i.operands.end(),
                                           [&](const Operand& o) { return o.write && owns(g, o); });
            if (!fills) continue;
            ++writers;
            INFO(g.kernel << " " << id * kWordBytes << " " << i.mnemonic);
            CHECK(has_rule(p.judge(Mutation::move_after(id, arrive)), Rule::AsyncGroup));
            CHECK_FALSE(p.judge(Mutation::move_after(id, arrive + 1)).empty());
        }
        // A load for each accumulator and each register of A, two instructions for the metadata; descriptors:
        // two, or three where the pair that A in registers leaves free holds other values.
        const std::size_t wanted =
            g.last_accumulator - 24 + 1 + (g.a < 0 ? 2 : 4 + 3) + (g.metadata < 0 ? 0 : 2);
        CHECK(writers == wanted);
    }
}

TEST_CASE("wgmma: no accumulator is read before the wait") {
    for (const Group& g : kGroups) {
        const Place p(load_kernel(kFile, g.kernel));
        const InstrId group = at_offset(g.offset);
        REQUIRE(p.name(group + 1) == "WARPGROUP");
        if (std::string_view(g.kernel) == "sparse_twice") continue;  // the reader is the next case's
        std::size_t readers = 0;
        for (InstrId id = group + 2; id < p.kernel->size(); ++id) {
            if (p.name(id) != "STG") continue;
            ++readers;
            INFO(g.kernel << " " << id * kWordBytes);
            CHECK(has_rule(p.judge(Mutation::move_after(id, group)), Rule::AsyncGroup));
        }
        CHECK(readers == g.last_accumulator - 24 + 1);
    }
}

TEST_CASE("wgmma: the metadata is not overwritten before the wait") {
    // IADD3 R37, R37, R5 for IADD3 R37, R37, R24 of sparse_twice: it touches nothing but the metadata.
    const InstrId group = at_offset(0x170), wait = at_offset(0x180), writer = at_offset(0x190);
    Word word = load_kernel(kFile, "sparse_twice")->instruction(writer).word;
    REQUIRE(word.lo == 0x0000001825257210);
    word.lo = 0x0000000525257210;
    const Place p(with_words("sparse_twice", writer, {word}));
    CHECK(has_rule(p.judge(Mutation::move_before(writer, wait)), Rule::AsyncGroup));

    // The same order in a file that stands alone, where nothing but the group's registers tells it.
    const Word waits = p.kernel->instruction(wait).word;
    const auto early = required(check_kernel(with_words("sparse_twice", wait, {word, waits})));
    INFO(describe(early->hazards));
    CHECK(has_rule(early->hazards, Rule::AsyncGroup, group, wait));
    CHECK(only(early->hazards, Rule::AsyncGroup).explanation.find("R37") != std::string::npos);

    // R38 is free: it may be written there, and the metadata may be read.
    word.lo = 0x0000000525267210;
    const auto harmless = required(check_kernel(with_words("sparse_twice", wait, {word, waits})));
    CHECK_FALSE(has_rule(harmless->hazards, Rule::AsyncGroup));
}

TEST_CASE(
    "wgmma: the constant that is its metadata may be written once more before the wait, another one not") {
    // The last instruction in front of the group that writes R37, as MOV R37, 0x44444444; then, in front of the wait, the same.
    const KernelPtr compiled = load_kernel(kFile, "sparse_twice");
    const InstrId group = at_offset(0x170), wait = at_offset(0x180);
    InstrId filler = group;
    const auto fills = [&](InstrId id) {
        return std::ranges::any_of(accesses_of(compiled->instruction(id)),
                                   [](const RegAccess& a) { return a.write && a.reg == 37; });
    };
    while (filler > 0 && !fills(filler))
        --filler;
    REQUIRE(fills(filler));
    Word constant{0x4444444400257802ull, 0x0000000000000f00ull};
    constant.hi |= compiled->instruction(filler).word.hi & ~std::uint64_t{0} << 41;
    const Word waits = compiled->instruction(wait).word;
    std::vector<Word> words;
    for (InstrId id = filler; id < wait; ++id)
        words.push_back(id == filler ? constant : compiled->instruction(id).word);
    const auto refused = [&](const Word& again) {
        auto changed = words;
        changed.push_back(again);
        changed.push_back(waits);
        const auto report = required(check_kernel(with_words("sparse_twice", filler, changed)));
        return has_rule(report->hazards, Rule::AsyncGroup, group, wait);
    };
    CHECK_FALSE(refused(constant));
    Word other = constant;
    other.lo ^= std::uint64_t{1} << 32;
    CHECK(refused(other));
    Word guarded = constant;
    guarded.lo &= ~std::uint64_t{0xf000};  // @P0
    CHECK(refused(guarded));
}

// ptxas before CUDA 13.3 gives registers of A to other values before the wait (Triton 11781, 9433). What a compiler made
// is no finding; it is named, and no schedule makes it worse.
TEST_CASE("wgmma: A that is overwritten before the wait is a warning, and nothing there comes closer") {
    const InstrId group = at_offset(0x1a0), wait = group + 1;
    const KernelPtr compiled = load_kernel(kFile, "sparse_registers");
    const auto clean = required(check_kernel(compiled));
    for (const CheckNote& note : clean->notes)
        CHECK_FALSE(note.warning);
    // IADD3 R36, R36, R36 in front of the wait, with the control code of an instruction of fixed latency.
    const Word waits = compiled->instruction(wait).word;
    Word word{0x0000002424247210ull, 0x000fe20007ffe0ffull};
    const KernelPtr early = with_words("sparse_registers", wait, {word, waits});
    const auto report = required(check_kernel(early));
    INFO(describe(report->hazards));
    CHECK_FALSE(has_rule(report->hazards, Rule::AsyncGroup));
    REQUIRE_FALSE(report->notes.empty());
    const CheckNote& warned = report->notes.front();
    CHECK(warned.warning);
    CHECK(warned.earlier == group);
    CHECK(warned.later == wait);
    CHECK_THAT(warned.text, contains_text("the compiler's own schedule looks wrong here"));
    CHECK_THAT(warned.text, contains_text("R36"));
    CHECK_THAT(required(self_check(early))->text(), contains_text("looks wrong here"));

    // R41 is nobody's, and behind the wait R36 is free: no warning.
    word.lo = 0x0000002424297210ull;
    const auto other = required(check_kernel(with_words("sparse_registers", wait, {word, waits})));
    word.lo = 0x0000002424247210ull;
    const auto late = required(check_kernel(with_words("sparse_registers", wait + 1, {word})));
    for (const auto* quiet : {&*other, &*late})
        for (const CheckNote& note : quiet->notes)
            CHECK_FALSE(note.warning);

    // A search keeps the two where they are, with the time between them.
    const Place p(early);
    CHECK(p.checker->check(p.original).empty());
    CHECK(p.checker->report(p.original).unproven_pairs == 1);
    CHECK_FALSE(p.judge(Mutation::move_after(wait, wait + 1)).empty());
    ControlCode shorter = p.original.control(group);
    if (shorter.stall > 1) {
        --shorter.stall;
        CHECK_FALSE(p.judge(Mutation::control(p.original, group, shorter)).empty());
    }
    std::size_t kept = 0;
    for (InstrId id = 0; id < early->size(); ++id)
        for (Position to = id > 3 ? id - 3 : 0; to < std::min<std::size_t>(id + 4, early->size()); ++to) {
            const Mutation move = Mutation::move_to(p.original, id, to);
            if (to == id || !p.checker->allows(p.original, move)) continue;
            const auto moved = move.applied(p.original);
            REQUIRE(moved);
            ++kept;
            CHECK(moved->position_of(group) == group);
            CHECK(moved->position_of(wait) == wait);
        }
    CHECK(kept > 0);
}
