// SPDX-License-Identifier: GPL-3.0-or-later
// Which recompiled kernels may run in the launches of the original.
#include "core/start/fit.h"

#include "tests/core/binary/test_cubins.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

// A kernel of sm_90 and copies of its facts that a compilation might have changed.
struct Facts {
    std::shared_ptr<const Cubin> cubin = open_cubin(sample("flash_attn_mma"));
    KernelInfo original = cubin->kernels().front();

    std::optional<FitProblem> problem(const KernelInfo& candidate, const Launch& launch) const {
        const std::vector<Launch> launches = {launch};
        return fit_problem({*cubin, original}, {*cubin, candidate}, launches);
    }
    // The problem of a copy that `change` has changed.
    template <class Change>
    std::optional<Misfit> after(Change change, Launch launch = {128, 64, 0, false}) const {
        KernelInfo candidate = original;
        change(candidate);
        const auto found = problem(candidate, launch);
        return found ? std::optional(found->what) : std::nullopt;
    }
};

}  // namespace

TEST_CASE("the original fits its own launches") {
    for (const auto& path : all_cubins()) {
        const auto cubin = open_cubin(path);
        for (const KernelInfo& kernel : cubin->kernels()) {
            INFO(path.string() << ": " << kernel.name);
            const auto launches = launches_of(cubin->arch(), kernel, std::nullopt);
            CHECK_FALSE(fit_problem({*cubin, kernel}, {*cubin, kernel}, launches));
        }
    }
}

TEST_CASE(
    "a block must find its registers: 65,536 on an SM, eight at a time for each thread, four warps at a "
    "time") {
    const Facts facts;
    const auto registers = [&](int count, int threads) {
        return facts.after([&](KernelInfo& k) { k.registers = count; }, {threads, 64, 0, false});
    };
    CHECK_FALSE(registers(255, 128));
    CHECK_FALSE(registers(255, 256));  // 256 x 256 = 65536
    CHECK(registers(255, 288) == Misfit::Registers);
    CHECK_FALSE(registers(128, 512));
    CHECK(registers(129, 512) == Misfit::Registers);  // 136 x 512
    CHECK_FALSE(registers(64, 1024));
    CHECK(registers(65, 1024) == Misfit::Registers);
}

TEST_CASE("without a workload the launch is the largest that the original allows") {
    const Facts facts;
    const Arch arch = facts.cubin->arch();
    KernelInfo kernel = facts.original;
    REQUIRE(kernel.required_block);
    CHECK(launches_of(arch, kernel, std::nullopt).at(0).threads_per_block == 128);
    kernel.required_block.reset();
    kernel.max_threads = {{256, 2, 1}};
    kernel.registers = 32;
    CHECK(launches_of(arch, kernel, std::nullopt).at(0).threads_per_block == 512);
    kernel.registers = 255;
    CHECK(launches_of(arch, kernel, std::nullopt).at(0).threads_per_block == 256);
    kernel.max_threads.reset();
    kernel.registers = 64;
    CHECK(launches_of(arch, kernel, std::nullopt).at(0).threads_per_block == 1024);
}

TEST_CASE("every shape of a workload counts") {
    Workload workload;
    workload.block = {128, 1, 1};
    workload.grid = {4, 5, 6};
    workload.dynamic_shared_bytes = 1000;
    workload.shapes.push_back(workload);
    workload.shapes[0].block = {32, 8, 1};
    workload.shapes[0].cooperative = true;
    const auto launches = launches_of({90, false, false}, Facts().original, workload);
    REQUIRE(launches.size() == 2);
    CHECK(launches[0].threads_per_block == 128);
    CHECK(launches[0].blocks == 120);
    CHECK(launches[0].dynamic_shared == 1000u);
    CHECK(launches[1].threads_per_block == 256);
    CHECK(launches[1].cooperative);
}

TEST_CASE("shared memory may grow up to what the launch allows without being asked again") {
    const Facts facts;
    const auto shared = [&](std::uint32_t bytes, std::optional<std::uint32_t> dynamic) {
        return facts.after([&](KernelInfo& k) { k.static_shared = facts.original.static_shared + bytes; },
                           {128, 64, dynamic, false});
    };
    REQUIRE(facts.original.static_shared == 0);
    CHECK_FALSE(shared(0, std::nullopt));
    CHECK(shared(1, std::nullopt) == Misfit::SharedMemory);
    CHECK_FALSE(shared(8 << 10, 40 << 10));
    CHECK(shared((8 << 10) + 1, 40 << 10) == Misfit::SharedMemory);  // above 48 KiB a program has to ask
    CHECK_FALSE(shared(127 << 10, 100 << 10));  // it asked for more than 48 KiB: 227 KiB at most
    CHECK(shared((127 << 10) + 1, 100 << 10) == Misfit::SharedMemory);
}

TEST_CASE("local memory fits into the stack that every context has, or into the original's frame") {
    Facts facts;
    const auto local = [&](std::uint32_t bytes) {
        return facts.after([&](KernelInfo& k) { k.local_bytes = bytes; });
    };
    CHECK_FALSE(local(1024));
    CHECK(local(1032) == Misfit::LocalMemory);
    facts.original.local_bytes = 4096;
    CHECK_FALSE(local(4096));
    CHECK(local(4104) == Misfit::LocalMemory);
}

TEST_CASE("what the launch passes and the driver does must be the same") {
    const Facts facts;
    REQUIRE(facts.original.params.size() >= 2);
    CHECK(facts.after([](KernelInfo& k) { k.params.pop_back(); }) == Misfit::Parameters);
    CHECK(facts.after([](KernelInfo& k) { k.params[1].offset += 4; }) == Misfit::Parameters);
    CHECK(facts.after([](KernelInfo& k) { k.params[0].size = 4; }) == Misfit::Parameters);
    CHECK(facts.after([](KernelInfo& k) { k.param_bytes += 8; }) == Misfit::Parameters);
    CHECK(facts.after([](KernelInfo& k) { k.required_block.reset(); }) == Misfit::RequiredBlock);
    CHECK(facts.after([](KernelInfo& k) { k.required_block = {{64, 2, 1}}; }) == Misfit::RequiredBlock);
    CHECK(facts.after([](KernelInfo& k) { k.max_threads = {{64, 1, 1}}; }) == Misfit::MaxThreads);
    CHECK_FALSE(facts.after([](KernelInfo& k) { k.max_threads = {{128, 1, 1}}; }));
    CHECK(facts.after([](KernelInfo& k) { k.uses_clusters = true; }) == Misfit::Cluster);
    CHECK(facts.after([](KernelInfo& k) { k.cluster = {{2, 1, 1}}; }) == Misfit::Cluster);
    const auto with_attribute = [&](std::uint8_t code) {
        return facts.after(
            [&](KernelInfo& k) { k.attributes.push_back({.format = 2, .code = code, .value = 1}); });
    };
    CHECK(with_attribute(0x1f) == Misfit::Attributes);  // NEED_CNP_WRAPPER: it launches kernels
    CHECK(with_attribute(0x5b) == Misfit::Attributes);  // nobody knows it
    CHECK_FALSE(with_attribute(0x1c));                  // EXIT_INSTR_OFFSETS: of the code itself
    const auto other = open_cubin(data("bmm_mma.sm_80"));
    const auto problem = fit_problem({*facts.cubin, facts.original}, {*other, facts.original}, {});
    REQUIRE(problem);
    CHECK(problem->what == Misfit::Architecture);
}

TEST_CASE("all blocks of a cooperative launch must be resident") {
    const Facts facts;
    const auto blocks = [&](int registers, bool cooperative, std::uint64_t grid) {
        return facts.after([&](KernelInfo& k) { k.registers = registers; }, {128, grid, 0, cooperative});
    };
    REQUIRE(facts.original.registers == 64);  // eight blocks of 128 threads on an SM
    CHECK_FALSE(blocks(72, false, 132 * 8));
    CHECK(blocks(72, true, 132 * 8) == Misfit::Cooperative);
    CHECK_FALSE(blocks(72, true, 132 * 7));
}

TEST_CASE("a problem says its numbers") {
    CHECK(FitProblem{Misfit::Registers, 73728, 65536}.text() ==
          "registers: a block takes 73728, and an SM has 65536");
    CHECK(FitProblem{Misfit::Cluster}.text() == "cluster: not those of the original");
}
