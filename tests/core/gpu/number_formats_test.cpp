// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/protocol/number_formats.h"

#include <cmath>
#include <cstring>
#include <random>

#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

std::uint64_t bits(Dtype dtype, double value) {
    std::byte bytes[8] = {};
    store_element(dtype, value, bytes);
    std::uint64_t out = 0;
    std::memcpy(&out, bytes, 8);
    return out;
}

double value_of(Dtype dtype, std::uint64_t pattern) {
    std::byte bytes[8];
    std::memcpy(bytes, &pattern, 8);
    return load_element(dtype, bytes);
}

}  // namespace

TEST_CASE("Known values have the bits of the standards") {
    // IEEE 754 binary16, bfloat16, and the OCP 8-bit formats' published tables.
    CHECK(bits(Dtype::F16, 1.0) == 0x3c00);
    CHECK(bits(Dtype::F16, -2.0) == 0xc000);
    CHECK(bits(Dtype::F16, 65504) == 0x7bff);
    CHECK(bits(Dtype::F16, 65520) == 0x7c00);  // rounds up to infinity
    CHECK(bits(Dtype::F16, 65519) == 0x7bff);
    CHECK(bits(Dtype::F16, 0x1p-24) == 0x0001);  // smallest subnormal
    CHECK(bits(Dtype::F16, 0x1p-25) == 0x0000);  // half of it: ties to even
    CHECK(bits(Dtype::F16, 0x1.8p-25) == 0x0001);
    CHECK(bits(Dtype::F16, 0x1p-14) == 0x0400);      // smallest normal
    CHECK(bits(Dtype::F16, 1 + 0x1p-11) == 0x3c00);  // a tie, to even
    CHECK(bits(Dtype::F16, 1 + 3 * 0x1p-11) == 0x3c02);
    CHECK(bits(Dtype::Bf16, 1.0) == 0x3f80);
    CHECK(bits(Dtype::Bf16, 3.389531389251535e38) == 0x7f7f);
    CHECK(bits(Dtype::F8e4m3, 1.0) == 0x38);
    CHECK(bits(Dtype::F8e4m3, 448) == 0x7e);
    CHECK(bits(Dtype::F8e4m3, 1e9) == 0x7e);
    CHECK(bits(Dtype::F8e4m3, 0x1p-9) == 0x01);
    CHECK(bits(Dtype::F8e5m2, 57344) == 0x7b);
    CHECK(bits(Dtype::F8e5m2, 1e9) == 0x7b);
    CHECK(bits(Dtype::F8e5m2, 0x1p-16) == 0x01);
    CHECK(std::isnan(value_of(Dtype::F8e4m3, 0x7f)));
    CHECK(std::isinf(value_of(Dtype::F8e5m2, 0x7c)));
    CHECK(bits(Dtype::I8, 200) == 127);
    CHECK(bits(Dtype::U8, -3) == 0);
}

TEST_CASE("Every 8- and 16-bit pattern survives decoding and encoding") {
    for (Dtype dtype : {Dtype::F16, Dtype::Bf16, Dtype::F8e4m3, Dtype::F8e5m2}) {
        const std::uint64_t count = size_of(dtype) == 1 ? 256 : 65536;
        int wrong = 0;
        for (std::uint64_t pattern = 0; pattern < count; ++pattern) {
            const double value = value_of(dtype, pattern);
            if (std::isnan(value)) continue;
            if (std::isinf(value) && size_of(dtype) == 1) continue;  // encoding saturates
            wrong += bits(dtype, value) != pattern;
        }
        INFO(to_string(dtype));
        CHECK(wrong == 0);
    }
}

TEST_CASE("Encoding picks the nearest neighbour, the even one of two") {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> exponent(-20, 15);
    for (Dtype dtype : {Dtype::F16, Dtype::F8e4m3, Dtype::F8e5m2}) {
        int wrong = 0;
        for (int i = 0; i < 20000; ++i) {
            const double value = std::ldexp(1 + static_cast<double>(random() >> 12) * 0x1p-52,
                                            static_cast<int>(exponent(random)));
            const double limit = dtype == Dtype::F8e4m3 ? 448 : dtype == Dtype::F8e5m2 ? 57344 : 65504;
            if (value > limit) continue;
            const std::uint64_t got = bits(dtype, value);
            for (std::uint64_t other : {got - 1, got + 1}) {
                if (got == 0 && other > got + 1) continue;
                const double distance = std::abs(value_of(dtype, got) - value),
                             rival = std::abs(value_of(dtype, other) - value);
                wrong += rival < distance || (rival == distance && (got & 1));
            }
        }
        INFO(to_string(dtype));
        CHECK(wrong == 0);
    }
}

TEST_CASE("Names go both ways") {
    for (int i = 0; i < kDtypeCount; ++i)
        CHECK(dtype_from(to_string(static_cast<Dtype>(i))) == static_cast<Dtype>(i));
    CHECK_FALSE(dtype_from("f15"));
}
