// SPDX-License-Identifier: GPL-3.0-or-later
// Which loop is looked at first, on kernels of many origins. The expected places were read off the listings:
// the loop that holds the matrix instructions, the loads and the sums, the body of the source's inner loop.
#include "core/model/hot_loop.h"

#include <string_view>

#include "core/model/explanation.h"
#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

KernelPtr kernel_in(const std::string& file, const std::string& name = {}) {
    auto cubin = required(Cubin::open(file));
    auto kernel = required(Kernel::load(*cubin, name));
    return *kernel;
}

KernelPtr test_kernel(const std::string& file, const std::string& name = {}) {
    return kernel_in(std::string(CUBINLAB_TEST_DATA) + "/cubins/" + file, name);
}

KernelPtr sample(const std::string& name) {
    return kernel_in(std::string(CUBINLAB_SAMPLES) + "/" + name + ".cubin");
}

// Byte offsets of the hot loop's first and last instruction; {0, 0}: the whole path.
std::pair<std::uint32_t, std::uint32_t> place(const KernelPtr& kernel) {
    const LoopNest nest = loops_of(*kernel, 16);
    const CodeLoop* hot = nest.hot();
    if (!hot) return {0, 0};
    const auto& blocks = kernel->flow().blocks;
    return {static_cast<std::uint32_t>(blocks[hot->blocks.front()].first * kWordBytes),
            static_cast<std::uint32_t>((blocks[hot->blocks.back()].end() - 1) * kWordBytes)};
}

bool loop_holds(const KernelPtr& kernel, std::string_view mnemonic) {
    const LoopNest nest = loops_of(*kernel, 16);
    const CodeLoop* hot = nest.hot();
    if (!hot) return false;
    for (const BlockId b : hot->blocks)
        for (Position at = kernel->flow().blocks[b].first; at < kernel->flow().blocks[b].end(); ++at)
            if (mnemonic == kernel->instruction(at).mnemonic) return true;
    return false;
}

using Place = std::pair<std::uint32_t, std::uint32_t>;

}  // namespace

TEST_CASE("the hot loop of Triton's kernels is the one of the matrix instructions, not the long prologue") {
    CHECK(place(sample("bmm_mma")) == Place{0x0d10, 0x13d0});
    CHECK(place(sample("flash_attn_mma")) == Place{0x06f0, 0x12a0});
    // 129 instructions before the loop, 96 in it.
    CHECK(place(test_kernel("bmm.cuda124.cubin")) == Place{0x0ce0, 0x12d0});
    for (const char* name : {"bmm_mma", "gemm_leaky_mma", "ff_swiglu_mma", "flash_attn_d64_mma"})
        CHECK(loop_holds(sample(name), "HMMA"));
}

TEST_CASE("the hot loop is found on other architectures alike") {
    CHECK(place(test_kernel("bmm_mma.sm_80.cubin")) == Place{0x0be0, 0x12e0});
    CHECK(place(test_kernel("flash_attn_mma.sm_86.cubin")) == Place{0x06d0, 0x12e0});
    CHECK(loop_holds(test_kernel("sweep.wmma_o1.sm_75.cubin"), "IMMA"));
    CHECK(loop_holds(test_kernel("sweep.wgmma.sm_90a.cubin"), "HGMMA"));
}

TEST_CASE("a kernel whose largest block is in no loop still opens at its loop") {
    const KernelPtr kernel = test_kernel("variants.80.cubin", "k_lines");
    CHECK(place(kernel) == Place{0x07d0, 0x08f0});
    const auto& blocks = kernel->flow().blocks;
    const BlockId shown = hot_block(*kernel);
    CHECK(blocks[shown].loop_depth > 0);
    bool larger = false;
    for (const Block& block : blocks)
        larger = larger || (block.loop_depth == 0 && block.count > blocks[shown].count);
    CHECK(larger);
}

TEST_CASE("kernels of five origins open at their hot loop") {
    const char* cub =
        "_ZN3cub17CUB_300001_SM_9006detail6reduce18DeviceReduceKernelINS2_10policy_hubIfjN4cuda3std3__"
        "44plusIvEEE10"
        "Policy1000EPKfjS9_fNS7_10__identityEEEvT0_PT3_T1_NS0_13GridEvenShareISI_EET2_T4_";
    struct Origin {
        const char* of;
        KernelPtr kernel;
        const char* holds;
        Place at;
    };
    const Origin all[] = {
        {"Triton", sample("flash_attn_mma"), "HMMA", {0x06f0, 0x12a0}},
        {"nvcc -lineinfo", test_kernel("variants.90.cubin", "k_lines"), "LDG", {0x07e0, 0x0900}},
        // Its loop over whole tiles, sixteen loads a pass, of ten loops.
        {"CUB", test_kernel("cub_sum.90.cubin", cub), "LDG", {0x08a0, 0x0ff0}},
        {"sm_80", test_kernel("bmm_mma.sm_80.cubin"), "HMMA", {0x0be0, 0x12e0}},
        {"largest block no loop", test_kernel("bmm.cuda124.cubin"), "LDGSTS", {0x0ce0, 0x12d0}},
    };
    for (const Origin& origin : all) {
        INFO(origin.of);
        CHECK(place(origin.kernel) == origin.at);
        CHECK(loop_holds(origin.kernel, origin.holds));
        const Block& opened = origin.kernel->flow().blocks[hot_block(*origin.kernel)];
        CHECK(opened.loop_depth > 0);
        CHECK(opened.first * kWordBytes >= origin.at.first);
        CHECK(opened.first * kWordBytes <= origin.at.second);
    }
}

TEST_CASE("a kernel without a loop is taken as its whole path, without the padding") {
    for (const KernelPtr& kernel : {sample("softmax"), test_kernel("distances.80.cubin", "doubles")}) {
        INFO(kernel->name());
        CHECK(place(kernel) == Place{0, 0});
        const Explanation e = Explainer(kernel, {}).explain(Schedule(kernel));
        CHECK_FALSE(e.loop);
        CHECK(e.last < kernel->size());
        // The branch to itself behind the last EXIT and the NOPs behind that are reached by nothing.
        for (InstrId id = e.last + 1; id < kernel->size(); ++id)
            CHECK((std::string_view(kernel->instruction(id).mnemonic) == "NOP" ||
                   std::string_view(kernel->instruction(id).mnemonic) == "BRA"));
        CHECK(std::string_view(kernel->instruction(e.last).mnemonic) == "EXIT");
    }
}

TEST_CASE("a loop that only waits for an mbarrier is not hot, the one that computes around it is") {
    const KernelPtr kernel = test_kernel("k3.90a.cubin", "k_tma");
    bool waits = false;
    for (const CodeLoop& loop : loops_of(*kernel, 16).loops)
        for (const BlockId b : loop.blocks)
            for (Position at = kernel->flow().blocks[b].first; at < kernel->flow().blocks[b].end(); ++at)
                if (std::string_view(kernel->instruction(at).mnemonic) == "SYNCS") {
                    waits = true;
                    CHECK_FALSE(loop.works());
                }
    CHECK(waits);
}

TEST_CASE("a histogram's loop of atomics is no lock") {
    for (const char* file : {"distances.75.cubin", "distances.80.cubin", "distances.90a.cubin"}) {
        INFO(file);
        CHECK(loop_holds(test_kernel(file, "counts"), "ATOMG"));
    }
}
