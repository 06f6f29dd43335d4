// SPDX-License-Identifier: GPL-3.0-or-later
// The capsule of compiled cubins (core/schedule/capsule.h). Where a record keeps a register of its instruction is known
// for loads of constants and special registers: evidence that is independent of the bits.
#include "core/schedule/capsule.h"
#include "core/schedule/cubin_writer.h"
#include "tests/core/schedule/test_kernels.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

template <class F>
void each_followed(F visit) {
    for (const char* name : {"k1.100a", "k1.120a", "blackwell_forms.100a", "blackwell_forms.120a"}) {
        const auto cubin = open_cubin(data(name));
        for (const KernelInfo& info : cubin->kernels()) {
            INFO(name << " " << info.name);
            const KernelPtr kernel = *required(Kernel::load(cubin, info.name));
            const Capsule capsule = Capsule::of(*kernel);
            CHECK(capsule.present());
            if (capsule.follows()) visit(kernel, capsule);
        }
    }
}

std::uint32_t word_at(Bytes bytes, std::size_t at) {
    return load<std::uint32_t>(bytes, at);
}

// The records with a destination register in bits 6 to 13 of the 16 at offset 10: LDC, LDCU, S2R.
bool names_destination(const Instruction& i) {
    const unsigned opcode = i.opcode & 0xfff;
    return opcode == 0xb82 || opcode == 0x7ac || opcode == 0x919;
}

// How many records have the register of the instruction that their bit belongs to.
std::size_t checked_registers(const Schedule& s, Bytes capsule) {
    std::size_t at = 12 + (word_at(capsule, 8) + 31) / 32 * 4, bit = 0, checked = 0;
    for (Position p = 0; p < s.size(); ++p) {
        const Instruction& i = s.kernel()->instruction(s.at(p));
        if ((i.opcode & 0x1ff) == 0x118) continue;
        const bool set = (load<std::uint8_t>(capsule, 12 + bit / 8) >> (bit % 8) & 1) != 0;
        ++bit;
        if (set || at + 4 > capsule.size() - 2) continue;
        const auto first = load<std::uint8_t>(capsule, at);
        if (names_destination(i)) {
            CHECK((first == 1 || first == 2));
            CHECK((load<std::uint16_t>(capsule, at + 10) >> 6 & 0xff) == i.word.bits(16, 8));
            ++checked;
        }
        at += first == 2 ? 32 : first == 1 || first == 3 || first == 0x31 ? 16 : first == 0x11 ? 8 : 4;
    }
    CHECK(at == capsule.size() - 2);
    return checked;
}

}  // namespace

TEST_CASE("the capsule of compiled code counts its instructions and has their registers in order") {
    std::size_t kernels = 0, registers = 0;
    each_followed([&](const KernelPtr& kernel, const Capsule& capsule) {
        const Schedule original(kernel);
        const auto bytes = capsule.bytes(original);
        CHECK(std::ranges::equal(bytes, capsule_section(kernel->cubin().bytes(), kernel->name())));
        registers += checked_registers(original, bytes);
        ++kernels;
    });
    CHECK(kernels >= 10);
    CHECK(registers >= 50);
}

TEST_CASE("moved instructions take bit and record along, and the count and the length stay") {
    std::mt19937_64 random(5);
    std::size_t moved = 0;
    each_followed([&](const KernelPtr& kernel, const Capsule& capsule) {
        for (int i = 0; i < 20; ++i) {
            const Schedule s = random_schedule(kernel, random, 30);
            const auto bytes = capsule.bytes(s);
            const Bytes original = capsule_section(kernel->cubin().bytes(), kernel->name());
            REQUIRE(bytes.size() == original.size());
            CHECK(std::ranges::equal(std::span(bytes).first(12), original.first(12)));
            checked_registers(s, bytes);
            moved += !std::ranges::equal(bytes, original);
            const auto image = required(CubinWriter::create(kernel))->image(s);
            CHECK(std::ranges::equal(capsule_section(image, kernel->name()), bytes));
        }
    });
    CHECK(moved > 20);
}

TEST_CASE("a capsule that is not understood stays as compiled, and says why") {
    const auto cubin = open_cubin(data("k1.100a"));
    std::size_t kept = 0;
    std::mt19937_64 random(6);
    for (const KernelInfo& info : cubin->kernels()) {
        const KernelPtr kernel = *required(Kernel::load(cubin, info.name));
        const Capsule capsule = Capsule::of(*kernel);
        if (capsule.follows()) continue;
        CHECK_FALSE(capsule.why_kept().empty());
        const auto image = required(CubinWriter::create(kernel))->image(random_schedule(kernel, random, 30));
        CHECK(std::ranges::equal(capsule_section(image, info.name),
                                 capsule_section(cubin->bytes(), info.name)));
        ++kept;
    }
    CHECK(kept > 0);
    CHECK_FALSE(Capsule::of(*load_kernel(data("k1.90a"), "k_basic")).present());
}
