// SPDX-License-Identifier: GPL-3.0-or-later
// decode() and render() take any 128 bits: no crash, no operand outside its register file.
#include <random>

#include "core/sass/decoder.h"
#include "tests/core/sass/listing_data.h"
#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

const Arch kArchs[] = {{75, false}, {80, false}, {86, false}, {87, false},
                       {89, false}, {90, false}, {90, true}};

// Sane for any input; returns whether the opcode was known.
bool check(const Arch& arch, const Word& word, std::uint32_t offset) {
    const Instruction in = decode(arch, word, offset);
    bool sane = in.operands.size() <= kMaxOperands && in.mnemonic != nullptr;
    for (const Operand& o : in.operands) {
        const int limit = o.file == RegFile::Gpr ? 255
                          : o.file == RegFile::UGpr
                              ? (arch.sm < 100 ? 63 : static_cast<int>(kUniformRegisters))
                          : o.file == RegFile::BReg ? 16
                                                    : 7;
        sane = sane && o.count >= 1 && o.first + o.count <= limit && (o.read || o.write);
    }
    if (in.has(Trait::UnknownOpcode)) sane = sane && in.has(Trait::Fence) && in.has(Trait::Pinned);
    if (!sane) FAIL("insane decode of " << std::hex << word.lo << " " << word.hi << " on " << arch.name());
    return in.unit != Unit::Unknown;
}

}  // namespace

TEST_CASE("A million random words an architecture decode without trouble") {
    for (const Arch& arch : kArchs) {
        std::mt19937_64 random(static_cast<std::uint64_t>(arch.sm));
        long known = 0;
        for (int i = 0; i < 1'000'000; ++i)
            known += check(arch, {random(), random()}, static_cast<std::uint32_t>(i) * 16);
        CHECK(known > 0);
    }
}

TEST_CASE("Every twelve-bit opcode decodes and renders, with empty and with full fields") {
    for (const Arch& arch : kArchs)
        for (unsigned opcode = 0; opcode < 4096; ++opcode)
            for (const Word& fill :
                 {Word{0, 0}, Word{~0ull, ~0ull}, Word{0x5555555555555000, 0x5555555555555555}}) {
                const Word word{(fill.lo & ~0xfffull) | opcode, fill.hi};
                check(arch, word, 0);
                REQUIRE_FALSE(render(arch, word, 0).empty());
            }
}

TEST_CASE("Real words with a flipped bit decode and render") {
    std::mt19937_64 random(7);
    for (const auto& file : test::listing_files())
        for (const auto& kernel : file.kernels)
            for (const auto& listed : kernel.instructions) {
                Word word = listed.word;
                const auto bit = random() % 128;
                (bit < 64 ? word.lo : word.hi) ^= 1ull << (bit & 63);
                check(file.arch, word, listed.offset);
                REQUIRE_FALSE(render(file.arch, word, listed.offset).empty());
            }
}

TEST_CASE("Architectures that are not decoded give unknown, pinned, fencing instructions") {
    const Instruction in = decode({110, true}, {0x00000a00ff017b82, 0x000fe20000000800}, 0);
    CHECK(in.has(Trait::UnknownOpcode));
    CHECK(in.has(Trait::Fence));
    CHECK(in.has(Trait::Pinned));
    CHECK(in.unit == Unit::Unknown);
    CHECK(in.operands.empty());
}
