// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/protocol/inputs.h"

#include <cmath>

#include "core/gpu/protocol/digest.h"
#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

BufferParam buffer_of(Dtype dtype, std::uint64_t count, Init init) {
    BufferParam out;
    out.dtype = dtype;
    out.shape = {count};
    out.init = init;
    return out;
}

std::vector<std::byte> filled(const BufferParam& buffer, std::uint64_t key, unsigned threads = 1) {
    std::vector<std::byte> out(buffer.bytes());
    REQUIRE(fill_input(buffer, key, {}, out, threads));
    return out;
}

}  // namespace

TEST_CASE("The generator is SplitMix64") {
    // First outputs for seed 1234567, from the reference implementation (Vigna, splitmix64.c).
    CHECK(counter_random(1234567, 0) == 6457827717110365317ull);
    CHECK(counter_random(1234567, 1) == 3203168211198807973ull);
    CHECK(counter_random(1234567, 2) == 9817491932198370423ull);
}

TEST_CASE("Inputs do not depend on the number of threads, and differ between sets and buffers") {
    const BufferParam buffer = buffer_of(Dtype::F16, 300001, InitNormal{});
    const auto once = filled(buffer, input_key(1, 0, 0), 1);
    CHECK(filled(buffer, input_key(1, 0, 0), 5) == once);
    CHECK(filled(buffer, input_key(1, 1, 0), 1) != once);
    CHECK(filled(buffer, input_key(1, 0, 1), 1) != once);
    CHECK(filled(buffer, input_key(2, 0, 0), 1) != once);
}

TEST_CASE("Distributions have their moments") {
    auto moments = [](const BufferParam& buffer) {
        const auto bytes = filled(buffer, 99);
        double sum = 0, squares = 0, least = 1e300, most = -1e300;
        for (std::uint64_t i = 0; i < buffer.elements(); ++i) {
            const double v = load_element(buffer.dtype, bytes.data() + i * size_of(buffer.dtype));
            sum += v;
            squares += v * v;
            least = std::min(least, v);
            most = std::max(most, v);
        }
        const double n = static_cast<double>(buffer.elements()), mean = sum / n;
        return std::array<double, 4>{mean, std::sqrt(squares / n - mean * mean), least, most};
    };
    const auto gauss = moments(buffer_of(Dtype::F32, 200000, InitNormal{3, 2}));
    CHECK(gauss[0] == Approx(3).margin(0.03));
    CHECK(gauss[1] == Approx(2).epsilon(0.01));
    const auto flat = moments(buffer_of(Dtype::F64, 200000, InitUniform{-1, 3}));
    CHECK(flat[0] == Approx(1).margin(0.02));
    CHECK(flat[1] == Approx(4 / std::sqrt(12.0)).epsilon(0.01));
    CHECK(flat[2] >= -1);
    CHECK(flat[3] < 3);
    const auto whole = moments(buffer_of(Dtype::I32, 50000, InitIntegers{-2, 2}));
    CHECK(whole[2] == -2);
    CHECK(whole[3] == 2);
    const auto range = moments(buffer_of(Dtype::U16, 100, InitRange{5, 2}));
    CHECK(range[2] == 5);
    CHECK(range[3] == 203);
}

TEST_CASE("A file of the wrong size is refused") {
    BufferParam buffer = buffer_of(Dtype::F32, 4, InitFile{"x.bin"});
    std::vector<std::byte> out(16), file(12);
    CHECK_FALSE(fill_input(buffer, 0, file, out));
    file.resize(16, std::byte{7});
    REQUIRE(fill_input(buffer, 0, file, out));
    CHECK(out == file);
}

TEST_CASE("Regions are cut into pieces that cover each word once, none of two regions") {
    const DigestRegion regions[] = {{0x1000, 10}, {0x9000, 0}, {0x20000, 8}, {0x30000, 2}};
    const std::vector<DigestPiece> expected = {{0x1000, 2, 0, 0},  {0x1020, 2, 4, 0},  {0x1040, 1, 8, 0},
                                               {0x20000, 2, 0, 2}, {0x20020, 2, 4, 2}, {0x30000, 1, 0, 3}};
    CHECK(pieces_of(regions, 4) == expected);
    CHECK(pieces_of(regions, 1024).size() == 3);
    CHECK(pieces_of({}, 4).empty());
}

TEST_CASE("A digest sees every single change, and order") {
    std::vector<std::byte> bytes(4096);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::byte>(counter_random(4, i));
    const Digest whole = digest_of(bytes);
    for (std::size_t i = 0; i < bytes.size(); i += 37) {
        auto changed = bytes;
        changed[i] ^= std::byte{0x10};
        CHECK_FALSE(digest_of(changed) == whole);
    }
    auto swapped = bytes;
    std::swap_ranges(swapped.begin(), swapped.begin() + 8, swapped.begin() + 8);
    CHECK_FALSE(digest_of(swapped) == whole);
    // One word of zero at position 0: mix64(golden ratio), SplitMix64's first output for seed 0.
    const std::vector<std::byte> zero(8);
    CHECK(digest_of(zero).sum == 16294208416658607535ull);
    CHECK(digest_of(zero).parity == 16294208416658607535ull);
}
