// SPDX-License-Identifier: GPL-3.0-or-later
// Passes of the samples' loops in the launch of their workloads: shapes by hand.
#include "core/tuning/explain_settings.h"

#include <algorithm>

#include "core/model/explanation.h"
#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

struct Launched {
    KernelPtr kernel;
    std::optional<Workload> workload;
};

Launched launched(const std::string& name) {
    const std::string path = std::string(CUBINLAB_SAMPLES) + "/" + name + ".cubin";
    auto cubin = required(Cubin::open(path));
    auto kernel = required(Kernel::load(*cubin));
    auto workload = required(Workload::load(default_workload_path(path)));
    return {*kernel, *workload};
}

}  // namespace

TEST_CASE("the hot loops of the samples make the passes that their workloads' shapes say") {
    struct Passes {
        const char* name;
        std::uint64_t passes;  // of the summed dimension by the tile, or of the keys by the block of keys
    };
    for (const Passes& shape : {Passes{"bmm", 32},
                                {"bmm_mma", 32},
                                {"flash_attn", 128},
                                {"flash_attn_mma", 128},
                                {"flash_attn_d64_mma", 64},
                                {"gemm_leaky_mma", 32},
                                {"gemm_leaky_large", 64},
                                {"ff_swiglu", 32},
                                {"rmsnorm", 4}}) {
        INFO(shape.name);
        const Launched of = launched(shape.name);
        const ExplainSettings settings = explain_settings(*of.kernel, of.workload);
        const Explanation e = Explainer(of.kernel, settings.model).explain(Schedule(of.kernel));
        REQUIRE(e.hot_trips());
        INFO(e.hot_trips()->why);
        CHECK(e.hot_trips()->known);
        CHECK(e.hot_trips()->passes == shape.passes);
    }
}

TEST_CASE("without a workload a loop over a parameter is not counted, and says that a workload is missing") {
    const Launched of = launched("bmm_mma");
    const ExplainSettings settings = explain_settings(*of.kernel, std::nullopt);
    const Explanation e = Explainer(of.kernel, settings.model).explain(Schedule(of.kernel));
    REQUIRE(e.hot_trips());
    CHECK_FALSE(e.hot_trips()->known);
    CHECK(text_of(*of.kernel, *e.hot_trips(), e.assumed_trips) ==
          "assuming 16 iterations: BRA 0x13d0 depends on a parameter or a dimension that no workload gives");
}

TEST_CASE("pointers are not known values: a buffer's parameter stays open") {
    const Launched of = launched("bmm_mma");
    const LaunchValues values = launch_values(*of.kernel, of.workload);
    CHECK(values.value(0, 4) == 128u);  // blockDim.x
    CHECK(values.value(12, 4) == 8u);   // gridDim.x
    CHECK(values.value(20, 4) == 4u);   // gridDim.z
    const KernelInfo& info = of.kernel->info();
    CHECK_FALSE(values.value(info.param_base + info.params[0].offset, 4));
}

TEST_CASE("the traffic of the samples is what their algorithms read and write") {
    const auto traffic_of = [](const char* name) {
        const Launched of = launched(name);
        const ExplainSettings settings = explain_settings(*of.kernel, of.workload);
        return Explainer(of.kernel, settings.model).explain(Schedule(of.kernel)).memory;
    };
    const auto of_param = [](const MemoryTraffic& traffic, int param) {
        for (const PointerTraffic& pointer : traffic.pointers)
            if (pointer.param == param) return pointer;
        FAIL("no access through params[" << param << "]");
        return PointerTraffic{};
    };
    // A row of 4,096 halves stays in registers: each of 4,096 rows is read once and written once.
    const MemoryTraffic softmax = traffic_of("softmax");
    constexpr double kRows = 4096.0 * 4096 * 2;
    CHECK(of_param(softmax, 1).reuse == Reuse::Once);
    CHECK(of_param(softmax, 1).bytes == kRows);
    CHECK(of_param(softmax, 1).hint() == "evict_first");
    CHECK(of_param(softmax, 0).reuse == Reuse::Stored);
    CHECK(softmax.distinct == 2 * kRows);
    CHECK_THAT(softmax.verdict, contains_text("bound by memory, at DRAM"));
    // Two passes over a row; all rows use the same weights.
    const MemoryTraffic rmsnorm = traffic_of("rmsnorm");
    const auto has = [&](Reuse reuse) {
        return std::ranges::any_of(rmsnorm.pointers, [&](const PointerTraffic& p) { return p.reuse == reuse; });
    };
    CHECK(has(Reuse::Twice));
    CHECK(has(Reuse::Shared));
    CHECK(has(Reuse::Stored));
    // Its pointers are carried through the loop: nothing follows, and the buffers bound what DRAM moves.
    const MemoryTraffic product = traffic_of("bmm_mma");
    for (const PointerTraffic& pointer : product.pointers)
        if (pointer.param < 0) CHECK(pointer.hint().empty());
    CHECK_THAT(product.verdict, contains_text("not bound by memory"));
}
