// SPDX-License-Identifier: GPL-3.0-or-later
// The worker's word for what it loads is the one that schedules have for themselves.
#include "core/gpu/worker/loaded_code.h"

#include "core/schedule/cubin_writer.h"
#include "tests/core/schedule/test_kernels.h"

using namespace cubinlab;
using namespace cubinlab::test;

TEST_CASE("the code of an image has the hash that its schedule has, in every cubin") {
    std::mt19937_64 random(7);
    for (const KernelPtr& kernel : editable_kernels()) {
        INFO(kernel->cubin().where() << " " << kernel->name());
        const auto writer = CubinWriter::create(kernel);
        if (!writer) continue;
        LoadedCode code(kernel->name());
        CHECK(code.hash(kernel->cubin().bytes()) == kernel->hash());
        Schedule schedule(kernel);
        for (int i = 0; i < 4; ++i) {
            REQUIRE(Mutation{{random_edit(schedule, random)}}.apply(schedule));
            const auto image = writer->image(schedule);
            CHECK(code.hash(image) == schedule.hash());
            CHECK(LoadedCode(kernel->name()).hash(image) == schedule.hash());
        }
    }
}

TEST_CASE("code is found anew where an image is laid out otherwise") {
    const auto one = read_bytes(sample("bmm_mma")), other = read_bytes(sample("ff_swiglu_mma"));
    const KernelPtr kernel = load_kernel(sample("bmm_mma")), elsewhere = load_kernel(sample("ff_swiglu_mma"));
    LoadedCode code(kernel->name());
    CHECK(code.hash(one) == kernel->hash());
    // Another file, which has no such kernel; and the first one again.
    CHECK(code.hash(other) == Hash128{});
    CHECK(code.hash(one) == kernel->hash());
    CHECK(LoadedCode(elsewhere->name()).hash(other) == elsewhere->hash());
}

TEST_CASE("a byte of the code counts, bytes beside it do not") {
    const KernelPtr kernel = load_kernel(sample("bmm_mma"));
    auto image = read_bytes(sample("bmm_mma"));
    LoadedCode code(kernel->name());
    REQUIRE(code.hash(image) == kernel->hash());
    const std::size_t first = kernel->info().code_offset, behind = first + kernel->info().code_size;
    for (const std::size_t inside : {first, behind - 1}) {
        image[inside] ^= std::byte{1};
        CHECK_FALSE(code.hash(image) == kernel->hash());
        image[inside] ^= std::byte{1};
    }
    image[first - 1] ^= std::byte{1};
    CHECK(code.hash(image) == kernel->hash());
}

TEST_CASE("what is no cubin has no code") {
    const std::string text = "a module of a stand-in driver";
    LoadedCode code("bmm");
    CHECK(code.hash(std::as_bytes(std::span(text))) == Hash128{});
    CHECK(code.hash({}) == Hash128{});
    auto image = read_bytes(sample("bmm_mma"));
    for (std::size_t size = 0; size < image.size(); size += 997)
        CHECK(code.hash(std::span(image).first(size)) == Hash128{});
}
