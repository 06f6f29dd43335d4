// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/isa/control_code.h"

#include <bit>
#include <random>

#include "tests/core/sass/listing_data.h"
#include "tests/support/catch.h"

using namespace cubinlab;

TEST_CASE("A control field worked by hand") {
    // High half 0x000ee20000002500 of `S2R R9, SR_CTAID.X`: bits 41..61 are 0x771 = stall 1, no yield,
    // write barrier 3 (3 << 5), read barrier none (7 << 8), no wait.
    const ControlCode c = ControlCode::decode({0x0000000000097919, 0x000ee20000002500});
    CHECK(c.stall == 1);
    CHECK_FALSE(c.yield);
    CHECK(c.write_barrier == 3);
    CHECK(c.read_barrier == kNoBarrier);
    CHECK(c.wait_mask == 0);
    CHECK(c.text() == "B------:R-:W3:-:S01");
}

TEST_CASE("Bit 109 clear is a requested yield") {
    CHECK(ControlCode::decode({0, 0}).yield);
    CHECK_FALSE(ControlCode::decode({0, 1ull << 45}).yield);
}

TEST_CASE("Text and bits are inverses of each other") {
    std::mt19937_64 random(1);
    for (int i = 0; i < 20000; ++i) {
        ControlCode c;
        c.stall = random() & 15;
        c.yield = random() & 1;
        const auto barrier = [&] {
            return static_cast<std::uint8_t>(random() % 7 == 6 ? kNoBarrier : random() % 6);
        };
        c.write_barrier = barrier();
        c.read_barrier = barrier();
        c.wait_mask = random() & 63;
        REQUIRE(ControlCode::parse(c.text()).value() == c);
        c.reuse = random() & 15;
        const Word word{random(), random()};
        const Word encoded = c.encode_into(word);
        REQUIRE(ControlCode::decode(encoded) == c);
        REQUIRE(encoded.lo == word.lo);
        // Nothing outside bits 105..125 changes.
        constexpr std::uint64_t kField = ((1ull << 21) - 1) << 41;
        REQUIRE((encoded.hi & ~kField) == (word.hi & ~kField));
        REQUIRE(ControlCode::decode(word).encode_into(word) == word);
    }
}

TEST_CASE("Malformed control codes are refused") {
    for (const char* text :
         {"", "B------:R-:W-:-:S1", "B------:R-:W-:-:S16", "B------:R6:W-:-:S01", "B------:R-:W7:-:S01",
          "B1-----:R-:W-:-:S01", "X------:R-:W-:-:S01", "B------:R-:W-:Z:S01", "B------:R-:W-:-:S01 ",
          "B------:W-:R-:-:S01", "B0123456:R-:W-:-:S01"})
        CHECK_FALSE(ControlCode::parse(text).has_value());
}

TEST_CASE("nvdisasm prints .reuse as often as the reuse field has bits") {
    long marks = 0;
    for (const auto& file : test::listing_files())
        for (const auto& kernel : file.kernels)
            for (const auto& in : kernel.instructions) {
                int printed = 0;
                for (std::size_t at = in.text.find(".reuse"); at != std::string::npos;
                     at = in.text.find(".reuse", at + 1))
                    ++printed;
                INFO(file.name << " " << kernel.name << " " << std::hex << in.offset << " " << in.text);
                REQUIRE(std::popcount(ControlCode::decode(in.word).reuse) == printed);
                marks += printed;
            }
    CHECK(marks > 1000);
}
